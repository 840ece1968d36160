"""What is checked at analysis: flags, the arch, and that its tools are there."""

load("@bazel_skylib//rules:common_settings.bzl", "BuildSettingInfo")
load("//offload:providers.bzl", "CudaToolchainInfo", "LlvmMatchInfo", "LlvmToolchainInfo")
load("//offload/private:arch.bzl", "NVPTX64", "check_known", "order_archs", "parse_arch")
load("//offload/private:crate_checks.bzl", "check_edition", "check_path")
load("//offload/private:embedding.bzl", "BY_LLVM", "embedded_by", "llvm_for_images")
load("//offload/private:flags.bzl", "forbidden_flag", "unoptimised_flag")
load("//offload/private:transitions.bzl", "archs_of")
load("//toolchains:offload_toolchain.bzl", "OFFLOAD_TOOLCHAIN_TYPE")
load("//toolchains/cuda:ptxas.bzl", "ptxas_for")

def checked_crate(ctx, flags):
    """Checks what the user wrote about the crate, and that the flags leave to the passes what they set themselves.

    Args:
        ctx: (ctx) of a rule with CRATE_ATTRS.
        flags: (list[str]) the attributes with rustc flags.

    Returns:
        None, or an error.
    """
    error = check_edition(ctx.attr.edition) or check_path("{}/{}".format(ctx.label.package, ctx.label.name))
    if error:
        return error
    for attribute in flags:
        error = forbidden_flag(getattr(ctx.attr, attribute), attribute)
        if error:
            return error
    return unoptimised_flag(ctx.attr.device_rustc_flags, "device_rustc_flags")

def checked_archs(ctx, known_archs):
    """Finds the arches of a target and checks that there are such GPUs.

    Args:
        ctx: (ctx) of a rule with CRATE_ATTRS.
        known_archs: (dict[str, list[str]]) by triple, the arches that rustc knows.

    Returns:
        (list[struct(arch, triple)] in the order of their images, None), or (None, error).
    """
    archs = archs_of(ctx.attr, ctx.attr._archs_flag[BuildSettingInfo].value)
    if not archs:
        return None, "no GPU arch is set. Found an empty list. Write archs = [\"gfx90a\"] or --config=gfx90a."
    checked = []
    for arch in archs:
        parsed, error = parse_arch(arch)
        if not error:
            error = check_known(parsed.arch, parsed.triple, known_archs[parsed.triple])
        if error:
            return None, error
        if parsed in checked:
            return None, "{} is named twice. Found {}. Write it once in archs, or give one --config={}.".format(arch, ", ".join(archs), arch)
        checked.append(parsed)
    return order_archs(checked), None

def _checked_ptxas(ctx, archs):
    """Returns (File or None, None), or (None, error)."""
    ptxas = None
    for arch in archs:
        if arch.triple == NVPTX64:
            ptxas, error = ptxas_for(arch.arch, ctx.split_attr._cuda_toolchain[arch.arch][CudaToolchainInfo])
            if error:
                return None, error
    return ptxas, None

def _checked_llvm(ctx, archs):
    """Returns (struct or None, None), or (None, error): LLVM's programs, if they and not rustc embed the images."""
    by, error = embedded_by(ctx.attr._embed[BuildSettingInfo].value, [arch.arch for arch in archs])
    if error:
        return None, error
    return llvm_for_images(ctx.attr.llvm[LlvmToolchainInfo]) if by == BY_LLVM else (None, None)

def checked_inputs(ctx):
    """Checks what the user wrote, before anything is built.

    Args:
        ctx: (ctx) of a rule with CRATE_ATTRS, DEVICE_ATTRS and HOST_ATTRS, and the offload toolchain.

    Returns:
        (struct(archs, llvm, ptxas), None), or (None, error). archs: (list[struct(arch, triple)]) in the order of their
        images; llvm: what embeds the images, None if rustc does; ptxas: (File or None).
    """
    error = checked_crate(ctx, ["rustc_flags", "device_rustc_flags"])
    if error:
        return None, error
    archs, error = checked_archs(ctx, ctx.toolchains[OFFLOAD_TOOLCHAIN_TYPE].offload.known_archs)
    if error:
        return None, error
    ptxas, error = _checked_ptxas(ctx, archs)
    if error:
        return None, error
    error = ctx.attr._llvm_match[LlvmMatchInfo].error
    if error:
        return None, error
    llvm, error = _checked_llvm(ctx, archs)
    if error:
        return None, error
    return struct(archs = archs, llvm = llvm, ptxas = ptxas), None
