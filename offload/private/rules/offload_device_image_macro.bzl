"""The macro rust_offload_device_image."""

load("//offload/private/rules:offload_device_image.bzl", _rust_offload_device_image = "rust_offload_device_image")
load("//offload/private/rules:sides.bzl", "device_attributes")

def rust_offload_device_image(
        name,
        archs = None,
        deps = [],
        device_deps = [],
        target_compatible_with = [],
        **kwargs):
    """Compiles kernels without a host program: the Device pass alone, for tools that look at or load device images.

    Its files are the device images, a `device.bin` for each arch. Nobody says which instances of generic kernels are
    wanted, so a generic kernel is an error of rustc's.

    The output groups are those of the device side of `rust_offload_binary`: `device_image`, `device_llvm_bc`,
    `device_llvm_ir` and `device_asm`.

    Args:
        name: (str) the name of the target.
        archs: (list[str]) the arches to build for, as in `rust_offload_binary`.
        deps: (list[label]) libraries.
        device_deps: (list[label]) the same, so that what `rust_offload_binary` has can be written here, too.
        target_compatible_with: (list[label]) as for every rule.
        **kwargs: the attributes of `rust_offload_binary` that have to do with the device side.
    """
    _rust_offload_device_image(
        name = name,
        **device_attributes(name, archs, deps, device_deps, target_compatible_with, kwargs)
    )
