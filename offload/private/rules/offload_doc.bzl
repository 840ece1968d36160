"""The macro rust_offload_doc."""

load("@rules_rust//rust:defs.bzl", "rust_doc")
load("//offload/private/rules:in_offload_configuration.bzl", "in_offload_configuration")
load("//offload/private/rules:only_in_offload_targets.bzl", "ONLY_IN_OFFLOAD_TARGETS")

def rust_offload_doc(name, crate, tags = [], visibility = None, **kwargs):
    """Documents a crate with kernels, as it is on the host side: a `rust_doc` with the rustdoc of the rustc that can offload.

    Its files are the folder that rustdoc writes; the output group `rustdoc_zip` is an archive of it.

    Args:
        name: (str) the name of the target.
        crate: (label) a `rust_offload_library`, `rust_offload_binary` (with `archs`) or `rust_library`.
        tags: (list[str]) as for every rule.
        visibility: (list[label]) as for every rule.
        **kwargs: the attributes of `rust_doc`, such as `rustdoc_flags`.
    """
    rust_doc(
        name = name + "_in_offload_configuration",
        crate = crate,
        tags = tags + ["manual"],
        target_compatible_with = ONLY_IN_OFFLOAD_TARGETS,
        visibility = ["//visibility:private"],
        **kwargs
    )
    in_offload_configuration(
        name = name,
        actual = ":{}_in_offload_configuration".format(name),
        tags = tags,
        visibility = visibility,
    )
