"""Providers of the offload rules and toolchains."""

OffloadImageInfo = provider(
    doc = "A device image: the kernels of one target, compiled for one arch.",
    fields = {
        "arch": "(str) rustc's `-Ctarget-cpu`, such as `gfx90a` or `sm_90`.",
        "bitcode": "(File) LLVM bitcode of the device crate, as `--emit=llvm-bc` wrote it.",
        "file": "(File) `device.bin`, an LLVM OffloadBinary with one entry.",
        "linked": "(File or None) machine code for the GPU, an AMD code object or an NVIDIA cubin; None where rustc makes and embeds it.",
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
        "linker_files": "(depset[File]) what the linker needs to run: libLLVM, and the `rust-lld` that it may be a wrapper of.",
        "llvm_version": "(str) the LLVM that rustc was built with, such as `22.1.8`.",
        "omptarget": "(File) libomptarget, the library of the runtime that programs are linked with.",
        "runtime": "(depset[File]) the offload runtime: libomptarget, libomp, libLLVM and the libraries that they need.",
        "runtime_dir": "(str) the folder of libomptarget in a runfiles tree, starting with the repository's name.",
        "runtime_exec_dir": "(str) the folder of libomptarget from the execution root.",
        "rustc_version": "(str) what `rustc --version` printed.",
    },
)

LlvmToolchainInfo = provider(
    doc = "Programs of the LLVM that rustc was built with.",
    fields = {
        "files": "(depset[File]) what the programs need to run.",
        "label": "(Label) the toolchain, for messages.",
        "tools": "(dict[str, File]) the programs that are there, by the names of llvm_toolchain's attributes, such as `llc`.",
        "version": "(str) the LLVM version that they claim, such as `22.1.8`.",
    },
)

LlvmMatchInfo = provider(
    doc = "Whether the LLVM of all tools and of the offload runtime is rustc's.",
    fields = {
        "error": "(str or None) what is wrong by what the toolchains declare.",
        "report": "(File) what the programs said of themselves. Making it fails if they do not match.",
    },
)

CudaToolchainInfo = provider(
    doc = "The parts of CUDA that a build for NVIDIA GPUs needs.",
    fields = {
        "archs": "(list[str]) the arches that ptxas knows, as `ptxas --help` prints them.",
        "cure": "(str) what to write if there is no ptxas.",
        "label": "(Label or None) the toolchain, for messages.",
        "missing": "(str or None) where ptxas was looked for in vain.",
        "nvdisasm": "(File or None) the disassembler for machine code.",
        "ptxas": "(File or None) the assembler for PTX. rustc looks it up on PATH by the name `ptxas`.",
        "version": "(str) what `ptxas --version` printed, such as `12.9.86`.",
    },
)
