"""Programs go through the three passes, and the executables contain the kernels that they launch."""

import re
import unittest

from compiler import triple

COMPILER = None  # set by run_tests.py

# Symbols: v0 mangling without crate disambiguators, the same on both sides.
FILL = {"_RINvC1k6kerneldE", "_RINvC1k6kernelhE"}
USER = {
    "_RNvC4user3own",
    "_RINvC7kernels3addxKj20_E",
    "_RNvC7kernels6negate",
    "_RINvNtC7kernels5inner3setINtB4_5RangetEE",
    "_RINvNtC7kernels5inner3setINtNtC4core6option6OptionThbEEE",
}


class ProgramTest(unittest.TestCase):
    def assert_ok(self, result):
        self.assertEqual(result.status, 0, result.messages)
        self.assertNotIn("error", result.messages)

    def kernels(self, program, arch):
        """The kernels of the only image in a program, after checks on what the image is."""
        said = COMPILER.run_tool("llvm-objdump", "--offloading", program)
        self.assertEqual(said.count("OFFLOADING IMAGE"), 1, said)
        self.assertRegex(said, rf"kind +elf\narch +{arch}\n")
        image = COMPILER.work / f"{program.name}-{arch}.image"
        self.assertRegex(said, rf"triple +{triple(arch)}\n")
        self._extract(program, image)
        symbols = COMPILER.run_tool("llvm-readelf", "--symbols", "--wide", image)
        return set(re.findall(r"FUNC +GLOBAL +\S+ +(?:\[[^]]*\] +)?\S+ +(_R\S+)", symbols))

    def _extract(self, program, image):
        """Copies the linked image, an ELF file in the program's read-only data, out of it."""
        content = program.read_bytes()
        machines = (b"\xbe\x00", b"\xe0\x00")  # EM_CUDA, EM_AMDGPU
        starts = [m.start() for m in re.finditer(b"\x7fELF\x02\x01", content)]
        start = next(at for at in starts if content[at + 18 : at + 20] in machines)
        image.write_bytes(content[start:])

    def _each(self, name, source, expected, libraries=()):
        for arch in COMPILER.cores:
            with self.subTest(arch):
                host, device = [], []
                for library in libraries:
                    crate = library[:-3]
                    self.assert_ok(
                        COMPILER.rustc(
                            COMPILER.programs / library,
                            f"--crate-name={crate}",
                            "--crate-type=rlib",
                            "-Copt-level=3",
                            "-Cpanic=abort",
                            "-Cembed-bitcode=yes",
                            f"--out-dir={COMPILER.folder('libraries')}",
                        )
                    )
                    self.assert_ok(
                        COMPILER.device(arch, library, "Device", f"{arch}-libraries", name=crate, kind="rlib")
                    )
                    host.append(f"--extern={crate}=libraries/lib{crate}.rlib")
                    device.append(f"--extern={crate}={arch}-libraries/lib{crate}.rlib")
                manifest = f"{name}.manifest"
                self.assert_ok(COMPILER.host_metadata(source, manifest, *host, name=name))
                self.assertEqual((COMPILER.work / manifest).read_text().splitlines()[0], '{"offload-manifest":1}')
                out = f"{name}-{arch}"
                self.assert_ok(COMPILER.device(arch, source, f"Device={manifest}", out, *device, name=name))
                self.assert_ok(COMPILER.host(source, f"Host={COMPILER.image(out)}", *host, name=name))
                self.assertEqual(self.kernels(COMPILER.work / "host" / name, arch), expected)

    def test_instances_of_a_generic_kernel(self):
        self._each("k", "fill.rs", FILL)

    def test_kernels_of_a_library(self):
        self._each("user", "user.rs", USER, libraries=("kernels.rs",))

    def test_program_without_launch_needs_no_runtime(self):
        self.assert_ok(COMPILER.host_metadata("plain.rs", "plain.manifest", name="plain"))
        self.assertEqual((COMPILER.work / "plain.manifest").read_text(), '{"offload-manifest":1}\n')
        # The image is not looked at: nothing in the program launches it.
        image = COMPILER.folder("plain") / "device.bin"
        image.write_text("not looked at")
        self.assert_ok(COMPILER.host("plain.rs", f"Host={image}", name="plain"))
        dynamic = COMPILER.run_tool("llvm-readelf", "--dynamic-table", COMPILER.work / "host/plain")
        self.assertNotIn("libomptarget", dynamic)
