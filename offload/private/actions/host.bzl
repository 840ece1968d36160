"""Pass 3, RustOffloadHost: compiles the host crate, links the device image, embeds it, and links the executable."""

load("//offload/private:runtime.bzl", "rpath_flags")
load("//offload/private/compat:rules_rust.bzl", "run_rustc")

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

def host_action(ctx, attr, toolchain, offload_toolchain, graph, image, ptxas):
    """Makes the executable.

    Args:
        ctx: (ctx) of the rule.
        attr: (struct) of the host side, from `side_attr`.
        toolchain: (rust_toolchain) of the host.
        offload_toolchain: (OffloadToolchainInfo)
        graph: (struct) of the host, from `crate_graph`; its output is the executable.
        image: (OffloadImageInfo) from the Device pass.
        ptxas: (File or None) needed for NVIDIA GPUs.
    """
    inputs = [image.file, offload_toolchain.linker]
    env = {}
    if ptxas:
        inputs.append(ptxas)

        # rustc finds ptxas on PATH only. Nothing else is found there.
        env["PATH"] = ptxas.dirname
    run_rustc(
        ctx,
        attr = attr,
        toolchain = toolchain,
        graph = graph,
        emit = ["link"],
        flags = offload_toolchain.dialect.host(image.file) + rpath_flags(graph.crate_info.output, ctx.workspace_name, offload_toolchain),
        links = True,
        mnemonic = "RustOffloadHost",
        progress_message = "Compiling %{label} with its kernels for " + image.arch,
        outputs = [graph.crate_info.output],
        # The linker needs the libraries of the runtime too.
        inputs = depset(inputs, transitive = [offload_toolchain.linker_files, offload_toolchain.runtime]),
        env = env,
    )
