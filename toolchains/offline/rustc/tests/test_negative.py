"""Wrong input gets a plain error: its text, status 1 and no internal compiler error."""

import unittest

from compiler import lines, triple

COMPILER = None  # set by run_tests.py

NVIDIA = "sm_90"
AMD = "gfx90a"

# What is wrong with a manifest: case -> (its bytes, what rustc says). {m} stands for the manifest's path.
MANIFESTS = {
    "garbage": (
        b"no manifest\n",
        'invalid offload manifest `{m}`, line 1: the first line is not `{{"offload-manifest":1}}`',
    ),
    "binary": (
        bytes(range(256)),
        'invalid offload manifest `{m}`, line 1: the first line is not `{{"offload-manifest":1}}`',
    ),
    "empty": (b"", 'invalid offload manifest `{m}`, line 1: the first line is not `{{"offload-manifest":1}}`'),
    "truncated": (lines('{"args":["f64"],"ker'), "invalid offload manifest `{m}`, line 2: EOF while parsing"),
    "unknown-kernel": (
        lines('{"args":["f64"],"kernel":"k::nokernel"}'),
        "cannot resolve an entry of the offload manifest `{m}`, line 2: `k::nokernel` does not exist in this compilation",
    ),
    "unknown-crate": (
        lines('{"args":["f64"],"kernel":"kk::kernel"}'),
        "cannot resolve an entry of the offload manifest `{m}`, line 2: there is no crate `kk` in this compilation",
    ),
    "unknown-type": (
        lines('{"args":[{"adt":"k::Gone","args":[]}],"kernel":"k::kernel"}'),
        "cannot resolve an entry of the offload manifest `{m}`, line 2: `k::Gone` does not exist in this compilation",
    ),
    "wrong-number-of-arguments": (
        lines('{"args":[],"kernel":"k::kernel"}'),
        "cannot resolve an entry of the offload manifest `{m}`, line 2: `kernel` has 1 generic parameters, not 0",
    ),
    "bounds": (
        lines('{"args":[{"ref":["mut","u8"]}],"kernel":"k::kernel"}'),
        "line 2: the generic arguments do not satisfy the bounds of `k::kernel`",
    ),
    "not-a-kernel": (lines('{"args":[],"kernel":"k::panic"}'), "line 2: `k::panic` is not an offload kernel"),
    "no-instance": (lines(), "generic offload kernel `kernel` is not instantiated"),
}


class NegativeCase(unittest.TestCase):
    """Assertions on a failed run."""

    maxDiff = None

    def assert_error(self, result, *texts, status=1):
        self.assertEqual(result.status, status, result.messages)
        self.assertNotIn("internal compiler error", result.messages)
        self.assertNotIn("panicked at", result.messages)
        for text in texts:
            self.assertIn(text, result.messages)


class ManifestTest(NegativeCase):
    def test_manifests(self):
        for case, (content, message) in MANIFESTS.items():
            with self.subTest(case):
                manifest = f"{case}.manifest"
                data = content if isinstance(content, bytes) else "".join(f"{line}\n" for line in content).encode()
                if case == "truncated":
                    data = data.rstrip(b"\n")
                (COMPILER.work / manifest).write_bytes(data)
                result = COMPILER.device(NVIDIA, "fill.rs", f"Device={manifest}", "negative")
                self.assert_error(result, "error: ", message.format(m=manifest))

    def test_missing(self):
        result = COMPILER.device(NVIDIA, "fill.rs", "Device=nope.manifest", "negative")
        self.assert_error(
            result,
            "error: cannot read the offload manifest `nope.manifest`: No such file or directory (os error 2)",
            "help: write it with `-Zoffload=HostMetadata=<path>` first",
        )

    def test_none(self):
        result = COMPILER.device(NVIDIA, "fill.rs", "Device", "negative")
        self.assert_error(
            result,
            "error: generic offload kernel `kernel` is not instantiated",
            "fill.rs:",
            "help: launch it in the host code, write a manifest with `-Zoffload=HostMetadata=<path>`",
        )

    def test_not_writable(self):
        result = COMPILER.host_metadata("fill.rs", "nodir/x.manifest")
        self.assert_error(
            result,
            "error: cannot write the offload manifest `nodir/x.manifest`: No such file or directory (os error 2)",
        )

    def test_instance_that_has_no_name(self):
        result = COMPILER.host_metadata("closure.rs", "closure.manifest")
        self.assert_error(result, "is not supported as a generic argument of the offload kernel `map`")


