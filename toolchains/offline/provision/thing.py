"""What every provisioned thing has in common: what is needed, is it there, make it.

A thing is a folder in the cache with a stamp in it. It is made beside its place and renamed into it, so the folder is
there complete or not at all, whenever the machine stops.
"""

import hashlib
import json
import os
import shutil
import time
from pathlib import Path
from typing import Dict, List, Optional

from . import process
from .cache import Cache
from .report import Report, duration, size

STAMP = "stamp.json"


class Thing:
    """One provisioned thing. Subclasses set the attributes below and define `wanted` and `make`."""

    name = ""  # its folder in the cache
    purpose = ""  # for messages
    space = 0  # bytes of disk that making it needs
    tools: Dict[str, str] = {}  # programs of the machine that making it needs -> what for

    def __init__(self, cache: Cache, report: Report):
        self.cache = cache
        self.report = report
        self.folder = cache.root / self.name

    def wanted(self) -> Dict[str, str]:
        """Everything that decides what the folder contains. Another answer than the stamp's: it is made again."""
        raise NotImplementedError

    def needs(self) -> List["Thing"]:
        """The things that `make` uses."""
        return []

    def check_machine(self) -> None:
        """Fails where the machine lacks something that making this and what it needs takes, before anything is done."""
        if self.is_there():
            return
        for name, purpose in self.tools.items():
            process.tool(name, purpose)
        self.cache.check_space(self.space, self.purpose)
        for thing in self.needs():
            thing.check_machine()

    def make(self, folder: Path) -> Dict[str, str]:
        """Fills the empty `folder`. Returns what is worth recording, such as versions found."""
        raise NotImplementedError

    def stamp(self) -> Optional[dict]:
        """What is recorded of the folder in the cache; None where there is none."""
        try:
            return json.loads((self.folder / STAMP).read_text())
        except (OSError, ValueError):
            return None

    def is_there(self) -> bool:
        """Whether the cache has what is wanted."""
        stamp = self.stamp()
        return stamp is not None and stamp.get("wanted") == self.wanted()

    def provide(self) -> None:
        """Makes the thing, and what it needs, unless it is there."""
        if self.is_there():
            return
        for thing in self.needs():
            thing.provide()
        self.report.say(f"{self.name}: {self.purpose}")
        started = time.monotonic()
        with Replacement(self.folder) as folder:
            found = self.make(folder)
            took = time.monotonic() - started
            total = tree_size(folder)
            stamp = {"wanted": self.wanted(), "found": found, "size": total, "seconds": round(took, 1)}
            (folder / STAMP).write_text(json.dumps(stamp, indent=1, sort_keys=True) + "\n")
        self.report.say(f"{self.name}: done, {size(total)}, {duration(took)}")


class Replacement:
    """A folder that is made beside its place and put there when the block ends without an exception."""

    def __init__(self, place: Path):
        self._place = place
        self._new = place.with_name(place.name + ".new")
        self._old = place.with_name(place.name + ".old")

    def __enter__(self) -> Path:
        shutil.rmtree(self._new, ignore_errors=True)
        self._new.mkdir(parents=True)
        return self._new

    def __exit__(self, kind, *_) -> None:
        if kind:
            shutil.rmtree(self._new, ignore_errors=True)
            return
        shutil.rmtree(self._old, ignore_errors=True)
        # Between these two renames the place is empty, never half full.
        if self._place.exists():
            os.rename(self._place, self._old)
        os.rename(self._new, self._place)
        shutil.rmtree(self._old, ignore_errors=True)


def digest(*contents: bytes) -> str:
    """A short name for contents."""
    total = hashlib.sha256()
    for content in contents:
        total.update(hashlib.sha256(content).digest())
    return total.hexdigest()[:16]


def sha256(path: Path) -> str:
    """The SHA-256 of a file."""
    total = hashlib.sha256()
    with open(path, "rb") as content:
        for block in iter(lambda: content.read(1 << 20), b""):
            total.update(block)
    return total.hexdigest()


def tree_size(folder: Path) -> int:
    """The bytes of the files under `folder`."""
    return sum(os.lstat(os.path.join(parent, name)).st_size for parent, _, names in os.walk(folder) for name in names)
