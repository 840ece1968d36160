"""Tests a rustc with offload, this one or another: its errors, and programs through all three passes.

    run_tests.py --sysroot DIR --tools DIR --core sm_90=DIR --core gfx90a=DIR --ptxas FILE [-v]

Each core folder has libcore.rlib (and libcompiler_builtins.rlib) of that arch. Paths may be relative. Nothing is run on a
GPU. The machine's cc links; --tools has llvm-nm, llvm-objdump, llvm-readelf and llvm-offload-binary.
"""

import argparse
import sys
import tempfile
import unittest
from pathlib import Path

import test_negative
import test_programs
from compiler import Compiler


def main() -> None:
    """Parses the arguments and runs the tests."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sysroot", type=Path, required=True, help="folder with bin/rustc")
    parser.add_argument("--tools", type=Path, required=True, help="folder with LLVM's tools")
    parser.add_argument(
        "--core", action="append", required=True, metavar="ARCH=DIR", help="core of a device; once for each arch"
    )
    parser.add_argument("--ptxas", type=Path, required=True, help="NVIDIA's assembler")
    parser.add_argument("-v", "--verbose", action="store_true", help="name every test")
    options = parser.parse_args()
    cores = {arch: Path(folder).absolute() for arch, _, folder in (core.partition("=") for core in options.core)}
    for arch in (test_negative.NVIDIA, test_negative.AMD):
        if arch not in cores:
            parser.error(f"no --core {arch}=DIR")
    with tempfile.TemporaryDirectory() as work:
        compiler = Compiler(options.sysroot.absolute(), options.tools.absolute(), cores, options.ptxas.absolute(), Path(work))
        test_negative.COMPILER = test_programs.COMPILER = compiler
        suite = unittest.TestSuite()
        for module in (test_negative, test_programs):
            suite.addTests(unittest.defaultTestLoader.loadTestsFromModule(module))
        result = unittest.TextTestRunner(verbosity=2 if options.verbose else 1).run(suite)
    sys.exit(not result.wasSuccessful())


if __name__ == "__main__":
    main()
