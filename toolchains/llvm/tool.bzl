"""A program of the LLVM toolchain as a target, to run or to use in rules."""

# buildifier: disable=bzl-visibility
load("//offload/private:transitions.bzl", "host_transition")
load(":toolchain.bzl", "LLVM_TOOLCHAIN_TYPE")
load(":tools.bzl", "LLVM_TOOLS", "require_tool")

def _impl(ctx):
    llvm = ctx.toolchains[LLVM_TOOLCHAIN_TYPE].llvm
    tool, error = require_tool(llvm, ctx.attr.tool, "this target")
    if error:
        fail("{}: {}".format(ctx.label, error))
    executable = ctx.actions.declare_file(ctx.label.name)
    ctx.actions.symlink(
        output = executable,
        target_file = tool,
        is_executable = True,
    )
    return [DefaultInfo(
        executable = executable,
        files = depset([executable]),
        runfiles = ctx.runfiles([tool], transitive_files = llvm.files),
    )]

llvm_tool = rule(
    implementation = _impl,
    doc = "A program of the LLVM that rustc was built with, or of the one that `offload.llvm` names.",
    attrs = {
        "tool": attr.string(
            doc = "The program, by the name of the attribute of llvm_toolchain.",
            mandatory = True,
            values = LLVM_TOOLS.keys(),
        ),
        "_allowlist_function_transition": attr.label(
            default = "@bazel_tools//tools/allowlists/function_transition_allowlist",
        ),
    },
    # Anywhere in a build: there are LLVM toolchains in the configuration of offload targets only.
    cfg = host_transition,
    executable = True,
    toolchains = [LLVM_TOOLCHAIN_TYPE],
)
