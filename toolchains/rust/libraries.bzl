"""Folders and shared libraries of what is there already, as parts of a repository."""

def link_folder(rctx, root):
    """Links `bin` and `lib` of a folder, as far as it has them.

    Args:
        rctx: (repository_ctx)
        root: (path) the folder.
    """
    for folder in ["bin", "lib"]:
        if root.get_child(folder).exists:
            rctx.symlink(root.get_child(folder), folder)

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
