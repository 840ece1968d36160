"""Packages, pins and the sources of rustc."""

import unittest

from provision import apt, cargo, pins, rustc
from provision.report import Failure

from .support import CacheTest


class SourcesTest(unittest.TestCase):
    def test_suites_come_from_the_machines_mirrors(self):
        lines = apt.source_lines({"bookworm": "http://mirror/debian", "bookworm-security": "http://mirror/security"})
        self.assertTrue(lines[0].endswith("] http://mirror/debian bookworm main"))
        self.assertTrue(lines[1].endswith("] http://mirror/security bookworm-security main"))
        self.assertTrue(lines[2].endswith("] http://mirror/debian sid main"))

    def test_another_distribution(self):
        with self.assertRaisesRegex(Failure, r"no source for Debian bookworm \(found: noble\)"):
            apt.source_lines({"noble": "http://mirror/ubuntu"})


class PinsTest(CacheTest):
    def test_every_pin_has_a_sha256(self):
        for group in ("bazel", "buildtools", "clang", "crates", "llvm", "other-llvm", "patchelf", "ptxas", "rustc"):
            for name, pin in pins.load(group).items():
                self.assertRegex(pin.sha256, r"^[0-9a-f]{64}$", name)

    def test_another_file_is_refused_and_removed(self):
        file = self.root / "file"
        file.write_text("something else")
        with self.assertRaisesRegex(
            Failure, "^thing 1.0: SHA-256 0000 is wanted, the registry's file has [0-9a-f]{64}"
        ):
            pins.verify(file, "thing", pins.Pin("1.0", "0000"))
        self.assertFalse(file.exists())


class RustcTest(CacheTest):
    def test_sources_that_the_patch_was_not_made_for(self):
        (self.root / "lib.rs").write_text("fn main() {}\n")
        sums = self.root / "sums"
        sums.write_text("0" * 64 + "  lib.rs\n")
        with self.assertRaisesRegex(Failure, r"lib\.rs is not the file that .*offload\.patch was made for"):
            rustc.check_sources(self.root, sums)

    def test_new_compiler_says_the_version_of_the_one_that_builds_it(self):
        said = "rustc 1.98.1 (48a 2026-09-01) (built)\nbinary: rustc\ncommit-hash: 48a2\ncommit-date: 2026-09-01\nrelease: 1.98.1\n"
        configuration = rustc.configuration(said)
        self.assertEqual(configuration["CFG_VERSION"], "1.98.1 (48a 2026-09-01) (built)")
        self.assertEqual(configuration["CFG_VER_HASH"], "48a2")
        self.assertEqual(configuration["CFG_RELEASE_CHANNEL"], "nightly")

    def test_cargo_versions_compare_as_numbers(self):
        self.assertGreater(cargo.version_of("1.100.0-nightly"), cargo.version_of("1.95.0"))
