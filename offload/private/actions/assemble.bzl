"""PTX to machine code by ptxas."""

def assemble_action(ctx, ptxas, arch, ptx, cubin, mnemonic, progress_message):
    """Makes a cubin, with the flags that rustc's Host pass calls ptxas with.

    Args:
        ctx: (ctx)
        ptxas: (File)
        arch: (str) `sm_*`.
        ptx: (File)
        cubin: (File) the output.
        mnemonic: (str) of the action that needs it.
        progress_message: (str)
    """
    args = ctx.actions.args()

    # Addresses of 64 bits: all that nvptx64-nvidia-cuda has.
    args.add("-m64")
    args.add("-O3")
    args.add("--gpu-name", arch)
    args.add("--output-file", cubin)
    args.add(ptx)
    ctx.actions.run(
        executable = ptxas,
        arguments = [args],
        inputs = [ptx],
        outputs = [cubin],
        mnemonic = mnemonic,
        progress_message = progress_message,
    )
