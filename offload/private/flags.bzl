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

def _option_name(prefix, option):
    # rustc takes `target_cpu` for `target-cpu`.
    return prefix + option.partition("=")[0].replace("_", "-")

def _options(flags):
    """Splits flags into (option name, how the user spelled it) pairs."""
    options = []
    pending = None
    for flag in flags:
        if pending:
            options.append((_option_name(_PREFIXES[pending], flag), pending + " " + flag))
            pending = None
        elif flag in _PREFIXES:
            pending = flag
        elif flag.startswith("--codegen="):
            options.append((_option_name("-C", flag[len("--codegen="):]), flag))
        elif flag[:2] in ("-C", "-Z"):
            options.append((_option_name(flag[:2], flag[2:]), flag))
        else:
            options.append((flag.partition("=")[0], flag))
    return options

def forbidden_flag(flags, attribute):
    """Looks for a flag that contradicts what the passes set.

    Args:
        flags: (list[str]) what the user wrote.
        attribute: (str) the attribute in which they were found, for the message.

    Returns:
        None, or an error.
    """
    for name, spelling in _options(flags):
        if name in _FORBIDDEN:
            return "{} contains {}, which each pass sets itself. Found \"{}\". {}".format(
                attribute,
                name,
                spelling,
                _FORBIDDEN[name],
            )
    return None
