"""The report of the LLVM match, to be asked for by name."""

load("//offload:providers.bzl", "LlvmMatchInfo")

# buildifier: disable=bzl-visibility
load("//offload/private:transitions.bzl", "host_transition")

def _impl(ctx):
    match = ctx.attr.match[LlvmMatchInfo]
    if match.error:
        fail("{}: {}".format(ctx.label, match.error))
    return [DefaultInfo(files = depset([match.report]))]

llvm_match_report = rule(
    implementation = _impl,
    doc = "What rustc and the LLVM tools say of their versions, as offload targets check it.",
    attrs = {
        "match": attr.label(
            doc = "The llvm_match.",
            mandatory = True,
            providers = [LlvmMatchInfo],
        ),
        "_allowlist_function_transition": attr.label(
            default = "@bazel_tools//tools/allowlists/function_transition_allowlist",
        ),
    },
    # The toolchains are in the configuration of offload targets only.
    cfg = host_transition,
)
