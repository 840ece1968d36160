"""Bazel from Debian sid, on any machine that has an older libc.

Bazel's client, server and sandbox helpers run on sid's libc through their own ELF interpreter and RPATH. No environment
variable is involved, so what an action runs (gcc, rustc, the tests) is the machine's own.
"""

import os
import shutil
import zipfile
from pathlib import Path
from typing import Dict, List
from urllib.parse import urlparse

from . import apt, pins
from .crates import Crates
from .modules import Modules
from .patchelf import PatchelfTool
from .report import Failure
from .thing import Thing

# Raised whenever the code below makes another folder from the same packages.
RECIPE = 1

# libblake3-0 is a dependency that Debian's package forgets: without it the server's JNI library does not load, and Bazel
# falls back to slower file access. JDK 21 is the one that Bazel 7 is made for.
PACKAGES = ("bazel-bootstrap", "bazel-rules-rust", "bazel-rules-shell", "libblake3-0", "openjdk-21-jre-headless")

# Big packages that Bazel's server can do without: 350 MB of JDK, a second gcc, Python.
UNWANTED = """
    build-essential ca-certificates ca-certificates-java debconf default-jdk-headless default-jre-headless dpkg
    java-common junit4 libanimal-sniffer-java libbcprov-java libjackson2-databind-java libjacoco-java libjetty9-java
    libjgit-java libjpeg62-turbo libjs-jquery libjsch-java liblcms2-2 liblog4j2-java libmaven-common-artifact-filters-java
    libmaven-enforcer-plugin-java libmaven3-core-java libnss3 libpcsclite1 librust-tinyjson-dev node-core-js
    node-html5shiv perl procps python3 unzip util-linux
""".split()

# Bazel's own class path, one jar a line.
_CLASS_PATH = "usr/share/bazel/bazel_classpath_debian_depends.txt"
_LIBRARIES = "usr/lib/x86_64-linux-gnu"


class Bazel(Thing):
    """bin/bazel, which works by itself in any workspace, and the folder that Debian's packages are unpacked into."""

    name = "bazel"
    purpose = "unpacking Bazel and its Java runtime"
    space = 1_000_000_000
    tools = apt.TOOLS

    def __init__(self, cache, report, debian: apt.Apt, patchelf: PatchelfTool):
        super().__init__(cache, report)
        self._debian = debian
        self._patchelf = patchelf

    def wanted(self) -> Dict[str, str]:
        # The programs contain absolute paths: a cache that was moved is made again.
        return {"packages": pins.fingerprint(pins.load("bazel")), "recipe": str(RECIPE), "place": str(self.folder)}

    def needs(self) -> List[Thing]:
        return [self._patchelf]

    def launcher(self) -> Path:
        """The program to start."""
        return self.folder / "bin/bazel"

    def share(self) -> Path:
        """Where Debian has Bazel's files and the rule sets."""
        return self.folder / "root/usr/share/bazel"

    def make(self, folder: Path) -> Dict[str, str]:
        pinned = pins.load("bazel")
        # stardoc only for its renderer's jar: its dependencies are of no use here.
        renderer = {"bazel-stardoc": pinned.pop("bazel-stardoc")}
        debs = self._debian.download_closure(PACKAGES, pinned, UNWANTED) + self._debian.download(renderer)
        root = folder / "root"
        apt.unpack(debs, root)
        for unused in ("bash-completion", "doc", "lintian", "locale", "man", "maven-repo"):
            shutil.rmtree(root / "usr/share" / unused, ignore_errors=True)

        java = _java(root)
        (folder / "jre").symlink_to(java.relative_to(folder))
        _relink_configuration(java, root)
        self._relocate_programs(root, java)
        _relocate_class_path(root, self.folder / "root")
        version = pinned["bazel-bootstrap"].version
        self._restore_version(folder, version)
        self._write_launcher(folder)
        return {"version": version, "packages": " ".join(sorted(deb.name[: -len(".deb")] for deb in debs))}

    def _relocate_programs(self, root: Path, java: Path) -> None:
        patchelf = self._patchelf.tool()
        libraries = self.folder / "root" / _LIBRARIES
        in_place = self.folder / "root" / java.relative_to(root)
        loader = libraries / "ld-linux-x86-64.so.2"
        for program in [root / "usr/bin/bazel", *(root / "usr/libexec/x86_64-linux-gnu/bazel").iterdir()]:
            patchelf.set_interpreter(program, loader, str(libraries))
        for program in (java / "bin/java", java / "lib/jspawnhelper"):
            patchelf.set_interpreter(program, loader, f"{in_place}/lib:{in_place}/lib/server:{libraries}")

    def _restore_version(self, folder: Path, version: str) -> None:
        """Debian leaves Bazel's version out of the server: native.bazel_version would be "", which bazel_features takes
        for the newest development version."""
        (folder / "buildinfo").mkdir()
        release = version.split("+")[0]
        properties = f"build.label={release}\nbuild.target=Debian {version}\n"
        (folder / "buildinfo/build-data.properties").write_text(properties)
        with open(folder / "root" / _CLASS_PATH, "a") as class_path:
            class_path.write(f"{self.folder}/buildinfo\n")

    def _write_launcher(self, folder: Path) -> None:
        place = self.folder
        (folder / "bazelrc").write_text(
            f"startup --server_javabase={place}/jre\n"
            f"common --registry=file://{self.cache.root / Modules.name}/registry\n"
            f"common --distdir={self.cache.root / Crates.name}\n"
            "common --lockfile_mode=off\n"
            "common --noenable_workspace\n"
        )
        launcher = folder / "bin/bazel"
        launcher.parent.mkdir()
        launcher.write_text(
            "#!/bin/sh\n"
            f'exec "{place}/root/usr/bin/bazel" --nosystem_rc --install_base="{place}/root/usr/share/bazel"'
            f' --trust_install_base --bazelrc="{place}/bazelrc" "$@"\n'
        )
        launcher.chmod(0o755)


