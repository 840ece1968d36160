"""Folders in the shape of an LLVM release, made of bookworm's packages: the LLVM of rustc with clang, and another one.

Every program and library finds its libraries through RUNPATH, so a folder works wherever it is copied and needs no
LD_LIBRARY_PATH. The C library, the C++ library and gcc's are the machine's.
"""

import os
import re
import shutil
from pathlib import Path
from typing import Dict, List, NamedTuple, Tuple

from . import apt, elf, pins, process
from .elf import Patchelf
from .llvm import Llvm
from .patchelf import PatchelfTool
from .report import Failure
from .thing import Replacement, Thing

# Raised whenever the code below makes other folders from the same packages.
RECIPE = 1

# Seen from bin/.
_TO_LIB = "$ORIGIN/../lib"


class Content(NamedTuple):
    """What of Debian's packages goes into a folder, besides the libraries that it needs."""

    prefix: str  # where Debian has this LLVM
    programs: Tuple[str, ...]  # of its bin/; those that are links there are the same links here
    libraries: Tuple[str, ...]
    folders: Tuple[str, ...] = ()  # relative to `prefix`


class LlvmRelease(Thing):
    """LLVM of the version that rustc is built with: clang, lld, the tools and the offload runtime."""

    name = "llvm"
    purpose = "laying out LLVM 22 and clang"
    space = 600_000_000
    tools = {**apt.TOOLS, "cc": "to build a stub of libcurl"}
    group = "clang"  # of pins.json: the packages that `Llvm` lacks
    content = Content(
        prefix="usr/lib/llvm-22",
        programs=(
            "clang",
            "clang++",
            "clang-linker-wrapper",
            "ld.lld",
            "llc",
            "lld",
            "llvm-ar",
            "llvm-as",
            "llvm-cov",
            "llvm-dis",
            "llvm-dwp",
            "llvm-nm",
            "llvm-objcopy",
            "llvm-objdump",
            "llvm-offload-binary",
            "llvm-offload-wrapper",
            "llvm-profdata",
            "llvm-ranlib",
            "llvm-readelf",
            "llvm-readobj",
            "llvm-strip",
            "opt",
        ),
        libraries=("libomp.so.5", "libomptarget.so.22.1"),
        # clang's own headers. Its runtime libraries are left out: 50 MB for sanitizers and profiles.
        folders=("lib/clang/22/include",),
    )

    def __init__(self, cache, report, debian: apt.Apt, llvm: Llvm, patchelf: PatchelfTool):
        super().__init__(cache, report)
        self._debian = debian
        self._llvm = llvm
        self._patchelf = patchelf

    def wanted(self) -> Dict[str, str]:
        packages = {**pins.load("llvm"), **pins.load(self.group)}
        return {"packages": pins.fingerprint(packages), "recipe": str(RECIPE)}

    def needs(self) -> List[Thing]:
        return [self._llvm, self._patchelf]

    def make(self, folder: Path) -> Dict[str, str]:
        packages = self.cache.build / f"{self.name}-packages"
        with Replacement(packages) as new:
            apt.unpack(self._debian.download(pins.load(self.group)), new)
        lay_out(self.content, [packages, self._llvm.folder], folder, self._patchelf.tool())
        return {"version": check_programs(folder)}


class OtherLlvm(LlvmRelease):
    """An LLVM of another version than rustc's, to test that it is told from it."""

    name = "other-llvm"
    purpose = "laying out LLVM 19"
    space = 400_000_000
    tools = apt.TOOLS
    group = "other-llvm"
    content = Content(
        prefix="usr/lib/llvm-19",
        programs=("ld.lld", "lld"),
        # In the package of libomp.so.5, which `Llvm` has: the one that libomptarget of LLVM 22 runs with, too.
        libraries=("libomptarget.so.19.1",),
    )


def lay_out(content: Content, roots: List[Path], out: Path, patchelf: Patchelf) -> None:
    """Copies programs and libraries, and all libraries that they need, from `roots` into `out`."""
    prefixes = [root / content.prefix for root in roots]
    folders = [prefix / "lib" for prefix in prefixes]
    folders += [folder for root in roots for folder in apt.library_folders(root)]
    users = [elf.find(name, folders).resolve() for name in content.libraries]
    libraries = dict(zip(content.libraries, users))

    programs = out / "bin"
    programs.mkdir(parents=True)
    for name in content.programs:
        source = elf.find(name, [prefix / "bin" for prefix in prefixes])
        if source.is_symlink():
            (programs / name).symlink_to(os.readlink(source))
            continue
        users.append(source)
        elf.copy(source, programs / name)
        runpath = _TO_LIB
        if elf.CURL in patchelf.needed(source):
            if not (programs / elf.CURL).exists():
                elf.make_curl_stub(programs)
            # Not in lib/: what is started with that folder on its search path may need the real one.
            runpath += ":$ORIGIN"
        patchelf.set_runpath(programs / name, runpath)

    libraries.update(patchelf.closure(users, [*folders, programs]))
    libraries.pop(elf.CURL, None)
    for name, file in libraries.items():
        elf.copy(file, out / "lib" / name)
        patchelf.set_runpath(out / "lib" / name, "$ORIGIN")
    for name in content.folders:
        shutil.copytree(elf.find(name, prefixes), out / name)


def check_programs(folder: Path) -> str:
    """Starts every program of a folder without an environment. Returns the version of LLVM that the linker prints."""
    said = {}
    for program in sorted((folder / "bin").iterdir()):
        # The bare name lld is no linker: it fails and says which names are.
        if program.name not in ("lld", elf.CURL):
            said[program.name] = process.run([str(program), "--version"], f"starting {program.name}", env={})
    version = re.search(r"LLD (\S+)", said["ld.lld"])
    if not version:
        raise Failure(f"{folder}/bin/ld.lld prints no version: {said['ld.lld'].strip()}")
    return version.group(1)
