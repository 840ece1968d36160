"""Each pass reads what it needs and nothing else."""

load("@bazel_skylib//lib:partial.bzl", "partial")
load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts")
load("@rules_rust//:version.bzl", "VERSION")
load(
    ":common.bzl",
    "AMDGCN",
    "ARCH_ATTRS",
    "DEVICE",
    "HOST",
    "HOST_METADATA",
    "HOST_PASS",
    "NVPTX64",
    "TRIPLES",
    "expect_no",
    "expect_some",
    "for_each_arch",
    "matching",
    "passes",
    "paths",
    "suite",
)

_CcFilesInfo = provider(
    doc = "The C++ toolchain of the target under test.",
    fields = {"files": "(depset[File]) all files of the toolchain."},
)

# rules_rust 0.73 puts files of the C++ toolchain into the host's rust_toolchain, and so into whatever it compiles.
_PASSES_WITHOUT_CC = [HOST_METADATA, DEVICE] if VERSION.startswith("0.5") else [DEVICE]

def _cc_files_impl(_target, ctx):
    return [_CcFilesInfo(files = ctx.rule.attr._cc_toolchain[DefaultInfo].files)]

_cc_files_aspect = aspect(
    implementation = _cc_files_impl,
    doc = "Finds the C++ toolchain that the target under test links with.",
)

def _is_std_of(path, triple):
    return "/lib/rustlib/{}/lib/".format(triple) in path and path.endswith(".rlib")

def _std(inputs, triple):
    return [path for path in inputs if _is_std_of(path, triple)]

def _library(inputs, name):
    return matching(inputs, part = "/lib{}-".format(name), suffix = ".rlib")

def _host_metadata_impl(ctx):
    env = analysistest.begin(ctx)
    inputs = paths(passes(env)[HOST_METADATA].inputs)
    for what, found in {
        "std": _std(inputs, HOST),
        "the library in deps": _library(inputs, "both_lib"),
        "the library in host_deps": _library(inputs, "host_lib"),
        "the proc macro": matching(inputs, part = "/libmacros-", suffix = ".so"),
        "the source": matching(inputs, suffix = "testdata/program.rs"),
    }.items():
        expect_some(env, found, what)
    for found in [
        _library(inputs, "device_lib"),
        _std(inputs, AMDGCN),
        _std(inputs, NVPTX64),
        matching(inputs, part = "/device.bin"),
        matching(inputs, part = "libnative"),
        matching(inputs, suffix = "/offload.manifest"),
        matching(inputs, suffix = "/ptxas"),
    ]:
        expect_no(env, found, HOST_METADATA)
    return analysistest.end(env)

def _device_impl(ctx):
    env = analysistest.begin(ctx)
    actions = passes(env)
    inputs = paths(actions[DEVICE].inputs)
    triple = TRIPLES[ctx.attr.arch]
    for what, found in {
        "core": matching(_std(inputs, triple), suffix = "/libcore.rlib"),
        "the library in deps": _library(inputs, "both_lib"),
        "the library in device_deps": _library(inputs, "device_lib"),
        "the manifest": [
            path
            for path in paths(actions[HOST_METADATA].outputs)
            if path.endswith("/offload.manifest") and path in inputs
        ],
        "the proc macro": matching(inputs, part = "/libmacros-", suffix = ".so"),
        "the source": matching(inputs, suffix = "testdata/program.rs"),
    }.items():
        expect_some(env, found, what)
    for found in [
        _library(inputs, "host_lib"),
        _std(inputs, HOST),
        matching(inputs, part = "libnative"),
        matching(inputs, part = "libomp"),
        matching(inputs, suffix = ".rmeta"),
        matching(inputs, suffix = "/data.txt"),
        matching(inputs, suffix = "/ptxas"),
    ]:
        expect_no(env, found, DEVICE)
    return analysistest.end(env)

