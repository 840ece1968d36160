"""Pass 1, RustOffloadHostMetadata: which kernel instances does the host launch?"""

load("//offload/private/compat:rules_rust.bzl", "crate_graph", "run_rustc", "rustc_command")

def host_metadata_action(ctx, attr, toolchain, dialect, sources, crate_type, dependencies):
    """Type-checks the host crate and writes the manifest. Generates no code and links nothing.

    Args:
        ctx: (ctx) of the rule.
        attr: (struct) of the host side, from `side_attr`.
        toolchain: (rust_toolchain) of the host.
        dialect: (struct) from dialect.bzl.
        sources: (struct) from `crate_sources`.
        crate_type: (str) as in the Host pass.
        dependencies: (struct) of the host side, from `crate_dependencies`.

    Returns:
        (File) the manifest.
    """
    folder = ctx.label.name + ".offload/host_metadata/"
    manifest = ctx.actions.declare_file(folder + "offload.manifest")

    # rustc must be told to emit something, and metadata is the least.
    rmeta = ctx.actions.declare_file(folder + "lib{}.rmeta".format(sources.name))
    run_rustc(
        ctx,
        rustc_command(
            ctx,
            attr = attr,
            toolchain = toolchain,
            graph = crate_graph(ctx, sources, crate_type, rmeta, dependencies),
            emit = ["metadata"],
            flags = dialect.host_metadata(manifest),
        ),
        mnemonic = "RustOffloadHostMetadata",
        progress_message = "Finding the kernels that %{label} launches",
        maps_paths = True,
        outputs = [manifest, rmeta],
    )
    return manifest
