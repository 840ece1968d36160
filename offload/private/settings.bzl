"""Build settings of the rules, public (`//offload/settings`) and private (`//offload/private`)."""

load("@bazel_skylib//rules:common_settings.bzl", "BuildSettingInfo")

# Bazel 9 keeps Starlark flags out of the exec configuration but for those of this scope. Proc macros and build scripts
# live there and must be built by the rustc that loads them.
_SCOPE = {
    "scope": attr.string(
        default = "universal",
        doc = "Where the setting reaches, see Bazel's `--incompatible_exclude_starlark_flags_from_exec_config`.",
    ),
}

def _impl(ctx):
    return [BuildSettingInfo(value = ctx.build_setting_value)]

private_bool = rule(
    implementation = _impl,
    doc = "A yes or no that transitions set, not the command line.",
    attrs = _SCOPE,
    build_setting = config.bool(flag = False),
)

fixed_setting = rule(
    implementation = lambda ctx: [BuildSettingInfo(value = ctx.attr.value)],
    doc = "What a `select` makes of a command-line option, for rules that read it like a setting.",
    attrs = {
        "value": attr.bool(
            doc = "The value.",
            mandatory = True,
        ),
    },
)

def split_archs(values):
    """The arches that the flag names, which may be repeated and may hold several arches, separated by commas.

    Args:
        values: (list[str]) the values of the flag.

    Returns:
        (list[str]) one arch per element.
    """
    return [arch for value in values for arch in value.split(",") if arch]

archs_flag = rule(
    implementation = _impl,
    doc = "The arches to build for. Every use of the flag adds to the list.",
    build_setting = config.string_list(flag = True, repeatable = True),
)

def _archs_at_least_impl(ctx):
    archs = split_archs(ctx.attr.archs[BuildSettingInfo].value)
    return [config_common.FeatureFlagInfo(value = "yes" if len(archs) >= ctx.attr.count else "no")]

archs_at_least = rule(
    implementation = _archs_at_least_impl,
    doc = "Whether the flag names that many arches, as something that a `config_setting` can ask for.",
    attrs = {
        "archs": attr.label(
            doc = "The flag.",
            mandatory = True,
            providers = [BuildSettingInfo],
        ),
        "count": attr.int(
            doc = "How many.",
            mandatory = True,
        ),
    },
)