def _host_impl(ctx):
    env = analysistest.begin(ctx)
    actions = passes(env)
    inputs = paths(actions[HOST_PASS].inputs)
    for what, found in {
        "std": _std(inputs, HOST),
        "the C library in host_deps": matching(inputs, part = "libnative"),
        "the device image": [
            path
            for path in paths(actions[DEVICE].outputs)
            if path.endswith("/device.bin") and path in inputs
        ],
        "the library in deps": _library(inputs, "both_lib"),
        "the library in host_deps": _library(inputs, "host_lib"),
        "the linker": matching(inputs, suffix = "/gcc-ld/ld.lld"),
        "the offload runtime": matching(inputs, part = "/libomptarget.so"),
        "the source": matching(inputs, suffix = "testdata/program.rs"),
    }.items():
        expect_some(env, found, what)
    for found in [
        _library(inputs, "device_lib"),
        _std(inputs, AMDGCN),
        _std(inputs, NVPTX64),
        # The bitcode is for people to read.
        matching(inputs, suffix = ".bc"),
        matching(inputs, suffix = "/offload.manifest"),
    ]:
        expect_no(env, found, HOST_PASS)
    asserts.equals(
        env,
        1 if TRIPLES[ctx.attr.arch] == NVPTX64 else 0,
        len(matching(inputs, suffix = "/ptxas")),
        "ptxas",
    )
    return analysistest.end(env)

def _sides_impl(ctx):
    env = analysistest.begin(ctx)
    actions = passes(env)

    # Built for each side.
    host = _library(paths(actions[HOST_PASS].inputs), "both_lib")
    device = _library(paths(actions[DEVICE].inputs), "both_lib")
    asserts.equals(env, host, _library(paths(actions[HOST_METADATA].inputs), "both_lib"))
    asserts.equals(env, 1, len(host))
    asserts.equals(env, 1, len(device))
    asserts.true(env, host != device, "both sides have the same library {}".format(host))
    return analysistest.end(env)

def _cc_toolchain_impl(ctx):
    env = analysistest.begin(ctx)
    cc_files = paths(analysistest.target_under_test(env)[_CcFilesInfo].files)

    # The test must notice when it looks at nothing.
    expect_some(env, cc_files, "the C++ toolchain of the machine")
    actions = passes(env)
    for mnemonic in _PASSES_WITHOUT_CC:
        inputs = {path: None for path in paths(actions[mnemonic].inputs)}
        expect_no(env, [path for path in cc_files if path in inputs], mnemonic)
    inputs = {path: None for path in paths(actions[HOST_PASS].inputs)}
    expect_some(env, [path for path in cc_files if path in inputs], "the C++ toolchain in the Host pass")
    return analysistest.end(env)

def _device_srcs_impl(ctx):
    env = analysistest.begin(ctx)
    actions = passes(env)
    for mnemonic, expected in {
        DEVICE: ["tests/analysis/testdata/program.rs"],
        HOST_METADATA: ["tests/analysis/testdata/host.rs", "tests/analysis/testdata/program.rs"],
        HOST_PASS: ["tests/analysis/testdata/host.rs", "tests/analysis/testdata/program.rs"],
    }.items():
        asserts.equals(env, expected, sorted(matching(paths(actions[mnemonic].inputs), prefix = "tests/analysis/testdata/", suffix = ".rs")))
    return analysistest.end(env)

_device_srcs_test = analysistest.make(_device_srcs_impl)
_host_metadata_test = analysistest.make(_host_metadata_impl, attrs = ARCH_ATTRS)
_device_test = analysistest.make(_device_impl, attrs = ARCH_ATTRS)
_host_test = analysistest.make(_host_impl, attrs = ARCH_ATTRS)
_sides_test = analysistest.make(_sides_impl, attrs = ARCH_ATTRS)
_cc_toolchain_test = analysistest.make(
    _cc_toolchain_impl,
    attrs = ARCH_ATTRS,
    extra_target_under_test_aspects = [_cc_files_aspect],
)

def inputs_test_suite(name):
    """The tests of this file.

    Args:
        name: (str) the name of the suite.
    """
    suite(name, {
        "device_srcs": partial.make(
            _device_srcs_test,
            size = "small",
            target_under_test = "//tests/analysis/testdata:device_srcs",
        ),
    } | for_each_arch({
        "cc_toolchain": _cc_toolchain_test,
        "device": _device_test,
        "host": _host_test,
        "host_metadata": _host_metadata_test,
        "sides": _sides_test,
    }))
