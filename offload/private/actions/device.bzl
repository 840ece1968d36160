"""Pass 2, RustOffloadDevice: compiles the kernels for one arch."""

load("//offload:providers.bzl", "OffloadImageInfo")
load("//offload/private/compat:rules_rust.bzl", "crate_graph", "run_rustc")

def device_side(attr, toolchain, sources, deps, arch, triple, manifest):
    """What the Device pass compiles, and for which GPU.

    Args:
        attr: (struct) of the device side, from `side_attr`.
        toolchain: (rust_toolchain) of the device triple.
        sources: (struct) from `crate_sources`.
        deps: (list[Target]) in the configuration of the arch.
        arch: (str)
        triple: (str)
        manifest: (File or None) from the HostMetadata pass.

    Returns:
        (struct) of the same fields.
    """
    return struct(
        arch = arch,
        attr = attr,
        deps = deps,
        manifest = manifest,
        sources = sources,
        toolchain = toolchain,
        triple = triple,
    )

def run_device_pass(ctx, dialect, side, outputs, mnemonic, progress_message, emit = None, flags = [], inputs = [], **kwargs):
    """Runs rustc on the device side.

    Args:
        ctx: (ctx) of the rule.
        dialect: (struct) from dialect.bzl.
        side: (struct) from `device_side`.
        outputs: (list[File]) rustc's `--out-dir` is the folder of the first one.
        mnemonic: (str)
        progress_message: (str)
        emit: (list[str] or None) instead of what the pass emits.
        flags: (list[str or (str, File)]) apart from those of the pass.
        inputs: (list[File]) apart from the crate and the manifest.
        **kwargs: for `run_rustc`.
    """
    run_rustc(
        ctx,
        attr = side.attr,
        toolchain = side.toolchain,
        # rustc drops crates of type `bin` on GPUs with a warning.
        graph = crate_graph(ctx, side.sources, "cdylib", outputs[0], side.deps),
        emit = emit or dialect.device_emit,
        flags = dialect.device(side.manifest, side.arch) + flags,
        links = False,
        mnemonic = mnemonic,
        progress_message = progress_message,
        outputs = outputs,
        inputs = depset(inputs + ([side.manifest] if side.manifest else [])),
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
    bitcode = ctx.actions.declare_file(folder + side.sources.name + ".bc")
    run_device_pass(
        ctx,
        dialect,
        side,
        outputs = [image, bitcode],
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
