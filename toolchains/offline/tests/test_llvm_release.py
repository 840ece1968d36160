"""Folders of LLVM are complete, and find their libraries wherever they lie."""

import os
from unittest import mock

from provision import elf, llvm_release, pins
from provision.llvm_release import Content, LlvmRelease, OtherLlvm
from provision.report import Failure

from .support import CacheTest

_CONTENT = Content(
    prefix="usr/lib/llvm-1",
    programs=("clang", "clang++", "llvm-objdump"),
    libraries=("libomptarget.so.1.2",),
    folders=("lib/clang/1/include",),
)

_NEEDED = {
    "clang": ["libLLVM.so.1.2", "libc.so.6"],
    "llvm-objdump": ["libLLVM.so.1.2", "libcurl.so.4"],
    "libLLVM.so.1.2": ["libz.so.1", "libstdc++.so.6"],
    "libomptarget.so.1.2": ["libomp.so.5"],
}


class FakePatchelf(elf.Patchelf):
    """Knows what files need by their names, and notes the RUNPATHs that they get."""

    def __init__(self):
        super().__init__("/nowhere/patchelf")
        self.runpaths = {}

    def needed(self, file):
        return [name for name in _NEEDED.get(file.name, []) if not name.startswith(elf.MACHINE)]

    def set_runpath(self, file, path):
        self.runpaths[f"{file.parent.name}/{file.name}"] = path


class LayOutTest(CacheTest):
    def setUp(self):
        super().setUp()
        self.roots = [self.root / "clang", self.root / "llvm"]
        self._add("clang/usr/lib/llvm-1/bin/clang", 0o755)
        (self.roots[0] / "usr/lib/llvm-1/bin/clang++").symlink_to("clang")
        self._add("clang/usr/lib/llvm-1/lib/clang/1/include/stddef.h")
        self._add("llvm/usr/lib/llvm-1/bin/llvm-objdump", 0o755)
        self._add("llvm/usr/lib/llvm-1/bin/bugpoint", 0o755)
        self._add("llvm/usr/lib/llvm-1/lib/libomptarget.so.1.2")
        for name in ("usr/lib/x86_64-linux-gnu/libLLVM.so.1.2", "usr/lib/x86_64-linux-gnu/libunused.so.1"):
            self._add(f"llvm/{name}")
        self._add("llvm/usr/lib/llvm-0/lib/libomp.so.5")
        (self.roots[1] / "usr/lib/x86_64-linux-gnu/libomp.so.5").symlink_to("../llvm-0/lib/libomp.so.5")
        self._add("llvm/lib/x86_64-linux-gnu/libz.so.1.3", 0o444)
        (self.roots[1] / "lib/x86_64-linux-gnu/libz.so.1").symlink_to("libz.so.1.3")
        self.patchelf = FakePatchelf()
        self.out = self.root / "out"

    def _add(self, name, mode=0o644):
        file = self.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(name)
        file.chmod(mode)

    def _lay_out(self):
        with mock.patch.object(elf, "make_curl_stub", side_effect=lambda folder: (folder / elf.CURL).touch()):
            llvm_release.lay_out(_CONTENT, self.roots, self.out, self.patchelf)

    def test_has_what_is_named_and_the_libraries_that_it_needs(self):
        self._lay_out()
        files = {str(path.relative_to(self.out)) for path in self.out.rglob("*") if not path.is_dir()}
        self.assertEqual(
            files,
            {"bin/clang", "bin/clang++", "bin/libcurl.so.4", "bin/llvm-objdump", "lib/clang/1/include/stddef.h"}
            | {f"lib/{name}" for name in ("libLLVM.so.1.2", "libomp.so.5", "libomptarget.so.1.2", "libz.so.1")},
        )

    def test_links_hold_in_a_copy(self):
        self._lay_out()
        links = {path.name: os.readlink(path) for path in self.out.rglob("*") if path.is_symlink()}
        self.assertEqual(links, {"clang++": "clang"})

    def test_programs_can_be_started_and_libraries_patched(self):
        self._lay_out()
        modes = {name: (self.out / name).stat().st_mode & 0o777 for name in ("bin/clang", "lib/libz.so.1")}
        self.assertEqual(modes, {"bin/clang": 0o755, "lib/libz.so.1": 0o644})

    def test_every_file_finds_its_libraries_by_its_own_place(self):
        self._lay_out()
        runpaths = self.patchelf.runpaths
        self.assertEqual(runpaths.pop("bin/clang"), "$ORIGIN/../lib")
        self.assertEqual(runpaths.pop("bin/llvm-objdump"), "$ORIGIN/../lib:$ORIGIN")
        libraries = ("libLLVM.so.1.2", "libomp.so.5", "libomptarget.so.1.2", "libz.so.1")
        self.assertEqual(runpaths, {f"lib/{name}": "$ORIGIN" for name in libraries})

    def test_no_library_is_left_to_the_machine(self):
        (self.roots[1] / "lib/x86_64-linux-gnu/libz.so.1").unlink()
        with self.assertRaisesRegex(FileNotFoundError, r"^libz\.so\.1 is in none of "):
            self._lay_out()


class CheckProgramsTest(CacheTest):
    def _program(self, name, text):
        program = self.root / "bin" / name
        program.parent.mkdir(exist_ok=True)
        program.write_text(f"#!/bin/sh\n{text}\n")
        program.chmod(0o755)

    def test_version_is_the_linkers(self):
        self._program("ld.lld", "echo Debian LLD 22.1.8 compatible with GNU linkers")
        self._program("lld", "exit 1")
        self.assertEqual(llvm_release.check_programs(self.root), "22.1.8")

    def test_a_program_that_does_not_start(self):
        self._program("ld.lld", "echo Debian LLD 22.1.8")
        self._program("llc", "echo libz.so.1: cannot open shared object file >&2; exit 127")
        with self.assertRaisesRegex(Failure, r"^starting llc failed \(llc, status 127\): libz\.so\.1: cannot open"):
            llvm_release.check_programs(self.root)

    def test_the_environment_does_not_help(self):
        self._program("ld.lld", 'echo "LLD ${LD_LIBRARY_PATH-unset}"')
        with mock.patch.dict(os.environ, {"LD_LIBRARY_PATH": "/somewhere"}):
            self.assertEqual(llvm_release.check_programs(self.root), "unset")


class ReleasesTest(CacheTest):
    def test_every_link_of_debian_has_its_program(self):
        links = {"clang++": "clang", "ld.lld": "lld", "llvm-ranlib": "llvm-ar", "llvm-readelf": "llvm-readobj"}
        links["llvm-strip"] = "llvm-objcopy"
        for release in (LlvmRelease, OtherLlvm):
            programs = release.content.programs
            self.assertEqual([name for name in programs if links.get(name, name) not in programs], [])

    def test_clang_has_the_version_of_llvm_and_the_other_one_another(self):
        version = pins.load("llvm")["libllvm22"].version
        self.assertEqual({pin.version for pin in pins.load("clang").values()}, {version})
        self.assertNotIn(version, {pin.version for pin in pins.load("other-llvm").values()})

    def test_pins_of_both_groups_decide_whether_it_is_made_again(self):
        for release, package in ((LlvmRelease, "clang-22"), (OtherLlvm, "lld-19")):
            wanted = release(self.cache, self.report, None, None, None).wanted()["packages"]
            self.assertIn(f"{package}=1:", wanted)
            self.assertIn("libomp5-19=1:", wanted)
