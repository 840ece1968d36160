"""What is checked at analysis: flags, the arch, and that its tools are there."""

load("@bazel_skylib//rules:common_settings.bzl", "BuildSettingInfo")
load("//offload:providers.bzl", "CudaToolchainInfo", "LlvmMatchInfo")
load("//offload/private:arch.bzl", "NVPTX64", "check_known", "parse_arch")
load("//offload/private:flags.bzl", "forbidden_flag")
load("//offload/private:transitions.bzl", "archs_of")
load("//toolchains:offload_toolchain.bzl", "OFFLOAD_TOOLCHAIN_TYPE")
load("//toolchains/cuda:ptxas.bzl", "ptxas_for")

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

def checked_inputs(ctx):
    """Checks what the user wrote, before anything is built.

    Args:
        ctx: (ctx) of a rule with OFFLOAD_ATTRS and the offload toolchain.

    Returns:
        (struct(arch, triple, ptxas), None), ptxas being None where the arch needs none; or (None, error).
    """
    for attribute in ["rustc_flags", "device_rustc_flags"]:
        error = forbidden_flag(getattr(ctx.attr, attribute), attribute)
        if error:
            return None, error
    archs = archs_of(ctx.attr, ctx.attr._archs_flag[BuildSettingInfo].value)
    parsed, error = _checked_arch(archs, ctx.toolchains[OFFLOAD_TOOLCHAIN_TYPE].offload.known_archs)
    if error:
        return None, error
    ptxas = None
    if parsed.triple == NVPTX64:
        ptxas, error = ptxas_for(parsed.arch, ctx.split_attr._cuda_toolchain[parsed.arch][CudaToolchainInfo])
        if error:
            return None, error
    error = ctx.attr._llvm_match[LlvmMatchInfo].error
    if error:
        return None, error
    return struct(arch = parsed.arch, triple = parsed.triple, ptxas = ptxas), None
