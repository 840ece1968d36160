"""The farm's programs: BuildGrid from PyPI, buildbox, bubblewrap and nginx from Debian."""

import os
import shutil
from pathlib import Path
from typing import Dict, List

from provision import apt, process
from provision.patchelf import PatchelfTool
from provision.report import Failure
from provision.thing import Thing

# buildbox-worker takes actions, buildbox-casd stages their inputs, bubblewrap runs them in a bare file system.
_PACKAGES = ("bubblewrap", "buildbox", "nginx")
_PROGRAMS = "usr/bin", "usr/sbin"
_LIBRARIES = "usr/lib/x86_64-linux-gnu"
# What these packages name and nothing here calls.
_UNWANTED = "ca-certificates debconf dpkg fuse3 iproute2 perl procps sysvinit-utils".split()
_REQUIREMENTS = Path(__file__).with_name("requirements.txt")
# BuildGrid 0.9 runs on no older Python.
_PYTHON = "python3.13"


class Installation(Thing):
    """A folder with everything but PostgreSQL, which the machine must have."""

    name = "farm"
    purpose = "unpacking buildbox and nginx, and installing BuildGrid"
    space = 1_000_000_000
    tools = apt.TOOLS

    def __init__(self, cache, report, debian: apt.Apt, patchelf: PatchelfTool):
        super().__init__(cache, report)
        self._debian = debian
        self._patchelf = patchelf

    def wanted(self) -> Dict[str, str]:
        # The programs contain absolute paths: a cache that was moved is made again.
        return {"packages": " ".join(_PACKAGES), "place": str(self.folder), "requirements": _REQUIREMENTS.read_text()}

    def needs(self) -> List[Thing]:
        return [self._patchelf]

    def make(self, folder: Path) -> Dict[str, str]:
        root = folder / "root"
        debs = self._debian.download_closure(_PACKAGES, {}, _UNWANTED)
        apt.unpack(debs, root)
        patchelf = self._patchelf.tool()
        libraries = self.folder / "root" / _LIBRARIES
        for program in [file for place in _PROGRAMS if (root / place).is_dir() for file in (root / place).iterdir()]:
            if not program.is_symlink() and program.read_bytes()[:4] == b"\x7fELF":
                patchelf.set_interpreter(program, libraries / "ld-linux-x86-64.so.2", str(libraries))
        # In its final place, since scripts of a virtual environment name their Python by its whole path.
        environment = self.folder.with_name(self.name + "-python")
        shutil.rmtree(environment, ignore_errors=True)
        process.run([_python(), "-m", "venv", str(environment)], "making a virtual environment")
        pip = [str(environment / "bin/pip"), "install", "--quiet", "--disable-pip-version-check"]
        process.run([*pip, "--requirement", str(_REQUIREMENTS)], "installing BuildGrid")
        return {"packages": " ".join(sorted(deb.name[: -len(".deb")] for deb in debs))}

    def program(self, name: str) -> str:
        """The path of one of Debian's programs."""
        return str(next(file for place in _PROGRAMS if (file := self.folder / "root" / place / name).exists()))

    def path(self) -> str:
        """PATH for programs that start each other by name."""
        return ":".join([str(self.folder / "root/usr/bin"), "/usr/local/bin", "/usr/bin", "/bin"])

    def buildgrid(self) -> str:
        """The path of BuildGrid's program."""
        return str(self.folder.with_name(self.name + "-python") / "bin/bgd")


def _python() -> str:
    """A Python that BuildGrid runs on."""
    pyenv = sorted(Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv").glob("versions/3.13.*/bin/python"))
    found = shutil.which(_PYTHON)
    # A shim of pyenv is on PATH, but works only where that version is chosen.
    for candidate in [*map(str, pyenv[-1:]), *([found] if found else [])]:
        return candidate
    raise Failure(f"{_PYTHON} is not on PATH, nor in pyenv's folder. BuildGrid needs it. Install it.")
