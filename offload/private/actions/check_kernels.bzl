"""RustOffloadCheckKernels, a validation: is every kernel that the host launches in every image?"""

load("//offload/private:path_mapping.bzl", "SUPPORTS_PATH_MAPPING")

def check_kernels_action(ctx, executable, archs):
    """Looks into the finished program, which would only fail when it launches a kernel.

    Args:
        ctx: (ctx) of a rule with DEVICE_ATTRS.
        executable: (File) the executable or shared library with its images inside.
        archs: (list[str]) what it must have an image for.

    Returns:
        (File) a report: the images, and the kernels that are launched. Making it fails if something is missing.
    """
    report = ctx.actions.declare_file(ctx.label.name + ".offload/kernels.txt")
    args = ctx.actions.args()
    args.add("check-kernels")
    args.add("--executable", executable)
    args.add("--label", str(ctx.label))
    args.add_joined("--archs", archs, join_with = ",")
    args.add("--out", report)
    ctx.actions.run(
        executable = ctx.executable._checks,
        arguments = [args],
        inputs = [executable],
        outputs = [report],
        execution_requirements = SUPPORTS_PATH_MAPPING,
        mnemonic = "RustOffloadCheckKernels",
        progress_message = "Checking that %{label} has every kernel that it launches",
    )
    return report
