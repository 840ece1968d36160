"""RustOffloadDeviceText: the Device pass once more, for people: LLVM IR and assembly. Made only where asked for."""

load("//offload/private:arch.bzl", "NVPTX64")
load("//offload/private/actions:device.bzl", "run_device_pass")

def device_text_action(ctx, dialect, side):
    """Compiles the crate for a GPU into text.

    Args:
        ctx: (ctx) of the rule.
        dialect: (struct) from dialect.bzl.
        side: (struct) from `device_side`.

    Returns:
        (struct(asm, llvm_ir)) files: assembly (PTX for NVIDIA), and LLVM IR.
    """

    # A folder of its own, since rustc writes an image there too.
    name = "{0}.offload/{1}/text/{0}.{1}.".format(ctx.label.name, side.arch)
    asm = ctx.actions.declare_file(name + ("ptx" if side.triple == NVPTX64 else "s"))
    llvm_ir = ctx.actions.declare_file(name + "ll")
    run_device_pass(
        ctx,
        side,
        command = side.command_for(asm),
        outputs = [asm, llvm_ir],
        mnemonic = "RustOffloadDeviceText",
        progress_message = "Writing out the kernels of %{label} for " + side.arch,
        flags = dialect.device_emit + [
            ("--emit=asm=%s", asm),
            ("--emit=llvm-ir=%s", llvm_ir),
        ],
        maps_paths = True,
    )
    return struct(asm = asm, llvm_ir = llvm_ir)
