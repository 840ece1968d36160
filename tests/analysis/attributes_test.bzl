"""Attributes and flags reach the side that they are for."""

load("@bazel_skylib//lib:partial.bzl", "partial")
load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts")
load("//offload:providers.bzl", "OffloadInfo")
load(
    ":common.bzl",
    "ARCH_ATTRS",
    "DEVICE",
    "HOST_METADATA",
    "HOST_PASS",
    "PASSES",
    "expect_contains",
    "for_each_arch",
    "matching",
    "passes",
    "suite",
)

_HOST_SIDE = [HOST_METADATA, HOST_PASS]

# Argument -> the passes that have it.
_WHERE = {
    "--cfg=device_flag": [DEVICE],
    "--cfg=host_flag": _HOST_SIDE,
    "--crate-name=named": PASSES,
    "--edition=2021": PASSES,
    "feature=\"on_both_sides\"": PASSES,
    "feature=\"on_the_device\"": [DEVICE],
    # The file of rustc_env_files.
    "tests/analysis/testdata/rustc.env": PASSES,
}

_ENV = {
    "CARGO_CRATE_NAME": "named",
    "CARGO_PKG_VERSION": "1.2.3-beta",
    "CARGO_PKG_VERSION_MAJOR": "1",
    "CARGO_PKG_VERSION_PRE": "beta",
    "FROM_ATTRIBUTE": "${pwd}/tests/analysis/testdata/compile_data.txt",
}

def _with(actions, argument):
    return [mnemonic for mnemonic, action in actions.items() if argument in action.argv]

def _arguments_impl(ctx):
    env = analysistest.begin(ctx)
    actions = passes(env)
    for argument, expected in _WHERE.items():
        asserts.equals(env, expected, _with(actions, argument), argument)
    return analysistest.end(env)

def _env_impl(ctx):
    env = analysistest.begin(ctx)
    for mnemonic, action in passes(env).items():
        for name, value in _ENV.items():
            asserts.equals(env, value, action.env.get(name), "{} of {}".format(name, mnemonic))
    return analysistest.end(env)

def _compile_data_impl(ctx):
    env = analysistest.begin(ctx)
    for mnemonic, action in passes(env).items():
        inputs = [file.short_path for file in action.inputs.to_list()]
        for file in ["compile_data.txt", "rustc.env"]:
            expect_contains(env, "tests/analysis/testdata/" + file, matching(inputs, prefix = "tests/"), "the inputs of " + mnemonic)
    return analysistest.end(env)

def _later_wins_impl(ctx):
    env = analysistest.begin(ctx)

    # What the user wrote comes after what the rules say, so that `-Copt-level` and the like hold.
    for mnemonic, action in passes(env).items():
        flag = "--cfg=device_flag" if mnemonic == DEVICE else "--cfg=host_flag"
        asserts.equals(env, flag, action.argv[-1], mnemonic)
    return analysistest.end(env)

def _command_line_impl(ctx):
    env = analysistest.begin(ctx)
    actions = passes(env)
    asserts.equals(env, _HOST_SIDE, _with(actions, "--cfg=from_the_command_line"))
    asserts.equals(env, _HOST_SIDE, _with(actions, "--cfg=from_the_command_lines"))
    return analysistest.end(env)

def _defaults_impl(ctx):
    env = analysistest.begin(ctx)
    for argument in ["--crate-name=small_sm_90", "--edition=2024"]:
        asserts.equals(env, PASSES, _with(passes(env), argument), argument)
    return analysistest.end(env)

def _mode_impl(ctx):
    env = analysistest.begin(ctx)
    actions = passes(env)

    # The host side follows the compilation mode, the device side is always optimised.
    asserts.equals(env, _HOST_SIDE, _with(actions, "--codegen=opt-level=0"))
    asserts.equals(env, _HOST_SIDE, _with(actions, "--codegen=debuginfo=2"))
    asserts.equals(env, [DEVICE], _with(actions, "--codegen=opt-level=3"))
    return analysistest.end(env)

