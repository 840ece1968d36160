"""The rule rust_offload_binary: a program."""

load("//offload/private/compat:rules_rust.bzl", "run_environment")
load("//offload/private/rules:attrs.bzl", "EXECUTABLE_ATTRS")
load("//offload/private/rules:linked_crate.bzl", "LINKED_CRATE_RULE", "link_crate")

def _impl(ctx):
    linked, error = link_crate(ctx, "bin")
    if error:
        fail("{}: {}".format(ctx.label, error))
    return linked.providers + [
        DefaultInfo(
            executable = linked.output,
            files = depset([linked.output]),
            runfiles = linked.runfiles,
        ),
        run_environment(ctx),
    ]

rust_offload_binary = rule(
    implementation = _impl,
    doc = "A program for the host with its kernels inside. Users call the macro of the same name.",
    executable = True,
    **(LINKED_CRATE_RULE | {"attrs": LINKED_CRATE_RULE["attrs"] | EXECUTABLE_ATTRS})
)
