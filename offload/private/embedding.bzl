"""Who links the device images and embeds them, rustc or LLVM's tools, and what that takes."""

load("//toolchains/llvm:tools.bzl", "require_tool")

AUTO = "auto"
BY_LLVM = "llvm"
BY_RUSTC = "rustc"

def embedded_by(embed, archs):
    """Decides who embeds.

    Args:
        embed: (str) the setting `//offload/settings:embed`.
        archs: (list[str]) the arches of the target.

    Returns:
        (BY_RUSTC or BY_LLVM, None), or (None, error).
    """
    if embed == BY_RUSTC and len(archs) > 1:
        return None, "rustc can embed the image of one arch. Found {} with --@rules_rust_offload//offload/settings:embed=rustc. Write one of them in archs, give one --config, or leave embed at auto.".format(
            ", ".join(archs),
        )
    return BY_LLVM if embed == BY_LLVM or len(archs) > 1 else BY_RUSTC, None

def llvm_for_images(llvm):
    """The programs of LLVM that link and wrap images.

    Args:
        llvm: (LlvmToolchainInfo)

    Returns:
        (struct(files, lld, llc, offload_binary, offload_wrapper), None), or (None, error).
    """
    tools = {}
    for name, tool in {
        "llc": "llc",
        "lld": "lld",
        "offload_binary": "llvm_offload_binary",
        "offload_wrapper": "llvm_offload_wrapper",
    }.items():
        tools[name], error = require_tool(llvm, tool, "embedding images with LLVM's tools, as several arches demand,")
        if error:
            return None, error
    return struct(files = llvm.files, **tools), None
