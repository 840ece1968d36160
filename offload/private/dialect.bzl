"""Dialects: how one range of rustc versions spells the three passes.

A flag is a string, or a pair `(format, File)` where it names a file: a path that is only known when the action runs.

A rustc that spells them differently is one more entry in `DIALECTS`; nothing outside of this file writes `-Zoffload`.
"""

# Fat LTO is demanded where a launch or a kernel is compiled. `-Zoffload` needs `-Zunstable-options`. Host and device
# must agree on the names of kernels, which are v0-mangled.
_EVERY_PASS = ["-Clto=fat", "-Csymbol-mangling-version=v0", "-Zunstable-options"]

# By which sources tell the sides apart.
_DEVICE_CFGS = ["offload_device"]
_DEVICE_CFG_FLAGS = ["--cfg=" + cfg for cfg in _DEVICE_CFGS]

def _host_metadata(manifest):
    return _EVERY_PASS + [("-Zoffload=HostMetadata=%s", manifest)]

def _device_codegen(arch):
    return [
        "-Ctarget-cpu=" + arch,
        # A kernel that panics has nobody to unwind to.
        "-Cpanic=abort",
        # LLVM would make one of two kernels with the same code an alias of the other, and an alias has no kernel
        # descriptor on AMD: it could not be launched.
        "-Zmerge-functions=disabled",
    ]

def _device(manifest, arch):
    # Without a manifest rustc makes the kernels that are not generic.
    offload = ("-Zoffload=Device=%s", manifest) if manifest else "-Zoffload=Device"
    return _EVERY_PASS + _device_codegen(arch) + [offload] + _DEVICE_CFG_FLAGS

def _host(image):
    # rustc demands an absolute path; this one is the same in every sandbox, checkout and output base.
    return _EVERY_PASS + [("-Zoffload=Host=/proc/self/cwd/%s", image)]

def _host_without_image():
    # As `Host`, but rustc embeds nothing, and leaves the offload runtime to the linker's command line.
    return _EVERY_PASS + ["-Zoffload=Test"]

def _device_dep(arch):
    # With `Device`, `#[offload_kernel]` in a library expands to the kernel instead of a host stub.
    return _device_codegen(arch) + ["-Csymbol-mangling-version=v0", "-Zunstable-options", "-Zoffload=Device"] + _DEVICE_CFG_FLAGS

# A manifest links host and device, and the Host pass links and embeds the image in-process.
_MANIFEST = {
    "device": _device,
    "device_cfgs": _DEVICE_CFGS,
    # What library crates of the device graph get, which other rules compile.
    "device_dep": _device_dep,
    # `llvm-bc` keeps the names of IR values, by which rustc finds the arguments of kernels.
    "device_emit": ["--emit=llvm-bc"],
    "host": _host,
    "host_metadata": _host_metadata,
    "host_without_image": _host_without_image,
    # rustc writes the device image under this name, and the Host pass refuses any other.
    "image_name": "device.bin",
}

DIALECTS = {
    # The manifest covers the final crate only (rust-lang/rust#162279).
    "manifest": struct(library_kernels = False, **_MANIFEST),
    # The patched rustc of toolchains/offline: it finds kernels of libraries by their names.
    "manifest_of_all_crates": struct(library_kernels = True, **_MANIFEST),
    # The next dialect goes here: rust-lang/rust#163179 and #162305 announce a Device pass without `device.bin`, whose
    # normal outputs are handed to the Host pass.
}

# The nightly of 2026-09-09 (rust-lang/rust#162309), whose last commit is of the day before.
_MANIFEST_SINCE = struct(version = [1, 100, 0], commit_date = "2026-09-08", nightly = "2026-09-09")

def _parse_rustc_version(line):
    """Reads `rustc 1.100.0-nightly (0123456789 2026-09-19)`.

    Returns:
        (struct(version, channel, commit_date) or None) the channel being "" for a stable release.
    """
    words = line.split(" ")
    if len(words) < 4 or words[0] != "rustc":
        return None
    version, _, channel = words[1].partition("-")
    parts = version.split(".")
    if len(parts) != 3 or not all([part.isdigit() for part in parts]):
        return None
    return struct(
        version = [int(part) for part in parts],
        channel = channel.partition(".")[0],
        commit_date = words[3].rstrip(")"),
    )

def find_dialect(version_line, unstable_options):
    """Finds out how a rustc spells the passes.

    Args:
        version_line: (str) what `rustc --version` prints.
        unstable_options: (str) what `rustc -Zhelp` prints. A rustc that was built from source with the passes may have
            any version, but it lists them.

    Returns:
        (str, None), a key of DIALECTS, or (None, error).
    """
    rustc = _parse_rustc_version(version_line)
    first = _MANIFEST_SINCE
    if "HostMetadata=" in unstable_options:
        # Upstream has had the passes since 1.100: an older one was patched.
        return "manifest_of_all_crates" if rustc and rustc.version < first.version else "manifest", None
    if rustc and rustc.channel in ("nightly", "dev") and (rustc.version, rustc.commit_date) >= (first.version, first.commit_date):
        return "manifest", None
    return None, "this rustc does not know the three offload passes. Found {}; they are in nightlies from {} ({}) on. Write offload.rust(nightly = \"<date>\") with such a date.".format(
        version_line,
        first.nightly,
        ".".join([str(part) for part in first.version]) + "-nightly",
    )
