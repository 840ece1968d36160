"""The module extension that brings the toolchains: rustc with offload, and ptxas."""

load("//toolchains/cuda:repository.bzl", "local_cuda_repository")
load("//toolchains/rust:hub.bzl", "toolchain_hub")
load("//toolchains/rust:repository.bzl", "rust_offload_repository")

# Three passes without clang since 2026-09-09 (rust-lang/rust#162309), a runtime that is found without LD_LIBRARY_PATH
# since 2026-09-18 (rust-lang/rust#162860).
DEFAULT_NIGHTLY = "2026-09-20"

_rust = tag_class(
    doc = "Where rustc with offload comes from.",
    attrs = {
        "dist_server": attr.string(doc = "The root of a dist server; default is $RUSTUP_DIST_SERVER, else the public one."),
        "nightly": attr.string(
            default = DEFAULT_NIGHTLY,
            doc = "The date of the nightly.",
        ),
        "path": attr.string(doc = "A folder with an unpacked distribution (`bin/rustc`, `lib`), used instead of a download."),
    },
)

_cuda = tag_class(
    doc = "Where ptxas comes from. Without this tag it is looked up in $CUDA_PATH, $CUDA_HOME, on PATH and in /usr/local/cuda.",
    attrs = {
        "path": attr.string(doc = "The folder of a CUDA installation, with `bin/ptxas` in it."),
    },
)

def _root_tag(mctx, name):
    """The tag of the root module: it alone decides. Returns (tag or None, error or None)."""
    for module in mctx.modules:
        tags = getattr(module.tags, name)
        if module.is_root and len(tags) > 1:
            return None, "offload.{0}: there must be one tag. Found {1} in the module \"{2}\". Write one offload.{0}(...).".format(
                name,
                len(tags),
                module.name,
            )
        if module.is_root and tags:
            return tags[0], None
    return None, None

def _impl(mctx):
    rust, error = _root_tag(mctx, "rust")
    if error:
        fail(error)
    cuda, error = _root_tag(mctx, "cuda")
    if error:
        fail(error)
    rust_offload_repository(
        name = "rust_offload",
        dist_server = rust.dist_server if rust else "",
        nightly = rust.nightly if rust else DEFAULT_NIGHTLY,
        path = rust.path if rust else "",
    )
    toolchain_hub(
        name = "rust_offload_toolchains",
        rust_repository = "rust_offload",
    )
    local_cuda_repository(
        name = "rust_offload_cuda",
        path = cuda.path if cuda else "",
    )

offload = module_extension(
    implementation = _impl,
    doc = "Brings the toolchains of the offload rules. The root module's tags decide; without any, the defaults hold.",
    tag_classes = {
        "cuda": _cuda,
        "rust": _rust,
    },
)
