"""Debian packages, into folders of the cache.

Uses the machine's apt with lists, caches and status of its own, so nothing is installed or changed on the machine and
root is not needed. The mirrors are those that the machine's apt is configured with.
"""

import json
import re
from pathlib import Path
from typing import Dict, Iterable, List, Sequence

from . import process
from .cache import Cache
from .pins import Pin, verify
from .report import Failure, Report, size
from .thing import sha256

STABLE = "bookworm"
# The suites that packages come from. Bazel and rustc's sources are in sid and experimental only.
SUITES = (STABLE, "bookworm-security", "sid", "experimental")

TOOLS = {"apt-get": "to download Debian packages", "dpkg-deb": "to unpack Debian packages"}


class Apt:
    """Downloads packages. The lists are fetched once, when the first package is missing."""

    def __init__(self, cache: Cache, report: Report):
        self._report = report
        self._home = cache.build / "apt"
        self.debs = cache.downloads / "debs"
        self._unpinned = self.debs / "unpinned.json"
        self._updated = False

    def download(self, pins: Dict[str, Pin], unpinned: Sequence[str] = ()) -> List[Path]:
        """The packages' files, downloaded unless they are there. `unpinned` ones come as the signed index has them."""
        self.debs.mkdir(parents=True, exist_ok=True)
        missing = [name for name, pin in pins.items() if not self._pinned_file(name, pin)]
        taken = self._taken()
        unknown = [name for name in unpinned if name not in taken]
        if missing or unknown:
            self._update()
            self._check_offered({name: pins[name] for name in missing})
            self._report.say(f"downloading from Debian: {_list(missing + unknown)}")
            wanted = [f"{name}={pins[name].version}" for name in missing] + unknown
            process.run(
                ["apt-get", *self._options(), "-qq", "download", *wanted], "downloading packages", cwd=self.debs
            )
            if unknown:
                self._record(unknown)
            taken = self._taken()
        files = []
        for name, pin in pins.items():
            file = self._pinned_file(name, pin)
            if not file:
                raise Failure(f"{name} {pin.version}: apt downloaded no such file into {self.debs}")
            verify(file, name, pin)
            files.append(file)
        return files + [self.debs / taken[name]["file"] for name in unpinned]

    def download_closure(self, names: Iterable[str], pins: Dict[str, Pin], installed: Iterable[str]) -> List[Path]:
        """`names` and all that they depend on but for the `installed` and their dependencies."""
        self._update()
        self._check_offered(pins)
        status = self._home / "closure-status"
        status.write_text("".join(_STUB.format(name=name) for name in installed))
        archives = self.debs / "closure"
        (archives / "partial").mkdir(parents=True, exist_ok=True)
        options = [*self._options(), "-o", f"Dir::State::status={status}", "-o", f"Dir::Cache::archives={archives}"]
        wanted = [f"{name}={pins[name].version}" if name in pins else name for name in names]
        # It leaves out what is in the folder of archives: for the plan, one with nothing in it.
        nowhere = ["-o", f"Dir::Cache::archives={self._home / 'cache/archives'}"]
        plan = process.run(
            ["apt-get", *options, *nowhere, "-qq", "-y", "--print-uris", "install", *wanted], "resolving packages"
        )
        entries = re.findall(r"^'[^']*' (\S+) (\d+) ", plan, re.M)
        total = size(sum(int(length) for _, length in entries))
        self._report.say(f"downloading from Debian: {_list([file.split('_')[0] for file, _ in entries])}, {total}")
        process.run(["apt-get", *options, "-qq", "-y", "--download-only", "install", *wanted], "downloading packages")
        files = [archives / file for file, _ in entries]
        for file in files:
            name = file.name.split("_")[0]
            if name in pins:
                verify(file, name, pins[name])
        return files

    def _update(self) -> None:
        """Fetches the package lists."""
        if self._updated:
            return
        sites = self._sites()
        (self._home / "lists/partial").mkdir(parents=True, exist_ok=True)
        (self._home / "cache/archives/partial").mkdir(parents=True, exist_ok=True)
        (self._home / "status").touch()
        (self._home / "sources.list").write_text("".join(f"{line}\n" for line in source_lines(sites)))
        self._report.say(f"reading Debian's package lists ({', '.join(SUITES)})")
        process.run(["apt-get", *self._options(), "-qq", "update"], "reading Debian's package lists")
        self._updated = True

    def _sites(self) -> Dict[str, str]:
        """Suite -> mirror, as the machine's apt has them."""
        out = process.run(
            ["apt-get", "indextargets", "--format", "$(RELEASE) $(SITE)", "Created-By: Packages"],
            "asking apt for its mirrors",
        )
        return dict(reversed([line.split(None, 1) for line in out.splitlines() if " " in line]))

    def _check_offered(self, pins: Dict[str, Pin]) -> None:
        """Fails where the mirrors have moved on from a pinned version."""
        if not pins:
            return
        out = process.run(["apt-cache", *self._options(), "madison", *pins], "looking up packages")
        offered: Dict[str, List[str]] = {}
        for line in out.splitlines():
            name, version = [part.strip() for part in line.split("|")[:2]]
            offered.setdefault(name, []).append(version)
        for name, pin in pins.items():
            there = offered.get(name, [])
            if pin.version not in there:
                raise Failure(
                    f"{name} {pin.version} is wanted, Debian's mirror has {', '.join(sorted(set(there))) or 'no such package'}."
                    " Update toolchains/offline/provision/pins.json; toolchains/offline/README.md says how."
                )

    def _pinned_file(self, name: str, pin: Pin):
        found = sorted(self.debs.glob(f"{name}_{pin.version.replace(':', '%3a')}_*.deb"))
        return found[0] if found else None

    def _taken(self) -> Dict[str, dict]:
        """The unpinned packages in the cache whose files are still as they were recorded."""
        try:
            taken = json.loads(self._unpinned.read_text())
        except (OSError, ValueError):
            return {}
        return {
            name: entry
            for name, entry in taken.items()
            if (self.debs / entry["file"]).exists() and sha256(self.debs / entry["file"]) == entry["sha256"]
        }

    def _record(self, names: Iterable[str]) -> None:
        taken = self._taken()
        for name in names:
            newest = max(self.debs.glob(f"{name}_*.deb"), key=lambda file: file.stat().st_ctime)
            taken[name] = {"file": newest.name, "sha256": sha256(newest)}
        self._unpinned.write_text(json.dumps(taken, indent=1, sort_keys=True) + "\n")

    def _options(self) -> List[str]:
        home = self._home
        settings = {
            "Dir::Etc::SourceList": home / "sources.list",
            "Dir::Etc::SourceParts": "/dev/null",
            "Dir::Etc::Preferences": "/dev/null",
            "Dir::Etc::PreferencesParts": "/dev/null",
            "Dir::State": home,
            "Dir::State::Lists": home / "lists",
            "Dir::State::status": home / "status",
            "Dir::State::extended_states": home / "extended_states",
            "Dir::Cache": home / "cache",
            "APT::Sandbox::User": "",
            "APT::Architecture": "amd64",
            "APT::Install-Recommends": "false",
            "Acquire::Languages": "none",
            "Acquire::IndexTargets::deb::DEP-11::DefaultEnabled": "false",
            # A mirror that is a frozen copy keeps its signatures beyond their dates.
            "Acquire::Check-Valid-Until": "false",
            "Acquire::Check-Date": "false",
            "Acquire::Retries": "3",
            # The cache's own lock already excludes others, and the system's locks are root's.
            "Debug::NoLocking": "true",
        }
        return [argument for key, value in settings.items() for argument in ("-o", f"{key}={value}")]


