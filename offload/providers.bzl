"""Providers of the offload rules and toolchains."""

OffloadImageInfo = provider(
    doc = "A device image: the kernels of one target, compiled for one arch.",
    fields = {
        "arch": "(str) rustc's `-Ctarget-cpu`, such as `gfx90a` or `sm_90`.",
        "bitcode": "(File) LLVM bitcode of the device crate, as `--emit=llvm-bc` wrote it.",
        "file": "(File) `device.bin`, an LLVM OffloadBinary with one entry.",
        "triple": "(str) the device triple, `amdgcn-amd-amdhsa` or `nvptx64-nvidia-cuda`.",
    },
)

OffloadInfo = provider(
    doc = "What the passes of an offload target made.",
    fields = {
        "images": "(dict[str, OffloadImageInfo]) the device images by arch.",
        "manifest": "(File) what the HostMetadata pass wrote: the kernel instances that the host launches. Only the rustc that wrote it can read it.",
        "runtime": "(depset[File]) the offload runtime (libomptarget and what it needs), as it has to lie in the runfiles.",
    },
)

OffloadToolchainInfo = provider(
    doc = "A rustc distribution that can offload.",
    fields = {
        "dialect": "(struct) how this rustc spells the passes, see `//offload/private:dialect.bzl`.",
        "known_archs": "(dict[str, list[str]]) by triple, what `rustc --print target-cpus` printed.",
        "linker": "(File) `ld.lld` of rustc's LLVM, as a C compiler looks for it.",
        "llvm_version": "(str) the LLVM that rustc was built with, such as `22.1.8`.",
        "runtime": "(depset[File]) the offload runtime: libomptarget, libomp, libLLVM and the libraries that they need.",
        "runtime_dir": "(str) the folder of libomptarget in a runfiles tree, starting with the repository's name.",
        "runtime_exec_dir": "(str) the folder of libomptarget from the execution root.",
        "rustc_version": "(str) what `rustc --version` printed.",
    },
)

CudaToolchainInfo = provider(
    doc = "The parts of CUDA that a build for NVIDIA GPUs needs.",
    fields = {
        "ptxas": "(File) the assembler for PTX. rustc looks it up on PATH by the name `ptxas`.",
    },
)
