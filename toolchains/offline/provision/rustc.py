"""rustc with offload: Debian's sources, the patch beside this folder, and a plain cargo build.

The compiler that builds it is Debian experimental's own rustc of the same version. It needs a newer libc than bookworm
has and is started through the loader of sid's; what it builds is native to bookworm. The result is a dist server with
rustup's layout. See ../rustc/README.md.
"""

import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Dict, List

from . import apt, cargo, dist, pins, process, sysroot
from .llvm import Llvm
from .patchelf import PatchelfTool
from .report import Failure
from .thing import Replacement, Thing, digest, sha256

# Raised whenever the code here, in sysroot.py or in dist.py makes another distribution from the same sources.
RECIPE = 2

RECIPE_FOLDER = Path(__file__).resolve().parents[1] / "rustc"

# Of sid and moving fast: as the signed package index has them.
_STAGE0_LIBRARIES = ("libc6", "libgcc-s1", "libstdc++6")


class Rustc(Thing):
    """The dist server: dist/<date>/channel-rust-nightly.toml and the components' tarballs."""

    name = "dist"
    purpose = "building rustc with offload"
    space = 6_000_000_000
    tools = {
        **apt.TOOLS,
        "c++": "to build rustc",
        "cargo": "to build rustc",
        "cc": "to build rustc",
        "patch": "to patch rustc",
    }

    def __init__(self, cache, report, debian: apt.Apt, llvm: Llvm, patchelf: PatchelfTool):
        super().__init__(cache, report)
        self._debian = debian
        self._llvm = llvm
        self._patchelf = patchelf
        self._work = cache.build / "rustc"
        self._sources = self._work / "src"

    def wanted(self) -> Dict[str, str]:
        files = ("offload.patch", "sources.sha256", "tools.Cargo.lock", "tools.Cargo.toml", "workspace.Cargo.toml")
        return {
            "packages": pins.fingerprint({**pins.load("rustc"), **pins.load("llvm")}),
            "patch": digest(*((RECIPE_FOLDER / name).read_bytes() for name in files)),
            "recipe": str(RECIPE),
        }

    def needs(self) -> List[Thing]:
        return [self._llvm, self._patchelf]

    def check_machine(self) -> None:
        super().check_machine()
        if not self.is_there():
            cargo.program()

    def make(self, folder: Path) -> Dict[str, str]:
        stage0 = self._prepare_stage0()
        self._prepare_sources()
        with ThreadPoolExecutor() as pool:
            # The standard library fills the gaps that the compiler's build leaves: nice keeps it out of the way before.
            std = pool.submit(self._std_build(stage0).run, self.report, ("nice", "-n", "10"))
            self._rustc_build(stage0).run(self.report)
            self._tools_build(stage0).run(self.report)
            std.result()
        return {"version": self._pack(folder)}

    def _prepare_stage0(self) -> Path:
        """Unpacks the packages that hold the sources and the compiler to build them with. Returns that compiler."""
        packages = self._work / "packages"
        if not packages.exists():
            debs = self._debian.download(pins.load("rustc"), _STAGE0_LIBRARIES)
            self.report.say("unpacking rustc's sources and Debian's rustc")
            with Replacement(packages) as new:
                apt.unpack(debs, new)
        libraries = "usr/lib/x86_64-linux-gnu"
        path = ":".join(str(root / libraries) for root in (packages, self._llvm.folder))
        path += f":{self._llvm.folder}/lib/x86_64-linux-gnu"
        stage0 = self._work / "stage0"
        # jemalloc, as in the compilers of the Rust project: a tenth less time than with malloc.
        stage0.write_text(
            "#!/bin/sh\n"
            "unset LD_LIBRARY_PATH\n"
            f'exec "{packages / libraries}/ld-linux-x86-64.so.2" --library-path "{path}" --preload libjemalloc.so.2'
            f' "{packages}/usr/bin/rustc" --sysroot "{packages}/usr" "$@"\n'
        )
        stage0.chmod(0o755)
        linkers = self._work / "path"
        linkers.mkdir(exist_ok=True)
        if not (linkers / "ld.lld").is_symlink():
            (linkers / "ld.lld").symlink_to(self._llvm.folder / "usr/lib/llvm-22/bin/lld")
        return stage0

    def _prepare_sources(self) -> None:
        """Copies and patches the sources, unless they are there as the patch wants them."""
        recipe = self._sources / "recipe"
        if recipe.exists() and recipe.read_text() == self.wanted()["patch"]:
            return
        pristine = next((self._work / "packages/usr/src").glob("rustc-*"))
        check_sources(pristine, RECIPE_FOLDER / "sources.sha256")
        self.report.say("patching rustc")
        with Replacement(self._sources) as new:
            for name in ("compiler", "library", "src"):
                # With their times: after a change of the patch, cargo builds only what it touches.
                shutil.copytree(pristine / name, new / name, symlinks=True)
            shutil.copy2(pristine / "Cargo.lock", new / "Cargo.lock")
            shutil.copy2(RECIPE_FOLDER / "workspace.Cargo.toml", new / "Cargo.toml")
            shutil.copy2(RECIPE_FOLDER / "tools.Cargo.lock", new / "src/Cargo.lock")
            shutil.copy2(RECIPE_FOLDER / "tools.Cargo.toml", new / "src/Cargo.toml")
            patch = ["patch", "--strip=1", "--silent", "--fuzz=0", f"--input={RECIPE_FOLDER / 'offload.patch'}"]
            process.run(patch, "patching rustc", cwd=new)
            (new / "recipe").write_text(self.wanted()["patch"])

    def _rustc_build(self, stage0: Path) -> cargo.Build:
        llvm = self._llvm.folder / "usr/lib/llvm-22"
        environ = self._rustc_environ(stage0, "target")
        environ.update(
            LLVM_CONFIG=str(llvm / "bin/llvm-config"),
            LLVM_LINK_SHARED="1",
            LLVM_OFFLOAD="1",
            REAL_LIBRARY_PATH="",
            REAL_LIBRARY_PATH_VAR="LD_LIBRARY_PATH",
        )
        # max_level_info leaves out the compiler's debug logging, as in released compilers.
        arguments = ["--package=rustc-main", "--features=llvm,llvm_offload,max_level_info"]
        return cargo.Build("rustc", arguments, self._sources, environ, self._work / "rustc.log")

    def _tools_build(self, stage0: Path) -> cargo.Build:
        """Clippy, rustdoc and rustfmt, which are programs around librustc_driver.so."""
        environ = self._rustc_environ(stage0, "target-tools")
        # rustc's crates, and the LLVM that these are linked with. binary-dep-depinfo: cargo notices when they have changed.
        environ["RUSTFLAGS"] += (
            f" -L{self._work}/target/debug/deps -Lnative={self._llvm.folder}/usr/lib/llvm-22/lib -Zbinary-dep-depinfo"
        )
        arguments = ["--locked", *(f"--bin={program}" for program in sysroot.RUST_TOOLS.values())]
        return cargo.Build("clippy, rustdoc, rustfmt", arguments, self._sources / "src", environ, self._work / "tools.log")

    def _std_build(self, stage0: Path) -> cargo.Build:
        """The host's standard library, from the patched sources: it has `core::offload`."""
        environ = self._environ(stage0, "target-std")
        environ.update(
            CFG_COMPILER_HOST_TRIPLE=sysroot.TRIPLE,
            RUSTFLAGS="-Zforce-unstable-if-unmarked -Cembed-bitcode=yes -Cdebuginfo=0 -Clink-arg=-fuse-ld=lld --cap-lints allow",
            __CARGO_DEFAULT_LIB_METADATA="offloadstd",
        )
        arguments = ["--release", "--package=sysroot", "--features=panic-unwind,backtrace,compiler-builtins-mem"]
        arguments.append(f"--target={sysroot.TRIPLE}")
        return cargo.Build("std", arguments, self._sources / "library", environ, self._work / "std.log")

    def _rustc_environ(self, stage0: Path, target: str) -> Dict[str, str]:
        environ = self._environ(stage0, target)
        environ.update(
            configuration(process.run([str(stage0), "-vV"], "starting Debian's rustc")),
            RUSTFLAGS="-Zon-broken-pipe=kill -Clink-arg=-fuse-ld=lld -Clink-arg=-Wl,--allow-shlib-undefined -Awarnings",
        )
        return environ

    def _environ(self, stage0: Path, target: str) -> Dict[str, str]:
        environ = cargo.environ()
        environ.update(
            CARGO_TARGET_DIR=str(self._work / target),
            PATH=f"{self._work / 'path'}:{os.environ['PATH']}",
            RUSTC=str(stage0),
            RUSTC_BOOTSTRAP="1",
        )
        return environ

    def _pack(self, folder: Path) -> str:
        self.report.say("packing the compiler")
        components = self._work / "components"
        shutil.rmtree(components, ignore_errors=True)
        build = sysroot.Build(
            target=self._work / "target/debug",
            tools=self._work / "target-tools/debug",
            llvm=self._llvm.folder,
            rlibs=self._work / f"target-std/{sysroot.TRIPLE}/release/deps",
            library=self._sources / "library",
        )
        sysroot.lay_out(build, components, self._patchelf.tool())
        said = process.run([str(components / "rustc/bin/rustc"), "--version"], "starting the new rustc", env={})
        version = said.strip()[len("rustc ") :]
        dist.pack(components, folder, version)
        return version


