"""rustc flags that the passes set themselves, and that a user must therefore not give."""

_USE_ARCHS = "Write archs = [\"<arch>\"] or --config=<arch> instead."

# Option (`-C` and `-Z` options with their prefix) -> the line to write instead.
_FORBIDDEN = {
    "--crate-type": "Remove it: the rule compiles a bin for the host and a cdylib for the device.",
    "--emit": "Remove it: the output groups device_image, device_llvm_bc and offload_manifest hold what the passes make.",
    "--target": _USE_ARCHS,
    "-Clto": "Remove it: every pass needs and gets -Clto=fat.",
    "-Ctarget-cpu": _USE_ARCHS,
    "-Zoffload": "Remove it: the rule passes the -Zoffload of each pass.",
}

# Long spellings, and short ones whose value may be the next argument.
_PREFIXES = {
    "--codegen": "-C",
    "-C": "-C",
    "-Z": "-Z",
}

def _option(prefix, option, spelling):
    name, _, value = option.partition("=")

    # rustc takes `target_cpu` for `target-cpu`.
    return struct(name = prefix + name.replace("_", "-"), spelling = spelling, value = value)

def _options(flags):
    """Splits flags into options: their name, their value, and how the user spelled them."""
    options = []
    pending = None
    for flag in flags:
        if pending:
            options.append(_option(_PREFIXES[pending], flag, pending + " " + flag))
            pending = None
        elif flag in _PREFIXES:
            pending = flag
        elif flag.startswith("--codegen="):
            options.append(_option("-C", flag[len("--codegen="):], flag))
        elif flag[:2] in ("-C", "-Z"):
            options.append(_option(flag[:2], flag[2:], flag))
        else:
            options.append(struct(name = flag.partition("=")[0], spelling = flag, value = flag.partition("=")[2]))
    return options

def forbidden_flag(flags, attribute):
    """Looks for a flag that contradicts what the passes set.

    Args:
        flags: (list[str]) what the user wrote.
        attribute: (str) the attribute in which they were found, for the message.

    Returns:
        None, or an error.
    """
    for option in _options(flags):
        if option.name in _FORBIDDEN:
            return "{} contains {}, which each pass sets itself. Found \"{}\". {}".format(
                attribute,
                option.name,
                option.spelling,
                _FORBIDDEN[option.name],
            )
    return None

def unoptimised_flag(flags, attribute):
    """Looks for a flag that leaves kernels unoptimised: what core does not need stays in the image, and ptxas stops at it.

    Args:
        flags: (list[str]) what the user wrote for the device side.
        attribute: (str) the attribute in which they were found, for the message.

    Returns:
        None, or an error.
    """
    for option in _options(flags):
        if option.name == "-Copt-level" and option.value == "0":
            return "kernels have to be optimised: else unused parts of core stay in the image, and ptxas stops at what they call. Found \"{}\" in {}. Remove it, or write -Copt-level=1.".format(
                option.spelling,
                attribute,
            )
    return None
