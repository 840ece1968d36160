"""Tests of //offload/private:runtime.bzl."""

load("@bazel_skylib//lib:partial.bzl", "partial")
load("@bazel_skylib//lib:unittest.bzl", "asserts", "unittest")

# buildifier: disable=bzl-visibility
load("//offload/private:runtime.bzl", "relative_path", "run_paths", "runfiles_path")

def _relative_path_impl(ctx):
    env = unittest.begin(ctx)
    asserts.equals(env, "../../c/d", relative_path("a/b", "c/d"))
    asserts.equals(env, "../d", relative_path("a/b", "a/d"))
    asserts.equals(env, "c", relative_path("a/b", "a/b/c"))
    asserts.equals(env, "..", relative_path("a/b", "a"))
    asserts.equals(env, "a", relative_path("", "a"))
    return unittest.end(env)

def _runfiles_path_impl(ctx):
    env = unittest.begin(ctx)
    asserts.equals(env, "_main/examples/kernel", runfiles_path("examples/kernel", "_main"))
    asserts.equals(env, "repo/lib/x", runfiles_path("../repo/lib/x", "_main"))
    return unittest.end(env)

def _run_paths_impl(ctx):
    env = unittest.begin(ctx)
    executable = struct(
        basename = "kernel",
        dirname = "bazel-out/cfg/bin/examples",
        short_path = "examples/kernel",
    )
    asserts.equals(
        env,
        [
            "$ORIGIN/../../repo/lib",
            "$ORIGIN/../../../../external/repo/lib",
            "$ORIGIN/kernel.runfiles/repo/lib",
        ],
        run_paths(executable, False, "_main", "repo/lib", "external/repo/lib"),
    )
    asserts.equals(
        env,
        [
            "$ORIGIN/../../repo/lib",
            "$ORIGIN/../../../../external/repo/lib",
            "$ORIGIN/../../../repo/lib",
            "$ORIGIN/../../../../../external/repo/lib",
        ],
        run_paths(executable, True, "_main", "repo/lib", "external/repo/lib"),
    )
    return unittest.end(env)

_relative_path_test = unittest.make(_relative_path_impl)
_runfiles_path_test = unittest.make(_runfiles_path_impl)
_run_paths_test = unittest.make(_run_paths_impl)

def runtime_test_suite(name):
    """The tests of this file.

    Args:
        name: (str) the name of the suite.
    """
    unittest.suite(
        name,
        partial.make(_relative_path_test, size = "small"),
        partial.make(_runfiles_path_test, size = "small"),
        partial.make(_run_paths_test, size = "small"),
    )
