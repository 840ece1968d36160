"""ptxas and nvdisasm, NVIDIA's assembler and disassembler, from the Python packages that carry them."""

import shutil
import zipfile
from pathlib import Path
from typing import Dict

from . import pins, process
from .report import Failure
from .thing import Thing

# Program -> package. CUDA 12's ptxas knows every arch from sm_50 to sm_121; that of CUDA 13 has dropped sm_70 and what is
# older. There is no package of CUDA 12 for the disassembler, and a newer one reads what an older assembler made.
_PACKAGES = {
    "nvdisasm": "nvidia-cuda-nvdisasm",
    "ptxas": "nvidia-cuda-nvcc-cu12",
}


class Ptxas(Thing):
    """A folder in the shape of a CUDA installation, with the two programs in bin/ and nothing else."""

    name = "cuda"
    purpose = "downloading ptxas"
    space = 200_000_000

    def wanted(self) -> Dict[str, str]:
        return {"packages": pins.fingerprint(pins.load("ptxas"))}

    def make(self, folder: Path) -> Dict[str, str]:
        (folder / "bin").mkdir()
        versions = {}
        for name, package in _PACKAGES.items():
            program = folder / "bin" / name
            with zipfile.ZipFile(self._wheel(package)) as wheel:
                member = next(member for member in wheel.namelist() if member.endswith(f"/bin/{name}"))
                with wheel.open(member) as packed, open(program, "wb") as unpacked:
                    shutil.copyfileobj(packed, unpacked)
            program.chmod(0o755)
            out = process.run([str(program), "--version"], f"starting {name}")
            versions[name] = out.strip().splitlines()[-2]
        return {"version": versions["ptxas"], "nvdisasm": versions["nvdisasm"]}

    def _wheel(self, package: str) -> Path:
        pin = pins.load("ptxas")[package]
        wheels = self.cache.downloads / "wheels"
        wheels.mkdir(parents=True, exist_ok=True)
        pattern = f"{package.replace('-', '_')}-{pin.version}-*.whl"
        if not list(wheels.glob(pattern)):
            pip = shutil.which("pip3") or process.tool("pip", "to download ptxas")
            platforms = ["--platform=manylinux_2_12_x86_64", "--platform=manylinux_2_17_x86_64"]
            process.run(
                [pip, "download", "--quiet", "--no-deps", "--only-binary=:all:", *platforms]
                + ["--dest", str(wheels), f"{package}=={pin.version}"],
                "downloading ptxas",
            )
        found = list(wheels.glob(pattern))
        if not found:
            raise Failure(f"pip downloaded no {pattern} into {wheels}")
        pins.verify(found[0], package, pin)
        return found[0]
