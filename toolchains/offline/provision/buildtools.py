"""buildifier and buildozer: static programs inside npm packages. Made only when asked for."""

import shutil
import tarfile
from pathlib import Path
from typing import Dict

from . import pins, process
from .thing import Thing


class Buildtools(Thing):
    """A folder with the programs."""

    name = "bin"
    purpose = "downloading buildifier and buildozer"
    space = 200_000_000
    tools = {"npm": "to download buildifier"}

    def wanted(self) -> Dict[str, str]:
        return {"packages": pins.fingerprint(pins.load("buildtools"))}

    def make(self, folder: Path) -> Dict[str, str]:
        npm = process.tool("npm", "to download buildifier")
        packages = self.cache.downloads / "npm"
        packages.mkdir(parents=True, exist_ok=True)
        for package, pin in pins.load("buildtools").items():
            tool = package.split("/")[1]
            archive = packages / f"bazel-{tool}-{pin.version}.tgz"
            if not archive.exists():
                process.run([npm, "pack", "--silent", f"{package}@{pin.version}"], f"downloading {tool}", cwd=packages)
            pins.verify(archive, package, pin)
            with tarfile.open(archive) as unpacked, open(folder / tool, "wb") as program:
                shutil.copyfileobj(unpacked.extractfile(f"package/{tool}-linux_amd64"), program)
            (folder / tool).chmod(0o755)
        return {}
