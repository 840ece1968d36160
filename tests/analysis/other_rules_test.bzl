"""rust_offload_shared_library and rust_offload_device_image: what differs from a program."""

load("@bazel_skylib//lib:partial.bzl", "partial")
load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")
load("@rules_rust//rust:rust_common.bzl", "CrateInfo")
load("//offload:providers.bzl", "OffloadInfo")
load(":common.bzl", "DEVICE", "DEVICE_TEXT", "HOST_METADATA", "HOST_PASS", "expect_contains", "passes", "suite")

def _shared_library_impl(ctx):
    env = analysistest.begin(ctx)
    target = analysistest.target_under_test(env)
    for mnemonic, action in passes(env).items():
        expect_contains(env, "--crate-type=cdylib", action.argv, mnemonic)
    asserts.equals(env, ["libnamed.so"], [file.basename for file in target[DefaultInfo].files.to_list()])
    asserts.equals(env, "cdylib", target[CrateInfo].type)
    asserts.equals(env, [["libnamed.so"]], [
        [library.resolved_symlink_dynamic_library.basename for library in linker_input.libraries]
        for linker_input in target[CcInfo].linking_context.linker_inputs.to_list()
    ])

    # Whatever depends on it needs the library and the runtime.
    runfiles = [file.basename for file in target[DefaultInfo].default_runfiles.files.to_list()]
    expect_contains(env, "libnamed.so", runfiles, "the runfiles")
    for file in target[OffloadInfo].runtime.to_list():
        expect_contains(env, file.basename, runfiles, "the runfiles")
    return analysistest.end(env)

def _image_alone_impl(ctx):
    env = analysistest.begin(ctx)
    target = analysistest.target_under_test(env)
    mnemonics = [action.mnemonic for action in analysistest.target_actions(env)]
    for mnemonic in [DEVICE, DEVICE_TEXT]:
        asserts.equals(env, 2, len([one for one in mnemonics if one == mnemonic]), mnemonic)
    for mnemonic in [HOST_METADATA, HOST_PASS]:
        asserts.false(env, mnemonic in mnemonics, mnemonic)
    for action in analysistest.target_actions(env):
        if action.mnemonic == DEVICE:
            for argument in ["-Zoffload=Device", "--crate-type=cdylib", "--cfg=device_flag"]:
                expect_contains(env, argument, action.argv, DEVICE)
    info = target[OffloadInfo]
    asserts.equals(env, ["gfx90a", "sm_90"], sorted(info.images.keys()))
    asserts.equals(env, None, info.manifest)
    asserts.equals(env, [], info.runtime.to_list())
    asserts.equals(env, ["device.bin", "device.bin"], [file.basename for file in target[DefaultInfo].files.to_list()])
    return analysistest.end(env)

_shared_library_test = analysistest.make(_shared_library_impl)
_image_alone_test = analysistest.make(_image_alone_impl)

def other_rules_test_suite(name):
    """The tests of this file.

    Args:
        name: (str) the name of the suite.
    """
    suite(name, {
        "image_alone": partial.make(
            _image_alone_test,
            size = "small",
            target_under_test = "//tests/analysis/testdata:image_alone",
        ),
        "shared_library": partial.make(
            _shared_library_test,
            size = "small",
            target_under_test = "//tests/analysis/testdata:shared_library",
        ),
    })
