"""A repository with the ptxas of a CUDA installation, or with nothing where there is none."""

_BUILD = """\
load({toolchain_bzl}, "cuda_toolchain")

cuda_toolchain(
    name = "cuda",
    ptxas = "bin/ptxas",
)

toolchain(
    name = "cuda_toolchain",
    exec_compatible_with = [
        "@platforms//cpu:x86_64",
        "@platforms//os:linux",
    ],
    toolchain = ":cuda",
    toolchain_type = {toolchain_type},
)
"""

_NO_CUDA = """\
# {error}
"""

def _find(rctx):
    """Returns (path of ptxas, None), or (None, where it was looked for)."""
    for variable, root in [
        ("path", rctx.attr.path),
        ("CUDA_PATH", rctx.getenv("CUDA_PATH")),
        ("CUDA_HOME", rctx.getenv("CUDA_HOME")),
    ]:
        if root:
            ptxas = rctx.path(root).get_child("bin", "ptxas")
            if ptxas.exists:
                return ptxas, None
            return None, "no bin/ptxas in {} = {}".format(variable, root)
    ptxas = rctx.which("ptxas")
    if ptxas:
        return ptxas, None
    ptxas = rctx.path("/usr/local/cuda/bin/ptxas")
    if ptxas.exists:
        return ptxas, None
    return None, "no ptxas in CUDA_PATH, CUDA_HOME, PATH or /usr/local/cuda"

def _impl(rctx):
    ptxas, error = _find(rctx)
    if error:
        # Not an error yet: only a build for sm_* arches needs it, and says so.
        rctx.file("BUILD.bazel", _NO_CUDA.format(error = error))
        return
    rctx.symlink(ptxas, "bin/ptxas")
    rctx.file("BUILD.bazel", _BUILD.format(
        toolchain_bzl = repr(str(Label("//toolchains/cuda:toolchain.bzl"))),
        toolchain_type = repr(str(Label("//toolchains/cuda:toolchain_type"))),
    ))

local_cuda_repository = repository_rule(
    implementation = _impl,
    doc = "Finds ptxas: in `path`, else $CUDA_PATH, else $CUDA_HOME, else on PATH, else in /usr/local/cuda.",
    attrs = {
        "path": attr.string(doc = "The folder of a CUDA installation, with `bin/ptxas` in it."),
    },
    configure = True,
    environ = ["CUDA_HOME", "CUDA_PATH", "PATH"],
    local = True,
)
