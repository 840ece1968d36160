"""The module extension that brings the toolchains: rustc with offload, LLVM's programs, and ptxas."""

load("//toolchains:hub.bzl", "toolchain_hub")
load("//toolchains:tags.bzl", "check_cuda_tag", "check_llvm_tag", "check_rust_tag", "choose_tag")
load("//toolchains/cuda:repository.bzl", "cuda_repository")
load("//toolchains/llvm:repository.bzl", "llvm_repository")
load("//toolchains/rust:repository.bzl", "rust_offload_repository")
load("//toolchains/rust:rustfmt_repository.bzl", "rustfmt_repository")

# Three passes without clang since 2026-09-09 (rust-lang/rust#162309), a runtime that is found without LD_LIBRARY_PATH
# since 2026-09-18 (rust-lang/rust#162860).
DEFAULT_NIGHTLY = "2026-09-20"

_rust = tag_class(
    doc = "Where rustc with offload comes from.",
    attrs = {
        "dist_server": attr.string(doc = "The root of a dist server (`https://`, `http://` or `file://`); default is $RUSTUP_DIST_SERVER, else the public one."),
        "nightly": attr.string(
            default = DEFAULT_NIGHTLY,
            doc = "The date of the nightly.",
        ),
        "path": attr.string(doc = "A folder with an unpacked distribution (`bin/rustc`, `lib`), used instead of a download."),
        "runtime": attr.label(doc = "The offload runtime to use instead of the distribution's: libomptarget, and the libraries that it needs and the GPU's machine lacks."),
        "sha256": attr.string(doc = "The SHA-256 of `dist/<date>/channel-rust-nightly.toml`, which has the hash of everything else."),
    },
)

_llvm = tag_class(
    doc = "An LLVM to use instead of the programs of the nightly. It must be of the version that rustc was built with.",
    attrs = {
        "allow_patch_difference": attr.bool(doc = "Whether its patch level may differ from that of rustc's LLVM."),
        "cc": attr.bool(doc = "Whether C and C++ dependencies of offload targets are compiled, and offload targets linked, with its clang and lld."),
        "path": attr.string(doc = "The folder of an LLVM (`bin`, `lib`)."),
        "root": attr.label(doc = "A file at the top of the folder of an LLVM, or in its `bin`, such as `@llvm_toolchain_llvm//:bin/clang`."),
        "version": attr.string(doc = "The version that it claims. Default: one of its programs is asked when it is fetched."),
    },
)

_cuda = tag_class(
    doc = "Where ptxas comes from. Without this tag it is looked up in $CUDA_PATH, $CUDA_HOME, on PATH and in /usr/local/cuda.",
    attrs = {
        "path": attr.string(doc = "The folder of a CUDA installation, with `bin/ptxas` in it."),
        "ptxas": attr.label(doc = "The file ptxas of another repository."),
        "sha256": attr.string(doc = "The SHA-256 of the archive."),
        "url": attr.string(doc = "An archive with `bin/ptxas` in it: a redistributable archive of NVIDIA's, or a Python wheel."),
    },
)

# What the tags are taken to say where there is none.
_NO_RUST = struct(dist_server = "", nightly = DEFAULT_NIGHTLY, path = "", runtime = None, sha256 = "")
_NO_LLVM = struct(allow_patch_difference = False, cc = False, path = "", root = None, version = "")
_NO_CUDA = struct(path = "", ptxas = None, sha256 = "", url = "")

def _tag(mctx, name, check, default):
    tag, error = choose_tag(name, [
        struct(name = module.name, is_root = module.is_root, tags = getattr(module.tags, name))
        for module in mctx.modules
    ])
    if not error and tag:
        error = check(tag)
    if error:
        fail(error)
    return tag or default

def _impl(mctx):
    rust = _tag(mctx, "rust", check_rust_tag, _NO_RUST)
    llvm = _tag(mctx, "llvm", check_llvm_tag, _NO_LLVM)
    cuda = _tag(mctx, "cuda", check_cuda_tag, _NO_CUDA)

    nightly = {
        "channel_sha256": rust.sha256,
        "dist_server": rust.dist_server,
        "nightly": rust.nightly,
    }
    rust_offload_repository(
        name = "rust_offload",
        path = rust.path,
        runtime = rust.runtime,
        **nightly
    )
    rustfmt_repository(
        name = "rust_offload_rustfmt",
        path = rust.path,
        rust = "@rust_offload//:BUILD.bazel",
        **nightly
    )
    llvm_repository(
        name = "rust_offload_llvm",
        cc = llvm.cc,
        path = llvm.path,
        root = llvm.root,
        rust = "@rust_offload//:BUILD.bazel",
        rust_path = rust.path,
        version = llvm.version,
        **nightly
    )
    cuda_repository(
        name = "rust_offload_cuda",
        path = cuda.path,
        ptxas = cuda.ptxas,
        sha256 = cuda.sha256,
        url = cuda.url,
    )
    toolchain_hub(
        name = "rust_offload_toolchains",
        allow_patch_difference = llvm.allow_patch_difference,
        cc = llvm.cc,
        llvm = bool(llvm.path or llvm.root),
        runtime = bool(rust.runtime),
    )

    # The repositories follow from the tags alone: the lockfile need not remember them.
    return mctx.extension_metadata(reproducible = True)

offload = module_extension(
    implementation = _impl,
    doc = "Brings the toolchains of the offload rules. The root module's tags decide; without any, the defaults hold.",
    tag_classes = {
        "cuda": _cuda,
        "llvm": _llvm,
        "rust": _rust,
    },
)
