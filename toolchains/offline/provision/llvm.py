"""LLVM of the version that rustc is built with, and the offload runtime: bookworm's own packages, unpacked.

Only provisioning uses this folder. What a build of the rules needs of it goes into the dist server and the folders that
llvm_release.py makes.
"""

from pathlib import Path
from typing import Dict

from . import apt, pins
from .thing import Thing


class Llvm(Thing):
    """The folder that the packages are unpacked into: usr/lib/llvm-22 and its libraries."""

    name = "build/llvm"
    purpose = "unpacking LLVM 22 and the offload runtime"
    space = 1_000_000_000
    tools = apt.TOOLS

    def __init__(self, cache, report, debian: apt.Apt):
        super().__init__(cache, report)
        self._debian = debian

    def wanted(self) -> Dict[str, str]:
        return {"packages": pins.fingerprint(pins.load("llvm"))}

    def make(self, folder: Path) -> Dict[str, str]:
        apt.unpack(self._debian.download(pins.load("llvm")), folder)
        return {}
