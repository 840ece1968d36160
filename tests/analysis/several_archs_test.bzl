"""Images for several arches in one program, or for one where LLVM's tools embed it."""

load("@bazel_skylib//lib:partial.bzl", "partial")
load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts")
load("//offload:providers.bzl", "OffloadInfo")
load(":common.bzl", "DEVICE", "HOST_METADATA", "HOST_PASS", "expect_contains", "expect_no", "matching", "paths", "suite")

_CODEGEN = "RustOffloadCodegen"
_LINK_IMAGE = "RustOffloadLinkImage"
_PACK_IMAGE = "RustOffloadPackImage"
_WRAP_IMAGES = "RustOffloadWrapImages"

_SEVERAL = ["gfx90a", "sm_90", "sm_80"]

def _actions(env, mnemonic):
    return [action for action in analysistest.target_actions(env) if action.mnemonic == mnemonic]

def _basename(path):
    return path.rpartition("/")[2]

def _counts_impl(ctx):
    env = analysistest.begin(ctx)
    for mnemonic, expected in {
        # One for each arch, and one for the object that holds all images.
        _CODEGEN: 4,
        _LINK_IMAGE: 3,
        _PACK_IMAGE: 3,
        _WRAP_IMAGES: 1,
        DEVICE: 3,
        HOST_METADATA: 1,
        HOST_PASS: 1,
    }.items():
        asserts.equals(env, expected, len(_actions(env, mnemonic)), mnemonic)
    return analysistest.end(env)

def _link_impl(ctx):
    env = analysistest.begin(ctx)
    for action in _actions(env, _LINK_IMAGE):
        output = paths(action.outputs)[0]
        arch = output.split("/")[-2]
        inputs = paths(action.inputs)
        asserts.equals(env, "several.{}.{}".format(arch, "cubin" if arch.startswith("sm_") else "o"), _basename(output))
        if arch.startswith("sm_"):
            asserts.true(env, action.argv[0].endswith("/ptxas"), action.argv[0])
            asserts.equals(env, ["-m64", "-O3", "--gpu-name", arch, "--output-file", output], action.argv[1:7])
            asserts.equals(env, 1, len(matching(inputs, suffix = "/{}/kernels.ptx".format(arch))))
        else:
            asserts.equals(env, ["-flavor", "gnu", "-shared", "--no-undefined", "-o", output], action.argv[1:7])
            asserts.equals(env, 1, len(matching(inputs, suffix = "/{}/kernels.o".format(arch))))

        # Nothing of another arch, and nothing of the host's.
        expect_no(env, [path for path in inputs for other in _SEVERAL if other != arch and "/{}/".format(other) in path], _LINK_IMAGE)
    for action in _actions(env, _CODEGEN):
        arch = paths(action.outputs)[0].split("/")[-2]
        asserts.equals(env, ["-mcpu=" + arch] if arch in _SEVERAL else [], matching(action.argv, prefix = "-mcpu="))
    return analysistest.end(env)

def _order_impl(ctx):
    env = analysistest.begin(ctx)
    wrap = _actions(env, _WRAP_IMAGES)[0]
    asserts.equals(env, _SEVERAL, [path.split("/")[-2] for path in matching(wrap.argv, suffix = "/linked.bin")])
    asserts.equals(env, _SEVERAL, analysistest.target_under_test(env)[OffloadInfo].images.keys())
    groups = analysistest.target_under_test(env)[OutputGroupInfo]
    asserts.equals(
        env,
        ["several.gfx90a.o", "several.sm_90.cubin", "several.sm_80.cubin"],
        [_basename(path) for path in paths(groups.linked_image)],
    )
    return analysistest.end(env)

def _check_host(env):
    host = _actions(env, HOST_PASS)[0]
    object = paths(_actions(env, _CODEGEN)[-1].outputs)[0]
    for flag in ["-Zoffload=Test", "-Clink-arg=" + object, "-Clink-arg=-lomptarget", "-Clink-arg=-Wl,-z,nostart-stop-gc"]:
        expect_contains(env, flag, host.argv, HOST_PASS)
    inputs = paths(host.inputs)
    expect_contains(env, object, inputs, "the inputs of " + HOST_PASS)
    expect_no(env, matching(inputs, suffix = "/device.bin") + matching(inputs, suffix = "/ptxas"), HOST_PASS)
    asserts.false(env, "PATH" in host.env, "nothing is looked up on PATH")

def _host_impl(ctx):
    env = analysistest.begin(ctx)
    _check_host(env)
    return analysistest.end(env)

def _one_arch_impl(ctx):
    env = analysistest.begin(ctx)
    for mnemonic in [DEVICE, HOST_METADATA, HOST_PASS, _LINK_IMAGE, _PACK_IMAGE, _WRAP_IMAGES]:
        asserts.equals(env, 1, len(_actions(env, mnemonic)), mnemonic)
    _check_host(env)
    return analysistest.end(env)

def _no_llvm_impl(ctx):
    env = analysistest.begin(ctx)
    for mnemonic in [_CODEGEN, _LINK_IMAGE, _PACK_IMAGE, _WRAP_IMAGES]:
        asserts.equals(env, [], _actions(env, mnemonic), mnemonic)
    asserts.equals(env, [], analysistest.target_under_test(env)[OutputGroupInfo].linked_image.to_list())
    return analysistest.end(env)

_counts_test = analysistest.make(_counts_impl)
_host_test = analysistest.make(_host_impl)
_link_test = analysistest.make(_link_impl)
_no_llvm_test = analysistest.make(_no_llvm_impl)
_one_arch_test = analysistest.make(
    _one_arch_impl,
    config_settings = {str(Label("//offload/settings:embed")): "llvm"},
)
_order_test = analysistest.make(_order_impl)

def _test(test, target):
    return partial.make(test, size = "small", target_under_test = "//tests/analysis/testdata:" + target)

def several_archs_test_suite(name):
    """The tests of this file.

    Args:
        name: (str) the name of the suite.
    """
    suite(name, {
        "counts": _test(_counts_test, "several"),
        "host": _test(_host_test, "several"),
        "link": _test(_link_test, "several"),
        "no_llvm": _test(_no_llvm_test, "small_sm_90"),
        "one_arch": _test(_one_arch_test, "small_sm_90"),
        "order": _test(_order_test, "several"),
    })
