"""Tests of //offload/private:dialect.bzl."""

load("@bazel_skylib//lib:partial.bzl", "partial")
load("@bazel_skylib//lib:unittest.bzl", "asserts", "unittest")

# buildifier: disable=bzl-visibility
load("//offload/private:dialect.bzl", "find_dialect")

# What `rustc -Zhelp` says of the option on a nightly without the passes.
_OLD_HELP = "    -Z      offload=val -- a list of offload flags to enable"

_ERROR = "this rustc does not know the three offload passes. Found {}; they are in nightlies from 2026-09-09 (1.100.0-nightly) on. Write offload.rust(nightly = \"<date>\") with such a date."

def _known_impl(ctx):
    env = unittest.begin(ctx)
    for version in [
        "rustc 1.100.0-nightly (0123456789 2026-09-08)",
        "rustc 1.100.0-nightly (0123456789 2026-09-19)",
        "rustc 1.101.0-nightly (0123456789 2026-10-30)",
        "rustc 2.0.0-dev (0123456789 2027-01-01)",
    ]:
        asserts.equals(env, ("manifest", None), find_dialect(version, _OLD_HELP))
    return unittest.end(env)

def _unknown_impl(ctx):
    env = unittest.begin(ctx)
    for version in [
        "rustc 1.100.0-nightly (0123456789 2026-09-07)",
        "rustc 1.99.0-nightly (0123456789 2026-09-30)",
        # Not a nightly.
        "rustc 1.101.0 (0123456789 2027-01-01)",
        "rustc 1.101.0-beta.3 (0123456789 2027-01-01)",
        "gcc 12",
        "",
    ]:
        asserts.equals(env, (None, _ERROR.format(version)), find_dialect(version, _OLD_HELP))
    return unittest.end(env)

def _built_from_source_impl(ctx):
    env = unittest.begin(ctx)
    help = "    -Z      offload=val -- the pass: `HostMetadata=<manifest>`, `Device`"
    for version, dialect in {
        "rustc 1.100.0 (48a229cea 2026-12-01) (built from a source tarball)": "manifest",
        "rustc 1.102.0-dev": "manifest",
        "rustc 1.98.1 (48a229cea 2026-09-01) (built from a source tarball)": "manifest_of_all_crates",
    }.items():
        asserts.equals(env, (dialect, None), find_dialect(version, help))
    return unittest.end(env)

_built_from_source_test = unittest.make(_built_from_source_impl)
_known_test = unittest.make(_known_impl)
_unknown_test = unittest.make(_unknown_impl)

def dialect_test_suite(name):
    """The tests of this file.

    Args:
        name: (str) the name of the suite.
    """
    unittest.suite(
        name,
        partial.make(_built_from_source_test, size = "small"),
        partial.make(_known_test, size = "small"),
        partial.make(_unknown_test, size = "small"),
    )
