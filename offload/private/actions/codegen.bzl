"""RustOffloadCodegen: LLVM bitcode to machine code, or to PTX."""

load("//offload/private:arch.bzl", "NVPTX64")
load("//offload/private:path_mapping.bzl", "SUPPORTS_PATH_MAPPING")

def codegen_action(ctx, llvm, bitcode, output, file_type, flags, progress_message):
    """Runs llc.

    Args:
        ctx: (ctx)
        llvm: (struct) from `llvm_for_images`.
        bitcode: (File)
        output: (File)
        file_type: (str) `asm` or `obj`.
        flags: (list[str])
        progress_message: (str)
    """
    args = ctx.actions.args()

    # rustc links position independent code, on every side.
    args.add("-relocation-model=pic")
    args.add("-O3")
    args.add(file_type, format = "-filetype=%s")
    args.add_all(flags)
    args.add("-o", output)
    args.add(bitcode)
    ctx.actions.run(
        executable = llvm.llc,
        arguments = [args],
        inputs = [bitcode],
        tools = llvm.files,
        outputs = [output],
        execution_requirements = SUPPORTS_PATH_MAPPING,
        mnemonic = "RustOffloadCodegen",
        progress_message = progress_message,
    )

def device_codegen_action(ctx, llvm, image):
    """Generates code for a GPU.

    Args:
        ctx: (ctx)
        llvm: (struct) from `llvm_for_images`.
        image: (OffloadImageInfo) from the Device pass.

    Returns:
        (File) PTX for NVIDIA, an object file for AMD.
    """
    is_ptx = image.triple == NVPTX64
    output = ctx.actions.declare_file("{}.offload/{}/kernels.{}".format(ctx.label.name, image.arch, "ptx" if is_ptx else "o"))
    codegen_action(
        ctx,
        llvm,
        bitcode = image.bitcode,
        output = output,
        file_type = "asm" if is_ptx else "obj",
        flags = ["-mcpu=" + image.arch],
        progress_message = "Generating the code of %{label} for " + image.arch,
    )
    return output
