"""Versions of LLVM: what tools print, and which of them go together."""

# The words that LLVM's programs print before their version: `clang version 22.1.8`, `LLVM version 22.1.8`, `LLD 22.1.8`.
_WORDS = ["version", "LLD"]

def parse_llvm_version(text):
    """Finds the version of LLVM in what a program prints for `--version`, or in a version alone.

    Args:
        text: (str) such as `LLVM version 23.1.1-rust-1.100.0-nightly` or `22.1.8`.

    Returns:
        (list[int] or None) major, minor and patch level.
    """
    words = [word for line in text.split("\n") for word in line.split(" ") if word]
    candidates = [words[i + 1] for i in range(len(words) - 1) if words[i] in _WORDS]
    if len(words) == 1:
        candidates = words
    for candidate in candidates:
        parts = candidate.partition("-")[0].split(".")
        if len(parts) == 3 and all([part.isdigit() for part in parts]):
            return [int(part) for part in parts]
    return None

def compare_llvm(wanted, found, allow_patch_difference):
    """Checks whether a tool can work on what rustc's LLVM makes.

    Bitcode, the names of symbols and the format of images hold within a major.minor release of LLVM.

    Args:
        wanted: (str) rustc's LLVM version.
        found: (str) the tool's LLVM version.
        allow_patch_difference: (bool) whether the patch level may differ.

    Returns:
        None, or (str) how they differ.
    """
    wanted_parts = parse_llvm_version(wanted)
    found_parts = parse_llvm_version(found)
    if not wanted_parts or not found_parts:
        return "cannot be compared"
    if wanted_parts[:2] != found_parts[:2]:
        return "differ"
    if wanted_parts != found_parts and not allow_patch_difference:
        return "differ in the patch level"
    return None

def runtime_llvm_version(basename):
    """The LLVM that a libomptarget belongs to, as far as its name tells.

    Args:
        basename: (str) such as `libomptarget.so.22.1`: LLVM names its shared libraries by major and minor version.

    Returns:
        (list[int] or None) major and minor.
    """
    parts = basename.partition("-")[0].partition(".so.")[2].split(".")
    return [int(part) for part in parts] if len(parts) == 2 and all([part.isdigit() for part in parts]) else None
