"""Tarballs and channel manifest of the dist server."""

import hashlib
import os
import tarfile
import unittest

from provision import dist, sysroot

from .support import CacheTest


class ChannelTest(unittest.TestCase):
    def test_manifest(self):
        hashes = {component: f"{number:064x}" for number, component in enumerate(dist.PACKAGES)}
        lines = dist.channel_manifest(hashes, "1.98.1 (48a229cea 2026-09-01)").splitlines()
        self.assertEqual(lines[:2], ['manifest-version = "2"', 'date = "2026-09-20"'])
        at = lines.index("[pkg.rustc.target.x86_64-unknown-linux-gnu]")
        self.assertEqual(lines[at - 2], 'version = "1.98.1 (48a229cea 2026-09-01)"')
        self.assertEqual(lines[at + 1], "available = true")
        url = "https://static.rust-lang.org/dist/2026-09-20/rustc-nightly-x86_64-unknown-linux-gnu.tar.gz"
        self.assertEqual(lines[at + 2], f'url = "{url}"')
        self.assertEqual(lines[at + 3], f'hash = "{0:064x}"')
        self.assertIn('[pkg.rust-src.target."*"]', lines)
        renames = [lines[i : i + 2] for i, line in enumerate(lines) if line.startswith("[renames.")]
        for name in ("clippy", "llvm-tools", "offload", "rustfmt"):
            self.assertIn([f"[renames.{name}]", f'to = "{name}-preview"'], renames)
        self.assertEqual(len(renames), 4)


class TarballTest(CacheTest):
    def _component(self, name):
        folder = self.root / name
        (folder / "lib").mkdir(parents=True)
        (folder / "lib/libomptarget.so.22.1").write_text("library")
        (folder / "lib/libomptarget.so").symlink_to("libomptarget.so.22.1")
        (folder / "lib/program").write_text("program")
        (folder / "lib/program").chmod(0o700)
        return folder

    def test_layout(self):
        archive = self.root / "offload.tar.gz"
        total = dist.write_tarball(self._component("a"), "offload-preview", archive, "1.0")
        self.assertEqual(total, hashlib.sha256(archive.read_bytes()).hexdigest())
        stem = "offload-nightly-x86_64-unknown-linux-gnu"
        with tarfile.open(archive) as tar:
            self.assertEqual(tar.extractfile(f"{stem}/components").read(), b"offload-preview\n")
            self.assertEqual(tar.extractfile(f"{stem}/version").read(), b"1.0\n")
            manifest = tar.extractfile(f"{stem}/offload-preview/manifest.in").read().decode().splitlines()
            self.assertEqual(
                manifest, ["file:lib/libomptarget.so", "file:lib/libomptarget.so.22.1", "file:lib/program"]
            )
            self.assertEqual(
                tar.getmember(f"{stem}/offload-preview/lib/libomptarget.so").linkname, "libomptarget.so.22.1"
            )
            self.assertEqual(tar.getmember(f"{stem}/offload-preview/lib/program").mode, 0o755)

    def test_same_files_make_the_same_bytes(self):
        archives = []
        for name in ("a", "b"):
            folder = self._component(name)
            os.utime(folder / "lib/program", (len(archives) + 1, 0))
            archives.append(self.root / f"{name}.tar.gz")
            dist.write_tarball(folder, "offload-preview", archives[-1], "1.0")
        self.assertEqual(archives[0].read_bytes(), archives[1].read_bytes())


class SourcesTest(unittest.TestCase):
    def test_what_a_device_needs_is_kept(self):
        kept = (
            "alloc/src/lib.rs",
            "compiler-builtins/compiler-builtins/src/lib.rs",
            "compiler-builtins/libm/src/math/mod.rs",
            "core/src/lib.rs",
            "core/src/offload.md",
            "portable-simd/crates/core_simd/src/mod.rs",
            "std/src/lib.rs",
            "stdarch/crates/core_arch/src/mod.rs",
        )
        dropped = (
            "coretests",
            "compiler-builtins/builtins-test",
            "compiler-builtins/crates",
            "std/tests",
            "alloc/benches",
            "stdarch/crates/intrinsic-test",
            "vendor",
        )
        self.assertEqual([path for path in kept if sysroot.unwanted_source(path)], [])
        self.assertEqual([path for path in dropped if not sysroot.unwanted_source(path)], [])
