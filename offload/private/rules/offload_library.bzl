"""rust_offload_library: a library crate that only makes sense inside of offload targets."""

load("@rules_rust//rust:defs.bzl", "rust_library")
load("//offload/private:kernel_libraries.bzl", "KERNEL_LIBRARY_TAG")
load("//offload/private/rules:only_in_offload_targets.bzl", "ONLY_IN_OFFLOAD_TARGETS")

# A launch is generated with the function around it, and rustc refuses that outside of the final crate. Functions that may
# be inlined across crates are generated where they are called: all of them, not only those that say `#[inline]`.
_LAUNCHES_IN_THE_FINAL_CRATE = select({
    # The host; GPUs have no operating system.
    Label("@platforms//os:linux"): ["-Zcross-crate-inline-threshold=always"],
    "//conditions:default": [],
})

def rust_offload_library(name, has_kernels = True, rustc_flags = [], tags = [], target_compatible_with = [], **kwargs):
    """A `rust_library` that needs the rustc that can offload, because it has kernels, launches them, or has functions for them.

    An offload target that names it in `deps` builds it for the host and for the arch. By itself it is incompatible,
    since a monorepo's own rustc cannot compile it, and `bazel build //...` skips it.

    Args:
        name: (str) the name of the target.
        has_kernels: (bool) whether there are kernels in it. With a rustc that takes kernels of the final crate only
            (rust-lang/rust#162279) such a library is refused; one with device functions alone is not.
        rustc_flags: (list[str]) as for `rust_library`, for both sides.
        tags: (list[str]) as for every rule.
        target_compatible_with: (list[label]) as for every rule.
        **kwargs: the attributes of `rust_library`.
    """
    rust_library(
        name = name,
        rustc_flags = _LAUNCHES_IN_THE_FINAL_CRATE + rustc_flags,
        tags = tags + ([KERNEL_LIBRARY_TAG] if has_kernels else []),
        target_compatible_with = target_compatible_with + ONLY_IN_OFFLOAD_TARGETS,
        **kwargs
    )
