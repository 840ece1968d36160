"""The rule rust_offload_test: functions with `#[test]` that launch kernels."""

load("//offload/private/rules:executable.bzl", "EXECUTABLE_RULE", "build_executable")

def _impl(ctx):
    return build_executable(
        ctx,
        # libtest's main function, also where the manifest is made: it has to have the kernels that tests launch.
        host_flags = ["--test"],
        # Kernels may be in modules with `#[cfg(test)]`. Without `--test` the functions with `#[test]` are left out.
        device_flags = ["--cfg=test"],
    )

rust_offload_test = rule(
    implementation = _impl,
    doc = "A test with its kernels inside. Users call the macro of the same name.",
    test = True,
    **EXECUTABLE_RULE
)
