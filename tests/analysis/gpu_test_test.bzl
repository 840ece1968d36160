"""rust_offload_test: a rust_test and an offload target in one."""

load("@bazel_skylib//lib:partial.bzl", "partial")
load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts")
load("//offload:providers.bzl", "OffloadInfo")
load(":common.bzl", "DEVICE", "HOST_METADATA", "HOST_PASS", "expect_contains", "expect_no", "matching", "passes", "suite")

_TagsInfo = provider(
    doc = "The tags of the target under test.",
    fields = {"tags": "(list[str])"},
)

def _tags_aspect_impl(_target, ctx):
    return [_TagsInfo(tags = ctx.rule.attr.tags)]

_tags_aspect = aspect(
    implementation = _tags_aspect_impl,
    doc = "Reads the tags.",
)

def _harness_impl(ctx):
    env = analysistest.begin(ctx)
    actions = passes(env)
    for mnemonic in [HOST_METADATA, HOST_PASS]:
        expect_contains(env, "--test", actions[mnemonic].argv, mnemonic)
        expect_contains(env, "--crate-type=bin", actions[mnemonic].argv, mnemonic)

    # Kernels of modules with #[cfg(test)], but no main function of libtest's.
    expect_contains(env, "--cfg=test", actions[DEVICE].argv, DEVICE)
    expect_no(env, matching(actions[DEVICE].argv, prefix = "--test"), DEVICE)
    asserts.true(env, OffloadInfo in analysistest.target_under_test(env))
    return analysistest.end(env)

def _environment_impl(ctx):
    env = analysistest.begin(ctx)
    environment = analysistest.target_under_test(env)[RunEnvironmentInfo].environment
    asserts.equals(env, {"LIBOMPTARGET_INFO": "16", "OMP_TARGET_OFFLOAD": "MANDATORY"}, environment)
    return analysistest.end(env)

def _launcher_impl(ctx):
    env = analysistest.begin(ctx)
    written = [
        action.content
        for action in analysistest.target_actions(env)
        if action.outputs.to_list()[0].basename == "gpu_test.arguments"
    ]
    asserts.equals(env, ["\n".join([
        "launch",
        "--label=@@//tests/analysis/testdata:gpu_test",
        "--archs=gfx90a,sm_90",
        "--missing-gpu=" + ctx.attr.missing_gpu,
        "--harness=libtest",
        "--program=_main/tests/analysis/testdata/gpu_test.offload/test/gpu_test",
        "--",
        "",
    ])], written)
    return analysistest.end(env)

def _tags_impl(ctx):
    env = analysistest.begin(ctx)
    tags = analysistest.target_under_test(env)[_TagsInfo].tags
    asserts.false(env, "exclusive" in tags)
    for tag in ["gpu", "manual", "requires-gpu-amd", "requires-gpu-nvidia", "resources:gpu:1"]:
        expect_contains(env, tag, tags, "the tags")
    return analysistest.end(env)

_environment_test = analysistest.make(_environment_impl)
_harness_test = analysistest.make(_harness_impl)
_LAUNCHER_ATTRS = {
    "missing_gpu": attr.string(
        doc = "What the launcher is to do without a GPU.",
        mandatory = True,
    ),
}
_launcher_test = analysistest.make(_launcher_impl, attrs = _LAUNCHER_ATTRS)
_skipping_launcher_test = analysistest.make(
    _launcher_impl,
    attrs = _LAUNCHER_ATTRS,
    config_settings = {str(Label("//offload/settings:missing_gpu")): "skip"},
)
_tags_test = analysistest.make(_tags_impl, extra_target_under_test_aspects = [_tags_aspect])

def gpu_test_test_suite(name):
    """The tests of this file.

    Args:
        name: (str) the name of the suite.
    """
    suite(name, {
        "environment": partial.make(
            _environment_test,
            size = "small",
            target_under_test = "//tests/analysis/testdata:gpu_test",
        ),
        "harness": partial.make(
            _harness_test,
            size = "small",
            target_under_test = "//tests/analysis/testdata:gpu_test_gfx90a",
        ),
        "launcher": partial.make(
            _launcher_test,
            size = "small",
            missing_gpu = "fail",
            target_under_test = "//tests/analysis/testdata:gpu_test",
        ),
        "launcher_that_skips": partial.make(
            _skipping_launcher_test,
            size = "small",
            missing_gpu = "skip",
            target_under_test = "//tests/analysis/testdata:gpu_test",
        ),
        "tags": partial.make(
            _tags_test,
            size = "small",
            target_under_test = "//tests/analysis/testdata:gpu_test",
        ),
    })
