"""A repository with the programs of an LLVM: those of the nightly, or those of a folder."""

load("//toolchains/rust:channel.bzl", "HOST_TRIPLE")
load("//toolchains/rust:dist_server.bzl", "DIST_SERVER_ATTRS", "fetch_components", "pinned_metadata")
load("//toolchains/rust:libraries.bzl", "link_folder", "link_libraries")
load(":clang.bzl", "CC_PROGRAMS", "parse_include_directories")
load(":tools.bzl", "LLVM_TOOLS", "OTHER_NAMES")
load(":version.bzl", "parse_llvm_version")

_BUILD = """\
load({toolchain_bzl}, "llvm_toolchain")
{loads}
package(default_visibility = ["//visibility:public"])

filegroup(
    name = "libraries",
    srcs = glob(
        ["lib/*.so*", "{bin}/*.so*"],
        allow_empty = True,
        # The programs of the nightly lie beside its compiler, which they do not load: 190 MB.
        exclude = ["lib/librustc_driver*"],
    ),
)
{programs}
llvm_toolchain(
    name = "llvm",
    files = [":libraries"],
    version = {version},
{tools})
{cc}"""

_PROGRAM = """
filegroup(
    name = "{name}",
    srcs = ["{path}"],
    data = [":libraries"],
)
"""

_CC_LOAD = """load({cc_bzl}, "llvm_cc_toolchain")
"""

_CC = """
filegroup(
    name = "cc_files",
    srcs = [":libraries"] + glob(
        [
            "bin/*",
            "lib/clang/**",
        ],
        allow_empty = True,
    ),
)

llvm_cc_toolchain(
    name = "cc",
    files = ":cc_files",
    include_directories = {include_directories},
)
"""

_RUST_BIN = "lib/rustlib/{}/bin".format(HOST_TRIPLE)

def _from_rust(rctx):
    """The programs of the nightly. Returns the folder that they are in, or an error."""
    if rctx.attr.rust_path:
        link_folder(rctx, rctx.path(rctx.attr.rust_path))
        return _RUST_BIN, None
    error = fetch_components(rctx, ["llvm-tools"])
    if error:
        return None, error
    rust = link_libraries(rctx, rctx.attr.rust)

    # lld is in the component rustc.
    lld = _RUST_BIN + "/rust-lld"
    rctx.symlink(rust.get_child(*lld.split("/")), lld)
    return _RUST_BIN, None

def _from_folder(rctx):
    """The programs of a folder. Returns the folder that they are in, or an error."""
    if rctx.attr.root:
        root = rctx.path(rctx.attr.root).dirname

        # A label of a program leads to the folder above.
        root = root.dirname if root.basename == "bin" else root
    else:
        root = rctx.path(rctx.attr.path)

        # Another LLVM in the same place is another LLVM.
        for program in LLVM_TOOLS.values():
            rctx.watch(root.get_child("bin", program))
    if rctx.attr.root and not root.get_child("bin").exists:
        return None, "root leads to no LLVM. Found {}, in a folder without bin. Write root = \"<label of a file in the folder bin of an LLVM>\".".format(rctx.attr.root)
    if not root.get_child("bin").exists:
        return None, "there is no LLVM. Found no folder bin in {}. Write offload.llvm(path = \"<folder that has bin and lib>\").".format(root)
    link_folder(rctx, root)
    return "bin", None

def _find_tools(rctx, folder):
    """The programs of the folder as attribute -> path."""
    tools = {}
    for tool, program in LLVM_TOOLS.items():
        for name in [program] + OTHER_NAMES.get(tool, []):
            path = "{}/{}".format(folder, name)
            if rctx.path(path).exists and tool not in tools:
                tools[tool] = path
    return tools

