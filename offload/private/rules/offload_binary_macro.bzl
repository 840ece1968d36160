"""The macro rust_offload_binary."""

load("//offload/private/rules:offload_binary.bzl", _rust_offload_binary = "rust_offload_binary")
load("//offload/private/rules:sides.bzl", "both_sides")

def rust_offload_binary(
        name,
        archs = None,
        deps = [],
        host_deps = [],
        device_deps = [],
        target_compatible_with = [],
        **kwargs):
    """Builds a Rust program whose kernels run on a GPU.

    The crate is compiled three times: rustc finds out which kernel instances the host launches
    (`RustOffloadHostMetadata`), compiles them for the GPU (`RustOffloadDevice`), and compiles the host with the result
    inside (`RustOffloadHost`).

    ```starlark
    load("@rules_rust_offload//offload:defs.bzl", "rust_offload_binary")

    rust_offload_binary(
        name = "kernel",
        srcs = ["kernel.rs"],
        edition = "2024",
    )
    ```

    `bazel build //:kernel --config=gfx90a` builds it, `bazel run //:kernel --config=sm_90` runs it. Without an arch the
    target is incompatible, and `bazel build //...` skips it.

    With several arches, or `--@rules_rust_offload//offload/settings:embed=llvm`, the images are linked by LLVM's tools
    and `ptxas`, each by an action of its own (`RustOffloadLinkImage`), and wrapped into an object file
    (`RustOffloadWrapImages`) for the Host pass.

    The output groups `offload_manifest`, `device_image` and `device_llvm_bc` hold what the first two passes made,
    `device_llvm_ir` and `device_asm` the kernels as text, `linked_image` the machine code for each arch that LLVM's tools
    made.

    Args:
        name: (str) the name of the target and of the executable.
        archs: (list[str]) the arches to build for: `gfx[0-9a-f]+` or `sm_[0-9]+[a-z]?`, as rustc's `-Ctarget-cpu`. The
            program has an image for each; the offload runtime takes the one that fits. Default: the flag
            `//offload/settings:archs`, which `--config=gfx90a` sets; several `--config` add up.
        deps: (list[label]) libraries for both sides, each built for each side.
        host_deps: (list[label]) libraries for the host side only: `rust_library`, `cc_library`, a build script.
        device_deps: (list[label]) libraries for the device side only.
        target_compatible_with: (list[label]) as for every rule.
        **kwargs: the attributes of `rust_binary`, with the same meaning for both sides, and
            `device_crate_features`, `device_rustc_flags` (list[str]), which are added on the device side, and
            `device_srcs` (list[label]), the part of `srcs` that the device side sees. `rustc_flags` hold for the host side.
    """
    _rust_offload_binary(
        name = name,
        **both_sides(name, archs, deps, host_deps, device_deps, target_compatible_with, kwargs)
    )