def source_lines(sites: Dict[str, str]) -> List[str]:
    """The lines of sources.list for SUITES, given the machine's suite -> mirror."""
    if STABLE not in sites:
        raise Failure(
            f"this machine's apt has no source for Debian {STABLE} (found: {', '.join(sorted(sites)) or 'none'})."
            f" Provisioning works on Debian 12 ({STABLE}) only; elsewhere use Bazel directly."
        )
    keyring = "/usr/share/keyrings/debian-archive-keyring.gpg"
    return [f"deb [signed-by={keyring}] {sites.get(suite, sites[STABLE])} {suite} main" for suite in SUITES]


def _list(names: List[str]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")


def unpack(debs: Iterable[Path], root: Path) -> None:
    """Lays the files of packages into `root`."""
    root.mkdir(parents=True, exist_ok=True)
    for deb in debs:
        process.run(["dpkg-deb", "-x", str(deb), str(root)], f"unpacking {deb.name}")


def library_folders(root: Path) -> List[Path]:
    """Where the shared libraries of packages are that were unpacked into `root`."""
    return [root / "usr/lib/x86_64-linux-gnu", root / "lib/x86_64-linux-gnu"]


_STUB = (
    "Package: {name}\nStatus: install ok installed\nArchitecture: all\nMulti-Arch: foreign\n"
    "Version: 99:99\nMaintainer: none\nDescription: stub\n\n"
)
