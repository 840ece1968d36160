"""A CARGO_HOME with certain crates in it, in which cargo and cargo-bazel resolve without network."""

import json
import os
import struct
import tarfile
from pathlib import Path
from typing import List, NamedTuple

from .report import Failure

# cargo-bazel reads the addresses of crates from the index as cargo had it on disk before 1.85, by this name.
_INDEX = "registry/index/index.crates.io-6f17d22bba15001f"
# The head of a file of that index: the versions of the cache and of the index, and what the server called its state.
_INDEX_HEAD = struct.pack("<BI", 3, 2) + b"provisioned\0"
# What is written into generated files, whichever mirror the crates came from.
_DOWNLOADS = "https://static.crates.io/crates"


class Crate(NamedTuple):
    """A crate of the registry."""

    name: str
    version: str
    sha256: str

    def title(self) -> str:
        """The name of its file and its folder."""
        return f"{self.name}-{self.version}"


def write(folder: Path, place: Path, crates: List[Crate], files: List[Path]) -> None:
    """Fills `folder`, which will be at `place`, with the crates of these .crate files."""
    for crate, file in zip(crates, files):
        unpack(file, crate, folder / "sources")
    _write_index(folder / _INDEX, crates)
    (folder / "config.toml").write_text(
        '[source.crates-io]\nreplace-with = "provisioned"\n\n'
        f'[source.provisioned]\ndirectory = "{place}/sources"\n\n'
        "[net]\noffline = true\n"
    )


def unpack(file: Path, crate: Crate, sources: Path) -> None:
    """Unpacks a .crate file the way cargo wants a directory source to be."""
    sources.mkdir(parents=True, exist_ok=True)
    with tarfile.open(file) as archive:
        for member in archive.getmembers():
            inside = os.path.normpath(member.name).split(os.sep)[0] == crate.title()
            if not inside or not (member.isfile() or member.isdir()):
                raise Failure(f"{file} has the entry {member.name}, which is no file below {crate.title()}")
        archive.extractall(sources)
    (sources / crate.title() / ".cargo-checksum.json").write_text(json.dumps({"files": {}, "package": crate.sha256}))


def index_path(name: str) -> Path:
    """Where an index has a crate."""
    name = name.lower()
    if len(name) < 3:
        return Path(str(len(name)), name)
    if len(name) == 3:
        return Path("3", name[0], name)
    return Path(name[:2], name[2:4], name)


def _write_index(folder: Path, crates: List[Crate]) -> None:
    for crate in crates:
        file = folder / ".cache" / index_path(crate.name)
        file.parent.mkdir(parents=True, exist_ok=True)
        head = b"" if file.exists() else _INDEX_HEAD
        entry = {"name": crate.name, "vers": crate.version, "cksum": crate.sha256}
        # cargo-bazel asks cargo about these.
        entry.update(deps=[], features={}, yanked=False)
        with open(file, "ab") as out:
            out.write(head + f"{crate.version}\0{json.dumps(entry)}\0".encode())
    (folder / "config.json").write_text(json.dumps({"dl": _DOWNLOADS}))
