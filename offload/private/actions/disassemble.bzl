"""RustOffloadDisassemble: NVIDIA's machine code as text (SASS), for people. Made only where asked for."""

load("//offload/private:path_mapping.bzl", "SUPPORTS_PATH_MAPPING")
load("//offload/private/actions:assemble.bzl", "assemble_action")

_MNEMONIC = "RustOffloadDisassemble"

def disassemble_action(ctx, cuda, arch, ptx):
    """Assembles PTX and takes the result apart again.

    Args:
        ctx: (ctx)
        cuda: (CudaToolchainInfo) with ptxas and nvdisasm.
        arch: (str)
        ptx: (File) from `device_text_action`.

    Returns:
        (File)
    """
    cubin = ctx.actions.declare_file(ptx.basename[:-len("ptx")] + "cubin", sibling = ptx)
    progress_message = "Disassembling the kernels of %{label} for " + arch
    assemble_action(ctx, cuda.ptxas, arch, ptx, cubin, _MNEMONIC, progress_message)
    sass = ctx.actions.declare_file(ptx.basename[:-len("ptx")] + "sass", sibling = ptx)
    args = ctx.actions.args()

    # It writes to standard output.
    args.add("--stdout-file", sass)
    args.add("--")
    args.add(cuda.nvdisasm)
    args.add(cubin)
    ctx.actions.run(
        executable = ctx.executable._process_wrapper,
        arguments = [args],
        inputs = [cubin],
        tools = [cuda.nvdisasm],
        outputs = [sass],
        execution_requirements = SUPPORTS_PATH_MAPPING,
        mnemonic = _MNEMONIC,
        progress_message = progress_message,
    )
    return sass
