"""A local Bazel registry (file://) made of the rule sets that Debian has.

Every module that Debian ships becomes a registry module of type local_path. Debian has one version of each, while
MODULE.bazel files ask for many, so the registry has an entry for each version that some MODULE.bazel asks for: Debian's
own, bazel_tools' and those of the checkout. All of them lead to the one folder that is there. Modules that something
asks for, but that Debian lacks, are empty but for what is loaded unconditionally (STUBS).
"""

import json
import os
import re
from pathlib import Path
from typing import Dict, Iterable, Iterator, List, NamedTuple, Set, Tuple

from .module_stubs import STUBS
from .thing import Thing, digest

# Raised whenever the code below makes another registry from the same modules.
RECIPE = 1

# module -> its folder, and the version that Debian packages where its MODULE.bazel says 0.0.0
DEBIAN = {
    "aspect_bazel_lib": ("tools/aspect_bazel_lib", None),
    "bazel_features": ("tools/features", "1.11.0"),
    "bazel_lib": ("tools/bazel_lib", None),
    "bazel_skylib": ("tools/skylib", None),
    "platforms": ("tools/platforms", None),
    "rules_cc": ("rules/cc", None),
    "rules_java": ("rules/java", None),
    "rules_license": ("rules/license", None),
    "rules_pkg": ("rules/pkg", None),
    "rules_proto": ("rules/proto", "6.0.0"),
    "rules_python": ("rules/python", "0.22.1"),
    "rules_rust": ("rules/rust", None),
    "rules_shell": ("rules/shell", "0.4.0"),
    "stardoc": ("tools/stardoc", None),
}

# Asked for by a module that is built into Bazel, local_config_platform.
_BUILT_IN = ("platforms", "0.0.7")

_DEP = re.compile(r"bazel_dep\(([^)]*)\)", re.S)
_MODULE = re.compile(r"^module\((?:[^\n]*\)$|.*?^\))", re.S | re.M)

Request = Tuple[str, str]  # module, version


class Found(NamedTuple):
    """A module that is there."""

    folder: Path
    version: str
    text: str  # of its MODULE.bazel


class Modules(Thing):
    """The folder with registry/ and stubs/ in it."""

    name = "modules"
    purpose = "writing the registry of the rule sets"
    space = 10_000_000

    def __init__(self, cache, report, bazel: Thing, checkout: Path):
        super().__init__(cache, report)
        self._bazel = bazel
        self._checkout = checkout

    def wanted(self) -> Dict[str, str]:
        asked = sorted(set(self._asked()))
        return {"bazel": json.dumps(self._bazel.wanted()), "asked": digest(repr(asked).encode()), "recipe": str(RECIPE)}

    def needs(self) -> List[Thing]:
        return [self._bazel]

    def make(self, folder: Path) -> Dict[str, str]:
        share = self._bazel.share()
        found = debian_modules(share)
        texts = [module.text for module in found.values()]
        texts.append((share / "embedded_tools/MODULE.bazel").read_text())
        asked = [_BUILT_IN, *self._asked()]
        asked += [(name, module.version) for name, module in found.items()]
        asked += [request for text in texts for request in requests(text, root=False)]
        versions = write_registry(folder / "registry", folder / "stubs", self.folder / "stubs", found, asked)
        return {name: " ".join(sorted(these)) for name, these in versions.items()}

    def _asked(self) -> Iterator[Request]:
        for file in module_files(self._checkout):
            yield from requests(file.read_text(), root=True)


def module_files(checkout: Path) -> Iterator[Path]:
    """The MODULE.bazel files of a checkout: its own, and those of the workspaces in examples/ and tests/."""
    if (checkout / "MODULE.bazel").exists():
        yield checkout / "MODULE.bazel"
    for part in ("examples", "tests"):
        for parent, folders, files in os.walk(checkout / part):
            folders[:] = [name for name in folders if not name.startswith((".", "bazel-"))]
            if "MODULE.bazel" in files:
                yield Path(parent) / "MODULE.bazel"


def requests(text: str, root: bool) -> Iterator[Request]:
    """What a MODULE.bazel asks for. Development dependencies count in the root module only."""
    text = re.sub(r"(?m)#.*$", "", text)
    for match in _DEP.finditer(text):
        call = match.group(1)
        name = re.search(r'name\s*=\s*"([^"]+)"', call)
        version = re.search(r'version\s*=\s*"([^"]+)"', call)
        if name and version and (root or not ("dev_dependency = True" in call or "IS_RELEASE" in call)):
            yield name.group(1), version.group(1)


def debian_modules(share: Path) -> Dict[str, Found]:
    """The modules that Debian's packages brought."""
    found = {}
    for name, (folder, version) in DEBIAN.items():
        file = share / folder / "MODULE.bazel"
        if file.exists():
            text = file.read_text()
            version = version or re.search(r'module\([^)]*?version\s*=\s*"([^"]+)"', text, re.S).group(1)
            found[name] = Found(share / folder, version, text)
    return found


def write_registry(
    registry: Path, stubs: Path, stubs_place: Path, found: Dict[str, Found], asked: Iterable[Request]
) -> Dict[str, Set[str]]:
    """Writes a registry that answers every request. `stubs_place` is where `stubs` will be. Returns the versions."""
    versions: Dict[str, Set[str]] = {}
    for name, version in asked:
        versions.setdefault(name, set()).add(version)
    registry.mkdir(parents=True)
    _write_json(registry / "bazel_registry.json", {"mirrors": []})
    for name, these in versions.items():
        if name in found:
            place, text = found[name].folder, found[name].text
        else:
            place, text = stubs_place / name, f'module(name = "{name}", version = "0")\n'
            _write_stub(stubs / name, text, STUBS.get(name, {}))
        for version in these:
            entry = registry / "modules" / name / version
            entry.mkdir(parents=True)
            (entry / "MODULE.bazel").write_text(with_version(text, version))
            _write_json(entry / "source.json", {"type": "local_path", "path": str(place)})
        _write_json(registry / "modules" / name / "metadata.json", {"versions": sorted(these), "yanked_versions": {}})
    return versions


def with_version(text: str, version: str) -> str:
    """A MODULE.bazel that claims another version."""
    call = _MODULE.search(text).group(0)
    return text.replace(call, re.sub(r'(\bversion\s*=\s*)"[^"]*"', rf'\g<1>"{version}"', call, count=1), 1)


def _write_stub(folder: Path, module: str, files: Dict[str, str]) -> None:
    for name, content in {"BUILD.bazel": "", "MODULE.bazel": module, "REPO.bazel": "", **files}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)


def _write_json(path: Path, value: dict) -> None:
    path.write_text(json.dumps(value) + "\n")
