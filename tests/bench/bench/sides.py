"""Who builds: plain rustc commands, cargo, Bazel. All with the same rustc, the same flags, the same linker."""

import os
import re
import shutil
import subprocess
import time
from pathlib import Path
from typing import Dict, List, NamedTuple, Optional

from .program import Program

_HERE = Path(__file__).resolve().parents[1]


class Failure(Exception):
    """The benchmark cannot go on."""


def call(command: List[str], cwd: Path, env: Optional[Dict[str, str]] = None) -> subprocess.CompletedProcess:
    """Runs a command to its end; the output is only shown if it fails."""
    result = subprocess.run(
        command, cwd=str(cwd), env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True
    )
    if result.returncode:
        raise Failure(f"`{' '.join(command)}` ended with status {result.returncode}:\n{result.stdout}{result.stderr}")
    return result


def timed(command: List[str], cwd: Path, env: Optional[Dict[str, str]] = None) -> float:
    """Seconds that a command takes."""
    start = time.monotonic()
    call(command, cwd, env)
    return time.monotonic() - start


class Compiler(NamedTuple):
    """What Bazel found, and all use."""

    sysroot: Path
    ptxas: Optional[Path]


class Script:
    """by_hand.sh or cargo.sh, with a folder of its own for what is built."""

    def __init__(self, name: str, script: str, root: Path, scratch: Path, compiler: Compiler, mode: str):
        self.name = name
        self._script = _HERE / script
        self._root = root
        self._scratch = scratch / name.replace(" ", "_")
        shutil.rmtree(str(self._scratch), ignore_errors=True)
        self._env = {
            **os.environ,
            "MODE": mode,
            "PTXAS_DIR": str(compiler.ptxas.parent) if compiler.ptxas else "",
            "SYSROOT": str(compiler.sysroot),
        }

    def core(self, arch: str) -> float:
        """Builds core for an arch. By rustc here too: cargo would need the sources of all crates of std."""
        return timed([str(_HERE / "by_hand.sh"), "core"], self._root, self._environment(arch))

    def build(self, program: Program, arch: str) -> float:
        # Started in the workspace with relative paths, as Bazel starts it, for the paths become part of the outputs.
        uses = [f"{name}:{','.join(uses)}" if uses else name for name, uses in program.libraries.items()]
        out = str(self.folder(program, arch))
        env = {**self._environment(arch), "PROGRAM": program.name, "OUT": out, "LIBRARIES": " ".join(uses)}
        return timed([str(self._script), "build"], self._root, env)

    def first_build(self, program: Program, arch: str) -> float:
        """Builds for an arch for the first time."""
        return self.core(arch) + self.build(program, arch)

    def folder(self, program: Program, arch: str) -> Path:
        """Where the outputs are."""
        return self._scratch / arch / program.name

    def _environment(self, arch: str) -> Dict[str, str]:
        return {**self._env, "ARCH": arch, "DEVICE_STD": str(self._scratch / arch / "device_std")}


class Bazel:
    """Bazel in the workspace, with an output base of its own."""

    name = "bazel"

    def __init__(self, program: str, root: Path, scratch: Path, mode: str, flags: List[str]):
        self._command = [program, f"--output_base={scratch / 'output_base'}"]
        self._root = root
        # Nothing may come from a cache but what Bazel itself still has in its output base.
        self._flags = [f"--compilation_mode={mode}", "--disk_cache=", "--remote_cache=", "--color=no", *flags]
        self.log = ""

    def run(self, command: str, *arguments: str) -> str:
        """What a command prints."""
        return call([*self._command, command, *arguments], self._root).stdout.strip()

    def build(self, program: Program, *archs: str, flags: Optional[List[str]] = None) -> float:
        configs = [f"--config={arch}" for arch in archs]
        command = [*self._command, "build", *self._flags, *(flags or []), *configs, f"//{program.name}:app"]
        start = time.monotonic()
        self.log = call(command, self._root).stderr
        return time.monotonic() - start

    def first_build(self, program: Program, arch: str) -> float:
        """Builds for an arch for the first time."""
        return self.build(program, arch)

    def processes(self) -> int:
        """How many processes the last build has started, none of them answered by a cache."""
        match = re.search(r"^INFO: \d+ process(?:es)?: (.*)\.$", self.log, re.M)
        if not match:
            raise Failure(f"Bazel does not say how many processes it ran:\n{self.log}")
        counts = {name: int(count) for count, name in re.findall(r"(\d+) ([^,]+)", match.group(1))}
        return sum(count for name, count in counts.items() if name != "internal" and "cache hit" not in name)

    def critical_path(self) -> float:
        """Seconds, of the last build."""
        match = re.search(r"Critical Path: ([0-9.]+)s", self.log)
        if not match:
            raise Failure(f"Bazel does not say how long its critical path was:\n{self.log}")
        return float(match.group(1))

    def compiler(self, arch: str) -> Compiler:
        """What the rules use."""
        ptxas = self._file("@rust_offload_cuda//:bin/ptxas") if arch.startswith("sm_") else None
        return Compiler(self._file("@rust_offload//:rustc").parents[1], ptxas)

    def folder(self, program: Program, arch: str) -> Path:
        """Where what is made for an arch is."""
        return self._root / "bazel-bin" / program.name / "app.offload" / arch

    def _file(self, label: str) -> Path:
        files = self.run("cquery", *self._flags, "--output=files", label).splitlines()
        return Path(self.run("info", "execution_root")) / files[0]
