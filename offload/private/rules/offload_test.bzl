"""The rule rust_offload_test: functions with `#[test]` that launch kernels."""

load("@bazel_skylib//rules:common_settings.bzl", "BuildSettingInfo")
load("//offload/private:runtime.bzl", "runfiles_path")
load("//offload/private/compat:rules_rust.bzl", "run_environment")
load("//offload/private/rules:attrs.bzl", "EXECUTABLE_ATTRS")
load("//offload/private/rules:linked_crate.bzl", "LINKED_CRATE_RULE", "link_crate")
load("//offload/private/rules:tool_with_arguments.bzl", "TOOL_ATTRS", "tool_with_arguments")

def _impl(ctx):
    linked, error = link_crate(
        ctx,
        "bin",
        # libtest's main function, also where the manifest is made: it has to have the kernels that tests launch.
        host_flags = ["--test"] if ctx.attr.use_libtest_harness else ["--cfg=test"],
        # Kernels may be in modules with `#[cfg(test)]`. Without `--test` the functions with `#[test]` are left out.
        device_flags = ["--cfg=test"],
        # The name of the target is the launcher's.
        folder = ctx.label.name + ".offload/test/",
    )
    if error:
        fail("{}: {}".format(ctx.label, error))
    launcher = tool_with_arguments(ctx, [
        "launch",
        "--label=" + str(ctx.label),
        "--archs=" + ",".join(linked.archs),
        "--missing-gpu=" + ctx.attr._missing_gpu[BuildSettingInfo].value,
        "--harness=" + ("libtest" if ctx.attr.use_libtest_harness else "none"),
        "--program=" + runfiles_path(linked.output.short_path, ctx.workspace_name),
        "--",
    ])
    return linked.providers + [
        DefaultInfo(
            executable = launcher.executable,
            files = depset([launcher.executable, linked.output]),
            runfiles = linked.runfiles.merge(launcher.runfiles),
        ),
        run_environment(ctx),
    ]

rust_offload_test = rule(
    implementation = _impl,
    doc = "A test with its kernels inside. Users call the macro of the same name.",
    test = True,
    **(LINKED_CRATE_RULE | {"attrs": LINKED_CRATE_RULE["attrs"] | EXECUTABLE_ATTRS | TOOL_ATTRS | {
        "use_libtest_harness": attr.bool(
            default = True,
            doc = "Whether libtest makes the main function. If not, the crate has one.",
        ),
        "_missing_gpu": attr.label(
            default = "//offload/settings:missing_gpu",
        ),
    }})
)
