"""Pass 2, RustOffloadDevice: compiles the kernels for one arch."""

load("//offload:providers.bzl", "OffloadImageInfo")
load("//offload/private/compat:rules_rust.bzl", "crate_dependencies", "crate_graph", "linked_crates", "run_rustc", "rustc_command")

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
        (struct(arch, clippy_driver, command, command_for, crate_name, image, manifest, triple)), with `command_for` a
        function from what is made to the command of rustc, and `command` the one that makes `image`.
    """
    dependencies = crate_dependencies(ctx, deps)

    # Without `force` rustc leaves out a library that no code of the device side refers to, and with it the kernels that
    # the host launches and the panic handler.
    flags = dialect.device(manifest, arch) + ["--extern=force:" + name for name in linked_crates(dependencies)]

    def command_for(output):
        return rustc_command(
            ctx,
            attr = attr,
            toolchain = toolchain,
            # rustc drops crates of type `bin` on GPUs with a warning.
            graph = crate_graph(ctx, sources, "cdylib", output, dependencies),
            flags = flags,
        )

    # A folder for each arch: rustc's name for the image is the same for all of them.
    image = ctx.actions.declare_file("{}.offload/{}/{}".format(ctx.label.name, arch, dialect.image_name))
    return struct(
        arch = arch,
        clippy_driver = toolchain.clippy_driver,
        command = command_for(image),
        command_for = command_for,
        crate_name = sources.name,
        image = image,
        manifest = manifest,
        triple = triple,
    )

def run_device_pass(ctx, side, mnemonic, progress_message, command = None, inputs = [], **kwargs):
    """Runs rustc on the device side.

    Args:
        ctx: (ctx) of the rule.
        side: (struct) from `device_side`.
        mnemonic: (str)
        progress_message: (str)
        command: (struct or None) from `side.command_for`, where rustc's `--out-dir` is not the folder of the image.
        inputs: (list[File]) apart from the crate and the manifest.
        **kwargs: for `run_rustc`.
    """
    run_rustc(
        ctx,
        command or side.command,
        inputs = depset(inputs + ([side.manifest] if side.manifest else [])),
        mnemonic = mnemonic,
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
    bitcode = ctx.actions.declare_file(side.crate_name + ".bc", sibling = side.image)
    run_device_pass(
        ctx,
        side,
        outputs = [side.image, bitcode],
        flags = dialect.device_emit,
        mnemonic = "RustOffloadDevice",
        progress_message = "Compiling the kernels of %{label} for " + side.arch,
        maps_paths = True,
    )
    return OffloadImageInfo(
        arch = side.arch,
        triple = side.triple,
        file = side.image,
        bitcode = bitcode,
        linked = None,
    )
