"""Which libraries of the device side bring kernels, and whether rustc can take them."""

# What rust_offload_library puts on its targets.
KERNEL_LIBRARY_TAG = "offload-kernels"

KernelLibrariesInfo = provider(
    doc = "The libraries with kernels that a target depends on.",
    fields = {"labels": "(depset[Label])"},
)

def _impl(target, ctx):
    deps = getattr(ctx.rule.attr, "deps", [])

    # An alias has one dependency of another name.
    actual = getattr(ctx.rule.attr, "actual", None)
    return [KernelLibrariesInfo(
        labels = depset(
            [target.label] if KERNEL_LIBRARY_TAG in getattr(ctx.rule.attr, "tags", []) else [],
            transitive = [
                dep[KernelLibrariesInfo].labels
                for dep in deps + ([actual] if actual else [])
                if KernelLibrariesInfo in dep
            ],
        ),
    )]

kernel_libraries_aspect = aspect(
    implementation = _impl,
    doc = "Collects the libraries with kernels.",
    attr_aspects = ["actual", "deps"],
)

def kernel_libraries(deps):
    """The libraries with kernels among dependencies and theirs.

    Args:
        deps: (list[Target]) that kernel_libraries_aspect has visited.

    Returns:
        (list[Label])
    """
    return depset(transitive = [dep[KernelLibrariesInfo].labels for dep in deps]).to_list()

def check_kernel_libraries(dialect, rustc_version, labels):
    """Refuses libraries with kernels where this rustc leaves them out of the manifest.

    Args:
        dialect: (struct) from dialect.bzl.
        rustc_version: (str) what `rustc --version` prints.
        labels: (list[Label]) from `kernel_libraries`.

    Returns:
        None, or an error.
    """
    if dialect.library_kernels or not labels:
        return None
    return "kernels in libraries do not reach the program with this rustc: the manifest covers the final crate only (rust-lang/rust#162279). Found {} in deps, and {}. Move the kernels into srcs; in a library without any write has_kernels = False.".format(
        ", ".join([str(label) for label in labels]),
        rustc_version,
    )
