"""RustOffloadReport: what each kernel takes of the GPU."""

load("//offload/private:path_mapping.bzl", "SUPPORTS_PATH_MAPPING")

def kernel_report_action(ctx, executable):
    """Reads registers, spills, shared memory and the like of all kernels from the finished program.

    Args:
        ctx: (ctx) of a rule with HOST_ATTRS.
        executable: (File) the executable or shared library with its images inside.

    Returns:
        (list[File]) the table, and the same as JSON.
    """
    folder = ctx.label.name + ".offload/"
    table = ctx.actions.declare_file(folder + "kernel_report.txt")
    json = ctx.actions.declare_file(folder + "kernel_report.json")
    args = ctx.actions.args()
    args.add("report")
    args.add("--out", table)
    args.add("--json-out", json)
    args.add(executable)
    ctx.actions.run(
        executable = ctx.executable._report,
        arguments = [args],
        inputs = [executable],
        outputs = [table, json],
        execution_requirements = SUPPORTS_PATH_MAPPING,
        mnemonic = "RustOffloadReport",
        progress_message = "Reporting what the kernels of %{label} take",
    )
    return [table, json]
