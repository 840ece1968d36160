"""Tests of //toolchains/rust:channel.bzl."""

load("@bazel_skylib//lib:partial.bzl", "partial")
load("@bazel_skylib//lib:unittest.bzl", "asserts", "unittest")
load("//toolchains/rust:channel.bzl", "HOST_TRIPLE", "find_component", "parse_channel", "parse_target_cpus", "parse_version")
load(":real_channel.bzl", "REAL_CHANNEL")

_CHANNEL = """\
manifest-version = "2"
date = "2026-09-20"

[pkg.rustc]
version = "1.100.0-nightly (0123456789 2026-09-19)"

[pkg.rustc.target.x86_64-unknown-linux-gnu]
available = true
url = "https://example.org/dist/2026-09-20/rustc-nightly-x86_64-unknown-linux-gnu.tar.gz"
hash = "aa"
xz_url = "https://example.org/dist/2026-09-20/rustc-nightly-x86_64-unknown-linux-gnu.tar.xz"
xz_hash = "bb"

[[pkg.rustc.target.x86_64-unknown-linux-gnu.components]]
pkg = "llvm-tools"
available = false

[pkg.rust-std.target.x86_64-unknown-linux-gnu]
available = true
url = "https://example.org/dist/2026-09-20/rust-std-nightly-x86_64-unknown-linux-gnu.tar.gz"
hash = "cc"

[pkg.rust-src.target."*"]
available = true
url = "https://example.org/dist/2026-09-20/rust-src-nightly.tar.gz"
hash = "dd"

[pkg.llvm-tools-preview.target.x86_64-unknown-linux-gnu]
available = true
url = "https://example.org/dist/2026-09-20/llvm-tools-nightly-x86_64-unknown-linux-gnu.tar.gz"
hash = "ee"

[pkg.offload-preview.target.x86_64-unknown-linux-gnu]
available = false
"""

def _find_component_impl(ctx):
    env = unittest.begin(ctx)
    channel = parse_channel(_CHANNEL)
    for component, expected in {
        "llvm-tools": struct(
            path = "dist/2026-09-20/llvm-tools-nightly-x86_64-unknown-linux-gnu.tar.gz",
            sha256 = "ee",
            strip_prefix = "llvm-tools-nightly-x86_64-unknown-linux-gnu/llvm-tools-preview",
        ),
        "rust-src": struct(
            path = "dist/2026-09-20/rust-src-nightly.tar.gz",
            sha256 = "dd",
            strip_prefix = "rust-src-nightly/rust-src",
        ),
        "rust-std": struct(
            path = "dist/2026-09-20/rust-std-nightly-x86_64-unknown-linux-gnu.tar.gz",
            sha256 = "cc",
            strip_prefix = "rust-std-nightly-x86_64-unknown-linux-gnu/rust-std-x86_64-unknown-linux-gnu",
        ),
        # The smaller archive is preferred.
        "rustc": struct(
            path = "dist/2026-09-20/rustc-nightly-x86_64-unknown-linux-gnu.tar.xz",
            sha256 = "bb",
            strip_prefix = "rustc-nightly-x86_64-unknown-linux-gnu/rustc",
        ),
    }.items():
        asserts.equals(env, (expected, None), find_component(channel, component, HOST_TRIPLE))
    return unittest.end(env)

def _missing_component_impl(ctx):
    env = unittest.begin(ctx)
    channel = parse_channel(_CHANNEL)
    asserts.equals(
        env,
        (None, "component offload for x86_64-unknown-linux-gnu is missing or not available"),
        find_component(channel, "offload", HOST_TRIPLE),
    )
    asserts.equals(
        env,
        (None, "component rustc for aarch64-apple-darwin is missing or not available"),
        find_component(channel, "rustc", "aarch64-apple-darwin"),
    )
    asserts.equals(
        env,
        (None, "component rustc has no archive with a hash"),
        find_component({("rustc", HOST_TRIPLE): {"available": "true"}}, "rustc", HOST_TRIPLE),
    )
    return unittest.end(env)

