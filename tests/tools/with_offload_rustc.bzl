"""Rust programs and tests outside of offload targets, built by the rustc that offload targets have."""

# buildifier: disable=bzl-visibility
load("//offload/private:transitions.bzl", "host_transition")

def _impl(ctx):
    executable = ctx.actions.declare_file(ctx.label.name)
    ctx.actions.symlink(
        output = executable,
        target_file = ctx.executable.actual,
        is_executable = True,
    )
    return [DefaultInfo(
        executable = executable,
        files = depset([executable]),
        runfiles = ctx.attr.actual[DefaultInfo].default_runfiles,
    )]

_ATTRS = {
    "actual": attr.label(
        doc = "The program.",
        executable = True,
        # The transition is this rule's own.
        cfg = "target",
        mandatory = True,
    ),
    "_allowlist_function_transition": attr.label(
        default = "@bazel_tools//tools/allowlists/function_transition_allowlist",
    ),
}

binary_with_offload_rustc = rule(
    implementation = _impl,
    doc = "A `rust_binary`, built by the rustc of offload targets.",
    attrs = _ATTRS,
    cfg = host_transition,
    executable = True,
)

offload_rustc_test = rule(
    implementation = _impl,
    doc = "A `rust_test`, built by the rustc of offload targets.",
    attrs = _ATTRS,
    cfg = host_transition,
    test = True,
)
