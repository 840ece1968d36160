"""Tests of //offload/private:flags.bzl."""

load("@bazel_skylib//lib:partial.bzl", "partial")
load("@bazel_skylib//lib:unittest.bzl", "asserts", "unittest")

# buildifier: disable=bzl-visibility
load("//offload/private:flags.bzl", "forbidden_flag", "unoptimised_flag")

def _refused_impl(ctx):
    env = unittest.begin(ctx)
    for flags, name, spelling in [
        (["-Ctarget-cpu=gfx90a"], "-Ctarget-cpu", "-Ctarget-cpu=gfx90a"),
        (["-C", "target-cpu=gfx90a"], "-Ctarget-cpu", "-C target-cpu=gfx90a"),
        (["-Ctarget_cpu=gfx90a"], "-Ctarget-cpu", "-Ctarget_cpu=gfx90a"),
        (["--codegen=lto=thin"], "-Clto", "--codegen=lto=thin"),
        (["--codegen", "lto"], "-Clto", "--codegen lto"),
        (["-Clto"], "-Clto", "-Clto"),
        (["-Zoffload=Test"], "-Zoffload", "-Zoffload=Test"),
        (["-Z", "offload=Test"], "-Zoffload", "-Z offload=Test"),
        (["--target", "x86_64-unknown-linux-gnu"], "--target", "--target"),
        (["--target=x86_64-unknown-linux-gnu"], "--target", "--target=x86_64-unknown-linux-gnu"),
        (["--emit=asm"], "--emit", "--emit=asm"),
        (["-g", "--crate-type=lib"], "--crate-type", "--crate-type=lib"),
    ]:
        error = forbidden_flag(flags, "rustc_flags")
        asserts.true(env, error, "{} was accepted".format(flags))
        asserts.true(
            env,
            (error or "").startswith("rustc_flags contains {}, which each pass sets itself. Found \"{}\". ".format(name, spelling)),
            "{} said: {}".format(flags, error),
        )
    return unittest.end(env)

def _unoptimised_impl(ctx):
    env = unittest.begin(ctx)
    for flags, spelling in [
        (["-Copt-level=0"], "-Copt-level=0"),
        (["-g", "-C", "opt-level=0"], "-C opt-level=0"),
        (["--codegen=opt_level=0"], "--codegen=opt_level=0"),
    ]:
        asserts.equals(
            env,
            "kernels have to be optimised: else unused parts of core stay in the image, and ptxas stops at what they call. Found \"{}\" in device_rustc_flags. Remove it, or write -Copt-level=1.".format(spelling),
            unoptimised_flag(flags, "device_rustc_flags"),
        )
    for flags in [[], ["-Copt-level=1"], ["-Copt-level=s"], ["-Cdebuginfo=0"]]:
        asserts.equals(env, None, unoptimised_flag(flags, "device_rustc_flags"))
    return unittest.end(env)

def _line_to_write_impl(ctx):
    env = unittest.begin(ctx)
    asserts.equals(
        env,
        "device_rustc_flags contains -Ctarget-cpu, which each pass sets itself. Found \"-Ctarget-cpu=sm_90\". Write archs = [\"<arch>\"] or --config=<arch> instead.",
        forbidden_flag(["-Ctarget-cpu=sm_90"], "device_rustc_flags"),
    )
    asserts.equals(
        env,
        "rustc_flags contains -Clto, which each pass sets itself. Found \"-Clto=off\". Remove it: every pass needs and gets -Clto=fat.",
        forbidden_flag(["-Clto=off"], "rustc_flags"),
    )
    return unittest.end(env)

def _accepted_impl(ctx):
    env = unittest.begin(ctx)
    for flags in [
        [],
        ["-Copt-level=3", "-C", "panic=abort", "-g", "--cfg=target"],
        ["-Zunstable-options", "-Z", "macro-backtrace", "--codegen=debuginfo=1"],
        # Options whose names only start like forbidden ones.
        ["-Ctarget-feature=+avx2", "-Zoffload-other", "--target-dir"],
        # An option whose value is missing is rustc's to report.
        ["-C"],
    ]:
        asserts.equals(env, None, forbidden_flag(flags, "rustc_flags"))
    return unittest.end(env)

_refused_test = unittest.make(_refused_impl)
_line_to_write_test = unittest.make(_line_to_write_impl)
_unoptimised_test = unittest.make(_unoptimised_impl)
_accepted_test = unittest.make(_accepted_impl)

def flags_test_suite(name):
    """The tests of this file.

    Args:
        name: (str) the name of the suite.
    """
    unittest.suite(
        name,
        partial.make(_refused_test, size = "small"),
        partial.make(_line_to_write_test, size = "small"),
        partial.make(_accepted_test, size = "small"),
        partial.make(_unoptimised_test, size = "small"),
    )
