"""A C++ toolchain without tools."""

load("@rules_cc//cc:defs.bzl", "CcToolchainConfigInfo")
load("@rules_cc//cc/common:cc_common.bzl", "cc_common")

def _impl(ctx):
    return cc_common.create_cc_toolchain_config_info(
        ctx = ctx,
        abi_libc_version = "none",
        abi_version = "none",
        compiler = "none",
        host_system_name = "none",
        target_cpu = "none",
        target_libc = "none",
        target_system_name = "none",
        toolchain_identifier = "no_cc",
    )

no_cc_toolchain_config = rule(
    implementation = _impl,
    doc = "Configures a C++ toolchain that has no compiler and no linker.",
    provides = [CcToolchainConfigInfo],
)
