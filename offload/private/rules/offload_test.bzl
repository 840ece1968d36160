"""The rule rust_offload_test: functions with `#[test]` that launch kernels."""

load("//offload/private/compat:rules_rust.bzl", "run_environment")
load("//offload/private/rules:attrs.bzl", "EXECUTABLE_ATTRS")
load("//offload/private/rules:linked_crate.bzl", "LINKED_CRATE_RULE", "link_crate")

def _impl(ctx):
    linked, error = link_crate(
        ctx,
        "bin",
        # libtest's main function, also where the manifest is made: it has to have the kernels that tests launch.
        host_flags = ["--test"] if ctx.attr.use_libtest_harness else ["--cfg=test"],
        # Kernels may be in modules with `#[cfg(test)]`. Without `--test` the functions with `#[test]` are left out.
        device_flags = ["--cfg=test"],
    )
    if error:
        fail("{}: {}".format(ctx.label, error))
    return linked.providers + [run_environment(ctx)]

rust_offload_test = rule(
    implementation = _impl,
    doc = "A test with its kernels inside. Users call the macro of the same name.",
    test = True,
    **(LINKED_CRATE_RULE | {"attrs": LINKED_CRATE_RULE["attrs"] | EXECUTABLE_ATTRS | {
        "use_libtest_harness": attr.bool(
            default = True,
            doc = "Whether libtest makes the main function. If not, the crate has one.",
        ),
    }})
)
