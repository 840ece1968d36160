"""Tests of //offload/private:embedding.bzl."""

load("@bazel_skylib//lib:partial.bzl", "partial")
load("@bazel_skylib//lib:unittest.bzl", "asserts", "unittest")

# buildifier: disable=bzl-visibility
load("//offload/private:embedding.bzl", "AUTO", "BY_LLVM", "BY_RUSTC", "embedded_by", "llvm_for_images")

def _embedded_by_impl(ctx):
    env = unittest.begin(ctx)
    one = ["sm_90"]
    several = ["sm_90", "gfx90a"]
    asserts.equals(env, (BY_RUSTC, None), embedded_by(AUTO, one))
    asserts.equals(env, (BY_LLVM, None), embedded_by(AUTO, several))
    asserts.equals(env, (BY_LLVM, None), embedded_by(BY_LLVM, one))
    asserts.equals(env, (BY_RUSTC, None), embedded_by(BY_RUSTC, one))
    asserts.equals(
        env,
        (None, "rustc can embed the image of one arch. Found sm_90, gfx90a with --@rules_rust_offload//offload/settings:embed=rustc. Write one of them in archs, give one --config, or leave embed at auto."),
        embedded_by(BY_RUSTC, several),
    )
    return unittest.end(env)

def _tools_impl(ctx):
    env = unittest.begin(ctx)
    tools = {"llc": "c", "lld": "d", "llvm_offload_binary": "b", "llvm_offload_wrapper": "w"}
    llvm = struct(files = "files", label = "@llvm//:llvm", tools = tools, version = "23.1.1")
    asserts.equals(
        env,
        (struct(files = "files", llc = "c", lld = "d", offload_binary = "b", offload_wrapper = "w"), None),
        llvm_for_images(llvm),
    )
    asserts.equals(
        env,
        (None, "embedding images with LLVM's tools, as several arches demand, needs llvm-offload-binary. Found an LLVM toolchain, @llvm//:llvm, with llc, lld. Write offload.llvm(path = \"<folder of an LLVM 23.1.1 that has bin/llvm-offload-binary>\") in MODULE.bazel."),
        llvm_for_images(struct(files = "files", label = "@llvm//:llvm", tools = {"llc": "c", "lld": "d"}, version = "23.1.1")),
    )
    return unittest.end(env)

_embedded_by_test = unittest.make(_embedded_by_impl)
_tools_test = unittest.make(_tools_impl)

def embedding_test_suite(name):
    """The tests of this file.

    Args:
        name: (str) the name of the suite.
    """
    unittest.suite(
        name,
        partial.make(_embedded_by_test, size = "small"),
        partial.make(_tools_test, size = "small"),
    )
