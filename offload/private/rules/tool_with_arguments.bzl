"""An executable that is the tool `offload` with arguments of a rule before those of the command line."""

TOOL_ATTRS = {
    "_offload": attr.label(
        # For where the target runs, not for where it is built.
        cfg = "target",
        default = "//offload/tools:offload",
        doc = "The tool.",
        executable = True,
    ),
}

def tool_with_arguments(ctx, arguments, folder = ""):
    """Makes the executable of a rule: the tool, and a file `<name>.arguments` beside it that the tool looks for.

    Args:
        ctx: (ctx) of a rule with TOOL_ATTRS.
        arguments: (list[str]) none of them with a line break.
        folder: (str) where in the package's outputs, with a `/` at its end.

    Returns:
        (struct(executable, runfiles)) File and runfiles.
    """
    executable = ctx.actions.declare_file(folder + ctx.label.name)
    ctx.actions.symlink(
        output = executable,
        target_file = ctx.executable._offload,
        is_executable = True,
    )
    file = ctx.actions.declare_file(folder + ctx.label.name + ".arguments")
    ctx.actions.write(
        output = file,
        content = "".join([argument + "\n" for argument in arguments]),
    )
    return struct(
        executable = executable,
        runfiles = ctx.runfiles([executable, file]).merge(ctx.attr._offload[DefaultInfo].default_runfiles),
    )
