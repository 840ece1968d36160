"""What has to be known of, and changed in, ELF files: needed libraries and search paths."""

import subprocess
from pathlib import Path
from typing import Dict, Iterable, List

# Libraries that belong to the machine: a second copy of any of these in one process is trouble.
MACHINE = ("ld-linux", "libc.so", "libm.so", "libdl.so", "libpthread.so", "librt.so", "libgcc_s.so", "libstdc++.so")


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
                candidates = [folder / name for folder in folders if (folder / name).exists()]
                if not candidates:
                    raise FileNotFoundError(f"{name} is in none of {', '.join(map(str, folders))}")
                found[name] = candidates[0].resolve()
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
