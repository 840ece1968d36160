"""The CUDA toolchain: the parts of CUDA that a build for NVIDIA GPUs needs."""

load("//offload:providers.bzl", "CudaToolchainInfo")

CUDA_TOOLCHAIN_TYPE = "//toolchains/cuda:toolchain_type"

def _impl(ctx):
    if ctx.file.ptxas.basename != "ptxas":
        # rustc looks on PATH for a file of this name.
        fail("{}: ptxas must be a file named \"ptxas\". Found {}. Write ptxas = \"<label of a file named ptxas>\".".format(
            ctx.label,
            ctx.file.ptxas.basename,
        ))
    return [platform_common.ToolchainInfo(
        cuda = CudaToolchainInfo(ptxas = ctx.file.ptxas),
    )]

cuda_toolchain = rule(
    implementation = _impl,
    doc = "Provides ptxas to the Host pass of `sm_*` arches.",
    attrs = {
        "ptxas": attr.label(
            allow_single_file = True,
            cfg = "exec",
            doc = "CUDA's assembler, a file named `ptxas`.",
            mandatory = True,
        ),
    },
)
