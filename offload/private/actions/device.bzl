"""Pass 2, RustOffloadDevice: compiles the kernels for one arch."""

load("//offload:providers.bzl", "OffloadImageInfo")
load("//offload/private/compat:rules_rust.bzl", "crate_graph", "run_rustc")

def device_action(ctx, attr, toolchain, dialect, sources, deps, arch, triple, manifest):
    """Compiles the crate for a GPU.

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
        (OffloadImageInfo)
    """

    # A folder for each arch: rustc's name for the image is the same for all of them.
    folder = "{}.offload/{}/".format(ctx.label.name, arch)
    image = ctx.actions.declare_file(folder + dialect.image_name)
    bitcode = ctx.actions.declare_file(folder + sources.name + ".bc")
    run_rustc(
        ctx,
        attr = attr,
        toolchain = toolchain,
        # rustc drops crates of type `bin` on GPUs with a warning.
        graph = crate_graph(ctx, sources, "cdylib", image, deps),
        emit = dialect.device_emit,
        flags = dialect.device(manifest, arch) + ["--cfg=offload_device"],
        links = False,
        mnemonic = "RustOffloadDevice",
        progress_message = "Compiling the kernels of %{label} for " + arch,
        outputs = [image, bitcode],
        inputs = depset([manifest]),
    )
    return OffloadImageInfo(
        arch = arch,
        triple = triple,
        file = image,
        bitcode = bitcode,
        linked = None,
    )
