"""The attributes of the offload rules: those of rust_binary with the same meaning, and those for the device side."""

load("@rules_rust//rust:rust_common.bzl", "CrateInfo")
load("//offload:providers.bzl", "LlvmMatchInfo", "LlvmToolchainInfo")
load("//offload/private:kernel_libraries.bzl", "kernel_libraries_aspect")
load("//offload/private:transitions.bzl", "device_transition")
load("//offload/private/compat:rules_rust.bzl", "CLIPPY_ATTRS", "RUSTC_ATTRS")

# The crate, for all passes. RUSTC_ATTRS are what rules_rust reads of any crate.
CRATE_ATTRS = {
    "aliases": attr.label_keyed_string_dict(
        doc = "Remaps crates to other names, on both sides.",
    ),
    "archs": attr.string_list(
        doc = "The GPU arches to build for, such as `[\"gfx90a\"]`. Default: the flag `//offload/settings:archs`, which `--config=gfx90a` sets.",
    ),
    "compile_data": attr.label_list(
        allow_files = True,
        doc = "Files that the compiler reads, such as those of `include_str!`.",
    ),
    "crate_features": attr.string_list(
        doc = "Features of this crate, on both sides.",
    ),
    "crate_name": attr.string(
        doc = "The name of the crate. Default: the target's name, with `-` replaced by `_`.",
    ),
    "crate_root": attr.label(
        allow_single_file = [".rs"],
        doc = "The root of the crate. Default: the only file in `srcs`, `main.rs`, or a file of the target's name.",
    ),
    "edition": attr.string(
        doc = "The Rust edition. Default: that of the toolchain, 2024.",
    ),
    "proc_macro_deps": attr.label_list(
        cfg = "exec",
        doc = "`rust_proc_macro` targets, used on both sides.",
        providers = [CrateInfo],
    ),
    "rustc_env": attr.string_dict(
        doc = "Environment variables of the compiler, on both sides, subject to `$(location)` and the like.",
    ),
    "rustc_env_files": attr.label_list(
        allow_files = True,
        doc = "Files with lines `NAME=value` for the environment of the compiler, on both sides.",
    ),
    "srcs": attr.label_list(
        allow_files = [".rs"],
        doc = "The sources of the crate. Each pass compiles them.",
        # Allows --compile_one_dependency.
        flags = ["DIRECT_COMPILE_TIME_INPUT"],
    ),
    "version": attr.string(
        default = "0.0.0",
        doc = "The version of the crate, for `CARGO_PKG_VERSION`.",
    ),
    "_allowlist_function_transition": attr.label(
        default = "@bazel_tools//tools/allowlists/function_transition_allowlist",
    ),
    "_archs_flag": attr.label(
        default = "//offload/settings:archs",
    ),
} | RUSTC_ATTRS

# For the Device pass.
DEVICE_ATTRS = {
    "device_crate_features": attr.string_list(
        doc = "Features of this crate that are added on the device side.",
    ),
    "device_deps": attr.label_list(
        aspects = [kernel_libraries_aspect],
        cfg = device_transition,
        doc = "Libraries of the device side: `deps` and `device_deps` of the macro.",
    ),
    "device_rustc_flags": attr.string_list(
        doc = "Compiler flags that are added on the device side.",
    ),
    "device_srcs": attr.label_list(
        allow_files = [".rs"],
        doc = "The part of `srcs` that the device side needs, the root of the crate among it. An edit of the others never compiles the kernels again. Default: all.",
    ),
    "_checks": attr.label(
        cfg = "exec",
        default = "//offload/tools:checks",
        doc = "The program that the validations run.",
        executable = True,
    ),
    "_cuda_toolchain": attr.label(
        cfg = device_transition,
        default = "//toolchains/cuda:current_toolchain",
        doc = "Hands over the CUDA toolchain of each arch.",
    ),
    "_device_compilation_mode": attr.label(
        default = "//offload/settings:device_compilation_mode",
    ),
    "_device_toolchain": attr.label(
        cfg = device_transition,
        default = "@rules_rust//rust/toolchain:current_rust_toolchain",
        doc = "Hands over the rust_toolchain of each arch.",
    ),
} | CLIPPY_ATTRS

# For the HostMetadata and Host passes, and what they need to embed images.
HOST_ATTRS = {
    "data": attr.label_list(
        allow_files = True,
        doc = "Files that are needed at run time.",
    ),
    "deps": attr.label_list(
        doc = "Libraries of the host side: `deps` and `host_deps` of the macro.",
    ),
    "linker_script": attr.label(
        allow_single_file = True,
        doc = "A linker script for the executable or shared library.",
    ),
    "llvm": attr.label(
        doc = "The LLVM toolchain. The macro sets it where LLVM's tools embed the images.",
        providers = [LlvmToolchainInfo],
    ),
    "rustc_flags": attr.string_list(
        doc = "Compiler flags of the host side, subject to `$(location)` and the like. What a pass sets itself is refused: `--target`, `--crate-type`, `--emit`, `-Ctarget-cpu`, `-Clto`, `-Zoffload`.",
    ),
    "stamp": attr.int(
        default = -1,
        doc = "Whether workspace status variables in `rustc_env_files` are replaced on the host side: 1 always, 0 never, -1 with `--stamp`. The device side never has them.",
        values = [-1, 0, 1],
    ),
    "_embed": attr.label(
        default = "//offload/settings:embed",
    ),
    "_llvm_match": attr.label(
        default = "@rust_offload_toolchains//llvm:match",
        doc = "Checks that all LLVM tools are of rustc's LLVM.",
        providers = [LlvmMatchInfo],
    ),
    "_report": attr.label(
        cfg = "exec",
        default = "//offload/tools:offload",
        doc = "The program that reports what kernels take.",
        executable = True,
    ),
    "_stamp": attr.label(
        default = "//offload/private:stamp",
    ),
}

# For what is run.
EXECUTABLE_ATTRS = {
    "binary_name": attr.string(
        doc = "The name of the file. Default: the target's name.",
    ),
    "env": attr.string_dict(
        doc = "Environment variables of `bazel run` and `bazel test`, subject to `$(location)` and the like.",
    ),
    "env_inherit": attr.string_list(
        doc = "Environment variables that are taken from where Bazel was started.",
    ),
}
