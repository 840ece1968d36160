"""The programs of LLVM that a toolchain may have."""

# Attribute of llvm_toolchain -> the program's name. A folder of LLVM has them in `bin`.
LLVM_TOOLS = {
    "clang": "clang",
    "clang_linker_wrapper": "clang-linker-wrapper",
    "llc": "llc",
    "lld": "lld",
    "llvm_as": "llvm-as",
    "llvm_dis": "llvm-dis",
    "llvm_nm": "llvm-nm",
    "llvm_objdump": "llvm-objdump",
    "llvm_offload_binary": "llvm-offload-binary",
    "llvm_offload_wrapper": "llvm-offload-wrapper",
    "llvm_readelf": "llvm-readelf",
    "llvm_readobj": "llvm-readobj",
    "opt": "opt",
}

# Programs that have another name in some distributions.
OTHER_NAMES = {
    # Rust's name for it; it is the same generic driver.
    "lld": ["rust-lld"],
}

def require_tool(llvm, tool, purpose):
    """A tool of the LLVM toolchain, for an action that cannot do without it.

    Args:
        llvm: (LlvmToolchainInfo)
        tool: (str) a key of LLVM_TOOLS.
        purpose: (str) what it is needed for, as the start of a sentence.

    Returns:
        (File, None), or (None, error).
    """
    if tool in llvm.tools:
        return llvm.tools[tool], None
    return None, (
        "{} needs {}. Found an LLVM toolchain, {}, with {}. ".format(
            purpose,
            LLVM_TOOLS[tool],
            llvm.label,
            ", ".join([LLVM_TOOLS[name] for name in sorted(llvm.tools)]) or "no tools",
        ) +
        "Write offload.llvm(path = \"<folder of an LLVM {} that has bin/{}>\") in MODULE.bazel.".format(
            llvm.version,
            LLVM_TOOLS[tool],
        )
    )
