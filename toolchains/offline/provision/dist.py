"""Packs component folders into a rustup dist server: component tarballs and the channel manifest that lists them."""

import gzip
import hashlib
import io
import os
import tarfile
from pathlib import Path
from typing import Dict, NamedTuple

from .sysroot import TRIPLE

# The day of the nightly that this compiler stands in for: the module's default toolchain has the same date.
DATE = "2026-09-20"
PUBLIC_SERVER = "https://static.rust-lang.org"

# A fast level: the archive is unpacked on the machine that made it, so speed counts and size hardly does.
_GZIP_LEVEL = 1


class Package(NamedTuple):
    """How a component folder appears on the server."""

    name: str  # in the channel manifest
    archive: str  # first part of the tarball's name
    target: str  # "*" for a component that is the same everywhere


PACKAGES: Dict[str, Package] = {
    "rustc": Package("rustc", "rustc", TRIPLE),
    f"rust-std-{TRIPLE}": Package("rust-std", "rust-std", TRIPLE),
    "rust-src": Package("rust-src", "rust-src", "*"),
    "clippy-preview": Package("clippy-preview", "clippy", TRIPLE),
    "rustfmt-preview": Package("rustfmt-preview", "rustfmt", TRIPLE),
    "llvm-tools-preview": Package("llvm-tools-preview", "llvm-tools", TRIPLE),
    "offload-preview": Package("offload-preview", "offload", TRIPLE),
}


def pack(components: Path, server: Path, version: str, progress=lambda text: None) -> None:
    """Writes `server`/dist/<date>/: one tarball for each folder in `components`, and the manifest."""
    folder = server / "dist" / DATE
    folder.mkdir(parents=True, exist_ok=True)
    hashes = {}
    for component, package in PACKAGES.items():
        archive = folder / f"{_stem(package)}.tar.gz"
        hashes[component] = write_tarball(components / component, component, archive, version)
        progress(f"{archive.name}: {archive.stat().st_size / 1e6:.0f} MB")
    manifest = channel_manifest(hashes, version).encode()
    name = "channel-rust-nightly.toml"
    (folder / name).write_bytes(manifest)
    (folder / f"{name}.sha256").write_text(f"{hashlib.sha256(manifest).hexdigest()}  {name}\n")


def channel_manifest(hashes: Dict[str, str], version: str) -> str:
    """The channel manifest (rustup's version 2) for tarballs with these SHA-256 sums."""
    lines = ['manifest-version = "2"', f'date = "{DATE}"']
    for component, package in PACKAGES.items():
        lines += [
            "",
            f"[pkg.{package.name}]",
            f'version = "{version}"',
            "",
            f"[pkg.{package.name}.target.{package.target if package.target != '*' else chr(34) + '*' + chr(34)}]",
            "available = true",
            f'url = "{PUBLIC_SERVER}/dist/{DATE}/{_stem(package)}.tar.gz"',
            f'hash = "{hashes[component]}"',
        ]
    for package in PACKAGES.values():
        if package.name.endswith("-preview"):
            lines += ["", f"[renames.{package.name[: -len('-preview')]}]", f'to = "{package.name}"']
    return "\n".join(lines) + "\n"


def write_tarball(folder: Path, component: str, archive: Path, version: str) -> str:
    """Packs `folder` in rust-installer's format, the same bytes for the same files. Returns the SHA-256."""
    stem = _stem(PACKAGES[component])
    files = sorted(p for p in folder.rglob("*") if p.is_symlink() or p.is_file())
    manifest = "".join(f"file:{p.relative_to(folder).as_posix()}\n" for p in files)
    with open(archive, "wb") as raw:
        with gzip.GzipFile("", "wb", _GZIP_LEVEL, raw, mtime=0) as packed:
            with tarfile.open(fileobj=packed, mode="w", format=tarfile.GNU_FORMAT) as tar:
                _add_text(tar, f"{stem}/components", component + "\n")
                _add_text(tar, f"{stem}/rust-installer-version", "3\n")
                _add_text(tar, f"{stem}/version", version + "\n")
                _add_text(tar, f"{stem}/{component}/manifest.in", manifest)
                for path in files:
                    _add_file(tar, f"{stem}/{component}/{path.relative_to(folder).as_posix()}", path)
    return _sha256(archive)


def _stem(package: Package) -> str:
    return f"{package.archive}-nightly" + ("" if package.target == "*" else f"-{package.target}")


def _add_text(tar: tarfile.TarFile, name: str, text: str) -> None:
    info = tarfile.TarInfo(name)
    info.size = len(text.encode())
    info.mode = 0o644
    tar.addfile(info, io.BytesIO(text.encode()))


def _add_file(tar: tarfile.TarFile, name: str, path: Path) -> None:
    info = tarfile.TarInfo(name)
    if path.is_symlink():
        info.type = tarfile.SYMTYPE
        info.linkname = os.readlink(path)
        info.mode = 0o777
        tar.addfile(info)
        return
    info.size = path.stat().st_size
    info.mode = 0o755 if os.access(path, os.X_OK) else 0o644
    with open(path, "rb") as content:
        tar.addfile(info, content)


def _sha256(path: Path) -> str:
    digest = hashlib.sha256()
    with open(path, "rb") as content:
        for block in iter(lambda: content.read(1 << 20), b""):
            digest.update(block)
    return digest.hexdigest()
