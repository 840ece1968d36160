"""What starts the provisioned Bazel with everything provisioned for it.

Bazel's own launcher knows the rule sets; what crates take is added here, so that a change of it does not unpack Bazel again.
"""

from pathlib import Path
from typing import Dict, List

from .bazel import Bazel
from .cargo_bazel import CargoBazel
from .locked_crates import LockedCrates
from .thing import Thing

# Raised whenever the code below makes another folder.
RECIPE = 3


class Launcher(Thing):
    """bin/bazel, which works by itself in any workspace."""

    name = "launcher"
    purpose = "writing the launcher"
    space = 1_000_000

    def __init__(self, cache, report, bazel: Bazel, crates: LockedCrates, cargo_bazel: CargoBazel):
        super().__init__(cache, report)
        self._bazel = bazel
        self._crates = crates
        self._cargo_bazel = cargo_bazel

    def wanted(self) -> Dict[str, str]:
        return {"place": str(self.folder), "recipe": str(RECIPE)}

    def needs(self) -> List[Thing]:
        return [self._bazel, self._crates, self._cargo_bazel]

    def program(self) -> Path:
        """The program to start."""
        return self.folder / "bin/bazel"

    def make(self, folder: Path) -> Dict[str, str]:
        (folder / "bazelrc").write_text(
            f"import {self._crates.bazelrc()}\n"
            f"common --override_repository=rules_rust~~rust_host_tools~rust_host_tools={self._cargo_bazel.host_tools()}\n"
        )
        program = folder / "bin/bazel"
        program.parent.mkdir()
        program.write_text(f'#!/bin/sh\nexec "{self._bazel.launcher()}" --bazelrc="{self.folder}/bazelrc" "$@"\n')
        program.chmod(0o755)
        return {}
