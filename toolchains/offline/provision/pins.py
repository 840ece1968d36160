"""The versions that are provisioned, with the SHA-256 of every file: pins.json."""

import json
from pathlib import Path
from typing import Dict, NamedTuple

from .report import Failure
from .thing import sha256

FILE = Path(__file__).with_name("pins.json")


class Pin(NamedTuple):
    """One file of a registry."""

    version: str
    sha256: str


def load(group: str) -> Dict[str, Pin]:
    """The pins of a group of pins.json, by package name."""
    return {name: Pin(**pin) for name, pin in json.loads(FILE.read_text())[group].items()}


def verify(path: Path, name: str, pin: Pin) -> None:
    """Fails unless `path` is the pinned file."""
    found = sha256(path)
    if found != pin.sha256:
        path.unlink()
        raise Failure(
            f"{name} {pin.version}: SHA-256 {pin.sha256} is wanted, the registry's file has {found} (see {FILE})"
        )


def fingerprint(pins: Dict[str, Pin]) -> str:
    """What a stamp records of pins."""
    return " ".join(f"{name}={pin.version}" for name, pin in sorted(pins.items()))
