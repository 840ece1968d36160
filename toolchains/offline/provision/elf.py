"""What has to be known of, and changed in, ELF files: needed libraries and search paths."""

import os
import shutil
import subprocess
from pathlib import Path
from typing import Dict, Iterable, List

# Libraries that belong to the machine: a second copy of any of these in one process is trouble.
MACHINE = ("ld-linux", "libc.so", "libm.so", "libdl.so", "libpthread.so", "librt.so", "libgcc_s.so", "libstdc++.so")

CURL = "libcurl.so.4"


class Patchelf:
    """The program patchelf, wherever it was unpacked."""

    def __init__(self, program: Path):
        self._program = str(program)

    def needed(self, file: Path) -> List[str]:
        """The libraries that `file` names, without those of the machine."""
        out = subprocess.run(
            [self._program, "--print-needed", str(file)], check=True, stdout=subprocess.PIPE, text=True
        )
        return [name for name in out.stdout.split() if not name.startswith(MACHINE)]

    def closure(self, files: Iterable[Path], folders: List[Path]) -> Dict[str, Path]:
        """Every library that `files` need, directly or through another one, as name -> file in `folders`."""
        found: Dict[str, Path] = {}
        todo = list(files)
        while todo:
            for name in self.needed(todo.pop()):
                if name in found:
                    continue
                found[name] = find(name, folders).resolve()
                todo.append(found[name])
        return found

    def set_runpath(self, file: Path, path: str) -> None:
        """Makes the loader look for the libraries of `file` in `path` first."""
        subprocess.run([self._program, "--set-rpath", path, str(file)], check=True)

    def set_interpreter(self, file: Path, loader: Path, rpath: str) -> None:
        """Makes `file` run with another libc than the machine's: RPATH, not RUNPATH, so that it holds for its libraries too."""
        subprocess.run(
            [self._program, "--set-interpreter", str(loader), "--force-rpath", "--set-rpath", rpath, str(file)],
            check=True,
        )


def find(name: str, folders: List[Path]) -> Path:
    """The file of this name in the first of `folders` that has one."""
    for folder in folders:
        if (folder / name).exists():
            return folder / name
    raise FileNotFoundError(f"{name} is in none of {', '.join(map(str, folders))}")


def copy(source: Path, target: Path) -> None:
    """Copies a file, or the one that a link leads to, as a file that its owner can change."""
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target, follow_symlinks=True)
    target.chmod(0o755 if os.access(source, os.X_OK) else 0o644)


def make_curl_stub(folder: Path) -> None:
    """A libcurl.so.4 that can do nothing, for llvm-objdump, llvm-cov and llvm-profdata.

    Debian's can ask debug information servers and are linked to libcurl for that, and through it to thirty libraries
    more. They call none of them unless DEBUGINFOD_URLS is set; only the loader insists on the names.
    """
    functions = (
        "easy_cleanup easy_getinfo easy_init easy_perform easy_setopt easy_strerror "
        "global_cleanup global_init slist_append slist_free_all"
    ).split()
    source = folder / "stub.c"
    version = folder / "stub.map"
    source.write_text("".join(f"void *curl_{name}(void) {{ return 0; }}\n" for name in functions))
    version.write_text("CURL_OPENSSL_4 { global: curl_*; local: *; };\n")
    subprocess.run(
        ["cc", "-shared", "-fPIC", "-O1", "-s", f"-Wl,-soname,{CURL}", f"-Wl,--version-script={version}"]
        + ["-Wl,--build-id=none", "-o", str(folder / CURL), str(source)],
        check=True,
    )
    source.unlink()
    version.unlink()
