"""RustOffloadLinkImage: links the code for one arch into an image that the GPU's driver can load."""

load("//offload:providers.bzl", "OffloadImageInfo")
load("//offload/private:arch.bzl", "NVPTX64")
load("//offload/private:path_mapping.bzl", "SUPPORTS_PATH_MAPPING")
load("//offload/private/actions:assemble.bzl", "assemble_action")
load("//offload/private/actions:codegen.bzl", "device_codegen_action")

_MNEMONIC = "RustOffloadLinkImage"
_PROGRESS_MESSAGE = "Linking the image of %{label} for "

def _link(ctx, llvm, arch, object, output):
    args = ctx.actions.args()

    # A code object is a shared library; what it does not define, nobody will.
    args.add_all(["-flavor", "gnu", "-shared", "--no-undefined"])
    args.add("-o", output)
    args.add(object)
    ctx.actions.run(
        executable = llvm.lld,
        arguments = [args],
        inputs = [object],
        tools = llvm.files,
        outputs = [output],
        execution_requirements = SUPPORTS_PATH_MAPPING,
        mnemonic = _MNEMONIC,
        progress_message = _PROGRESS_MESSAGE + arch,
    )

def link_image_action(ctx, llvm, image, ptxas):
    """Makes the linked image of an arch.

    Args:
        ctx: (ctx)
        llvm: (struct) from `llvm_for_images`.
        image: (OffloadImageInfo) from the Device pass.
        ptxas: (File or None) needed for NVIDIA GPUs.

    Returns:
        (OffloadImageInfo) the same with `linked`.
    """
    code = device_codegen_action(ctx, llvm, image)
    is_cubin = image.triple == NVPTX64

    # llvm-offload-binary tells the kind of an image by the end of its name.
    linked = ctx.actions.declare_file("{0}.offload/{1}/{0}.{1}.{2}".format(
        ctx.label.name,
        image.arch,
        "cubin" if is_cubin else "o",
    ))
    if is_cubin:
        assemble_action(ctx, ptxas, image.arch, code, linked, _MNEMONIC, _PROGRESS_MESSAGE + image.arch)
    else:
        _link(ctx, llvm, image.arch, code, linked)
    return OffloadImageInfo(
        arch = image.arch,
        bitcode = image.bitcode,
        file = image.file,
        linked = linked,
        triple = image.triple,
    )
