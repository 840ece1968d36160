"""The device side of a rule: its kernels, compiled for each arch."""

load("@bazel_skylib//rules:common_settings.bzl", "BuildSettingInfo")
load("//offload:providers.bzl", "CudaToolchainInfo")
load("//offload/private:arch.bzl", "NVPTX64")
load("//offload/private:crate_names.bzl", "check_crate_names")
load("//offload/private:device_srcs.bzl", "check_device_srcs")
load("//offload/private:kernel_libraries.bzl", "check_kernel_libraries", "kernel_libraries")
load("//offload/private/actions:check_image.bzl", "check_image_action")
load("//offload/private/actions:device.bzl", "device_action", "device_side")
load("//offload/private/actions:device_clippy.bzl", "device_clippy_action")
load("//offload/private/actions:device_text.bzl", "device_text_action")
load("//offload/private/actions:disassemble.bzl", "disassemble_action")
load(
    "//offload/private/compat:rules_rust.bzl",
    "crate_names",
    "native_libraries",
    "side_attr",
    "some_sources",
    "toolchain_of_pass",
)

def _device_sources(ctx, sources):
    """Returns ((struct) from crate_sources, None), or (None, error)."""
    if not ctx.files.device_srcs:
        return sources, None
    error = check_device_srcs(
        [file.short_path for file in ctx.files.device_srcs],
        [file.short_path for file in ctx.files.srcs],
        sources.root.short_path,
    )
    if error:
        return None, error
    return some_sources(sources, ctx.files.device_srcs), None

def _check_native_libraries(libraries):
    if libraries:
        return "C and C++ code cannot be linked into device images. Found {} in the dependencies of the device side. Write it in host_deps, of this target or of the library that needs it.".format(
            ", ".join([str(label) for label in libraries]),
        )
    return None

def _assembly(ctx, side, text):
    """Assembly as files: what rustc wrote, and where it is PTX also what becomes of it, if there is a disassembler."""
    cuda = ctx.split_attr._cuda_toolchain[side.arch][CudaToolchainInfo]
    if side.triple != NVPTX64 or not cuda.ptxas or not cuda.nvdisasm:
        return [text.asm]
    return [text.asm, disassemble_action(ctx, cuda, side.arch, text.asm)]

def _check_deps(ctx, offload_toolchain, sources, deps):
    """Refuses what the device side cannot depend on. Returns None, or an error."""
    return (
        _check_native_libraries(native_libraries(deps)) or
        check_crate_names([(sources.name, ctx.label)] + crate_names(deps)) or
        check_kernel_libraries(offload_toolchain.dialect, offload_toolchain.rustc_version, kernel_libraries(deps))
    )

def device_passes(ctx, offload_toolchain, sources, archs, manifest, rustc_flags = []):
    """Makes the Device pass of each arch.

    Args:
        ctx: (ctx) of a rule with DEVICE_ATTRS.
        offload_toolchain: (OffloadToolchainInfo)
        sources: (struct) from `crate_sources`.
        archs: (list[struct(arch, triple)]) in the order of their images.
        manifest: (File or None) from the HostMetadata pass.
        rustc_flags: (list[str]) of the rule, apart from the user's.

    Returns:
        (list[struct(asm, clippy, image, llvm_ir)], None): for each arch an OffloadImageInfo, and what people can look at;
        or (None, error).
    """
    sources, error = _device_sources(ctx, sources)
    if error:
        return None, error
    dialect = offload_toolchain.dialect
    attr = side_attr(
        ctx,
        rustc_flags = ctx.attr.device_rustc_flags + rustc_flags,
        crate_features = ctx.attr.crate_features + ctx.attr.device_crate_features,
    )
    made = []
    for arch in archs:
        deps = ctx.split_attr.device_deps.get(arch.arch, [])
        error = _check_deps(ctx, offload_toolchain, sources, deps)
        if error:
            return None, error
        side = device_side(
            ctx,
            dialect,
            attr = attr,
            toolchain = toolchain_of_pass(
                ctx.split_attr._device_toolchain[arch.arch][platform_common.ToolchainInfo],
                ctx.attr._device_compilation_mode[BuildSettingInfo].value,
            ),
            sources = sources,
            deps = deps,
            arch = arch.arch,
            triple = arch.triple,
            manifest = manifest,
        )
        text = device_text_action(ctx, dialect, side)
        made.append(struct(
            asm = _assembly(ctx, side, text),
            clippy = device_clippy_action(ctx, side),
            image = device_action(ctx, dialect, side),
            llvm_ir = text.llvm_ir,
        ))
    return made, None

def device_output_groups(ctx, made, llvm_version):
    """What people can look at of the device side.

    Args:
        ctx: (ctx)
        made: (list[struct]) from `device_passes`.
        llvm_version: (str) the LLVM of rustc and of the tools that go on with the images.

    Returns:
        (dict[str, depset[File]]) for OutputGroupInfo.
    """
    return {
        "device_asm": depset([file for one in made for file in one.asm]),
        "device_clippy": depset([one.clippy for one in made]),
        "device_image": depset([one.image.file for one in made]),
        "device_llvm_bc": depset([one.image.bitcode for one in made]),
        "device_llvm_ir": depset([one.llvm_ir for one in made]),
        "_validation": depset([check_image_action(ctx, one.image, llvm_version) for one in made]),
    }