def _ask_version(rctx, tools):
    """What one of the programs says it is. The validation of offload targets asks all of them."""
    tool = "lld" if "lld" in tools else sorted(tools)[0]
    flavor = ["-flavor", "gnu"] if tool == "lld" else []
    result = rctx.execute([rctx.path(tools[tool])] + flavor + ["--version"], environment = {"LD_LIBRARY_PATH": ""})
    version = parse_llvm_version(result.stdout)
    if not version:
        return None, "the version of LLVM is not known. `{} --version` said: {}{}. Write offload.llvm(version = \"<major>.<minor>.<patch>\").".format(
            tools[tool],
            result.stdout,
            result.stderr,
        )
    return ".".join([str(part) for part in version]), None

def _cc(rctx):
    """The C++ toolchain of the folder. Returns (text for the BUILD file, None), or (None, error)."""
    missing = [program for program in CC_PROGRAMS if not rctx.path("bin/" + program).exists]
    if missing:
        return None, "the C++ toolchain of offload.llvm(cc = True) needs {}. Found no such files in the folder bin of the LLVM that was given. Write offload.llvm(path = \"<folder of an LLVM that has them>\", cc = True), or remove cc.".format(
            ", ".join(missing),
        )
    result = rctx.execute([rctx.path("bin/clang"), "-no-canonical-prefixes", "-E", "-x", "c++", "-v", "/dev/null"])
    own = str(rctx.path("."))
    return _CC.format(include_directories = repr([
        folder
        for folder in parse_include_directories(result.stderr)
        if not folder.startswith(own)
    ])), None

def _build_file(rctx):
    """Lays out the repository. Returns (text of the BUILD file, None), or (None, error)."""
    folder, error = _from_folder(rctx) if rctx.attr.path or rctx.attr.root else _from_rust(rctx)
    if error:
        return None, error
    tools = _find_tools(rctx, folder)
    if not tools:
        return None, "there is no LLVM. Found none of {} in {}. Write offload.llvm(path = \"<folder that has bin and lib>\").".format(
            ", ".join(LLVM_TOOLS.values()),
            rctx.attr.path or rctx.attr.root or folder,
        )
    version, error = (rctx.attr.version, None) if rctx.attr.version else _ask_version(rctx, tools)
    if error:
        return None, error
    cc, error = _cc(rctx) if rctx.attr.cc else ("", None)
    if error:
        return None, error
    return _BUILD.format(
        bin = folder,
        cc = cc,
        loads = _CC_LOAD.format(cc_bzl = repr(str(Label("//toolchains/llvm:cc_toolchain.bzl")))) if cc else "",
        programs = "".join([_PROGRAM.format(name = LLVM_TOOLS[tool], path = path) for tool, path in tools.items()]),
        toolchain_bzl = repr(str(Label("//toolchains/llvm:toolchain.bzl"))),
        tools = "".join(["    {} = \"{}\",\n".format(tool, path) for tool, path in tools.items()]),
        version = repr(version),
    ), None

def _impl(rctx):
    text, error = _build_file(rctx)
    if error:
        fail("{}: {}".format(rctx.name, error))
    rctx.file("BUILD.bazel", text)
    return pinned_metadata(rctx, rctx.attr.channel_sha256 and not (rctx.attr.path or rctx.attr.root or rctx.attr.rust_path))

llvm_repository = repository_rule(
    implementation = _impl,
    doc = "Programs of LLVM from a folder, or, without one, those of the nightly (component llvm-tools, and rust-lld).",
    attrs = DIST_SERVER_ATTRS | {
        "cc": attr.bool(doc = "Whether to make a C++ toolchain of its clang and lld."),
        "path": attr.string(doc = "The folder of an LLVM, with `bin` and `lib` in it."),
        "root": attr.label(doc = "A file in the folder of an LLVM, or in its `bin`."),
        "rust": attr.label(doc = "The file BUILD.bazel of the repository with the rustc of the same nightly."),
        "rust_path": attr.string(doc = "A folder with an unpacked rustc distribution, used instead of a download."),
        "version": attr.string(doc = "The LLVM version that the programs claim; default: what one of them prints."),
    },
    environ = ["RUSTUP_DIST_SERVER"],
)
