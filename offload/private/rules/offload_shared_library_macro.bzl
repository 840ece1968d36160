"""The macro rust_offload_shared_library."""

load("//offload/private/rules:offload_shared_library.bzl", _rust_offload_shared_library = "rust_offload_shared_library")
load("//offload/private/rules:sides.bzl", "both_sides")

def rust_offload_shared_library(
        name,
        archs = None,
        deps = [],
        host_deps = [],
        device_deps = [],
        target_compatible_with = [],
        **kwargs):
    """Builds a shared library whose functions launch kernels on a GPU, for programs in other languages.

    It is a `rust_shared_library` and a `rust_offload_binary` in one: functions with `#[unsafe(no_mangle)] extern "C"` are
    what it exports, and its kernels are inside. The file is `lib<crate name>.so`.

    ```starlark
    rust_offload_shared_library(
        name = "vector",
        srcs = ["vector.rs"],
        edition = "2024",
        deps = ["@rules_rust_offload//offload/gpu"],
    )

    cc_binary(
        name = "main",
        srcs = ["main.cc"],
        deps = [":vector"],
    )
    ```

    A Python program has it in `data`, and loads it from its runfiles with `ctypes.CDLL`. The offload runtime lies in the
    runfiles of whatever depends on the library, and the library finds it there.

    Args:
        name: (str) the name of the target.
        archs: (list[str]) the arches to build for, as in `rust_offload_binary`.
        deps: (list[label]) libraries for both sides, each built for each side.
        host_deps: (list[label]) libraries for the host side only.
        device_deps: (list[label]) libraries for the device side only.
        target_compatible_with: (list[label]) as for every rule.
        **kwargs: the other attributes of `rust_offload_binary`, but for those of what is run: `binary_name`, `env` and
            `env_inherit`.
    """
    _rust_offload_shared_library(
        name = name,
        **both_sides(name, archs, deps, host_deps, device_deps, target_compatible_with, kwargs)
    )
