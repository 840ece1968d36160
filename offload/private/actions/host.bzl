"""Pass 3, RustOffloadHost: compiles the host crate and links the executable or shared library with the images inside."""

load("//offload/private:runtime.bzl", "rpath_flags")
load("//offload/private/compat:rules_rust.bzl", "run_rustc", "rustc_command")

def linker_flags(offload_toolchain):
    """Makes the C compiler link with the lld of rustc's LLVM, whatever linker the C++ toolchain prefers.

    lld is known to keep the kernel entries, which nothing but the `__start_` and `__stop_` symbols of their section
    refers to. gold, which Bazel picks where it finds it, stops at `rust_eh_personality` when std is not linked.

    Args:
        offload_toolchain: (OffloadToolchainInfo)

    Returns:
        (list[str]) rustc flags. They must follow those of the C++ toolchain.
    """
    return ["-Clink-arg=-B" + offload_toolchain.linker.dirname, "-Clink-arg=-fuse-ld=lld"]

def _embedding_by_rustc(offload_toolchain, image, ptxas):
    """rustc links and embeds the image of the one arch."""
    inputs = [image.file]
    env = {}
    if ptxas:
        inputs.append(ptxas)

        # rustc finds ptxas on PATH only. Nothing else is found there.
        env["PATH"] = ptxas.dirname
    return struct(env = env, flags = offload_toolchain.dialect.host(image.file), inputs = inputs)

def _embedding_by_llvm(offload_toolchain, images_object):
    """The linker gets an object file with the images of all arches."""
    return struct(
        env = {},
        flags = offload_toolchain.dialect.host_without_image() + [
            ("-Clink-arg=%s", images_object),
            # With `-Zoffload=Test` rustc does not link the runtime.
            "-Clink-arg=-lomptarget",
            # Only the `__start_` and `__stop_` symbols of their section refer to the kernel entries.
            "-Clink-arg=-Wl,-z,nostart-stop-gc",
        ],
        inputs = [images_object],
    )

def host_action(ctx, attr, toolchain, offload_toolchain, graph, images, ptxas, images_object):
    """Makes the executable or shared library.

    Args:
        ctx: (ctx) of the rule.
        attr: (struct) of the host side, from `side_attr`.
        toolchain: (rust_toolchain) of the host.
        offload_toolchain: (OffloadToolchainInfo)
        graph: (struct) of the host, from `crate_graph`; its output is what is linked.
        images: (list[OffloadImageInfo]) from the Device pass.
        ptxas: (File or None) needed for NVIDIA GPUs.
        images_object: (File or None) from `wrap_images_action`; None: rustc embeds the one image.
    """
    embedding = _embedding_by_llvm(offload_toolchain, images_object) if images_object else _embedding_by_rustc(offload_toolchain, images[0], ptxas)
    run_rustc(
        ctx,
        rustc_command(
            ctx,
            attr = attr,
            toolchain = toolchain,
            graph = graph,
            emit = ["link"],
            flags = embedding.flags + rpath_flags(graph.crate_info.output, graph.crate_info.type == "cdylib", ctx.workspace_name, offload_toolchain),
            links = True,
        ),
        mnemonic = "RustOffloadHost",
        progress_message = "Compiling %{label} with its kernels for " + ", ".join([image.arch for image in images]),
        outputs = [graph.crate_info.output],
        # The linker needs the libraries of the runtime too.
        inputs = depset(embedding.inputs + [offload_toolchain.linker], transitive = [offload_toolchain.linker_files, offload_toolchain.runtime]),
        env = embedding.env,
    )
