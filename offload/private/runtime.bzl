"""How an executable or a shared library finds the offload runtime: run paths that hold wherever it lands."""

def relative_path(from_dir, to_dir):
    """The way from one folder to another.

    Args:
        from_dir: (str) a relative path.
        to_dir: (str) another, from the same starting point.

    Returns:
        (str) such as `../../lib`.
    """
    from_parts = [part for part in from_dir.split("/") if part]
    to_parts = [part for part in to_dir.split("/") if part]
    for _ in range(min(len(from_parts), len(to_parts))):
        if from_parts[0] != to_parts[0]:
            break
        from_parts.pop(0)
        to_parts.pop(0)
    return "/".join([".."] * len(from_parts) + to_parts)

def runfiles_path(short_path, workspace):
    """The path of a file in a runfiles tree.

    Args:
        short_path: (str) `File.short_path`.
        workspace: (str) the name of the main repository in runfiles trees, `ctx.workspace_name`.

    Returns:
        (str) such as `_main/examples/kernel`.
    """
    return short_path[len("../"):] if short_path.startswith("../") else workspace + "/" + short_path

def run_paths(output, is_library, workspace, runtime_dir, runtime_exec_dir):
    """Where an executable or a shared library looks for the offload runtime, relative to itself.

    Args:
        output: (File) the executable or the library.
        is_library: (bool)
        workspace: (str) the name of the main repository in runfiles trees.
        runtime_dir: (str) the folder of libomptarget in a runfiles tree.
        runtime_exec_dir: (str) the same folder from the execution root.

    Returns:
        (list[str]) paths that start with `$ORIGIN`.
    """
    dirname = runfiles_path(output.short_path, workspace).rpartition("/")[0]
    paths = [
        # Started or loaded from a runfiles tree, or a copy of one.
        relative_path(dirname, runtime_dir),
        # From the output tree, as a tool or as the `data` of something else, whose runfiles tree only has a link to it.
        relative_path(output.dirname, runtime_exec_dir),
    ]
    if is_library:
        # C++ programs load it through a link in `_solib_<cpu>/<mangled package>`, in a runfiles tree or below the folder
        # `bazel-out/<configuration>/bin`. `$ORIGIN` is the folder of the link.
        paths += [
            "../" * 3 + runtime_dir,
            "../" * 5 + runtime_exec_dir,
        ]
    else:
        # Started beside its own runfiles tree.
        paths.append("{}.runfiles/{}".format(output.basename, runtime_dir))
    return ["$ORIGIN/" + path for path in paths]

def rpath_flags(output, is_library, workspace, offload_toolchain):
    """rustc flags that make an executable or a library find the offload runtime without LD_LIBRARY_PATH.

    Args:
        output: (File) the executable or the library.
        is_library: (bool)
        workspace: (str) `ctx.workspace_name`.
        offload_toolchain: (OffloadToolchainInfo)

    Returns:
        (list[str])
    """
    paths = run_paths(output, is_library, workspace, offload_toolchain.runtime_dir, offload_toolchain.runtime_exec_dir)
    return ["-Clink-arg=-Wl,-rpath," + path for path in paths]
