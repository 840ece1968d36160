"""The rule rust_offload_binary: a program."""

load("//offload/private/rules:executable.bzl", "EXECUTABLE_RULE", "build_executable")

def _impl(ctx):
    return build_executable(ctx)

rust_offload_binary = rule(
    implementation = _impl,
    doc = "A program for the host with its kernels inside. Users call the macro of the same name.",
    executable = True,
    **EXECUTABLE_RULE
)
