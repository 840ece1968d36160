"""The crates that the Cargo.lock files of the checkout name, for a Bazel and a cargo that download nothing.

Bazel finds a download by its SHA-256 in its repository cache: the addresses that crate_universe writes end in `/download`,
which is no name for a distdir. cargo, which crate_universe asks what depends on what, finds the crates unpacked.
"""

import json
import os
import re
import shutil
import tarfile
from pathlib import Path
from typing import Dict, Iterator, List, NamedTuple

from . import process
from .report import Failure
from .thing import Thing, digest, sha256

# Raised whenever the code below makes another folder from the same crates.
RECIPE = 1

_REGISTRY = "registry+https://github.com/rust-lang/crates.io-index"


class Crate(NamedTuple):
    """A package of a Cargo.lock that comes from the registry."""

    name: str
    version: str
    sha256: str

    def title(self) -> str:
        """The name of its file and its folder."""
        return f"{self.name}-{self.version}"


class LockedCrates(Thing):
    """repository-cache/ for Bazel, sources/ for cargo, and config.toml, which tells cargo so."""

    name = "crates"
    purpose = "downloading the crates of Cargo.lock files"
    space = 100_000_000
    tools = {"cargo": "to download crates"}

    def __init__(self, cache, report, checkout: Path):
        super().__init__(cache, report)
        self._checkout = checkout

    def wanted(self) -> Dict[str, str]:
        # cargo's configuration contains a path of the cache.
        return {"crates": digest(repr(self._crates()).encode()), "place": str(self.folder), "recipe": str(RECIPE)}

    def repository_cache(self) -> Path:
        """What Bazel's --repository_cache is to be."""
        return self.folder / "repository-cache"

    def make(self, folder: Path) -> Dict[str, str]:
        for lock in lock_files(self._checkout):
            # Into cargo's usual home: that is where a machine's mirror is configured.
            process.run(
                [process.tool("cargo", "to download crates"), "fetch", "--locked", "--quiet"],
                f"downloading the crates of {lock}",
                cwd=lock.parent,
            )
        home = Path(os.environ.get("CARGO_HOME") or Path.home() / ".cargo")
        crates = self._crates()
        for crate in crates:
            file = downloaded(crate, home)
            place = folder / "repository-cache/content_addressable/sha256" / crate.sha256
            place.mkdir(parents=True)
            shutil.copyfile(file, place / "file")
            unpack(file, crate, folder / "sources")
        (folder / "config.toml").write_text(
            '[source.crates-io]\nreplace-with = "provisioned"\n\n'
            f'[source.provisioned]\ndirectory = "{self.folder}/sources"\n\n'
            "[net]\noffline = true\n"
        )
        return {"version": " ".join(crate.title() for crate in crates)}

    def _crates(self) -> List[Crate]:
        found = {crate for lock in lock_files(self._checkout) for crate in crates_of(lock.read_text())}
        return sorted(found)


def lock_files(checkout: Path) -> Iterator[Path]:
    """The Cargo.lock files of a checkout."""
    for part in ("examples", "offload", "tests"):
        for parent, folders, files in os.walk(checkout / part):
            folders[:] = sorted(name for name in folders if not name.startswith((".", "bazel-")) and name != "target")
            if "Cargo.lock" in files:
                yield Path(parent) / "Cargo.lock"


def crates_of(lock: str) -> Iterator[Crate]:
    """The packages of a Cargo.lock that come from the registry."""
    for block in lock.split("[[package]]")[1:]:
        fields = dict(re.findall(r'(?m)^(\w+) = "([^"]*)"$', block))
        if fields.get("source") == _REGISTRY:
            yield Crate(fields["name"], fields["version"], fields["checksum"])


def downloaded(crate: Crate, home: Path) -> Path:
    """The .crate file among cargo's downloads."""
    for path in home.glob(f"registry/cache/*/{crate.title()}.crate"):
        if sha256(path) == crate.sha256:
            return path
    raise Failure(f"{crate.title()}.crate with SHA-256 {crate.sha256} is not among cargo's downloads in {home}")


def unpack(file: Path, crate: Crate, sources: Path) -> None:
    """Unpacks a .crate file the way cargo wants a directory source to be."""
    sources.mkdir(exist_ok=True)
    with tarfile.open(file) as archive:
        for member in archive.getmembers():
            inside = os.path.normpath(member.name).split(os.sep)[0] == crate.title()
            if not inside or not (member.isfile() or member.isdir()):
                raise Failure(f"{file} has the entry {member.name}, which is no file below {crate.title()}")
        archive.extractall(sources)
    (sources / crate.title() / ".cargo-checksum.json").write_text(json.dumps({"files": {}, "package": crate.sha256}))
