"""The rule offload_package: a program that runs on a machine with no more than a GPU's driver."""

load("//offload:providers.bzl", "OffloadInfo")
load("//offload/private:runtime.bzl", "runfiles_path")
load("//offload/private:transitions.bzl", "host_transition")

def _impl(ctx):
    program = ctx.executable.program
    runfiles = ctx.attr.program[DefaultInfo].default_runfiles
    tree = ctx.actions.declare_directory(ctx.label.name)
    sizes = ctx.actions.declare_file(ctx.label.name + ".sizes.txt")

    # As Bazel has it beside the executable: this is where programs look for their runfiles.
    root = program.basename + ".runfiles/"
    workspace = ctx.workspace_name

    def in_runfiles(file):
        if file == program:
            return None
        return "{}{}\t{}".format(root, runfiles_path(file.short_path, workspace), file.path)

    list = ctx.actions.args()
    list.set_param_file_format("multiline")
    list.add("{}\t{}".format(program.basename, program.path))
    list.add_all(runfiles.files, map_each = in_runfiles, allow_closure = True)
    files = ctx.actions.declare_file(ctx.label.name + ".files.txt")
    ctx.actions.write(files, list)

    args = ctx.actions.args()
    args.add("package")
    args.add("--label", str(ctx.label))
    args.add("--files", files)
    args.add("--out", tree.path)
    args.add("--sizes", sizes)
    ctx.actions.run(
        executable = ctx.executable._offload,
        arguments = [args],
        inputs = depset([files, program], transitive = [runfiles.files]),
        outputs = [tree, sizes],
        mnemonic = "RustOffloadPackage",
        progress_message = "Packaging %{label}",
    )
    return [
        DefaultInfo(
            files = depset([tree]),
            runfiles = ctx.runfiles([tree]),
        ),
        OutputGroupInfo(sizes = depset([sizes])),
    ]

offload_package = rule(
    implementation = _impl,
    doc = """A folder with a program, its runfiles and the libraries that it needs: all but the C library and the GPU's driver.

```starlark
load("@rules_rust_offload//offload:defs.bzl", "offload_package")

offload_package(
    name = "kernel_package",
    program = ":kernel",
)
```

The folder has the program, and `<program>.runfiles` beside it. Copied anywhere, it runs. `pkg_tar` of rules_pkg and the image rules of
containers take it as it is. The output group `sizes` is a list of its files and their sizes.
""",
    attrs = {
        "program": attr.label(
            cfg = "target",
            doc = "A `rust_offload_binary`.",
            executable = True,
            mandatory = True,
            providers = [OffloadInfo],
        ),
        "_allowlist_function_transition": attr.label(
            default = "@bazel_tools//tools/allowlists/function_transition_allowlist",
        ),
        "_offload": attr.label(
            cfg = "exec",
            default = "//offload/tools:offload",
            doc = "The tool.",
            executable = True,
        ),
    },
    cfg = host_transition,
)
