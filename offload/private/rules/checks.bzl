"""What is checked at analysis: flags, the arch, and that its tools are there."""

load("@bazel_skylib//rules:common_settings.bzl", "BuildSettingInfo")
load("//offload/private:arch.bzl", "NVPTX64", "check_known", "parse_arch")
load("//offload/private:flags.bzl", "forbidden_flag")
load("//offload/private:transitions.bzl", "archs_of")
load("//toolchains:offload_toolchain.bzl", "OFFLOAD_TOOLCHAIN_TYPE")
load("//toolchains/cuda:toolchain.bzl", "CUDA_TOOLCHAIN_TYPE")

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
    if parsed.triple != NVPTX64:
        return None, None
    if not cuda_toolchain:
        return None, (
            "{} needs ptxas. Found no CUDA toolchain: there is no bin/ptxas in the path of offload.cuda, or, without one, no ptxas in $CUDA_PATH, $CUDA_HOME, $PATH or /usr/local/cuda. ".format(parsed.arch) +
            "Write offload.cuda(path = \"<folder with bin/ptxas>\") in MODULE.bazel, or set CUDA_PATH."
        )
    return cuda_toolchain.cuda.ptxas, None

def checked_inputs(ctx):
    """Checks what the user wrote, before anything is built.

    Args:
        ctx: (ctx) of a rule with OFFLOAD_ATTRS and the offload and CUDA toolchains.

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
    ptxas, error = _ptxas_for(parsed, ctx.toolchains[CUDA_TOOLCHAIN_TYPE])
    if error:
        return None, error
    return struct(arch = parsed.arch, triple = parsed.triple, ptxas = ptxas), None
