"""Targets that report what they see."""

load("@bazel_skylib//rules:common_settings.bzl", "BuildSettingInfo")

ProbeInfo = provider(
    doc = "What a target sees of its configuration.",
    fields = {
        "offload_rustc": "(bool) the private setting that selects the rustc that can offload.",
        "rustc": "(File or None) the compiler of the Rust toolchain, if there is one.",
    },
)

_RUST_TOOLCHAIN_TYPE = "@rules_rust//rust:toolchain_type"

def _impl(ctx):
    toolchain = ctx.toolchains[_RUST_TOOLCHAIN_TYPE]
    return [ProbeInfo(
        offload_rustc = ctx.attr._offload_rustc[BuildSettingInfo].value,
        rustc = toolchain.rustc if toolchain else None,
    )]

toolchain_probe = rule(
    implementation = _impl,
    doc = "Reports the Rust toolchain of its configuration.",
    attrs = {
        "_offload_rustc": attr.label(default = "//offload/private:offload_rustc"),
    },
    toolchains = [config_common.toolchain_type(_RUST_TOOLCHAIN_TYPE, mandatory = False)],
)
