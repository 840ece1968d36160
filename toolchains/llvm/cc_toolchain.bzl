"""A C++ toolchain made of the clang and lld of an LLVM folder."""

load("@rules_cc//cc:defs.bzl", "cc_toolchain")

# What Bazel's own C++ toolchain for Linux is configured by, too.
# buildifier: disable=bzl-visibility
load("@rules_cc//cc/private/toolchain:unix_cc_toolchain_config.bzl", "cc_toolchain_config")

# Bazel's name for a tool -> the program.
_TOOL_PATHS = {
    "ar": "llvm-ar",
    "cpp": "clang",
    "dwp": "llvm-dwp",
    "gcc": "clang",
    "gcov": "llvm-cov",
    "ld": "ld.lld",
    "llvm-cov": "llvm-cov",
    "llvm-profdata": "llvm-profdata",
    "nm": "llvm-nm",
    "objcopy": "llvm-objcopy",
    "objdump": "llvm-objdump",
    "strip": "llvm-strip",
}

def llvm_cc_toolchain(name, files, include_directories):
    """Declares a C++ toolchain in the package that holds LLVM's `bin` and `lib`.

    The C and C++ standard libraries and their headers are the machine's.

    Args:
        name: (str) the name of the cc_toolchain.
        files: (label) clang, lld, their libraries and clang's own headers.
        include_directories: (list[str]) the machine's folders of headers, as `clang -v` prints them.
    """
    cc_toolchain_config(
        name = name + "_config",
        abi_libc_version = "local",
        abi_version = "local",
        compiler = "clang",
        cpu = "k8",
        cxx_builtin_include_directories = include_directories,
        dbg_compile_flags = ["-g"],
        host_system_name = "local",
        # The machine's C++ library.
        link_libs = [
            "-lstdc++",
            "-lm",
        ],
        link_flags = [
            "-fuse-ld=lld",
            # clang looks for lld and its own libraries beside the name that it was started by, not beside its real file.
            "-no-canonical-prefixes",
            "-Wl,-z,relro,-z,now",
        ],
        opt_compile_flags = [
            "-O2",
            "-DNDEBUG",
            "-ffunction-sections",
            "-fdata-sections",
        ],
        opt_link_flags = ["-Wl,--gc-sections"],
        supports_start_end_lib = True,
        target_libc = "glibc_unknown",
        target_system_name = "x86_64-unknown-linux-gnu",
        tool_paths = {tool: "bin/" + program for tool, program in _TOOL_PATHS.items()},
        toolchain_identifier = name,
        unfiltered_compile_flags = [
            "-no-canonical-prefixes",
            # The same output whenever it is built.
            "-Wno-builtin-macro-redefined",
            "-D__DATE__=\"redacted\"",
            "-D__TIMESTAMP__=\"redacted\"",
            "-D__TIME__=\"redacted\"",
        ],
    )
    cc_toolchain(
        name = name,
        all_files = files,
        ar_files = files,
        as_files = files,
        compiler_files = files,
        dwp_files = files,
        linker_files = files,
        objcopy_files = files,
        strip_files = files,
        toolchain_config = ":{}_config".format(name),
    )
