"""What is wrong is said at analysis, with the label and the line to write."""

load("@bazel_skylib//lib:partial.bzl", "partial")
load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts")
load(":common.bzl", "suite")

_NOT_AN_ARCH = "An arch is gfx[0-9a-f]+ for AMD or sm_[0-9]+[a-z]? for NVIDIA. Write for example archs = [\"gfx90a\"] or --config=sm_90."

# Target -> all of its message after the label.
_MESSAGES = {
    "arch_far_from_any": "\"gfxyz\" is not a GPU arch. " + _NOT_AN_ARCH,
    "budget_test_without_budgets": "fail_if is empty. A test without a budget cannot fail. Write fail_if = [\"spills>0\"].",
    "comma,in_the_name": "rustc's -Zoffload takes a list with commas, and cannot name files in a folder that has one. Found tests/analysis/testdata/comma,in_the_name. Write another name, without a comma, for the target or its package.",
    "device_srcs_not_in_srcs": "device_srcs must be a part of srcs. Found tests/analysis/testdata/both.rs, which is not in srcs: tests/analysis/testdata/host.rs, tests/analysis/testdata/program.rs. Write it in srcs too.",
    "device_srcs_without_the_root": "device_srcs lacks the root of the crate, tests/analysis/testdata/program.rs. Found tests/analysis/testdata/host.rs. Write device_srcs = [\"program.rs\", ...].",
    "forbidden_device_flag": "device_rustc_flags contains -Zoffload, which each pass sets itself. Found \"-Zoffload=Test\". Remove it: the rule passes the -Zoffload of each pass.",
    "forbidden_flag": "rustc_flags contains -Ctarget-cpu, which each pass sets itself. Found \"-C target-cpu=native\". Write archs = [\"<arch>\"] or --config=<arch> instead.",
    "image_for_no_arch": "no GPU arch is set. Found an empty list. Write archs = [\"gfx90a\"] or --config=gfx90a.",
    "image_with_forbidden_flag": "device_rustc_flags contains -Clto, which each pass sets itself. Found \"-Clto=thin\". Remove it: every pass needs and gets -Clto=fat.",
    "llvm_without_a_version": "version is no LLVM version. Found \"trunk\". Write version = \"<major>.<minor>.<patch>\".",
    "native_code_of_a_library_on_the_device": "C and C++ code cannot be linked into device images. Found @@//tests/analysis/testdata:native in the dependencies of the device side. Write it in host_deps, of this target or of the library that needs it.",
    "native_code_on_the_device": "C and C++ code cannot be linked into device images. Found @@//tests/analysis/testdata:native in the dependencies of the device side. Write it in host_deps, of this target or of the library that needs it.",
    "no_arch": "no GPU arch is set. Found an empty list. Write archs = [\"gfx90a\"] or --config=gfx90a.",
    "no_runtime": "the offload runtime lacks libomptarget. Found data.txt. Add it to runtime.",
    "no_rust_src": "rust-src lacks core/src/lib.rs. Found 1 files. Add the component rust-src to the distribution.",
    "no_such_edition": "there is no such Rust edition. Found edition = \"2023\"; editions are 2015, 2018, 2021, 2024. Write edition = \"2024\".",
    "ptxas_of_another_name": "ptxas must be a file named \"ptxas\". Found data.txt. Write ptxas = \"<label of a file named ptxas>\".",
    "the_same_arch_twice": "sm_90 is named twice. Found sm_90, sm_90. Write it once in archs, or give one --config=sm_90.",
    "two_crates_of_one_name": "two crates of the device side have one name, and their kernels could not be told apart. Found \"both_lib\" as @@//tests/analysis/testdata:both_lib and as @@//tests/analysis/testdata:another_lib. Write another crate_name in one of them.",
    "unoptimised_kernel": "kernels have to be optimised: else unused parts of core stay in the image, and ptxas stops at what they call. Found \"-Copt-level=0\" in device_rustc_flags. Remove it, or write -Copt-level=1.",
}

# Target -> the message up to the list of near names, which depends on the compiler, and a name that is in the list.
_NEAR_MESSAGES = {
    "arch_near_amd": ("rustc does not know the arch \"gfx90f\" for amdgcn-amd-amdhsa. Near names that it knows: ", "gfx906"),
    "arch_near_nvidia": ("rustc does not know the arch \"sm_91\" for nvptx64-nvidia-cuda. Near names that it knows: ", "sm_90"),
}

_NEAR_END = ". Write one of them in archs or --config."

def _message(env):
    """What the target under test said when it failed, without Starlark's traceback."""
    causes = analysistest.target_under_test(env)[AnalysisFailureInfo].causes.to_list()
    asserts.equals(env, 1, len(causes), "there must be one cause")
    return causes[0].message.rstrip().partition("Error in fail: ")[2]

def _exact_impl(ctx):
    env = analysistest.begin(ctx)
    asserts.equals(env, "{}: {}".format(analysistest.target_under_test(env).label, ctx.attr.expected), _message(env))
    return analysistest.end(env)

def _near_impl(ctx):
    env = analysistest.begin(ctx)
    message = _message(env)
    start = "{}: {}".format(analysistest.target_under_test(env).label, ctx.attr.expected)
    asserts.true(env, message.startswith(start), message)
    asserts.true(env, message.endswith(_NEAR_END), message)
    names = message[len(start):-len(_NEAR_END)].split(", ")
    asserts.true(env, ctx.attr.near in names, message)
    asserts.true(env, len(names) <= 8, message)
    return analysistest.end(env)

_EXPECTED = {
    "expected": attr.string(
        doc = "What the message must say after the label.",
        mandatory = True,
    ),
}

_NEAR = {
    "near": attr.string(
        doc = "A name that must be among the near names.",
        mandatory = True,
    ),
}

_exact_test = analysistest.make(_exact_impl, attrs = _EXPECTED, expect_failure = True)
_embed_by_rustc_test = analysistest.make(
    _exact_impl,
    attrs = _EXPECTED,
    config_settings = {str(Label("//offload/settings:embed")): "rustc"},
    expect_failure = True,
)
_near_test = analysistest.make(_near_impl, attrs = _EXPECTED | _NEAR, expect_failure = True)

def errors_test_suite(name):
    """The tests of this file.

    Args:
        name: (str) the name of the suite.
    """
    suite(name, {
        target: partial.make(
            _exact_test,
            expected = message,
            size = "small",
            target_under_test = "//tests/analysis/testdata:" + target,
        )
        for target, message in _MESSAGES.items()
    } | {
        target: partial.make(
            _near_test,
            expected = start,
            near = near,
            size = "small",
            target_under_test = "//tests/analysis/testdata:" + target,
        )
        for target, (start, near) in _NEAR_MESSAGES.items()
    } | {
        "several_archs_by_rustc": partial.make(
            _embed_by_rustc_test,
            expected = "rustc can embed the image of one arch. Found gfx90a, sm_90, sm_80 with --@rules_rust_offload//offload/settings:embed=rustc. Write one of them in archs, give one --config, or leave embed at auto.",
            size = "small",
            target_under_test = "//tests/analysis/testdata:several",
        ),
    })
