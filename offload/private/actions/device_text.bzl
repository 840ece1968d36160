"""RustOffloadDeviceText: the Device pass once more, for people: LLVM IR and assembly. Made only where asked for."""

load("//offload/private:arch.bzl", "NVPTX64")
load("//offload/private/compat:rules_rust.bzl", "crate_graph", "run_rustc")

def device_text_action(ctx, attr, toolchain, dialect, sources, deps, arch, triple, manifest):
    """Compiles the crate for a GPU into text.

    Args:
        ctx: (ctx) of the rule.
        attr: (struct) of the device side, from `side_attr`.
        toolchain: (rust_toolchain) of the device triple.
        dialect: (struct) from dialect.bzl.
        sources: (struct) from `crate_sources`.
        deps: (list[Target]) in the configuration of the arch.
        arch: (str)
        triple: (str)
        manifest: (File) from the HostMetadata pass.

    Returns:
        (struct(asm, llvm_ir)) files: assembly (PTX for NVIDIA), and LLVM IR.
    """

    # A folder of its own, since rustc writes an image there too.
    name = "{0}.offload/{1}/text/{0}.{1}.".format(ctx.label.name, arch)
    asm = ctx.actions.declare_file(name + ("ptx" if triple == NVPTX64 else "s"))
    llvm_ir = ctx.actions.declare_file(name + "ll")
    run_rustc(
        ctx,
        attr = attr,
        toolchain = toolchain,
        graph = crate_graph(ctx, sources, "cdylib", llvm_ir, deps),
        emit = dialect.device_emit,
        flags = dialect.device(manifest, arch) + [
            "--cfg=offload_device",
            "--emit=asm=" + asm.path,
            "--emit=llvm-ir=" + llvm_ir.path,
        ],
        links = False,
        mnemonic = "RustOffloadDeviceText",
        progress_message = "Writing out the kernels of %{label} for " + arch,
        outputs = [asm, llvm_ir],
        inputs = depset([manifest]),
    )
    return struct(asm = asm, llvm_ir = llvm_ir)
