"""How a device configuration says which arch it is for.

C compilers are told by an option of their own, and so is every rule here. A build setting would do as well, but for this:
Bazel 7 hands build settings on to the exec configuration, and proc macros and rules_rust's helpers, which have nothing to
do with any GPU, would be built once for each arch. Options of C compilers end there.
"""

_PREFIX = "-mcpu="

# All of them, since what the command line says of the host's C code must not show in the paths of the device side.
ARCH_OPTIONS = ["//command_line_option:" + option for option in ["conlyopt", "copt", "cxxopt", "linkopt"]]

def arch_option(arch):
    """The option that names an arch.

    Args:
        arch: (str)

    Returns:
        (str) the only element of each of ARCH_OPTIONS.
    """
    return _PREFIX + arch

def configured_arch(ctx):
    """The arch that a target of the device side is configured for.

    Args:
        ctx: (ctx) of a rule with the fragment `cpp`.

    Returns:
        (str) such as `gfx90a`, or "" outside of the device side.
    """
    for option in ctx.fragments.cpp.copts:
        if option.startswith(_PREFIX):
            return option[len(_PREFIX):]
    return ""

def arch_config_settings(name, archs):
    """Declares a `config_setting` for each arch.

    Args:
        name: (str) the prefix of their names.
        archs: (list[str])

    Returns:
        (dict[str, str]) the label of each by arch, for `select`.
    """
    for arch in archs:
        native.config_setting(
            name = name + arch,
            values = {"copt": arch_option(arch)},
        )
    return {arch: ":" + name + arch for arch in archs}
