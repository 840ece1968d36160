"""rust_offload_library: a library crate that only makes sense inside of offload targets."""

load("@rules_rust//rust:defs.bzl", "rust_library")
load("//offload/private:kernel_libraries.bzl", "KERNEL_LIBRARY_TAG")
load("//offload/private/rules:only_in_offload_targets.bzl", "ONLY_IN_OFFLOAD_TARGETS")

def rust_offload_library(name, tags = [], target_compatible_with = [], **kwargs):
    """A `rust_library` that needs the rustc that can offload, because it has kernels or launches them.

    An offload target that names it in `deps` builds it for the host and for the arch. By itself it is incompatible,
    since a monorepo's own rustc cannot compile it, and `bazel build //...` skips it.

    Args:
        name: (str) the name of the target.
        tags: (list[str]) as for every rule.
        target_compatible_with: (list[label]) as for every rule.
        **kwargs: the attributes of `rust_library`.
    """
    rust_library(
        name = name,
        tags = tags + [KERNEL_LIBRARY_TAG],
        target_compatible_with = target_compatible_with + ONLY_IN_OFFLOAD_TARGETS,
        **kwargs
    )