def _parse_target_cpus_impl(ctx):
    env = unittest.begin(ctx)
    asserts.equals(
        env,
        ["sm_70", "sm_90", "sm_90a"],
        parse_target_cpus("Available CPUs for this target:\n    sm_70   - This is the default target CPU.\n    sm_90\n    sm_90a\n\n"),
    )
    asserts.equals(env, [], parse_target_cpus("nothing\n"))
    return unittest.end(env)

def _parse_version_impl(ctx):
    env = unittest.begin(ctx)
    asserts.equals(
        env,
        (struct(rustc = "rustc 1.98.1 (48a229cea 2026-09-01)", llvm = "22.1.8"), None),
        parse_version("rustc 1.98.1 (48a229cea 2026-09-01)\nbinary: rustc\nhost: x\nLLVM version: 22.1.8\n"),
    )
    asserts.equals(
        env,
        (None, "rustc -vV prints no LLVM version"),
        parse_version("rustc 1.98.1\n"),
    )
    return unittest.end(env)

def _real_channel_impl(ctx):
    env = unittest.begin(ctx)
    channel = parse_channel(REAL_CHANNEL)
    for component, expected in {
        "clippy": struct(
            path = "dist/2026-05-20/clippy-nightly-x86_64-unknown-linux-gnu.tar.xz",
            sha256 = "73029528eb47369acc0c523716077a24ecaa55ee96141263cfc3e76c9b2ae61e",
            strip_prefix = "clippy-nightly-x86_64-unknown-linux-gnu/clippy-preview",
        ),
        "rust-src": struct(
            path = "dist/2026-05-20/rust-src-nightly.tar.xz",
            sha256 = "2bd8b226238befcd267bb5dd851205cdb594ea9d0eda8f93d81f8fabba9ae668",
            strip_prefix = "rust-src-nightly/rust-src",
        ),
        "rust-std": struct(
            path = "dist/2026-05-20/rust-std-nightly-x86_64-unknown-linux-gnu.tar.xz",
            sha256 = "041b44852a1242b1d408718283d26a09fce6f1ee0341104a3cc2ef8104c4ea0b",
            strip_prefix = "rust-std-nightly-x86_64-unknown-linux-gnu/rust-std-x86_64-unknown-linux-gnu",
        ),
    }.items():
        asserts.equals(env, (expected, None), find_component(channel, component, HOST_TRIPLE))
    for component in ["llvm-tools", "rustc", "rustfmt"]:
        asserts.equals(env, None, find_component(channel, component, HOST_TRIPLE)[1])

    # That nightly is older than the component.
    asserts.equals(
        env,
        (None, "component offload for x86_64-unknown-linux-gnu is missing or not available"),
        find_component(channel, "offload", HOST_TRIPLE),
    )
    asserts.equals(
        env,
        (None, "component llvm-tools for x86_64-unknown-linux-gnux32 is missing or not available"),
        find_component(channel, "llvm-tools", "x86_64-unknown-linux-gnux32"),
    )
    return unittest.end(env)

_find_component_test = unittest.make(_find_component_impl)
_missing_component_test = unittest.make(_missing_component_impl)
_parse_target_cpus_test = unittest.make(_parse_target_cpus_impl)
_parse_version_test = unittest.make(_parse_version_impl)
_real_channel_test = unittest.make(_real_channel_impl)

def channel_test_suite(name):
    """The tests of this file.

    Args:
        name: (str) the name of the suite.
    """
    unittest.suite(
        name,
        partial.make(_find_component_test, size = "small"),
        partial.make(_missing_component_test, size = "small"),
        partial.make(_parse_target_cpus_test, size = "small"),
        partial.make(_parse_version_test, size = "small"),
        partial.make(_real_channel_test, size = "small"),
    )
