"""What the tests in this package share."""

load("@bazel_skylib//lib:partial.bzl", "partial")
load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts")

AMDGCN = "amdgcn-amd-amdhsa"
HOST = "x86_64-unknown-linux-gnu"
NVPTX64 = "nvptx64-nvidia-cuda"

CHECK_IMAGE = "RustOffloadCheckImage"
CHECK_KERNELS = "RustOffloadCheckKernels"
DEVICE_CLIPPY = "RustOffloadDeviceClippy"
DEVICE_TEXT = "RustOffloadDeviceText"
DISASSEMBLE = "RustOffloadDisassemble"
HOST_METADATA = "RustOffloadHostMetadata"
DEVICE = "RustOffloadDevice"
HOST_PASS = "RustOffloadHost"
REPORT = "RustOffloadReport"
PASSES = [HOST_METADATA, DEVICE, HOST_PASS]

# One subject for each vendor, see testdata/BUILD.bazel.
TRIPLES = {
    "gfx90a": AMDGCN,
    "sm_90": NVPTX64,
}

# Attributes of tests that look at targets of both vendors.
ARCH_ATTRS = {
    "arch": attr.string(
        doc = "The arch of the target under test.",
        mandatory = True,
    ),
}

def passes(env):
    """The actions of the three passes of the target under test.

    Args:
        env: (struct) from analysistest.begin.

    Returns:
        (dict[str, Action]) by mnemonic.
    """
    actions = {}
    for mnemonic in PASSES:
        found = [action for action in analysistest.target_actions(env) if action.mnemonic == mnemonic]
        asserts.equals(env, 1, len(found), "there must be one action {}, there are {}".format(mnemonic, len(found)))
        if found:
            actions[mnemonic] = found[0]
    return actions

def paths(files):
    """The paths of files, for assertions and their messages.

    Args:
        files: (depset[File])

    Returns:
        (list[str])
    """
    return [file.path for file in files.to_list()]

def matching(strings, prefix = "", part = "", suffix = ""):
    """The strings with a prefix, a part and a suffix.

    Args:
        strings: (list[str])
        prefix: (str)
        part: (str)
        suffix: (str)

    Returns:
        (list[str])
    """
    return [
        string
        for string in strings
        if string.startswith(prefix) and part in string and string.endswith(suffix)
    ]

def expect_contains(env, expected, strings, where):
    """Asserts that a string is among others.

    Args:
        env: (struct) from analysistest.begin.
        expected: (str)
        strings: (list[str])
        where: (str) what the strings are, for the message.
    """
    asserts.true(env, expected in strings, "{} must contain \"{}\", it is: {}".format(where, expected, strings))

def expect_no(env, found, where):
    """Asserts that nothing was found.

    Args:
        env: (struct) from analysistest.begin.
        found: (list[str]) what should not be there.
        where: (str) where it was found, for the message.
    """
    asserts.equals(env, [], found, "{} must not contain {}".format(where, found))

def expect_some(env, found, what):
    """Asserts that something was found.

    Args:
        env: (struct) from analysistest.begin.
        found: (list[str])
        what: (str) what was looked for, for the message.
    """
    asserts.true(env, found, "{}: not found".format(what))

def suite(name, tests):
    """Declares tests and a test_suite of them.

    Args:
        name: (str) the name of the suite and the prefix of the tests' names.
        tests: (dict[str, partial or function]) by name.
    """
    for test_name, test in tests.items():
        if partial.is_instance(test):
            partial.call(test, name = "{}_{}_test".format(name, test_name))
        else:
            test(name = "{}_{}_test".format(name, test_name))
    native.test_suite(
        name = name,
        tests = [":{}_{}_test".format(name, test_name) for test_name in tests],
    )

def for_each_arch(tests):
    """Makes tests for the subject of each vendor.

    Args:
        tests: (dict[str, function]) test rules with ARCH_ATTRS, by name.

    Returns:
        (dict[str, partial]) for `suite`.
    """
    return {
        "{}_{}".format(name, arch): partial.make(
            test,
            arch = arch,
            size = "small",
            target_under_test = "//tests/analysis/testdata:program_" + arch,
        )
        for name, test in tests.items()
        for arch in TRIPLES
    }
