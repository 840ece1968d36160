"""ptxas, NVIDIA's assembler, from the Python package that carries it."""

import shutil
import zipfile
from pathlib import Path
from typing import Dict

from . import pins, process
from .report import Failure
from .thing import Thing

# CUDA 12: its ptxas knows every arch from sm_50 to sm_121. That of CUDA 13 has dropped sm_70 and what is older.
_PACKAGE = "nvidia-cuda-nvcc-cu12"


class Ptxas(Thing):
    """A folder in the shape of a CUDA installation, with bin/ptxas in it and nothing else."""

    name = "cuda"
    purpose = "downloading ptxas"
    space = 200_000_000

    def wanted(self) -> Dict[str, str]:
        return {"packages": pins.fingerprint(pins.load("ptxas"))}

    def make(self, folder: Path) -> Dict[str, str]:
        pin = pins.load("ptxas")[_PACKAGE]
        with zipfile.ZipFile(self._wheel(pin)) as wheel:
            member = next(name for name in wheel.namelist() if name.endswith("/bin/ptxas"))
            program = folder / "bin/ptxas"
            program.parent.mkdir()
            with wheel.open(member) as packed, open(program, "wb") as unpacked:
                shutil.copyfileobj(packed, unpacked)
        program.chmod(0o755)
        out = process.run([str(program), "--version"], "starting ptxas")
        return {"version": out.strip().splitlines()[-2]}

    def _wheel(self, pin: pins.Pin) -> Path:
        wheels = self.cache.downloads / "wheels"
        wheels.mkdir(parents=True, exist_ok=True)
        pattern = f"{_PACKAGE.replace('-', '_')}-{pin.version}-*.whl"
        if not list(wheels.glob(pattern)):
            pip = shutil.which("pip3") or process.tool("pip", "to download ptxas")
            process.run(
                [pip, "download", "--quiet", "--no-deps", "--only-binary=:all:", "--platform=manylinux_2_12_x86_64"]
                + ["--dest", str(wheels), f"{_PACKAGE}=={pin.version}"],
                "downloading ptxas",
            )
        found = list(wheels.glob(pattern))
        if not found:
            raise Failure(f"pip downloaded no {pattern} into {wheels}")
        pins.verify(found[0], _PACKAGE, pin)
        return found[0]
