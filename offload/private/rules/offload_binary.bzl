"""rust_offload_binary: one crate, three passes, one executable with kernels inside."""

load("//offload:providers.bzl", "OffloadInfo")
load("//offload/private:transitions.bzl", "host_transition")
load("//offload/private/actions:device.bzl", "device_action")
load("//offload/private/actions:host.bzl", "host_action", "linker_flags")
load("//offload/private/actions:host_metadata.bzl", "host_metadata_action")
load(
    "//offload/private/compat:rules_rust.bzl",
    "RUST_TOOLCHAIN_TYPE",
    "crate_graph",
    "crate_sources",
    "dynamic_libraries",
    "extra_rustc_flags",
    "run_environment",
    "side_attr",
)
load("//offload/private/rules:attrs.bzl", "OFFLOAD_ATTRS")
load("//offload/private/rules:checks.bzl", "checked_inputs")
load("//toolchains:offload_toolchain.bzl", "OFFLOAD_TOOLCHAIN_TYPE")
load("//toolchains/cuda:toolchain.bzl", "CUDA_TOOLCHAIN_TYPE")

_CPP_TOOLCHAIN_TYPE = "@bazel_tools//tools/cpp:toolchain_type"

def _host_attr(ctx, rustc_flags):
    return side_attr(
        ctx,
        rustc_flags = rustc_flags,
        crate_features = ctx.attr.crate_features,
        data = ctx.attr.data,
        data_files = ctx.files.data,
    )

def _impl(ctx):
    checked, error = checked_inputs(ctx)
    if error:
        fail("{}: {}".format(ctx.label, error))

    toolchain = ctx.toolchains[RUST_TOOLCHAIN_TYPE]
    offload_toolchain = ctx.toolchains[OFFLOAD_TOOLCHAIN_TYPE].offload
    dialect = offload_toolchain.dialect
    sources = crate_sources(ctx, toolchain, ctx.files.srcs)
    host_flags = extra_rustc_flags(ctx) + ctx.attr.rustc_flags
    device_attr = side_attr(
        ctx,
        rustc_flags = ctx.attr.device_rustc_flags,
        crate_features = ctx.attr.crate_features + ctx.attr.device_crate_features,
    )

    manifest = host_metadata_action(ctx, _host_attr(ctx, host_flags), toolchain, dialect, sources, ctx.attr.deps)
    image = device_action(
        ctx,
        device_attr,
        ctx.split_attr._device_toolchain[checked.arch][platform_common.ToolchainInfo],
        dialect,
        sources,
        ctx.split_attr.device_deps.get(checked.arch, []),
        checked.arch,
        checked.triple,
        manifest,
    )
    executable = ctx.actions.declare_file(ctx.label.name)
    host = crate_graph(ctx, sources, "bin", executable, ctx.attr.deps)
    host_action(ctx, _host_attr(ctx, linker_flags(offload_toolchain) + host_flags), toolchain, offload_toolchain, host, image, checked.ptxas)

    runfiles = ctx.runfiles(
        files = ctx.files.data + dynamic_libraries(host),
        transitive_files = offload_toolchain.runtime,
        collect_data = True,
        collect_default = True,
    )
    return [
        DefaultInfo(
            executable = executable,
            files = depset([executable]),
            runfiles = runfiles,
        ),
        OffloadInfo(
            images = {image.arch: image},
            manifest = manifest,
            runtime = offload_toolchain.runtime,
        ),
        OutputGroupInfo(
            device_image = depset([image.file]),
            device_llvm_bc = depset([image.bitcode]),
            offload_manifest = depset([manifest]),
        ),
        host.crate_info,
        host.dep_info,
        coverage_common.instrumented_files_info(
            ctx,
            source_attributes = ["srcs"],
            dependency_attributes = ["deps"],
            extensions = ["rs"],
        ),
        run_environment(ctx),
    ]

offload_binary = rule(
    implementation = _impl,
    doc = "The rule behind the macro rust_offload_binary.",
    attrs = OFFLOAD_ATTRS,
    cfg = host_transition,
    executable = True,
    fragments = ["cpp"],
    provides = [OffloadInfo],
    toolchains = [
        RUST_TOOLCHAIN_TYPE,
        OFFLOAD_TOOLCHAIN_TYPE,
        _CPP_TOOLCHAIN_TYPE,
        config_common.toolchain_type(CUDA_TOOLCHAIN_TYPE, mandatory = False),
    ],
)

# With neither the flag nor the attribute there is nothing to build: `bazel build //...` skips the target.
_NEEDS_AN_ARCH = select({
    Label("//offload/settings:has_arch"): [],
    "//conditions:default": [Label("//offload/settings:an_arch")],
})

def rust_offload_binary(
        name,
        archs = None,
        deps = [],
        host_deps = [],
        device_deps = [],
        target_compatible_with = [],
        **kwargs):
    """Builds a Rust program whose kernels run on a GPU.

    The crate is compiled three times: rustc finds out which kernel instances the host launches
    (`RustOffloadHostMetadata`), compiles them for the GPU (`RustOffloadDevice`), and compiles the host with the result
    inside (`RustOffloadHost`).

    ```starlark
    load("@rules_rust_offload//offload:defs.bzl", "rust_offload_binary")

    rust_offload_binary(
        name = "kernel",
        srcs = ["kernel.rs"],
        edition = "2024",
    )
    ```

    `bazel build //:kernel --config=gfx90a` builds it, `bazel run //:kernel --config=sm_90` runs it. Without an arch the
    target is incompatible, and `bazel build //...` skips it.

    The output groups `offload_manifest`, `device_image` and `device_llvm_bc` hold what the first two passes made.

    Args:
        name: (str) the name of the target and of the executable.
        archs: (list[str]) the arch to build for: `gfx[0-9a-f]+` or `sm_[0-9]+[a-z]?`, as rustc's `-Ctarget-cpu`.
            Default: the flag `//offload/settings:archs`, which `--config=gfx90a` sets.
        deps: (list[label]) libraries for both sides, each built for each side.
        host_deps: (list[label]) libraries for the host side only: `rust_library`, `cc_library`, a build script.
        device_deps: (list[label]) libraries for the device side only.
        target_compatible_with: (list[label]) as for every rule.
        **kwargs: the attributes of `rust_binary`, with the same meaning for both sides, and
            `device_crate_features`, `device_rustc_flags` (list[str]), which are added on the device side. `rustc_flags`
            hold for the host side.
    """
    if archs == None:
        target_compatible_with = target_compatible_with + _NEEDS_AN_ARCH
    offload_binary(
        name = name,
        archs = archs,
        deps = deps + host_deps,
        device_deps = deps + device_deps,
        target_compatible_with = target_compatible_with,
        **kwargs
    )
