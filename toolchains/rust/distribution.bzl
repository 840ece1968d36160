"""The targets of a rustc distribution: a rust_toolchain for the host and for each device triple, and the offload toolchain."""

load("@rules_rust//rust:defs.bzl", "rust_stdlib_filegroup")
load("@rules_rust//rust:toolchain.bzl", "rust_toolchain")

# buildifier: disable=bzl-visibility
load("//offload/private:arch.bzl", "DEVICE_TRIPLES", "NVPTX64")

# buildifier: disable=bzl-visibility
load("//offload/private:arch_option.bzl", "arch_config_settings")

# buildifier: disable=bzl-visibility
load("//offload/private:dialect.bzl", "DIALECTS")
load("//toolchains:offload_toolchain.bzl", "offload_toolchain")
load(":channel.bzl", "HOST_TRIPLE", "OPTIONAL_PROGRAMS")
load(":device_std.bzl", "device_std")

_HOST_LIB = "lib/rustlib/{}/lib/".format(HOST_TRIPLE)
_HOST_BIN = "lib/rustlib/{}/bin/".format(HOST_TRIPLE)
_LIBRARY = "lib/rustlib/src/rust/library/"

# Both kinds of toolchain come from the one rustc.
_TOOLCHAIN = {
    "binary_ext": "",
    "clippy_driver": ":clippy-driver",
    "default_edition": "2024",
    "dylib_ext": ".so",
    "exec_triple": HOST_TRIPLE,
    "rust_doc": ":rustdoc",
    "rustc": ":rustc",
    "rustc_lib": ":rustc_lib",
    "staticlib_ext": ".a",
}

def _device_toolchain(triple, dialect, archs):
    device_std(
        name = triple + "_std_files",
        rustc = ":rustc",
        rustc_files = [":rustc_lib"],
        srcs = [":rust_src"],
        triple = triple,
    )
    rust_stdlib_filegroup(
        name = triple + "_std",
        srcs = [":{}_std_files".format(triple)],
    )
    every_mode = ["dbg", "fastbuild", "opt"]
    rust_toolchain(
        name = triple,
        debug_info = {
            # ptxas stops at the labels of DWARF in PTX; lines for it are directives between the instructions.
            "dbg": "line-directives-only" if triple == NVPTX64 else "line-tables-only",
            "fastbuild": "0",
            "opt": "0",
        },
        # For the libraries of the device side. Device passes of offload targets have flags of their own instead.
        extra_rustc_flags = select({
            setting: dialect.device_dep(arch)
            for arch, setting in arch_config_settings("is_", archs).items()
        } | {"//conditions:default": []}),
        # ptxas stops at what unoptimised code leaves in the image, and a kernel that is not optimised is of no use.
        opt_level = {mode: "3" for mode in every_mode},
        rust_std = ":{}_std".format(triple),
        stdlib_linkflags = [],
        strip_level = {mode: "none" for mode in every_mode},
        target_triple = triple,
        **_TOOLCHAIN
    )

def rust_offload_distribution(*, name, dialect, known_archs, llvm_version, runtime, rustc_version):
    """Declares the targets of a rustc distribution in the package that holds its `bin` and `lib`.

    Args:
        name: (str) the name of the offload toolchain.
        dialect: (str) how rustc spells the passes, a key of DIALECTS.
        known_archs: (dict[str, list[str]]) by device triple, the cpus that rustc knows.
        llvm_version: (str) the LLVM version that `rustc -vV` prints.
        runtime: (label) the offload runtime.
        rustc_version: (str) what `rustc --version` prints.
    """
    native.filegroup(
        name = "rustc",
        srcs = ["bin/rustc"],
    )
    native.filegroup(
        name = "rustc_lib",
        srcs = native.glob(
            [
                "lib/*.so*",
                # The backend that embeds device images, in distributions that ship it as a library of its own.
                _HOST_LIB + "libRustOffload-*.so",
                # The linker of AMD device images. rustc looks for it here only.
                _HOST_BIN + "rust-lld",
            ],
            allow_empty = True,
        ),
    )
    rust_stdlib_filegroup(
        name = "host_std",
        srcs = native.glob(
            [
                _HOST_LIB + "*.rlib",
                # Since rustc 1.95 metadata are in files of their own.
                _HOST_LIB + "*.rmeta",
                # -lomptarget is linked from here.
                _HOST_LIB + "*.so*",
                _HOST_LIB + "self-contained/**",
            ],
            allow_empty = True,
        ),
    )
    native.filegroup(
        name = "rust_src",
        srcs = native.glob([
            _LIBRARY + crate + "/**"
            for crate in ["alloc", "compiler-builtins", "core", "portable-simd", "stdarch"]
        ]),
    )
    native.filegroup(
        name = "runtime",
        srcs = native.glob(
            [
                "lib/*.so*",
                _HOST_LIB + "libomp*.so*",
            ],
            allow_empty = True,
            exclude = ["lib/librustc_driver*"],
        ),
    )
    native.filegroup(
        name = "rust-lld",
        srcs = [_HOST_BIN + "rust-lld"],
        data = [":rustc_lib"],
    )
    for program in OPTIONAL_PROGRAMS:
        native.filegroup(
            name = program,
            srcs = native.glob(["bin/" + program], allow_empty = True) or ["missing/" + program],
        )

    rust_toolchain(
        name = "host",
        rust_std = ":host_std",
        stdlib_linkflags = ["-ldl", "-lpthread"],
        target_triple = HOST_TRIPLE,
        **_TOOLCHAIN
    )
    for triple in DEVICE_TRIPLES:
        _device_toolchain(triple, DIALECTS[dialect], known_archs[triple])
    offload_toolchain(
        name = name,
        dialect = dialect,
        known_archs = known_archs,
        linker = _HOST_BIN + "gcc-ld/ld.lld",
        linker_files = [":rustc_lib"],
        llvm_version = llvm_version,
        runtime = [runtime],
        rustc_version = rustc_version,
    )