class OptionTest(NegativeCase):
    def test_host_metadata_without_path(self):
        result = COMPILER.rustc("-Zunstable-options", "-Zoffload=HostMetadata", "x.rs")
        self.assert_error(
            result,
            "error: incorrect value `HostMetadata` for unstable option `offload`",
            "`HostMetadata=<Path>`, `Device[=<Manifest>]`, `Host=<Absolute-Path>`, `Test` was expected",
        )

    def test_without_unstable_options(self):
        result = COMPILER.rustc("-Zoffload=Device", "x.rs")
        self.assert_error(result, "error: `-Zoffload=Enable` also requires `-Zunstable-options` and a nightly compiler")

    def test_no_offload_on_the_host(self):
        result = COMPILER.host("fill.rs", "")
        self.assert_error(
            result, "error: using the offload feature requires -Z offload=<Device or Host=/absolute/path/to/device.bin>"
        )

    def test_no_lto(self):
        result = COMPILER.host("fill.rs", "Test", lto="off")
        self.assert_error(result, "error: using the offload feature requires -C lto=fat")

    def test_relative_path(self):
        result = COMPILER.host("fill.rs", "Host=sm_90/device.bin")
        self.assert_error(
            result, "error: using the `-Z offload=Host=/absolute/path/to/device.bin` flag requires an absolute path"
        )

    def test_other_file_name(self):
        result = COMPILER.host("fill.rs", f"Host={COMPILER.work}/image.bin")
        self.assert_error(result, "Host=/absolute/path/to/device.bin` flag must point to a `device.bin` file")

    def test_missing_image(self):
        result = COMPILER.host("fill.rs", f"Host={COMPILER.work}/nowhere/device.bin")
        self.assert_error(
            result,
            "error: the given path/file to `device.bin` does not exist. Did you forget to run the device compilation first?",
        )


class ImageTest(NegativeCase):
    """What the Host pass says of an image that it cannot embed."""

    @classmethod
    def setUpClass(cls):
        COMPILER.host_metadata("fill.rs", "fill.manifest")
        for arch in (NVIDIA, AMD):
            result = COMPILER.device(arch, "fill.rs", "Device=fill.manifest", arch)
            assert result.status == 0, result.messages
        cls.bitcode = COMPILER.work / "extracted.bc"
        COMPILER.run_tool(
            "llvm-offload-binary",
            COMPILER.image(NVIDIA),
            f"--image=file={cls.bitcode},triple={triple(NVIDIA)},arch={NVIDIA}",
        )

    def _embed(self, image, **options):
        return COMPILER.host("fill.rs", f"Host={image}", **options)

    def test_two_images(self):
        content = COMPILER.image(NVIDIA).read_bytes()
        (COMPILER.work / "two").mkdir()
        COMPILER.image("two").write_bytes(content + bytes(-len(content) % 8) + content)
        self.assert_error(
            self._embed(COMPILER.image("two")),
            "error: failed to embed the offload device image: expected exactly one device image, found 2",
        )

    def test_no_offload_binary(self):
        (COMPILER.work / "junk").mkdir()
        COMPILER.image("junk").write_text("junk\n")
        self.assert_error(
            self._embed(COMPILER.image("junk")),
            "failed to embed the offload device image: ",
            "device.bin is not an offload binary",
        )

    def test_ptxas_not_found(self):
        result = self._embed(COMPILER.image(NVIDIA), path="")
        self.assert_error(result, "error: failed to embed the offload device image: ptxas not found in PATH")

    def test_unsupported_target(self):
        image = COMPILER.repack("unsupported", self.bitcode, "x86_64-unknown-linux-gnu", "x86-64")
        self.assert_error(
            self._embed(image),
            "failed to embed the offload device image: unsupported offload target x86_64-unknown-linux-gnu",
        )

    def test_unknown_arch(self):
        image = COMPILER.repack("unknown", self.bitcode, triple(NVIDIA), "sm_1")
        self.assert_error(
            self._embed(image),
            "bin/ptxas failed with status 255: ptxas fatal",
            "'sm_1' is not defined for option 'gpu-name'",
        )

    def test_rust_lld_missing(self):
        result = COMPILER.without_lld().host("fill.rs", f"Host={COMPILER.image(AMD)}")
        self.assert_error(
            result,
            "error: failed to embed the offload device image: rust-lld not found in the sysroot, it is needed for amdgcn-amd-amdhsa",
        )
