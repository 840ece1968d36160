"""The three passes of the compiler under test."""

import os
import shutil
import subprocess
from pathlib import Path
from typing import List, NamedTuple

HOST = "x86_64-unknown-linux-gnu"
PROGRAMS = Path(__file__).resolve().parent / "programs"


class Result(NamedTuple):
    """How a run of rustc ended."""

    status: int
    messages: str


class Compiler:
    """A sysroot with rustc, LLVM's tools, ptxas, and the device's core for each arch."""

    def __init__(self, sysroot: Path, tools: Path, cores: dict, ptxas: Path, work: Path):
        self.sysroot = sysroot
        self.tools = tools
        self.cores = cores
        self.ptxas = ptxas
        self.work = work
        self.programs = PROGRAMS
        self.rustlib = sysroot / "lib/rustlib" / HOST

    def tool(self, name: str) -> str:
        """An LLVM tool of the same distribution."""
        return str(self.tools / name)

    def rustc(self, *arguments: str, path: str = "") -> Result:
        """Runs rustc in the work folder; `path` comes before the machine's own folders of programs."""
        environ = {"PATH": ":".join(filter(None, [path, "/usr/bin:/bin"])), "LC_ALL": "C"}
        command = [str(self.sysroot / "bin/rustc"), "--edition=2024", *map(str, arguments)]
        done = subprocess.run(command, cwd=self.work, env=environ, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return Result(done.returncode, done.stdout.decode("utf-8", "replace"))

    def host_metadata(self, source: str, manifest: str, *more: str, name: str = "k") -> Result:
        """Pass 1."""
        return self.rustc(
            PROGRAMS / source,
            f"--crate-name={name}",
            "--crate-type=bin",
            "-Cpanic=abort",
            "-Clto=fat",
            "--emit=metadata",
            f"--out-dir={self.folder('metadata')}",
            "-Zunstable-options",
            f"-Zoffload=HostMetadata={manifest}",
            *more,
        )

    def device(
        self, arch: str, source: str, offload: str, out: str, *more: str, name: str = "k", kind: str = "cdylib"
    ) -> Result:
        """Pass 2; `offload` is `Device` or `Device=<manifest>`."""
        core = self.cores[arch]
        return self.rustc(
            PROGRAMS / source,
            f"--crate-name={name}",
            f"--crate-type={kind}",
            f"--target={triple(arch)}",
            f"-Ctarget-cpu={arch}",
            "-Copt-level=3",
            "-Cpanic=abort",
            "-Clto=fat" if kind == "cdylib" else "-Cembed-bitcode=yes",
            "--emit=llvm-bc,obj" if kind == "cdylib" else "--emit=link",
            f"--out-dir={self.folder(out)}",
            "-Zunstable-options",
            f"-Zoffload={offload}",
            f"--extern=core={core}/libcore.rlib",
            f"-L{core}",
            *more,
        )

    def host(
        self, source: str, offload: str, *more: str, name: str = "k", path: str = None, lto: str = "fat"
    ) -> Result:
        """Pass 3; `offload` is what follows -Zoffload=, empty for none."""
        offloading = ["-Zunstable-options", f"-Zoffload={offload}"] if offload else []
        return self.rustc(
            PROGRAMS / source,
            f"--crate-name={name}",
            "--crate-type=bin",
            "-Copt-level=3",
            "-Cpanic=abort",
            f"-Clto={lto}",
            "--emit=link",
            f"--out-dir={self.folder('host')}",
            *offloading,
            *more,
            path=str(self.ptxas.parent) if path is None else path,
        )

    def image(self, folder: str) -> Path:
        """The absolute path of a device image."""
        return self.work / folder / "device.bin"

    def run_tool(self, name: str, *arguments: str) -> str:
        """Runs an LLVM tool and returns what it prints."""
        command = [self.tool(name), *map(str, arguments)]
        return subprocess.run(command, cwd=self.work, check=True, stdout=subprocess.PIPE, env={}, text=True).stdout

    def repack(self, folder: str, image: Path, triple_name: str, arch: str) -> Path:
        """Makes a device.bin of `image` that claims a triple and an arch."""
        out = self.folder(folder) / "device.bin"
        self.run_tool(
            "llvm-offload-binary", "-o", out, f"--image=file={image},triple={triple_name},arch={arch},kind=openmp"
        )
        return out

    def without_lld(self) -> "Compiler":
        """The same compiler in a sysroot that lacks rust-lld: rustc finds its sysroot from where its files are."""
        bare = self.work / "bare"
        if not bare.exists():
            for file in [self.sysroot / "bin/rustc", *(self.sysroot / "lib").glob("*.so*")]:
                _link(file, bare / file.relative_to(self.sysroot))
            (bare / "lib/rustlib" / HOST).mkdir(parents=True)
            (bare / "lib/rustlib" / HOST / "lib").symlink_to(self.rustlib / "lib")
        return Compiler(bare, self.tools, self.cores, self.ptxas, self.work)

    def folder(self, name: str) -> Path:
        """A folder in the work folder."""
        folder = self.work / name
        folder.mkdir(exist_ok=True)
        return folder


def triple(arch: str) -> str:
    """gfx90a -> amdgcn-amd-amdhsa, sm_90 -> nvptx64-nvidia-cuda."""
    return "amdgcn-amd-amdhsa" if arch.startswith("gfx") else "nvptx64-nvidia-cuda"


def _link(source: Path, target: Path) -> None:
    """A hard link, or a copy on another file system: a symbolic link would lead back to the sysroot."""
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.link(source.resolve(), target)
    except OSError:
        shutil.copy(source, target)


def lines(*texts: str) -> List[str]:
    """Texts that a manifest consists of, after its header."""
    return ['{"offload-manifest":1}', *texts]
