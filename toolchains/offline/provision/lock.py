"""One provisioning at a time."""

import fcntl
import os
import time
from pathlib import Path

from .report import Report


class Lock:
    """An exclusive lock on a file, which says who holds it.

    The kernel drops the lock when its holder dies, however it dies. Children that were started with `file` among their
    open files hold it too: a compiler that outlives a killed provisioning must be gone before the next one writes to the
    same folders.
    """

    def __init__(self, path: Path, report: Report):
        self._path = path
        self._report = report
        self.file = -1

    def __enter__(self) -> "Lock":
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self.file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._wait()
        os.ftruncate(self.file, 0)
        os.pwrite(self.file, f"process {os.getpid()}, started {time.strftime('%H:%M:%S')}".encode(), 0)
        return self

    def __exit__(self, *_) -> None:
        os.close(self.file)
        self.file = -1

    def _wait(self) -> None:
        holder = os.pread(self.file, 200, 0).decode("utf-8", "replace") or "another process"
        self._report.say(
            f"waiting for {holder}, which is provisioning {self._path.parent} (or for what it left running)"
        )
        fcntl.flock(self.file, fcntl.LOCK_EX)