def _java(root: Path) -> Path:
    found = sorted(path for path in (root / "usr/lib/jvm").glob("java-*-openjdk-amd64") if not path.is_symlink())
    if not found:
        raise Failure(f"no Java runtime in {root}/usr/lib/jvm")
    return found[0]


def _relink_configuration(java: Path, root: Path) -> None:
    """The Java runtime's configuration is links into /etc: have them lead into `root`."""
    for link in java.rglob("*"):
        if link.is_symlink() and os.readlink(link).startswith("/etc/"):
            target = root / os.readlink(link)[1:]
            if target.exists():
                link.unlink()
                link.symlink_to(os.path.relpath(target, link.parent))


def _relocate_class_path(root: Path, place: Path) -> None:
    """Lists every jar of Bazel's class path with its place in the cache.

    Debian's jars name each other with absolute paths in their manifests (Class-Path), which do not hold here.
    """
    list_file = root / _CLASS_PATH
    todo = [root / line.strip().lstrip("/") for line in list_file.read_text().splitlines() if line.strip()]
    seen = set()
    jars = []
    while todo:
        jar = todo.pop(0)
        if not jar.exists() or jar.resolve() in seen:
            continue
        seen.add(jar.resolve())
        jars.append(jar)
        for entry in _manifest_class_path(jar):
            path = urlparse(entry).path
            todo.append(root / path.lstrip("/") if path.startswith("/") else Path(os.path.normpath(jar.parent / path)))
    list_file.write_text("".join(f"{place / jar.relative_to(root)}\n" for jar in jars))


def _manifest_class_path(jar: Path) -> List[str]:
    try:
        with zipfile.ZipFile(jar) as archive:
            manifest = archive.read("META-INF/MANIFEST.MF").decode("utf-8", "replace")
    except (KeyError, zipfile.BadZipFile):
        return []
    lines = manifest.replace("\r\n ", "").replace("\n ", "").splitlines()
    return next((line.split(":", 1)[1].split() for line in lines if line.startswith("Class-Path:")), [])
