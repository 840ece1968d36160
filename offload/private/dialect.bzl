"""Dialects: how one range of rustc versions spells the three passes.

A rustc that spells them differently is one more entry in `DIALECTS`; nothing outside of this file writes `-Zoffload`.
"""

# Fat LTO is demanded where a launch or a kernel is compiled. `-Zoffload` needs `-Zunstable-options`. Host and device
# must agree on the names of kernels, which are v0-mangled.
_EVERY_PASS = ["-Clto=fat", "-Csymbol-mangling-version=v0", "-Zunstable-options"]

def _host_metadata(manifest):
    return _EVERY_PASS + ["-Zoffload=HostMetadata=" + manifest.path]

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
    return _EVERY_PASS + _device_codegen(arch) + ["-Zoffload=Device=" + manifest.path]

def _host(image):
    # rustc demands an absolute path; this one is the same in every sandbox, checkout and output base.
    return _EVERY_PASS + ["-Zoffload=Host=/proc/self/cwd/" + image.path]

def _device_dep(arch):
    # With `Device`, `#[offload_kernel]` in a library expands to the kernel instead of a host stub.
    return _device_codegen(arch) + ["-Csymbol-mangling-version=v0", "-Zunstable-options", "-Zoffload=Device"]

DIALECTS = {
    # rustc nightlies from 2026-09-09 on (rust-lang/rust#162309): a manifest links host and device, and the Host pass
    # links and embeds the image in-process.
    "manifest": struct(
        host_metadata = _host_metadata,
        device = _device,
        # `llvm-bc` keeps the names of IR values, by which rustc finds the arguments of kernels.
        device_emit = ["llvm-bc"],
        host = _host,
        # rustc writes the device image under this name, and the Host pass refuses any other.
        image_name = "device.bin",
    ),
}

# What library crates of the device graph get. They are compiled by other rules, which learn their flags from a
# transition, before any toolchain is known: it holds for every dialect so far.
DEVICE_DEP_FLAGS = _device_dep
