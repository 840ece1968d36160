"""Pass 2, RustOffloadDevice: compiles the kernels for one arch."""

load("//offload:providers.bzl", "OffloadImageInfo")
load("//offload/private/compat:rules_rust.bzl", "crate_dependencies", "crate_graph", "run_rustc", "rustc_command")

def device_side(ctx, dialect, attr, toolchain, sources, deps, arch, triple, manifest):
    """What is compiled for which GPU: the same for all actions of an arch.

    Args:
        ctx: (ctx) of the rule.
        dialect: (struct) from dialect.bzl.
        attr: (struct) of the device side, from `side_attr`.
        toolchain: (rust_toolchain) of the device triple.
        sources: (struct) from `crate_sources`.
        deps: (list[Target]) in the configuration of the arch.
        arch: (str)
        triple: (str)
        manifest: (File or None) from the HostMetadata pass.

    Returns:
        (struct(arch, clippy_driver, command, crate_name, manifest, triple))
    """
    return struct(
        arch = arch,
        clippy_driver = toolchain.clippy_driver,
        command = rustc_command(
            ctx,
            attr = attr,
            toolchain = toolchain,
            # rustc drops crates of type `bin` on GPUs with a warning.
            graph = crate_graph(ctx, sources, "cdylib", None, crate_dependencies(ctx, deps)),
            flags = dialect.device(manifest, arch),
        ),
        crate_name = sources.name,
        manifest = manifest,
        triple = triple,
    )

def run_device_pass(ctx, side, outputs, mnemonic, progress_message, flags, inputs = [], **kwargs):
    """Runs rustc on the device side.

    Args:
        ctx: (ctx) of the rule.
        side: (struct) from `device_side`.
        outputs: (list[File]) rustc's `--out-dir` is the folder of the first one.
        mnemonic: (str)
        progress_message: (str)
        flags: (list[str or (str, File)]) apart from those of the pass: what is emitted.
        inputs: (list[File]) apart from the crate and the manifest.
        **kwargs: for `run_rustc`.
    """
    run_rustc(
        ctx,
        side.command,
        flags = flags,
        inputs = depset(inputs + ([side.manifest] if side.manifest else [])),
        mnemonic = mnemonic,
        out_dir_of = outputs[0],
        outputs = outputs,
        progress_message = progress_message,
        **kwargs
    )

def device_action(ctx, dialect, side):
    """Compiles the crate for a GPU.

    Args:
        ctx: (ctx) of the rule.
        dialect: (struct) from dialect.bzl.
        side: (struct) from `device_side`.

    Returns:
        (OffloadImageInfo)
    """

    # A folder for each arch: rustc's name for the image is the same for all of them.
    folder = "{}.offload/{}/".format(ctx.label.name, side.arch)
    image = ctx.actions.declare_file(folder + dialect.image_name)
    bitcode = ctx.actions.declare_file(folder + side.crate_name + ".bc")
    run_device_pass(
        ctx,
        side,
        outputs = [image, bitcode],
        flags = dialect.device_emit,
        mnemonic = "RustOffloadDevice",
        progress_message = "Compiling the kernels of %{label} for " + side.arch,
        maps_paths = True,
    )
    return OffloadImageInfo(
        arch = side.arch,
        triple = side.triple,
        file = image,
        bitcode = bitcode,
        linked = None,
    )
