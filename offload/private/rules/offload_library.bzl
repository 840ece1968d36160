"""rust_offload_library: a library crate that only makes sense inside of offload targets."""

load("@rules_rust//rust:defs.bzl", "rust_library")

_ONLY_IN_OFFLOAD_TARGETS = select({
    Label("//offload/private:is_offload_rustc"): [],
    "//conditions:default": [Label("//offload/settings:only_built_as_a_dependency_of_offload_targets")],
})

def rust_offload_library(name, target_compatible_with = [], **kwargs):
    """A `rust_library` that needs the rustc that can offload, because it has kernels or launches them.

    An offload target that names it in `deps` builds it for the host and for the arch. By itself it is incompatible,
    since a monorepo's own rustc cannot compile it, and `bazel build //...` skips it.

    Args:
        name: (str) the name of the target.
        target_compatible_with: (list[label]) as for every rule.
        **kwargs: the attributes of `rust_library`.
    """
    rust_library(
        name = name,
        target_compatible_with = target_compatible_with + _ONLY_IN_OFFLOAD_TARGETS,
        **kwargs
    )
