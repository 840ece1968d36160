"""No action sees the machine: no PATH, no absolute path."""

load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts")
load(
    ":common.bzl",
    "ARCH_ATTRS",
    "DEVICE",
    "HOST_METADATA",
    "HOST_PASS",
    "NVPTX64",
    "TRIPLES",
    "expect_no",
    "for_each_arch",
    "matching",
    "passes",
    "paths",
    "suite",
)

# Where a path may begin in an argument.
_BEFORE_A_PATH = ["", "=", ",", ":", " ", "\"", "@", "-L", "-B", "-T", "-I"]

def _names_an_absolute_path(text):
    for before in _BEFORE_A_PATH:
        if text.startswith(before + "/") or (before and before + "/" in text):
            return True
    return False

# What the C++ toolchain of the machine names: its compiler and where that finds its programs.
_FROM_THE_CC_TOOLCHAIN = ["--codegen=linker=", "--codegen=link-arg=-B"]

_PROC = "-Zoffload=Host=/proc/self/cwd/"

def _is_from_the_cc_toolchain(argument):
    for prefix in _FROM_THE_CC_TOOLCHAIN:
        if argument.startswith(prefix):
            return True
    return False

def _path_impl(ctx):
    env = analysistest.begin(ctx)
    actions = passes(env)
    for mnemonic in [HOST_METADATA, DEVICE]:
        asserts.false(env, "PATH" in actions[mnemonic].env, mnemonic + " has a PATH")
    action = actions[HOST_PASS]
    ptxas = matching(paths(action.inputs), suffix = "/ptxas")
    if TRIPLES[ctx.attr.arch] == NVPTX64:
        asserts.equals(env, ptxas[0].rpartition("/")[0], action.env.get("PATH"))
    else:
        asserts.false(env, "PATH" in action.env, HOST_PASS + " has a PATH")
    for mnemonic, action in actions.items():
        expect_no(env, matching(action.env.keys(), part = "LD_LIBRARY_PATH"), mnemonic)
    return analysistest.end(env)

def _absolute_impl(ctx):
    env = analysistest.begin(ctx)
    for text, expected in {
        "--emit=link=/x": True,
        "--emit=link=bazel-out/x": False,
        "-L/x": True,
        "-Wl,-rpath,$ORIGIN/x": False,
        "-Wl,-rpath,/x": True,
        "/x": True,
        "a:/x": True,
    }.items():
        asserts.equals(env, expected, _names_an_absolute_path(text), text)
    for mnemonic, action in passes(env).items():
        arguments = action.argv
        if mnemonic == HOST_PASS:
            asserts.equals(env, 1, len(matching(arguments, prefix = _PROC)))
            arguments = [
                argument[len(_PROC):] if argument.startswith(_PROC) else argument
                for argument in arguments
                if not _is_from_the_cc_toolchain(argument)
            ]
        expect_no(env, [argument for argument in arguments if _names_an_absolute_path(argument)], mnemonic)
        expect_no(env, [value for value in action.env.values() if _names_an_absolute_path(value)], "the environment of " + mnemonic)
    return analysistest.end(env)

_path_test = analysistest.make(_path_impl, attrs = ARCH_ATTRS)
_absolute_test = analysistest.make(_absolute_impl, attrs = ARCH_ATTRS)

def env_test_suite(name):
    """The tests of this file.

    Args:
        name: (str) the name of the suite.
    """
    suite(name, for_each_arch({
        "absolute": _absolute_test,
        "path": _path_test,
    }))
