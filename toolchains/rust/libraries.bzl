"""The shared libraries of a rustc distribution, for repositories with more programs of it."""

def link_libraries(rctx, rust):
    """Links librustc_driver, libLLVM and what they need into `lib`, where the programs of a distribution look for them.

    Args:
        rctx: (repository_ctx)
        rust: (Label) the file BUILD.bazel of the repository with the distribution.

    Returns:
        (path) the folder of that repository.
    """
    root = rctx.path(rust).dirname
    for file in root.get_child("lib").readdir():
        if ".so" in file.basename:
            rctx.symlink(file, "lib/" + file.basename)
    return root
