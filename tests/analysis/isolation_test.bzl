"""The rustc that can offload serves offload targets only."""

load("@bazel_skylib//lib:partial.bzl", "partial")
load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts")
load("@rules_rust//rust:rust_common.bzl", "CrateInfo")
load("//tests/analysis/testdata:probe.bzl", "ProbeInfo")
load(":common.bzl", "DEVICE", "HOST_PASS", "expect_no", "expect_some", "matching", "passes", "paths", "suite")

_DISTRIBUTION = Label("@rust_offload//:rustc").workspace_name

def _is_of_the_distribution(path):
    return "external/{}/".format(_DISTRIBUTION) in path

def _outside_impl(ctx):
    env = analysistest.begin(ctx)
    probe = analysistest.target_under_test(env)[ProbeInfo]
    asserts.false(env, probe.offload_rustc, "the offload rustc is selected outside of offload targets")

    # There is no other toolchain in this repository.
    asserts.equals(env, None, probe.rustc)
    return analysistest.end(env)

def _inside_impl(ctx):
    env = analysistest.begin(ctx)
    probe = analysistest.target_under_test(env)[ProbeInfo]
    asserts.true(env, probe.offload_rustc)
    asserts.true(env, probe.rustc and _is_of_the_distribution(probe.rustc.path), "the rustc is {}".format(probe.rustc))
    return analysistest.end(env)

def _rustc_of(action):
    return [argument for argument in action.argv if argument.endswith("/rustc")]

def _plain_library_impl(ctx):
    env = analysistest.begin(ctx)
    asserts.true(env, CrateInfo in analysistest.target_under_test(env), "the target is no Rust crate")
    compilers = [
        _rustc_of(action)
        for action in analysistest.target_actions(env)
        if action.mnemonic == "Rustc"
    ]
    asserts.equals(env, 1, len(compilers))
    rustc = compilers[0][0]
    asserts.false(env, _is_of_the_distribution(rustc), rustc)
    expect_some(env, matching([rustc], part = "tests/analysis/testdata/other_toolchain/"), "the other compiler")
    expect_no(
        env,
        [
            path
            for action in analysistest.target_actions(env)
            for path in paths(action.inputs)
            if _is_of_the_distribution(path)
        ],
        "the inputs",
    )
    return analysistest.end(env)

def _offload_target_impl(ctx):
    env = analysistest.begin(ctx)
    actions = passes(env)
    for mnemonic in [DEVICE, HOST_PASS]:
        rustc = _rustc_of(actions[mnemonic])
        asserts.true(env, rustc and _is_of_the_distribution(rustc[0]), "{} uses {}".format(mnemonic, rustc))
    return analysistest.end(env)

_EXTRA_TOOLCHAINS = "//command_line_option:extra_toolchains"

# A monorepo with a toolchain of its own, which comes before all registered ones.
_OTHER_TOOLCHAIN = {_EXTRA_TOOLCHAINS: [str(Label("//tests/analysis/testdata/other_toolchain"))]}

_outside_test = analysistest.make(_outside_impl)
_inside_test = analysistest.make(
    _inside_impl,
    config_settings = {
        _EXTRA_TOOLCHAINS: ["@rust_offload_toolchains//:all"],
        str(Label("//offload/private:offload_rustc")): True,
    },
)
_plain_library_test = analysistest.make(_plain_library_impl, config_settings = _OTHER_TOOLCHAIN)
_offload_target_test = analysistest.make(_offload_target_impl, config_settings = _OTHER_TOOLCHAIN)

def isolation_test_suite(name):
    """The tests of this file.

    Args:
        name: (str) the name of the suite.
    """
    suite(name, {
        "inside": partial.make(
            _inside_test,
            size = "small",
            target_under_test = "//tests/analysis/testdata:probe",
        ),
        "offload_target": partial.make(
            _offload_target_test,
            size = "small",
            target_under_test = "//tests/analysis/testdata:small_sm_90",
        ),
        "outside": partial.make(
            _outside_test,
            size = "small",
            target_under_test = "//tests/analysis/testdata:probe",
        ),
        "plain_library": partial.make(
            _plain_library_test,
            size = "small",
            target_under_test = "//tests/analysis/testdata:plain_lib",
        ),
    })
