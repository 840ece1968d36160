"""The command line behind ./bazelw."""

import os
import shutil
import time
from pathlib import Path
from typing import Dict, List, Mapping, Optional

from . import process
from .apt import Apt
from .bazel import Bazel
from .buildtools import Buildtools
from .cache import Cache, locate
from .cargo_bazel import CargoBazel
from .crates import Crates
from .launcher import Launcher
from .llvm import Llvm
from .llvm_release import LlvmRelease, OtherLlvm
from .lock import Lock
from .locked_crates import LockedCrates
from .modules import Modules
from .patchelf import PatchelfTool
from .ptxas import Ptxas
from .report import Failure, Report, duration, size
from .rustc import Rustc
from .thing import Thing

CHECKOUT = Path(__file__).resolve().parents[3]

# What the rule sets and the compiler are downloaded from where Bazel is used the usual way.
_PUBLIC_HOSTS = ("https://bcr.bazel.build/", "https://static.rust-lang.org/")
_PROBE_SECONDS = 2
_PROBE_VALID_SECONDS = 24 * 3600


class Provision:
    """All that is provisioned, in a cache."""

    def __init__(self, cache: Cache, report: Report):
        self.cache = cache
        self.report = report
        debian = Apt(cache, report)
        patchelf = PatchelfTool(cache, report, debian)
        llvm = Llvm(cache, report, debian)
        self.bazel = Bazel(cache, report, debian, patchelf)
        self.llvm = LlvmRelease(cache, report, debian, llvm, patchelf)
        self.other_llvm = OtherLlvm(cache, report, debian, llvm, patchelf)
        self.rustc = Rustc(cache, report, debian, llvm, patchelf)
        self.buildtools = Buildtools(cache, report)
        self.cargo_bazel = CargoBazel(cache, report, self.bazel)
        self.crates = LockedCrates(cache, report, CHECKOUT)
        self.launcher = Launcher(cache, report, self.bazel, self.crates, self.cargo_bazel)
        # What running Bazel takes; the compiler last, since it takes longest.
        self.things: List[Thing] = [
            patchelf,
            self.bazel,
            Modules(cache, report, self.bazel, CHECKOUT),
            Crates(cache, report),
            self.crates,
            self.cargo_bazel,
            self.launcher,
            Ptxas(cache, report),
            self.llvm,
            self.other_llvm,
            self.rustc,
        ]

    def ensure(self, things: List[Thing]) -> None:
        """Makes what is missing."""
        if all(thing.is_there() for thing in things):
            return
        with Lock(self.cache.lock, self.report) as lock:
            process.inherit(lock.file)
            # One that ran while this one waited may have made everything.
            for thing in things:
                thing.check_machine()
            for thing in things:
                thing.provide()
            if not os.environ.get("OFFLOAD_KEEP_BUILD") and self.rustc.is_there():
                shutil.rmtree(self.cache.build, ignore_errors=True)

    def status(self) -> str:
        """A table of what is there."""
        lines = [f"cache {self.cache.root}"]
        for thing in [*self.things, self.buildtools]:
            stamp = thing.stamp()
            if stamp is None:
                lines.append(f"{thing.name:10} missing")
                continue
            state = "" if thing.is_there() else "out of date "
            found = stamp["found"].get("version") or stamp["wanted"].get("packages", "")
            lines.append(
                f"{thing.name:10} {state}{size(stamp['size'])}, made in {duration(stamp['seconds'])} {found}".rstrip()
            )
        return "\n".join(lines)


def main(arguments: List[str], environ: Mapping[str, str] = os.environ) -> int:
    """Does what ./bazelw was asked for; returns only where it did not become Bazel."""
    report = Report()
    try:
        return _main(arguments, environ, report)
    except Failure as failure:
        report.say(f"error: {failure}")
        return 1
    except KeyboardInterrupt:
        report.say("interrupted; the next call goes on from here")
        return 130


def _main(arguments: List[str], environ: Mapping[str, str], report: Report) -> int:
    mode = environ.get("OFFLOAD_PROVISION") or "auto"
    if mode not in ("always", "auto"):
        raise Failure(f"OFFLOAD_PROVISION is {mode}. It has to be never, always or auto.")
    provision = Provision(locate(environ), report)
    first = arguments[0] if arguments else ""
    if first == "--provision-status":
        print(provision.status())
        return 0
    if first == "--provision":
        provision.ensure(provision.things)
        return 0
    if first in ("--buildifier", "--buildozer"):
        provision.ensure([provision.buildtools])
        program = provision.buildtools.folder / first[2:]
        os.execv(program, [str(program), *arguments[1:]])
    if first == "--cargo-bazel":
        provision.ensure([provision.crates, provision.cargo_bazel])
        program = str(provision.cargo_bazel.program())
        os.execve(program, [program, *arguments[1:]], {**environ, **cargo_environment(provision)})
    usual = usual_bazel(provision, environ) if mode == "auto" else None
    if usual:
        os.execv(usual, [usual, *arguments])
    provision.ensure(provision.things)
    launcher = str(provision.launcher.program())
    os.execve(launcher, [launcher, *arguments], {**environ, **bazel_environment(provision)})


def cargo_environment(provision: Provision) -> Dict[str, str]:
    """What cargo-bazel finds cargo and the crates by."""
    tools = provision.cargo_bazel.host_tools() / "bin"
    return {"CARGO": str(tools / "cargo"), "CARGO_HOME": str(provision.crates.cargo_home()), "RUSTC": str(tools / "rustc")}


def bazel_environment(provision: Provision) -> Dict[str, str]:
    """What Bazel finds the provisioned things by."""
    cargo_bazel = provision.cargo_bazel
    return {
        "CARGO_BAZEL_GENERATOR_SHA256": (cargo_bazel.stamp() or {"found": {"sha256": ""}})["found"]["sha256"],
        "CARGO_BAZEL_GENERATOR_URL": f"file://{cargo_bazel.program()}",
        "CUDA_PATH": str(provision.cache.root / Ptxas.name),
        "OFFLOAD_BAZEL": str(provision.launcher.program()),
        "OFFLOAD_CRATES": str(provision.crates.folder),
        "OFFLOAD_LLVM": str(provision.llvm.folder),
        "OFFLOAD_OTHER_LLVM": str(provision.other_llvm.folder),
        "RUSTUP_DIST_SERVER": f"file://{provision.rustc.folder}",
    }


def usual_bazel(provision: Provision, environ: Mapping[str, str]) -> Optional[str]:
    """The machine's bazelisk or bazel, where it can download what the rules need and nothing is provisioned yet."""
    if provision.bazel.stamp() is not None:
        return None
    path = environ.get("PATH", "")
    program = shutil.which("bazelisk", path=path) or shutil.which("bazel", path=path)
    if not program:
        return None
    answered = provision.cache.root / "public-hosts-answered"
    try:
        if time.time() - answered.stat().st_mtime < _PROBE_VALID_SECONDS:
            return program
    except OSError:
        pass
    if not all(_answers(host) for host in _PUBLIC_HOSTS):
        return None
    answered.parent.mkdir(parents=True, exist_ok=True)
    answered.touch()
    return program


def _answers(url: str) -> bool:
    import urllib.error  # only a probe needs it: loading it takes longer than all else that a warm start does
    import urllib.request

    try:
        urllib.request.urlopen(urllib.request.Request(url, method="HEAD"), timeout=_PROBE_SECONDS).close()
    except urllib.error.HTTPError:
        return True  # the server is there; what it thinks of its front page does not matter
    except OSError:
        return False
    return True
