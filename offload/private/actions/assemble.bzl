"""PTX to machine code by ptxas."""

load("@bazel_skylib//rules:common_settings.bzl", "BuildSettingInfo")
load("//offload/private:path_mapping.bzl", "SUPPORTS_PATH_MAPPING")

def assemble_action(ctx, ptxas, arch, ptx, cubin, mnemonic, progress_message):
    """Makes a cubin, with the flags that rustc's Host pass calls ptxas with.

    Args:
        ctx: (ctx) of a rule with DEVICE_ATTRS.
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
    if ctx.attr._device_compilation_mode[BuildSettingInfo].value == "dbg":
        # The lines of the source, for compute-sanitizer and the debugger.
        args.add("--generate-line-info")
    args.add("--output-file", cubin)
    args.add(ptx)
    ctx.actions.run(
        executable = ptxas,
        arguments = [args],
        inputs = [ptx],
        outputs = [cubin],
        execution_requirements = SUPPORTS_PATH_MAPPING,
        mnemonic = mnemonic,
        progress_message = progress_message,
    )
