"""Tests of //offload/private:crate_names.bzl."""

load("@bazel_skylib//lib:partial.bzl", "partial")
load("@bazel_skylib//lib:unittest.bzl", "asserts", "unittest")

# buildifier: disable=bzl-visibility
load("//offload/private:crate_names.bzl", "check_crate_names")

def _check_impl(ctx):
    env = unittest.begin(ctx)
    asserts.equals(env, None, check_crate_names([]))
    asserts.equals(env, None, check_crate_names([("a", "//a"), ("b", "//b"), ("a", "//a")]))
    asserts.equals(
        env,
        "two crates of the device side have one name, and their kernels could not be told apart. Found \"a\" as //a and as //x. Write another crate_name in one of them.",
        check_crate_names([("a", "//a"), ("b", "//b"), ("a", "//x")]),
    )
    return unittest.end(env)

_check_test = unittest.make(_check_impl)

def crate_names_test_suite(name):
    """The tests of this file.

    Args:
        name: (str) the name of the suite.
    """
    unittest.suite(
        name,
        partial.make(_check_test, size = "small"),
    )
