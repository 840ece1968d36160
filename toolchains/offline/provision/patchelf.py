"""patchelf, from Debian, for the programs whose libraries are in the cache."""

from pathlib import Path
from typing import Dict

from . import apt, pins
from .elf import Patchelf
from .thing import Thing


class PatchelfTool(Thing):
    """The folder with patchelf in it."""

    name = "patchelf"
    purpose = "unpacking patchelf"
    space = 50_000_000
    tools = apt.TOOLS

    def __init__(self, cache, report, debian: apt.Apt):
        super().__init__(cache, report)
        self._debian = debian

    def wanted(self) -> Dict[str, str]:
        return {"packages": pins.fingerprint(pins.load("patchelf"))}

    def make(self, folder: Path) -> Dict[str, str]:
        apt.unpack(self._debian.download(pins.load("patchelf")), folder)
        return {}

    def tool(self) -> Patchelf:
        """The program."""
        return Patchelf(self.folder / "usr/bin/patchelf")
