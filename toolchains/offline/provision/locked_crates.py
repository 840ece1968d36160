"""The crates that the Cargo.lock files of the checkout name, for a Bazel and a cargo that download nothing.

Bazel looks into a distdir by the last part of an address, and then at the SHA-256. The addresses that crate_universe writes
end in `/download`, so that every crate has a distdir of its own. cargo, which crate_universe asks what depends on what, has
a home with all of them.
"""

import os
import re
import shutil
from pathlib import Path
from typing import Dict, Iterator, List

from . import cargo_home, process
from .cargo_home import Crate
from .report import Failure
from .thing import Thing, digest, sha256

# Raised whenever the code below makes another folder from the same crates.
RECIPE = 3

# Bazel appends the type of the archive.
_DOWNLOAD = "download.tar.gz"

_REGISTRY = "registry+https://github.com/rust-lang/crates.io-index"


class LockedCrates(Thing):
    """bazelrc with its distdirs/ for Bazel, cargo-home/ for cargo."""

    name = "crates"
    purpose = "downloading the crates of Cargo.lock files"
    space = 100_000_000
    tools = {"cargo": "to download crates"}

    def __init__(self, cache, report, checkout: Path):
        super().__init__(cache, report)
        self._checkout = checkout

    def wanted(self) -> Dict[str, str]:
        # The configurations of cargo and Bazel contain a path of the cache.
        return {"crates": digest(repr(self._crates()).encode()), "place": str(self.folder), "recipe": str(RECIPE)}

    def bazelrc(self) -> Path:
        """What Bazel's configuration is to import."""
        return self.folder / "bazelrc"

    def cargo_home(self) -> Path:
        """What CARGO_HOME is to be. cargo writes into it too."""
        return self.folder / "cargo-home"

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
        files = [downloaded(crate, home) for crate in crates]
        for crate, file in zip(crates, files):
            distdir = folder / "distdirs" / crate.title()
            distdir.mkdir(parents=True)
            shutil.copyfile(file, distdir / _DOWNLOAD)
        (folder / "bazelrc").write_text(
            "".join(f"common --distdir={self.folder}/distdirs/{crate.title()}\n" for crate in crates)
        )
        cargo_home.write(folder / "cargo-home", self.cargo_home(), crates, files)
        return {"version": " ".join(crate.title() for crate in crates)}

    def _crates(self) -> List[Crate]:
        found = {crate for lock in lock_files(self._checkout) for crate in crates_of(lock.read_text())}
        return sorted(found)


def lock_files(checkout: Path) -> Iterator[Path]:
    """The Cargo.lock files of a checkout, but those of fuzzers: Bazel does not build them."""
    for part in ("examples", "offload", "tests"):
        for parent, folders, files in os.walk(checkout / part):
            folders[:] = sorted(name for name in folders if not name.startswith((".", "bazel-")) and name not in ("fuzz", "target"))
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