def _device_mode_impl(ctx):
    env = analysistest.begin(ctx)
    actions = passes(env)
    lines = "line-directives-only" if ctx.attr.arch == "sm_90" else "line-tables-only"
    asserts.equals(env, [DEVICE], _with(actions, "--codegen=debuginfo=" + lines))
    asserts.equals(env, [DEVICE], _with(actions, "--codegen=opt-level=3"))
    asserts.equals(env, _HOST_SIDE, _with(actions, "--codegen=debuginfo=0"))
    return analysistest.end(env)

def _stamp_impl(ctx):
    env = analysistest.begin(ctx)
    for mnemonic, action in passes(env).items():
        # Whatever changes from build to build must not compile the kernels again.
        asserts.equals(env, mnemonic == HOST_PASS, "--stable-status-file" in action.argv, mnemonic)
    return analysistest.end(env)

def _archs_flag_impl(ctx):
    env = analysistest.begin(ctx)
    asserts.equals(env, ["gfx942"], analysistest.target_under_test(env)[OffloadInfo].images.keys())
    expect_contains(env, "-Ctarget-cpu=gfx942", passes(env)[DEVICE].argv, DEVICE)
    return analysistest.end(env)

def _attribute_over_flag_impl(ctx):
    env = analysistest.begin(ctx)
    asserts.equals(env, [ctx.attr.arch], analysistest.target_under_test(env)[OffloadInfo].images.keys())
    return analysistest.end(env)

_ARCHS = str(Label("//offload/settings:archs"))

_arguments_test = analysistest.make(_arguments_impl, attrs = ARCH_ATTRS)
_env_test = analysistest.make(_env_impl, attrs = ARCH_ATTRS)
_compile_data_test = analysistest.make(_compile_data_impl, attrs = ARCH_ATTRS)
_later_wins_test = analysistest.make(_later_wins_impl, attrs = ARCH_ATTRS)
_command_line_test = analysistest.make(
    _command_line_impl,
    attrs = ARCH_ATTRS,
    config_settings = {
        str(Label("@rules_rust//rust/settings:extra_rustc_flag")): ["--cfg=from_the_command_line"],
        str(Label("@rules_rust//rust/settings:extra_rustc_flags")): ["--cfg=from_the_command_lines"],
    },
)
_mode_test = analysistest.make(
    _mode_impl,
    attrs = ARCH_ATTRS,
    config_settings = {"//command_line_option:compilation_mode": "dbg"},
)
_device_mode_test = analysistest.make(
    _device_mode_impl,
    attrs = ARCH_ATTRS,
    config_settings = {str(Label("//offload/settings:device_compilation_mode")): "dbg"},
)
_stamp_test = analysistest.make(
    _stamp_impl,
    attrs = ARCH_ATTRS,
    config_settings = {"//command_line_option:stamp": True},
)
_attribute_over_flag_test = analysistest.make(
    _attribute_over_flag_impl,
    attrs = ARCH_ATTRS,
    config_settings = {_ARCHS: ["gfx942"]},
)
_archs_flag_test = analysistest.make(
    _archs_flag_impl,
    config_settings = {_ARCHS: ["gfx942"]},
)
_defaults_test = analysistest.make(_defaults_impl)

def attributes_test_suite(name):
    """The tests of this file.

    Args:
        name: (str) the name of the suite.
    """
    suite(name, for_each_arch({
        "arguments": _arguments_test,
        "attribute_over_flag": _attribute_over_flag_test,
        "command_line": _command_line_test,
        "compile_data": _compile_data_test,
        "device_mode": _device_mode_test,
        "env": _env_test,
        "later_wins": _later_wins_test,
        "mode": _mode_test,
        "stamp": _stamp_test,
    }) | {
        "archs_flag": partial.make(
            _archs_flag_test,
            size = "small",
            target_under_test = "//tests/analysis/testdata:arch_of_the_flag",
        ),
        "defaults": partial.make(
            _defaults_test,
            size = "small",
            target_under_test = "//tests/analysis/testdata:small_sm_90",
        ),
    })
