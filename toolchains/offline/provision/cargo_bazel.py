"""cargo-bazel, which rules_rust's crate_universe runs, and the cargo and rustc that it asks.

crate_universe downloads all three elsewhere. Here cargo-bazel is built from the sources in Debian's package of rules_rust,
with the crates of their Cargo.lock; cargo and rustc are the machine's, as the repository that rules_rust has them in.
"""

import os
import shutil
from pathlib import Path
from typing import Dict, List

from . import cargo, pins, process
from .bazel import Bazel
from .thing import Thing, sha256

# Raised whenever the code below makes another folder from the same sources.
RECIPE = 1

# It runs for a second or two: optimizing it takes longer than it ever saves.
_PROFILE = {"codegen-units": "16", "debug": "0", "opt-level": "0", "strip": "true"}


class CargoBazel(Thing):
    """bin/cargo-bazel, and rust_host_tools/, which stands in for rules_rust's repository of that name."""

    name = "cargo-bazel"
    purpose = "building cargo-bazel"
    space = 600_000_000
    tools = {"cargo": "to build cargo-bazel", "cc": "to build cargo-bazel", "rustc": "to build cargo-bazel"}

    def __init__(self, cache, report, bazel: Bazel):
        super().__init__(cache, report)
        self._bazel = bazel

    def wanted(self) -> Dict[str, str]:
        return {"recipe": str(RECIPE), "rules_rust": pins.load("bazel")["bazel-rules-rust"].version}

    def needs(self) -> List[Thing]:
        return [self._bazel]

    def is_there(self) -> bool:
        # The machine's Rust may have moved since.
        return super().is_there() and all((self.host_tools() / "bin" / name).exists() for name in ("cargo", "rustc"))

    def program(self) -> Path:
        """The program to start."""
        return self.folder / "bin/cargo-bazel"

    def host_tools(self) -> Path:
        """The repository with the machine's cargo and rustc."""
        return self.folder / "rust_host_tools"

    def make(self, folder: Path) -> Dict[str, str]:
        target = self.cache.build / "cargo-bazel"
        target.mkdir(parents=True, exist_ok=True)
        (folder / "bin").mkdir()
        self._build(target).run(self.report)
        program = folder / "bin/cargo-bazel"
        shutil.copy2(target / "release/cargo-bazel", program)
        _write_host_tools(folder / "rust_host_tools")
        version = process.run([str(program), "--version"], "starting cargo-bazel").split()[1]
        return {"sha256": sha256(program), "version": version}

    def _build(self, target: Path) -> cargo.Build:
        sources = self._bazel.share() / "rules/rust/crate_universe"
        arguments = ["--locked", "--release", "--package=cargo-bazel", "--bin=cargo-bazel"]
        for name, value in _PROFILE.items():
            arguments.append(f"--config=profile.release.{name}={value}")
        environ = cargo.environ()
        environ["CARGO_TARGET_DIR"] = str(target)
        return cargo.Build("cargo-bazel", arguments, sources, environ, target / "log")


def machine_rust() -> Dict[str, Path]:
    """The machine's cargo and rustc themselves, not rustup's stand-ins, which ask HOME which ones they are."""
    rustc = process.tool("rustc", "to build cargo-bazel")
    sysroot = Path(process.run([rustc, "--print=sysroot"], "asking rustc for its folder").strip())
    found = {}
    for name in ("cargo", "rustc"):
        inside = sysroot / "bin" / name
        found[name] = inside if inside.exists() else Path(os.path.realpath(process.tool(name, "by crate_universe")))
    return found


def _write_host_tools(folder: Path) -> None:
    (folder / "bin").mkdir(parents=True)
    (folder / "BUILD.bazel").write_text('exports_files(["bin/cargo", "bin/rustc"])\n')
    (folder / "REPO.bazel").touch()
    for name, program in machine_rust().items():
        (folder / "bin" / name).symlink_to(program)
