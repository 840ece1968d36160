"""Tests of //toolchains/llvm: versions, tools, and what clang prints."""

load("@bazel_skylib//lib:partial.bzl", "partial")
load("@bazel_skylib//lib:unittest.bzl", "asserts", "unittest")
load("//toolchains/llvm:clang.bzl", "parse_include_directories")
load("//toolchains/llvm:match.bzl", "check_declared_llvm", "check_declared_runtime")
load("//toolchains/llvm:tools.bzl", "require_tool")
load("//toolchains/llvm:version.bzl", "compare_llvm", "parse_llvm_version", "runtime_llvm_version")

_CLANG = Label("@llvm//:toolchain")
_RUSTC = Label("@rust//:rustc")

def _toolchain(version, tools = {}):
    return struct(label = "@llvm//:llvm", tools = tools, version = version)

def _parse_impl(ctx):
    env = unittest.begin(ctx)
    for text, expected in {
        "": None,
        "22.1": None,
        "22.1.8": [22, 1, 8],
        "23.1.1-rust-1.100.0-nightly": [23, 1, 1],
        "Debian LLD 22.1.8 (compatible with GNU linkers)\n": [22, 1, 8],
        "Debian LLVM version 19.1.7\n  Optimized build.\n": [19, 1, 7],
        "Debian clang version 22.1.8 (1~deb12u1)\nTarget: x86_64-pc-linux-gnu\n": [22, 1, 8],
        "GNU ld (GNU Binutils for Debian) 2.40": None,
        "LLVM (http://llvm.org/):\n  LLVM version 23.1.1-rust-1.100.0-nightly\n": [23, 1, 1],
    }.items():
        asserts.equals(env, expected, parse_llvm_version(text), text)
    return unittest.end(env)

def _compare_impl(ctx):
    env = unittest.begin(ctx)
    asserts.equals(env, None, compare_llvm("22.1.8", "22.1.8", False))
    asserts.equals(env, "differ in the patch level", compare_llvm("22.1.8", "22.1.7", False))
    asserts.equals(env, None, compare_llvm("22.1.8", "22.1.7", True))
    asserts.equals(env, "differ", compare_llvm("22.1.8", "22.2.8", True))
    asserts.equals(env, "differ", compare_llvm("23.1.1", "22.1.1", True))
    asserts.equals(env, "cannot be compared", compare_llvm("23.1.1", "new", True))
    return unittest.end(env)

def _runtime_version_impl(ctx):
    env = unittest.begin(ctx)
    asserts.equals(env, [22, 1], runtime_llvm_version("libomptarget.so.22.1"))
    asserts.equals(env, [23, 1], runtime_llvm_version("libomptarget.so.23.1-rust-1.100.0-nightly"))
    asserts.equals(env, None, runtime_llvm_version("libomptarget.so"))
    asserts.equals(env, None, runtime_llvm_version("libomptarget.so.5"))
    return unittest.end(env)

def _declared_impl(ctx):
    env = unittest.begin(ctx)
    asserts.equals(env, None, check_declared_llvm("22.1.8", _RUSTC, _toolchain("22.1.8"), False))
    asserts.equals(
        env,
        "the LLVM tools do not match rustc. Found LLVM 19.1.7 in @llvm//:llvm, and LLVM 22.1.8 in {}. Write offload.llvm(path = \"<folder of LLVM 22.1.8>\") in MODULE.bazel, or remove offload.llvm to take the tools of the nightly.".format(_RUSTC),
        check_declared_llvm("22.1.8", _RUSTC, _toolchain("19.1.7"), True),
    )
    asserts.equals(
        env,
        "the LLVM tools do not match rustc. Found LLVM 22.1.7 in @llvm//:llvm, and LLVM 22.1.8 in {}. Write offload.llvm(allow_patch_difference = True) in MODULE.bazel to accept that.".format(_RUSTC),
        check_declared_llvm("22.1.8", _RUSTC, _toolchain("22.1.7"), False),
    )
    return unittest.end(env)

def _declared_runtime_impl(ctx):
    env = unittest.begin(ctx)
    asserts.equals(env, None, check_declared_runtime("22.1.8", _RUSTC, "libomptarget.so.22.1", _CLANG))
    asserts.equals(env, None, check_declared_runtime("22.1.8", _RUSTC, "libomptarget.so", _CLANG))
    asserts.equals(
        env,
        "the offload runtime does not match rustc. Found LLVM 19.1 in {}, and LLVM 22.1.8 in {}. Write offload.rust(runtime = \"<label of the runtime of LLVM 22.1.8>\") in MODULE.bazel, or remove runtime to take that of the nightly.".format(_CLANG, _RUSTC),
        check_declared_runtime("22.1.8", _RUSTC, "libomptarget.so.19.1", _CLANG),
    )
    return unittest.end(env)

def _require_tool_impl(ctx):
    env = unittest.begin(ctx)
    asserts.equals(env, ("file", None), require_tool(_toolchain("23.1.1", {"llc": "file"}), "llc", "x"))
    asserts.equals(
        env,
        (None, "linking for several arches needs llvm-offload-wrapper. Found an LLVM toolchain, @llvm//:llvm, with llc, lld. Write offload.llvm(path = \"<folder of an LLVM 23.1.1 that has bin/llvm-offload-wrapper>\") in MODULE.bazel."),
        require_tool(_toolchain("23.1.1", {"llc": "file", "lld": "file"}), "llvm_offload_wrapper", "linking for several arches"),
    )
    return unittest.end(env)

def _include_directories_impl(ctx):
    env = unittest.begin(ctx)
    asserts.equals(
        env,
        ["/usr/include/c++/12", "/usr/include"],
        parse_include_directories("""\
clang version 22.1.8
ignoring nonexistent directory "/include"
#include "..." search starts here:
#include <...> search starts here:
 /usr/include/c++/12
 /usr/include
End of search list.
# 1 "/dev/null"
"""),
    )
    asserts.equals(env, [], parse_include_directories(""))
    return unittest.end(env)

_compare_test = unittest.make(_compare_impl)
_declared_test = unittest.make(_declared_impl)
_declared_runtime_test = unittest.make(_declared_runtime_impl)
_include_directories_test = unittest.make(_include_directories_impl)
_parse_test = unittest.make(_parse_impl)
_require_tool_test = unittest.make(_require_tool_impl)
_runtime_version_test = unittest.make(_runtime_version_impl)

def llvm_test_suite(name):
    """The tests of this file.

    Args:
        name: (str) the name of the suite.
    """
    unittest.suite(
        name,
        partial.make(_compare_test, size = "small"),
        partial.make(_declared_test, size = "small"),
        partial.make(_declared_runtime_test, size = "small"),
        partial.make(_include_directories_test, size = "small"),
        partial.make(_parse_test, size = "small"),
        partial.make(_require_tool_test, size = "small"),
        partial.make(_runtime_version_test, size = "small"),
    )
