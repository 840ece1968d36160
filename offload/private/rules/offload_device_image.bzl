"""The rule rust_offload_device_image: the Device pass alone."""

load("//offload:providers.bzl", "OffloadInfo")
load("//offload/private:transitions.bzl", "host_transition")
load("//offload/private/compat:rules_rust.bzl", "RUST_TOOLCHAIN_TYPE", "crate_sources")
load("//offload/private/rules:attrs.bzl", "CRATE_ATTRS", "DEVICE_ATTRS")
load("//offload/private/rules:checks.bzl", "checked_archs", "checked_crate")
load("//offload/private/rules:device_passes.bzl", "device_output_groups", "device_passes")
load("//toolchains:offload_toolchain.bzl", "OFFLOAD_TOOLCHAIN_TYPE")

def _device_images(ctx, offload_toolchain):
    """Returns (list[struct] from `device_passes`, None), or (None, error)."""
    error = checked_crate(ctx, ["device_rustc_flags"])
    if error:
        return None, error
    archs, error = checked_archs(ctx, offload_toolchain.known_archs)
    if error:
        return None, error
    sources = crate_sources(ctx, ctx.toolchains[RUST_TOOLCHAIN_TYPE], ctx.files.srcs, "cdylib")
    return device_passes(ctx, offload_toolchain, sources, archs, manifest = None)

def _impl(ctx):
    offload_toolchain = ctx.toolchains[OFFLOAD_TOOLCHAIN_TYPE].offload
    device, error = _device_images(ctx, offload_toolchain)
    if error:
        fail("{}: {}".format(ctx.label, error))
    groups = device_output_groups(ctx, device, offload_toolchain.llvm_version)
    return [
        DefaultInfo(files = groups["device_image"]),
        OffloadInfo(
            images = {one.image.arch: one.image for one in device},
            manifest = None,
            runtime = depset(),
        ),
        OutputGroupInfo(**groups),
    ]

rust_offload_device_image = rule(
    implementation = _impl,
    doc = "Kernels without a host program. Users call the macro of the same name.",
    attrs = CRATE_ATTRS | DEVICE_ATTRS,
    cfg = host_transition,
    provides = [OffloadInfo],
    toolchains = [
        RUST_TOOLCHAIN_TYPE,
        OFFLOAD_TOOLCHAIN_TYPE,
    ],
)
