"""What is checked when a target is built, beside the passes."""

load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts")
load("//offload:providers.bzl", "LlvmMatchInfo")
load(":common.bzl", "ARCH_ATTRS", "CHECK_IMAGE", "CHECK_KERNELS", "DEVICE", "HOST_PASS", "TRIPLES", "expect_contains", "for_each_arch", "matching", "passes", "paths", "suite")

def _check(env, mnemonic):
    return [action for action in analysistest.target_actions(env) if action.mnemonic == mnemonic][0]

def _group_impl(ctx):
    env = analysistest.begin(ctx)
    group = paths(analysistest.target_under_test(env)[OutputGroupInfo]._validation)
    asserts.equals(env, 3, len(group))
    for mnemonic in [CHECK_IMAGE, CHECK_KERNELS]:
        expect_contains(env, paths(_check(env, mnemonic).outputs)[0], group, "the validations")
    asserts.equals(env, 1, len(matching(group, suffix = "/llvm/match.txt")), "one check of LLVM for all targets: {}".format(group))
    return analysistest.end(env)

def _check_image_impl(ctx):
    env = analysistest.begin(ctx)
    action = _check(env, CHECK_IMAGE)
    image = matching(paths(passes(env)[DEVICE].outputs), suffix = "/device.bin")[0]
    asserts.equals(
        env,
        [
            "check-image",
            "--image",
            image,
            "--label",
            str(analysistest.target_under_test(env).label),
            "--triple",
            TRIPLES[ctx.attr.arch],
            "--arch",
            ctx.attr.arch,
            "--llvm",
        ],
        action.argv[1:11],
    )

    # The image and the program that looks at it.
    files = [path for path in paths(action.inputs) if "runfiles" not in path]
    asserts.equals(env, sorted([image, action.argv[0]]), sorted(files))
    return analysistest.end(env)

def _check_kernels_impl(ctx):
    env = analysistest.begin(ctx)
    action = _check(env, CHECK_KERNELS)
    executable = paths(passes(env)[HOST_PASS].outputs)[0]
    asserts.equals(
        env,
        [
            "check-kernels",
            "--executable",
            executable,
            "--label",
            str(analysistest.target_under_test(env).label),
            "--archs",
            ctx.attr.arch,
            "--out",
            paths(action.outputs)[0],
        ],
        action.argv[1:],
    )
    files = [path for path in paths(action.inputs) if "runfiles" not in path]
    asserts.equals(env, sorted([executable, action.argv[0]]), sorted(files))
    return analysistest.end(env)

def _check_llvm_impl(ctx):
    env = analysistest.begin(ctx)
    actions = [action for action in analysistest.target_actions(env) if action.mnemonic == "RustOffloadCheckLlvm"]
    asserts.equals(env, 1, len(actions))
    argv = actions[0].argv
    asserts.equals(env, 1, len(matching(argv, part = "//:host=", suffix = "/bin/rustc")), argv)
    asserts.equals(env, 1, len(matching(argv, prefix = "ld.lld=", suffix = "/ld.lld")), argv)

    # The tools and the runtime of the nightly itself need no check, and asking for them would fetch them.
    asserts.false(env, "--runtime" in argv, argv)
    asserts.equals(env, 1, len([argument for argument in argv if argument == "--tool"]), argv)
    asserts.equals(env, None, analysistest.target_under_test(env)[LlvmMatchInfo].error)
    return analysistest.end(env)

_group_test = analysistest.make(_group_impl, attrs = ARCH_ATTRS)
_check_image_test = analysistest.make(_check_image_impl, attrs = ARCH_ATTRS)
_check_kernels_test = analysistest.make(_check_kernels_impl, attrs = ARCH_ATTRS)
_check_llvm_test = analysistest.make(
    _check_llvm_impl,
    config_settings = {
        "//command_line_option:extra_toolchains": ["@rust_offload_toolchains//:all"],
        str(Label("//offload/private:offload_rustc")): True,
    },
)

def _llvm(name):
    _check_llvm_test(
        name = name,
        size = "small",
        target_under_test = "@rust_offload_toolchains//llvm:match",
    )

def validation_test_suite(name):
    """The tests of this file.

    Args:
        name: (str) the name of the suite.
    """
    suite(name, {"llvm": _llvm} | for_each_arch({
        "group": _group_test,
        "image": _check_image_test,
        "kernels": _check_kernels_test,
    }))
