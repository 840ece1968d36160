"""Running other programs."""

import ctypes
import os
import shutil
import signal
import subprocess
from pathlib import Path
from typing import Dict, List, Optional, Sequence

from .report import Failure

PIPE = subprocess.PIPE

_PR_SET_PDEATHSIG = 1
_inherited: List[int] = []


def inherit(file: int) -> None:
    """Leaves `file` open in every program that is started from now on."""
    _inherited.append(file)


def tool(name: str, purpose: str) -> str:
    """The path of a program of the machine."""
    found = shutil.which(name)
    if not found:
        raise Failure(f"{name} is not on PATH. It is needed {purpose}.")
    return found


def start(args: Sequence[str], **options) -> subprocess.Popen:
    """Starts a program that does not outlive this process."""
    return subprocess.Popen(
        [str(a) for a in args],
        stdin=subprocess.DEVNULL,
        pass_fds=[f for f in _inherited if f >= 0],
        preexec_fn=_die_with_parent,
        **options,
    )


def run(args: Sequence[str], what: str, cwd: Optional[Path] = None, env: Optional[Dict[str, str]] = None) -> str:
    """Runs a program and returns its standard output. `what` says in a failure what was being done."""
    child = start(args, cwd=cwd, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    out, err = child.communicate()
    if child.returncode:
        lines = (err or out).decode("utf-8", "replace").strip().splitlines() or ["no message"]
        raise Failure(f"{what} failed ({os.path.basename(str(args[0]))}, status {child.returncode}): {_telling(lines)}")
    return out.decode("utf-8", "replace")


def _telling(lines: List[str]) -> str:
    """The line that says what went wrong: the first error, else the last line."""
    errors = [line for line in lines if line.startswith(("E:", "error", "ERROR", "npm ERR", "npm error"))]
    return (errors or lines[-1:])[0].strip()


def _die_with_parent() -> None:
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
