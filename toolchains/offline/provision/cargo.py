"""Builds with cargo that show how far they are."""

import json
import os
import re
import time
from pathlib import Path
from typing import Dict, List, Tuple

from . import process
from .report import Failure, Report, duration

_UNITS = ("compiler-artifact", "build-script-executed")
_MINIMUM = (1, 90)


def program() -> str:
    """The machine's cargo. Fails where it is too old for the sources of rustc."""
    cargo = process.tool("cargo", "to build rustc")
    version = process.run([cargo, "--version"], "starting cargo").split()[1]
    if version_of(version) < _MINIMUM:
        raise Failure(f"cargo {version} is too old to build rustc: {'.'.join(map(str, _MINIMUM))} or later is needed.")
    return cargo


def version_of(text: str) -> Tuple[int, int]:
    """1.95.0-nightly -> (1, 95)."""
    match = re.match(r"(\d+)\.(\d+)", text)
    return (int(match.group(1)), int(match.group(2))) if match else (0, 0)


def environ() -> Dict[str, str]:
    """The environment, without what would change a build."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("RUSTFLAGS", "CARGO_BUILD_"))}


class Build:
    """One `cargo build`. An interrupted one goes on where it was: cargo's target folder is kept."""

    def __init__(self, label: str, arguments: List[str], folder: Path, environ: Dict[str, str], log: Path):
        self._label = label
        self._arguments = arguments
        self._folder = folder
        self._environ = environ
        self._log = log

    def run(self, report: Report, prefix: Tuple[str, ...] = ()) -> None:
        """Builds; `prefix` is put before cargo, e.g. nice."""
        cargo = program()
        total = self._count(cargo)
        started = time.monotonic()
        done = 0
        with open(self._log, "wb") as log:
            command = [*prefix, cargo, "build", *self._arguments, "--message-format=json-render-diagnostics"]
            child = process.start(command, cwd=self._folder, env=self._environ, stdout=process.PIPE, stderr=log)
            for line in child.stdout:
                if line.startswith(b"{") and json.loads(line).get("reason") in _UNITS:
                    done += 1
                    report.progress(f"{self._label}: {done}/{total} crates, {duration(time.monotonic() - started)}")
            status = child.wait()
        if status:
            raise Failure(f"the build of {self._label} failed: {self._first_error()} (all of it: {self._log})")
        report.say(f"{self._label}: built, {done} crates, {duration(time.monotonic() - started)}")

    def _count(self, cargo: str) -> int:
        """How many crates and build scripts there are to build or run."""
        graph = process.run(
            [cargo, "build", *self._arguments, "--unit-graph", "-Zunstable-options"],
            f"planning the build of {self._label}",
            cwd=self._folder,
            # Only this: crates that see it while they are built take the compiler for a nightly.
            env={**self._environ, "RUSTC_BOOTSTRAP": "1"},
        )
        return len(json.loads(graph)["units"])

    def _first_error(self) -> str:
        lines = self._log.read_text(errors="replace").splitlines()
        return next((line for line in lines if line.startswith("error")), lines[-1] if lines else "no message")
