"""One crate, three passes, one executable with kernels inside: what a program and a test have in common."""

load("@bazel_skylib//rules:common_settings.bzl", "BuildSettingInfo")
load("//offload:providers.bzl", "LlvmMatchInfo", "OffloadInfo")
load("//offload/private:crate_names.bzl", "check_crate_names")
load("//offload/private:device_srcs.bzl", "check_device_srcs")
load("//offload/private:transitions.bzl", "host_transition")
load("//offload/private/actions:check_image.bzl", "check_image_action")
load("//offload/private/actions:device.bzl", "device_action", "device_side")
load("//offload/private/actions:device_text.bzl", "device_text_action")
load("//offload/private/actions:host.bzl", "host_action", "linker_flags")
load("//offload/private/actions:host_metadata.bzl", "host_metadata_action")
load("//offload/private/actions:link_image.bzl", "link_image_action")
load("//offload/private/actions:wrap_images.bzl", "wrap_images_action")
load(
    "//offload/private/compat:rules_rust.bzl",
    "RUST_TOOLCHAIN_TYPE",
    "crate_graph",
    "crate_names",
    "crate_sources",
    "dynamic_libraries",
    "extra_rustc_flags",
    "run_environment",
    "side_attr",
    "some_sources",
    "toolchain_of_pass",
)
load("//offload/private/rules:attrs.bzl", "OFFLOAD_ATTRS")
load("//offload/private/rules:checks.bzl", "checked_inputs")
load("//toolchains:offload_toolchain.bzl", "OFFLOAD_TOOLCHAIN_TYPE")

_CPP_TOOLCHAIN_TYPE = "@bazel_tools//tools/cpp:toolchain_type"

def _host_attr(ctx, rustc_flags):
    return side_attr(
        ctx,
        rustc_flags = rustc_flags,
        crate_features = ctx.attr.crate_features,
        data = ctx.attr.data,
        data_files = ctx.files.data,
    )

def _stop_at(ctx, error):
    if error:
        fail("{}: {}".format(ctx.label, error))

def build_executable(ctx, host_flags = [], device_flags = []):
    """Makes the actions of the passes.

    Args:
        ctx: (ctx) of a rule with EXECUTABLE_RULE.
        host_flags: (list[str]) rustc flags of the kind of executable for both passes of the host.
        device_flags: (list[str]) the same for the device.

    Returns:
        (list[Provider])
    """
    checked, error = checked_inputs(ctx)
    _stop_at(ctx, error)

    toolchain = ctx.toolchains[RUST_TOOLCHAIN_TYPE]
    offload_toolchain = ctx.toolchains[OFFLOAD_TOOLCHAIN_TYPE].offload
    dialect = offload_toolchain.dialect
    sources = crate_sources(ctx, toolchain, ctx.files.srcs)
    _stop_at(ctx, check_device_srcs(
        [file.short_path for file in ctx.files.device_srcs],
        [file.short_path for file in ctx.files.srcs],
        sources.root.short_path,
    ))
    device_sources = some_sources(sources, ctx.files.device_srcs) if ctx.files.device_srcs else sources
    host_flags = extra_rustc_flags(ctx) + ctx.attr.rustc_flags + host_flags
    device_attr = side_attr(
        ctx,
        rustc_flags = ctx.attr.device_rustc_flags + device_flags,
        crate_features = ctx.attr.crate_features + ctx.attr.device_crate_features,
    )

    manifest = host_metadata_action(ctx, _host_attr(ctx, host_flags), toolchain, dialect, sources, ctx.attr.deps)
    images = []
    texts = []
    for arch in checked.archs:
        deps = ctx.split_attr.device_deps.get(arch.arch, [])
        _stop_at(ctx, check_crate_names([(sources.name, ctx.label)] + crate_names(deps)))
        side = device_side(
            attr = device_attr,
            toolchain = toolchain_of_pass(
                ctx.split_attr._device_toolchain[arch.arch][platform_common.ToolchainInfo],
                ctx.attr._device_compilation_mode[BuildSettingInfo].value,
            ),
            sources = device_sources,
            deps = deps,
            arch = arch.arch,
            triple = arch.triple,
            manifest = manifest,
        )
        images.append(device_action(ctx, dialect, side))
        texts.append(device_text_action(ctx, dialect, side))
    images_object = None
    if checked.llvm:
        images = [link_image_action(ctx, checked.llvm, image, checked.ptxas) for image in images]
        images_object = wrap_images_action(ctx, checked.llvm, images)
    executable = ctx.actions.declare_file(ctx.label.name)
    host = crate_graph(ctx, sources, "bin", executable, ctx.attr.deps)
    host_action(
        ctx,
        _host_attr(ctx, linker_flags(offload_toolchain) + host_flags),
        toolchain,
        offload_toolchain,
        host,
        images,
        checked.ptxas,
        images_object,
    )

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
            images = {image.arch: image for image in images},
            manifest = manifest,
            runtime = offload_toolchain.runtime,
        ),
        OutputGroupInfo(
            device_asm = depset([text.asm for text in texts]),
            device_image = depset([image.file for image in images]),
            device_llvm_bc = depset([image.bitcode for image in images]),
            device_llvm_ir = depset([text.llvm_ir for text in texts]),
            linked_image = depset([image.linked for image in images if image.linked]),
            offload_manifest = depset([manifest]),
            _validation = depset([ctx.attr._llvm_match[LlvmMatchInfo].report] + [
                check_image_action(ctx, image, offload_toolchain.llvm_version)
                for image in images
            ]),
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

# What the rules pass to `rule`.
EXECUTABLE_RULE = {
    "attrs": OFFLOAD_ATTRS,
    "cfg": host_transition,
    "fragments": ["cpp"],
    "provides": [OffloadInfo],
    "toolchains": [
        RUST_TOOLCHAIN_TYPE,
        OFFLOAD_TOOLCHAIN_TYPE,
        _CPP_TOOLCHAIN_TYPE,
    ],
}
