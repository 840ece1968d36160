"""The cache folder: where it is, what is in it, and whether it can be used."""

import os
import shutil
from pathlib import Path
from typing import Mapping

from .report import Failure, size


class Cache:
    """Names of the parts of the cache folder. See README.md for the layout."""

    def __init__(self, root: Path):
        self.root = root
        self.lock = root / "lock"
        self.downloads = root / "downloads"
        self.build = root / "build"  # what only provisioning needs: removed when all is there

    def check_space(self, needed: int, what: str) -> None:
        """Fails where the disk has less than `needed` bytes left."""
        self.root.mkdir(parents=True, exist_ok=True)
        free = shutil.disk_usage(self.root).free
        if free < needed:
            raise Failure(
                f"{what} needs {size(needed)} of disk, {self.root} has {size(free)} free. Set OFFLOAD_CACHE to a folder with more."
            )


def locate(environ: Mapping[str, str]) -> Cache:
    """The cache that the environment asks for."""
    if environ.get("OFFLOAD_CACHE"):
        root = Path(environ["OFFLOAD_CACHE"])
    elif environ.get("XDG_CACHE_HOME"):
        root = Path(environ["XDG_CACHE_HOME"]) / "rules_rust_offload"
    elif environ.get("HOME"):
        root = Path(environ["HOME"]) / ".cache/rules_rust_offload"
    else:
        raise Failure(
            "no place for the cache: neither OFFLOAD_CACHE nor XDG_CACHE_HOME nor HOME is set. Set OFFLOAD_CACHE."
        )
    root = Path(os.path.abspath(root))
    if any(path == Path("/tmp") or Path("/tmp") in path.parents for path in (root, Path(os.path.realpath(root)))):
        raise Failure(
            f"the cache {root} is under /tmp, which Bazel's sandbox hides. Set OFFLOAD_CACHE to a folder elsewhere."
        )
    return Cache(root)
