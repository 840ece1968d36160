"""Lays out a rustc build as the components of a Rust distribution.

A component is a folder; all of them laid over each other are the sysroot. The layout is that of the public nightly where
this compiler has the same files. Every program and library finds its libraries through RUNPATH, so the tree works
wherever it is unpacked and needs no LD_LIBRARY_PATH.
"""

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import List, NamedTuple

from . import apt, elf
from .elf import Patchelf

TRIPLE = "x86_64-unknown-linux-gnu"
RUSTLIB = f"lib/rustlib/{TRIPLE}"

TOOLS = (
    "clang-linker-wrapper",
    "llc",
    "llvm-as",
    "llvm-dis",
    "llvm-nm",
    "llvm-objdump",
    "llvm-offload-binary",
    "llvm-offload-wrapper",
    "llvm-readelf",
    "llvm-readobj",
    "opt",
)

# Programs around librustc_driver.so: their component and place -> the name of what cargo builds.
RUST_TOOLS = {
    "clippy-preview/bin/clippy-driver": "clippy-driver",
    "rustc/bin/rustdoc": "rustdoc_tool_binary",
    "rustfmt-preview/bin/rustfmt": "rustfmt",
}

# Seen from bin/ and lib/ of RUSTLIB: the sysroot's lib/.
_TO_LIB = "$ORIGIN/../../.."

# Parts of library/ that nothing needs to build core, alloc, compiler_builtins and std of a device. Matched against paths
# relative to library/. std's own sources stay: debuggers show them.
_UNWANTED_SOURCES = re.compile(
    r"""^(
        (target|vendor|coretests|alloctests|test|rtstartup|profiler_builtins|windows-sys)(/.*)?
      | (.*/)?(tests|benches|examples|ci|etc|\.github)
      | compiler-builtins/(builtins-test|builtins-test-intrinsics|libm-test|crates)
      | stdarch/(intrinsics_data|crates/(?!core_arch).*)
      | portable-simd/crates/test_helpers
    )$""",
    re.VERBOSE,
)


class Build(NamedTuple):
    """What a finished build consists of."""

    target: Path  # cargo's output: rustc-main, librustc_driver.so
    tools: Path  # cargo's output: RUST_TOOLS
    llvm: Path  # root that LLVM's packages were unpacked into
    rlibs: Path  # the host's standard library
    library: Path  # its sources


def lay_out(build: Build, out: Path, patchelf: Patchelf) -> None:
    """Makes one folder per component in `out`."""
    tools = build.llvm / "usr/lib/llvm-22/bin"
    folders = apt.library_folders(build.llvm)

    rustc = out / "rustc"
    elf.copy(build.target / "rustc-main", rustc / "bin/rustc")
    elf.copy(build.target / "librustc_driver.so", rustc / "lib/librustc_driver.so")
    for place, program in RUST_TOOLS.items():
        elf.copy(build.tools / program, out / place)
    elf.copy(tools / "lld", rustc / RUSTLIB / "bin/rust-lld")
    # The same linker as `cc -B<this folder> -fuse-ld=lld` looks for it.
    elf.copy(tools / "lld", rustc / RUSTLIB / "bin/gcc-ld/ld.lld")
    programs = [rustc / "bin/rustc", *(out / place for place in RUST_TOOLS)]
    for file in (*programs, rustc / "lib/librustc_driver.so"):
        subprocess.run([str(tools / "llvm-strip"), "--strip-unneeded", str(file)], check=True)
    for file in programs:
        patchelf.set_runpath(file, "$ORIGIN/../lib")
    patchelf.set_runpath(rustc / "lib/librustc_driver.so", "$ORIGIN")
    patchelf.set_runpath(rustc / RUSTLIB / "bin/rust-lld", _TO_LIB)
    patchelf.set_runpath(rustc / RUSTLIB / "bin/gcc-ld/ld.lld", f"{_TO_LIB}/..")

    offload = out / "offload-preview"
    runtime = offload / RUSTLIB / "lib"
    for name in ("libomptarget.so.22.1", "libomp.so.5"):
        elf.copy(folders[0] / name, runtime / name)
    (runtime / "libomptarget.so").symlink_to("libomptarget.so.22.1")
    patchelf.set_runpath(runtime / "libomptarget.so.22.1", f"$ORIGIN:{_TO_LIB}")

    llvm_tools = out / "llvm-tools-preview" / RUSTLIB / "bin"
    for name in TOOLS:
        elf.copy(tools / name, llvm_tools / name)
        patchelf.set_runpath(llvm_tools / name, _TO_LIB)
    elf.make_curl_stub(llvm_tools)
    patchelf.set_runpath(llvm_tools / "llvm-objdump", f"{_TO_LIB}:$ORIGIN")

    users = [rustc / "lib/librustc_driver.so", rustc / RUSTLIB / "bin/rust-lld", runtime / "libomptarget.so.22.1"]
    for name, file in patchelf.closure(users, folders).items():
        if not (runtime / name).exists():
            elf.copy(file, rustc / "lib" / name)
            patchelf.set_runpath(rustc / "lib" / name, "$ORIGIN")

    std = out / f"rust-std-{TRIPLE}" / RUSTLIB / "lib"
    for file in sorted(build.rlibs.glob("lib*.rlib")):
        elf.copy(file, std / file.name)

    _copy_sources(build.library, out / "rust-src/lib/rustlib/src/rust/library")


def unwanted_source(path: str) -> bool:
    """Whether a file or folder of library/ is left out of the component rust-src."""
    return bool(_UNWANTED_SOURCES.match(path))


def _copy_sources(library: Path, target: Path) -> None:
    def unwanted(folder: str, names: List[str]) -> List[str]:
        prefix = os.path.relpath(folder, library)
        return [name for name in names if unwanted_source(os.path.normpath(os.path.join(prefix, name)))]

    shutil.copytree(library, target, ignore=unwanted, symlinks=True)
