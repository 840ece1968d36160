"""The rule kernel_budget_test: kernels stay within what they may take of the GPU."""

load("//offload:providers.bzl", "OffloadInfo")
load("//offload/private:transitions.bzl", "host_transition")
load("//offload/private/rules:tool_with_arguments.bzl", "TOOL_ATTRS", "tool_with_arguments")

def _impl(ctx):
    if not ctx.attr.fail_if:
        fail("{}: fail_if is empty. A test without a budget cannot fail. Write fail_if = [\"spills>0\"].".format(ctx.label))
    program = ctx.file.program
    test = tool_with_arguments(
        ctx,
        ["report"] + ["--fail-if=" + budget for budget in ctx.attr.fail_if] + [program.short_path],
    )
    return [DefaultInfo(
        executable = test.executable,
        files = depset([test.executable]),
        runfiles = test.runfiles.merge(ctx.runfiles([program])),
    )]

kernel_budget_test = rule(
    implementation = _impl,
    doc = """Fails if a kernel takes more of the GPU than it may. It reads the machine code, and needs no GPU.

```starlark
load("@rules_rust_offload//offload:defs.bzl", "kernel_budget_test")

kernel_budget_test(
    name = "kernel_budget_test",
    fail_if = [
        "spills>0",
        "registers>64",
        "scale:lds_bytes>1024",
    ],
    program = ":kernel",
)
```
""",
    attrs = TOOL_ATTRS | {
        "fail_if": attr.string_list(
            doc = "Budgets, each `<field><operator><number>` or `<part of a kernel's name>:<field><operator><number>`. The fields are those of `offload report`.",
            mandatory = True,
        ),
        "program": attr.label(
            allow_single_file = True,
            doc = "A `rust_offload_binary` or `rust_offload_shared_library`.",
            mandatory = True,
            providers = [OffloadInfo],
        ),
        "_allowlist_function_transition": attr.label(
            default = "@bazel_tools//tools/allowlists/function_transition_allowlist",
        ),
    },
    cfg = host_transition,
    test = True,
)
