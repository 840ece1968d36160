"""A repository with ptxas and, where it lies beside it, nvdisasm: a file, that of an archive, that of a CUDA installation, or none."""

load(":ptxas.bzl", "parse_ptxas_archs", "parse_ptxas_version")

_BUILD = """\
load({toolchain_bzl}, "cuda_toolchain")

package(default_visibility = ["//visibility:public"])

exports_files(glob(["bin/*"], allow_empty = True))

cuda_toolchain(
    name = "cuda",
{attributes})
"""

# How deep in an archive to look for bin/ptxas: a redistributable archive has it in a folder of its own, a wheel two
# folders down.
_MAX_DEPTH = 3

def _find_installed(rctx):
    """Returns (path of ptxas, None), or (None, where it was looked for)."""
    for variable, root in [
        ("the path of offload.cuda", rctx.attr.path),
        ("CUDA_PATH", rctx.getenv("CUDA_PATH")),
        ("CUDA_HOME", rctx.getenv("CUDA_HOME")),
    ]:
        if root and not root.startswith("/"):
            return None, "{} is not an absolute path: \"{}\"".format(variable, root)
        if root:
            ptxas = rctx.path(root).get_child("bin", "ptxas")
            rctx.watch(ptxas)
            if ptxas.exists:
                return ptxas, None
            return None, "there is no bin/ptxas in {}, {}".format(variable, root)
    folders = [folder for folder in (rctx.getenv("PATH") or "").split(":") if folder.startswith("/")]
    for folder in folders + ["/usr/local/cuda/bin"]:
        # Where there is none now, there may be one later.
        ptxas = rctx.path(folder).get_child("ptxas")
        rctx.watch(ptxas)
        if ptxas.exists:
            return ptxas, None
    return None, "there is no ptxas in $CUDA_PATH, $CUDA_HOME, $PATH or /usr/local/cuda"

def _find_unpacked(rctx):
    """Returns (path of ptxas, None), or (None, where it was looked for)."""
    folders = [rctx.path("archive")]
    for _ in range(_MAX_DEPTH + 1):
        inner = []
        for folder in folders:
            ptxas = folder.get_child("bin", "ptxas")
            if ptxas.exists:
                return ptxas, None
            inner.extend([child for child in folder.readdir() if child.is_dir])
        folders = inner
    return None, "there is no bin/ptxas in the archive {}".format(rctx.attr.url)

def _unpack(rctx):
    if not rctx.download_and_extract(
        rctx.attr.url,
        "archive",
        sha256 = rctx.attr.sha256,
        # A wheel is a zip archive.
        type = "zip" if rctx.attr.url.endswith(".whl") else "",
        allow_fail = True,
    ).success:
        # Not as where ptxas is missing: the next build has to try again.
        fail("{}: the archive of offload.cuda cannot be fetched. Looked for {} with SHA-256 {}; Bazel's warning above says what it found. Write offload.cuda(url = \"<archive>\", sha256 = \"<its hash>\").".format(
            rctx.name,
            rctx.attr.url,
            rctx.attr.sha256,
        ))
    ptxas, missing = _find_unpacked(rctx)
    if missing:
        return None, missing

    # Wheels do not always say that it can be executed.
    rctx.execute(["chmod", "+x", ptxas])
    return ptxas, None

def _find(rctx):
    if rctx.attr.ptxas:
        return rctx.path(rctx.attr.ptxas), None
    if rctx.attr.url:
        return _unpack(rctx)
    return _find_installed(rctx)

def _attributes(rctx):
    """The attributes of the toolchain, as text by name."""
    ptxas, missing = _find(rctx)

    # The variables count only where the tag says nothing.
    cure = {} if rctx.attr.path or rctx.attr.ptxas or rctx.attr.url else {
        "cure": "Write offload.cuda(path = \"<folder with bin/ptxas>\") in MODULE.bazel, or set CUDA_PATH.",
    }
    if missing:
        # Not an error yet: only a build for sm_* arches needs it, and says so.
        return {"missing": missing} | cure
    rctx.symlink(ptxas, "bin/ptxas")
    said = rctx.execute([ptxas, "--version"])
    version = parse_ptxas_version(said.stdout)
    if not version:
        return {"missing": "`{} --version` ends with status {} and prints no version of ptxas".format(ptxas, said.return_code)} | cure
    disassembler = {}
    nvdisasm = ptxas.dirname.get_child("nvdisasm")
    if nvdisasm.exists:
        rctx.symlink(nvdisasm, "bin/nvdisasm")
        disassembler = {"nvdisasm": "bin/nvdisasm"}
    return disassembler | {
        "archs": parse_ptxas_archs(rctx.execute([ptxas, "--help"]).stdout),
        "ptxas": "bin/ptxas",
        "version": version,
    }

def _impl(rctx):
    rctx.file("BUILD.bazel", _BUILD.format(
        attributes = "".join(["    {} = {},\n".format(name, repr(value)) for name, value in _attributes(rctx).items()]),
        toolchain_bzl = repr(str(Label("//toolchains/cuda:toolchain.bzl"))),
    ))

cuda_repository = repository_rule(
    implementation = _impl,
    doc = "ptxas from the file, the archive or the folder that is given, else from $CUDA_PATH, $CUDA_HOME, PATH or /usr/local/cuda.",
    attrs = {
        "path": attr.string(doc = "The folder of a CUDA installation, with `bin/ptxas` in it."),
        "ptxas": attr.label(doc = "The file ptxas of another repository."),
        "sha256": attr.string(doc = "The SHA-256 of the archive."),
        "url": attr.string(doc = "A redistributable archive of NVIDIA's, or a Python wheel, with ptxas in it."),
    },
    configure = True,
    environ = ["CUDA_HOME", "CUDA_PATH", "PATH"],
)
