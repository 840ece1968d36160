"""rust_offload_binary: one crate, three passes, one executable with kernels inside."""

load("@bazel_skylib//rules:common_settings.bzl", "BuildSettingInfo")
load("@rules_rust//rust:rust_common.bzl", "BuildInfo", "CrateInfo")
load("//offload:providers.bzl", "OffloadInfo")
load("//offload/private:arch.bzl", "check_known", "parse_arch")
load("//offload/private:flags.bzl", "forbidden_flag")
load("//offload/private:transitions.bzl", "archs_of", "device_transition", "host_transition")
load("//offload/private/actions:device.bzl", "device_action")
load("//offload/private/actions:host.bzl", "host_action", "linker_flags")
load("//offload/private/actions:host_metadata.bzl", "host_metadata_action")
load(
    "//offload/private/compat:rules_rust.bzl",
    "RUSTC_ATTRS",
    "RUST_TOOLCHAIN_TYPE",
    "crate_graph",
    "crate_sources",
    "dynamic_libraries",
    "extra_rustc_flags",
    "run_environment",
    "side_attr",
)
load("//toolchains:offload_toolchain.bzl", "OFFLOAD_TOOLCHAIN_TYPE")
load("//toolchains/cuda:toolchain.bzl", "CUDA_TOOLCHAIN_TYPE")

_CPP_TOOLCHAIN_TYPE = "@bazel_tools//tools/cpp:toolchain_type"

_ATTRS = {
    "aliases": attr.label_keyed_string_dict(
        doc = "Remaps crates to other names, on both sides.",
    ),
    "archs": attr.string_list(
        doc = "The GPU arches to build for, such as `[\"gfx90a\"]`. Default: the flag `//offload/settings:archs`, which `--config=gfx90a` sets.",
    ),
    "compile_data": attr.label_list(
        allow_files = True,
        doc = "Files that the compiler reads, such as those of `include_str!`.",
    ),
    "crate_features": attr.string_list(
        doc = "Features of this crate, on both sides.",
    ),
    "crate_name": attr.string(
        doc = "The name of the crate. Default: the target's name, with `-` replaced by `_`.",
    ),
    "crate_root": attr.label(
        allow_single_file = [".rs"],
        doc = "The root of the crate. Default: the only file in `srcs`, `main.rs`, or a file of the target's name.",
    ),
    "data": attr.label_list(
        allow_files = True,
        doc = "Files that the executable needs when it runs.",
    ),
    "deps": attr.label_list(
        doc = "Libraries of the host side: `deps` and `host_deps` of the macro.",
    ),
    "device_crate_features": attr.string_list(
        doc = "Features of this crate that are added on the device side.",
    ),
    "device_deps": attr.label_list(
        cfg = device_transition,
        doc = "Libraries of the device side: `deps` and `device_deps` of the macro.",
        providers = [[CrateInfo], [BuildInfo]],
    ),
    "device_rustc_flags": attr.string_list(
        doc = "Compiler flags that are added on the device side.",
    ),
    "edition": attr.string(
        doc = "The Rust edition. Default: that of the toolchain, 2024.",
    ),
    "env": attr.string_dict(
        doc = "Environment variables of `bazel run`, subject to `$(location)` and the like.",
    ),
    "linker_script": attr.label(
        allow_single_file = True,
        doc = "A linker script for the host executable.",
    ),
    "proc_macro_deps": attr.label_list(
        cfg = "exec",
        doc = "`rust_proc_macro` targets, used on both sides.",
        providers = [CrateInfo],
    ),
    "rustc_env": attr.string_dict(
        doc = "Environment variables of the compiler, on both sides, subject to `$(location)` and the like.",
    ),
    "rustc_env_files": attr.label_list(
        allow_files = True,
        doc = "Files with lines `NAME=value` for the environment of the compiler, on both sides.",
    ),
    "rustc_flags": attr.string_list(
        doc = "Compiler flags of the host side, subject to `$(location)` and the like. What a pass sets itself is refused: `--target`, `--crate-type`, `-Ctarget-cpu`, `-Clto`, `-Zoffload`.",
    ),
    "srcs": attr.label_list(
        allow_files = [".rs"],
        doc = "The sources of the crate. Each pass compiles them.",
        # Allows --compile_one_dependency.
        flags = ["DIRECT_COMPILE_TIME_INPUT"],
    ),
    "version": attr.string(
        default = "0.0.0",
        doc = "The version of the crate, for `CARGO_PKG_VERSION`.",
    ),
    "_allowlist_function_transition": attr.label(
        default = "@bazel_tools//tools/allowlists/function_transition_allowlist",
    ),
    "_archs_flag": attr.label(
        default = "//offload/settings:archs",
    ),
    "_device_toolchain": attr.label(
        cfg = device_transition,
        default = "@rules_rust//rust/toolchain:current_rust_toolchain",
        doc = "Hands over the rust_toolchain of each arch.",
    ),
} | RUSTC_ATTRS

def _checked_arch(archs, known_archs):
    """Returns (struct(arch, triple), None), or (None, error)."""
    if not archs:
        return None, "no GPU arch is set. Found an empty list. Write archs = [\"gfx90a\"] or --config=gfx90a."
    if len(archs) > 1:
        return None, "a program can have one arch. Found {}. Write one of them in archs, or give one --config.".format(", ".join(archs))
    parsed, error = parse_arch(archs[0])
    if error:
        return None, error
    error = check_known(parsed.arch, parsed.triple, known_archs[parsed.triple])
    return (None, error) if error else (parsed, None)

def _ptxas_for(parsed, cuda_toolchain):
    """Returns (File or None, None), or (None, error)."""
    if not parsed.arch.startswith("sm_"):
        return None, None
    if not cuda_toolchain:
        return None, (
            "{} needs ptxas. Found no CUDA toolchain: there is no ptxas in $CUDA_PATH, $CUDA_HOME, $PATH or /usr/local/cuda. ".format(parsed.arch) +
            "Write offload.cuda(path = \"<folder with bin/ptxas>\") in MODULE.bazel, or set CUDA_PATH."
        )
    return cuda_toolchain.cuda.ptxas, None

def _inputs_of(ctx):
    """Checks what the user wrote. Returns (struct(parsed arch, ptxas), None), or (None, error)."""
    for attribute in ["rustc_flags", "device_rustc_flags"]:
        error = forbidden_flag(getattr(ctx.attr, attribute), attribute)
        if error:
            return None, error
    archs = archs_of(ctx.attr, ctx.attr._archs_flag[BuildSettingInfo].value)
    parsed, error = _checked_arch(archs, ctx.toolchains[OFFLOAD_TOOLCHAIN_TYPE].offload.known_archs)
    if error:
        return None, error
    ptxas, error = _ptxas_for(parsed, ctx.toolchains[CUDA_TOOLCHAIN_TYPE])
    if error:
        return None, error
    return struct(arch = parsed.arch, triple = parsed.triple, ptxas = ptxas), None

def _host_attr(ctx, rustc_flags):
    return side_attr(
        ctx,
        rustc_flags = rustc_flags,
        crate_features = ctx.attr.crate_features,
        data = ctx.attr.data,
        data_files = ctx.files.data,
    )

def _impl(ctx):
    checked, error = _inputs_of(ctx)
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
    attrs = _ATTRS,
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
