"""What a C++ toolchain needs to know about a clang."""

# Without these programs no C++ target builds.
CC_PROGRAMS = ["clang", "ld.lld", "llvm-ar"]

def parse_include_directories(text):
    """Finds the folders of headers in what `clang -E -x c++ -v` prints.

    Args:
        text: (str) the output.

    Returns:
        (list[str]) in the order of the search.
    """
    directories = []
    listing = False
    for line in text.split("\n"):
        if line.startswith("#include <...> search starts here"):
            listing = True
        elif line.startswith("End of search list"):
            listing = False
        elif listing:
            directories.append(line.strip())
    return directories
