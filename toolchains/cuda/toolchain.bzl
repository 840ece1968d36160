"""The CUDA toolchain: the parts of CUDA that a build for NVIDIA GPUs needs."""

load("//offload:providers.bzl", "CudaToolchainInfo")

CUDA_TOOLCHAIN_TYPE = "//toolchains/cuda:toolchain_type"

def _impl(ctx):
    ptxas = ctx.file.ptxas
    if ptxas and ptxas.basename != "ptxas":
        # rustc looks on PATH for a file of this name.
        fail("{}: ptxas must be a file named \"ptxas\". Found {}. Write ptxas = \"<label of a file named ptxas>\".".format(
            ctx.label,
            ptxas.basename,
        ))
    return [platform_common.ToolchainInfo(
        cuda = CudaToolchainInfo(
            archs = ctx.attr.archs,
            cure = ctx.attr.cure,
            label = ctx.label,
            missing = None if ptxas else ctx.attr.missing,
            nvdisasm = ctx.file.nvdisasm,
            ptxas = ptxas,
            version = ctx.attr.version,
        ),
    )]

cuda_toolchain = rule(
    implementation = _impl,
    doc = "Provides ptxas to the Host pass of `sm_*` arches.",
    attrs = {
        "archs": attr.string_list(
            doc = "The arches that ptxas knows, such as `sm_90`: the values that `ptxas --help` names for `--gpu-name`.",
        ),
        "cure": attr.string(
            default = "Write offload.cuda(path = \"<folder with bin/ptxas>\") in MODULE.bazel.",
            doc = "What to write if there is no ptxas.",
        ),
        "missing": attr.string(
            default = "the CUDA toolchain has no ptxas",
            doc = "Where ptxas was looked for, if there is none. Only targets for `sm_*` arches fail with it.",
        ),
        "nvdisasm": attr.label(
            allow_single_file = True,
            cfg = "exec",
            doc = "CUDA's disassembler. Without it there is no SASS among the output group `device_asm`.",
        ),
        "ptxas": attr.label(
            allow_single_file = True,
            cfg = "exec",
            doc = "CUDA's assembler, a file named `ptxas`.",
        ),
        "version": attr.string(
            doc = "The version of ptxas, such as `12.9.86`.",
        ),
    },
)

def _current_impl(ctx):
    toolchain = ctx.toolchains[CUDA_TOOLCHAIN_TYPE]
    if toolchain:
        ptxas = toolchain.cuda.ptxas
        return [
            DefaultInfo(files = depset([ptxas] if ptxas else [])),
            toolchain.cuda,
        ]
    return [CudaToolchainInfo(
        archs = [],
        cure = "Write register_toolchains(\"<label>\") in MODULE.bazel.",
        label = None,
        nvdisasm = None,
        missing = "no CUDA toolchain is registered for this machine",
        ptxas = None,
        version = "",
    )]

current_cuda_toolchain = rule(
    implementation = _current_impl,
    doc = "Hands over the CUDA toolchain of the configuration. It is resolved on the device side, so that only NVIDIA GPUs ask for it.",
    provides = [CudaToolchainInfo],
    toolchains = [config_common.toolchain_type(CUDA_TOOLCHAIN_TYPE, mandatory = False)],
)
