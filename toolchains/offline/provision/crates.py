"""Crates that Bazel downloads while it builds, where it looks for downloads first: a distdir.

rules_rust builds its process_wrapper from source and needs the crate tinyjson for it.
"""

import os
import shutil
from pathlib import Path
from typing import Dict

from . import pins, process
from .report import Failure
from .thing import Thing, sha256


class Crates(Thing):
    """The distdir: .crate files under the names that their addresses end with."""

    name = "distdir"
    purpose = "downloading crates"
    space = 10_000_000
    tools = {"cargo": "to download crates"}

    def wanted(self) -> Dict[str, str]:
        return {"packages": pins.fingerprint(pins.load("crates"))}

    def make(self, folder: Path) -> Dict[str, str]:
        wanted = pins.load("crates")
        package = self.cache.build / "crates"
        (package / "src").mkdir(parents=True, exist_ok=True)
        (package / "src/lib.rs").touch()
        (package / "Cargo.toml").write_text(
            '[package]\nname = "downloads"\nversion = "0.0.0"\nedition = "2021"\n[workspace]\n[dependencies]\n'
            + "".join(f'{name} = "={pin.version}"\n' for name, pin in wanted.items())
        )
        # Into cargo's usual home: that is where a machine's mirror is configured.
        process.run(
            [process.tool("cargo", "to download crates"), "fetch", "--quiet"], "downloading crates", cwd=package
        )
        home = Path(os.environ.get("CARGO_HOME") or Path.home() / ".cargo")
        for name, pin in wanted.items():
            file = f"{name}-{pin.version}.crate"
            found = [path for path in home.glob(f"registry/cache/*/{file}") if sha256(path) == pin.sha256]
            if not found:
                raise Failure(f"{file} with SHA-256 {pin.sha256} is not among cargo's downloads in {home}")
            shutil.copyfile(found[0], folder / file)
        return {}
