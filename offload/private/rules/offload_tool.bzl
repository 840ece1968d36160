"""The rule offload_tool: the tool `offload`, to be run."""

load("//offload/private:transitions.bzl", "host_transition")
load("//offload/private/rules:tool_with_arguments.bzl", "TOOL_ATTRS", "tool_with_arguments")

def _impl(ctx):
    # In a folder: the repository's own outputs have one that is called as the tool.
    tool = tool_with_arguments(ctx, [], folder = "tool/")
    return [DefaultInfo(
        executable = tool.executable,
        files = depset([tool.executable]),
        runfiles = tool.runfiles,
    )]

offload_tool = rule(
    implementation = _impl,
    doc = "The tool, built by the rustc that offload targets have.",
    attrs = TOOL_ATTRS | {
        "_allowlist_function_transition": attr.label(
            default = "@bazel_tools//tools/allowlists/function_transition_allowlist",
        ),
    },
    cfg = host_transition,
    executable = True,
)
