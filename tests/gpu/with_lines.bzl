"""The rule program_with_lines: an offload program as `--config=offload_debug` builds it."""

_SETTINGS = {
    "//offload/settings:device_compilation_mode": "dbg",
    "//offload/settings:embed": "llvm",
}

_with_lines = transition(
    implementation = lambda _settings, _attr: _SETTINGS,
    inputs = [],
    outputs = _SETTINGS.keys(),
)

def _impl(ctx):
    executable = ctx.actions.declare_file(ctx.label.name)
    ctx.actions.symlink(
        output = executable,
        target_file = ctx.executable.actual,
        is_executable = True,
    )
    return [DefaultInfo(
        executable = executable,
        runfiles = ctx.attr.actual[DefaultInfo].default_runfiles,
    )]

program_with_lines = rule(
    implementation = _impl,
    doc = "An offload program whose machine code for the GPU keeps the lines of the source.",
    attrs = {
        "actual": attr.label(
            doc = "The program.",
            executable = True,
            # The transition is this rule's own.
            cfg = "target",
            mandatory = True,
        ),
        "_allowlist_function_transition": attr.label(
            default = "@bazel_tools//tools/allowlists/function_transition_allowlist",
        ),
    },
    cfg = _with_lines,
    executable = True,
)