def check_sources(folder: Path, sums: Path) -> None:
    """Fails unless every file that the patch changes is the one that it was made for: it has no context lines."""
    for line in sums.read_text().splitlines():
        expected, name = line.split(None, 1)
        if sha256(folder / name) != expected:
            raise Failure(f"{folder / name} is not the file that {RECIPE_FOLDER / 'offload.patch'} was made for.")


def configuration(verbose_version: str) -> Dict[str, str]:
    """What rustc is told of itself at build time.

    The same version as Debian's rustc: libraries that one compiled are accepted by the other. The nightly channel allows
    unstable options without RUSTC_BOOTSTRAP.
    """
    lines = verbose_version.splitlines()
    facts = dict(line.split(": ", 1) for line in lines[1:] if ": " in line)
    return {
        "CFG_COMPILER_HOST_TRIPLE": sysroot.TRIPLE,
        "CFG_DEFAULT_CODEGEN_BACKEND": "llvm",
        "CFG_LIBDIR_RELATIVE": "lib",
        "CFG_RELEASE": facts["release"],
        "CFG_RELEASE_CHANNEL": "nightly",
        "CFG_VERSION": lines[0][len("rustc ") :],
        "CFG_VER_DATE": facts["commit-date"],
        "CFG_VER_HASH": facts["commit-hash"],
        "DOC_RUST_LANG_ORG_CHANNEL": "https://doc.rust-lang.org/nightly",
        "RUSTC_INSTALL_BINDIR": "bin",
    }
