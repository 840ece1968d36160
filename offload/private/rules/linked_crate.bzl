"""One crate, three passes, one executable or shared library with kernels inside."""

load("@bazel_skylib//rules:common_settings.bzl", "BuildSettingInfo")
load("//offload:providers.bzl", "LlvmMatchInfo", "OffloadInfo")
load("//offload/private:transitions.bzl", "host_transition")
load("//offload/private/actions:check_kernels.bzl", "check_kernels_action")
load("//offload/private/actions:device_crate_spec.bzl", "device_crate_spec_action")
load("//offload/private/actions:host.bzl", "host_action", "linker_flags")
load("//offload/private/actions:host_metadata.bzl", "host_metadata_action")
load("//offload/private/actions:kernel_report.bzl", "kernel_report_action")
load("//offload/private/actions:link_image.bzl", "link_image_action")
load("//offload/private/actions:wrap_images.bzl", "wrap_images_action")
load(
    "//offload/private/compat:rules_rust.bzl",
    "RUST_TOOLCHAIN_TYPE",
    "crate_dependencies",
    "crate_graph",
    "crate_sources",
    "dynamic_libraries",
    "extra_rustc_flags",
    "side_attr",
)
load("//offload/private/rules:attrs.bzl", "CRATE_ATTRS", "DEVICE_ATTRS", "HOST_ATTRS")
load("//offload/private/rules:checks.bzl", "checked_inputs")
load("//offload/private/rules:device_passes.bzl", "device_output_groups", "device_passes")
load("//toolchains:offload_toolchain.bzl", "OFFLOAD_TOOLCHAIN_TYPE")

_CPP_TOOLCHAIN_TYPE = "@bazel_tools//tools/cpp:toolchain_type"

def _host_attr(ctx, rustc_flags, stamp = False):
    return side_attr(
        ctx,
        rustc_flags = rustc_flags,
        crate_features = ctx.attr.crate_features,
        data = ctx.attr.data,
        data_files = ctx.files.data,
        stamp = stamp,
    )

def _is_stamped(ctx):
    return ctx.attr.stamp == 1 or (ctx.attr.stamp == -1 and ctx.attr._stamp[BuildSettingInfo].value)

def _output(ctx, crate_type, crate_name, folder):
    # rustc names shared libraries after the crate, and leaves the name of executables to its caller.
    name = "lib{}.so".format(crate_name) if crate_type == "cdylib" else getattr(ctx.attr, "binary_name", None) or ctx.label.name
    return ctx.actions.declare_file(folder + name)

def link_crate(ctx, crate_type, host_flags = [], device_flags = [], folder = ""):
    """Makes the actions of the passes.

    Args:
        ctx: (ctx) of a rule with LINKED_CRATE_RULE.
        crate_type: (str) `bin` or `cdylib`.
        host_flags: (list[str]) rustc flags of the rule, for both passes of the host.
        device_flags: (list[str]) the same for the device.
        folder: (str) where the executable or the library is to be, in the package: empty, or one that ends with `/`.

    Returns:
        (struct(archs, output, runfiles, providers), None), or (None, error). archs: (list[str]) what there is an image
        for; output: (File); runfiles: (runfiles) of it; providers: (list[Provider]) all but DefaultInfo and those that only executables or only libraries have.
    """
    checked, error = checked_inputs(ctx)
    if error:
        return None, error
    toolchain = ctx.toolchains[RUST_TOOLCHAIN_TYPE]
    offload_toolchain = ctx.toolchains[OFFLOAD_TOOLCHAIN_TYPE].offload
    dialect = offload_toolchain.dialect
    sources = crate_sources(ctx, toolchain, ctx.files.srcs, crate_type)
    host_flags = extra_rustc_flags(ctx) + ctx.attr.rustc_flags + host_flags

    dependencies = crate_dependencies(ctx, ctx.attr.deps)
    manifest = host_metadata_action(ctx, _host_attr(ctx, host_flags), toolchain, dialect, sources, crate_type, dependencies)
    device, error = device_passes(ctx, offload_toolchain, sources, checked.archs, manifest, device_flags)
    if error:
        return None, error
    images = [one.image for one in device]
    images_object = None
    if checked.llvm:
        images = [link_image_action(ctx, checked.llvm, image, checked.ptxas) for image in images]
        images_object = wrap_images_action(ctx, checked.llvm, images)
    output = _output(ctx, crate_type, sources.name, folder)
    host = crate_graph(ctx, sources, crate_type, output, dependencies)
    host_action(
        ctx,
        _host_attr(ctx, linker_flags(offload_toolchain) + host_flags, _is_stamped(ctx)),
        toolchain,
        offload_toolchain,
        host,
        images,
        checked.ptxas,
        images_object,
    )

    groups = device_output_groups(ctx, device, offload_toolchain.llvm_version)
    runfiles = ctx.runfiles(
        files = [output] + ctx.files.data + dynamic_libraries(host),
        transitive_files = offload_toolchain.runtime,
        collect_data = True,
        collect_default = True,
    )
    return struct(archs = [image.arch for image in images], output = output, runfiles = runfiles, providers = [
        OffloadInfo(
            images = {image.arch: image for image in images},
            manifest = manifest,
            runtime = offload_toolchain.runtime,
        ),
        OutputGroupInfo(**(groups | {
            "kernel_report": depset(kernel_report_action(ctx, output)),
            "linked_image": depset([image.linked for image in images if image.linked]),
            "offload_manifest": depset([manifest]),
            "rust_analyzer_crate_spec": depset([device_crate_spec_action(ctx, dialect, sources, host, checked.archs[0].triple)]),
            "_validation": depset(
                [
                    check_kernels_action(ctx, output, [image.arch for image in images]),
                    ctx.attr._llvm_match[LlvmMatchInfo].report,
                ],
                transitive = [groups["_validation"]],
            ),
        })),
        host.crate_info,
        host.dep_info,
        coverage_common.instrumented_files_info(
            ctx,
            source_attributes = ["srcs"],
            dependency_attributes = ["deps"],
            extensions = ["rs"],
        ),
    ]), None

# What the rules pass to `rule`.
LINKED_CRATE_RULE = {
    "attrs": CRATE_ATTRS | DEVICE_ATTRS | HOST_ATTRS,
    "cfg": host_transition,
    "fragments": ["cpp"],
    "provides": [OffloadInfo],
    "toolchains": [
        RUST_TOOLCHAIN_TYPE,
        OFFLOAD_TOOLCHAIN_TYPE,
        _CPP_TOOLCHAIN_TYPE,
    ],
}
