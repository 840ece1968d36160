"""The rule in_offload_configuration: the files of a target, built by the rustc that can offload."""

load("//offload/private:transitions.bzl", "host_transition")

def _impl(ctx):
    actual = ctx.attr.actual
    return [actual[provider] for provider in [DefaultInfo, OutputGroupInfo] if provider in actual]

in_offload_configuration = rule(
    implementation = _impl,
    doc = "Hands over the files of a target of rules_rust's that has no way of its own to choose a toolchain.",
    attrs = {
        "actual": attr.label(
            # The transition is this rule's own.
            cfg = "target",
            doc = "The target.",
            mandatory = True,
        ),
        "_allowlist_function_transition": attr.label(
            default = "@bazel_tools//tools/allowlists/function_transition_allowlist",
        ),
    },
    cfg = host_transition,
)
