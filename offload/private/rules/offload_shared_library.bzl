"""The rule rust_offload_shared_library: a library with a C interface, for programs in C++ or Python."""

load("//offload/private/compat:rules_rust.bzl", "library_cc_info")
load("//offload/private/rules:linked_crate.bzl", "LINKED_CRATE_RULE", "link_crate")

def _impl(ctx):
    linked, error = link_crate(ctx, "cdylib")
    if error:
        fail("{}: {}".format(ctx.label, error))
    return linked.providers + [
        DefaultInfo(
            files = depset([linked.output]),
            runfiles = linked.runfiles,
        ),
        library_cc_info(ctx, linked.output),
    ]

rust_offload_shared_library = rule(
    implementation = _impl,
    doc = "A shared library for the host with its kernels inside. Users call the macro of the same name.",
    **LINKED_CRATE_RULE
)
