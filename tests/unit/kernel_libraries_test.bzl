"""Tests of //offload/private:kernel_libraries.bzl."""

load("@bazel_skylib//lib:partial.bzl", "partial")
load("@bazel_skylib//lib:unittest.bzl", "asserts", "unittest")

# buildifier: disable=bzl-visibility
load("//offload/private:dialect.bzl", "DIALECTS")

# buildifier: disable=bzl-visibility
load("//offload/private:kernel_libraries.bzl", "check_kernel_libraries")

_LIBRARY = Label("//tests/unit:library")

def _check_impl(ctx):
    env = unittest.begin(ctx)
    rustc = "rustc 1.100.0-nightly (0123456789 2026-09-19)"
    asserts.equals(env, None, check_kernel_libraries(DIALECTS["manifest"], rustc, []))
    asserts.equals(env, None, check_kernel_libraries(DIALECTS["manifest_of_all_crates"], rustc, [_LIBRARY]))
    asserts.equals(
        env,
        "kernels in libraries do not reach the program with this rustc: the manifest covers the final crate only (rust-lang/rust#162279). Found {} in deps, and rustc 1.100.0-nightly (0123456789 2026-09-19). Move the kernels into srcs; in a library without any write has_kernels = False.".format(_LIBRARY),
        check_kernel_libraries(DIALECTS["manifest"], rustc, [_LIBRARY]),
    )
    return unittest.end(env)

_check_test = unittest.make(_check_impl)

def kernel_libraries_test_suite(name):
    """The tests of this file.

    Args:
        name: (str) the name of the suite.
    """
    unittest.suite(
        name,
        partial.make(_check_test, size = "small"),
    )
