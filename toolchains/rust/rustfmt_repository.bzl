"""A repository with the rustfmt of the nightly, fetched when offload targets are formatted and there is no other."""

load(":dist_server.bzl", "DIST_SERVER_ATTRS", "fetch_components", "pinned_metadata")
load(":libraries.bzl", "link_folder", "link_libraries")

_BUILD = """\
load("@rules_rust//rust:toolchain.bzl", "rustfmt_toolchain")

package(default_visibility = ["//visibility:public"])

filegroup(
    name = "libraries",
    srcs = glob(["lib/*.so*"]),
)

rustfmt_toolchain(
    name = "rustfmt",
    rustc_lib = ":libraries",
    rustfmt = "bin/rustfmt",
)
"""

def _impl(rctx):
    if rctx.attr.path:
        root = rctx.path(rctx.attr.path)
        if not root.get_child("bin", "rustfmt").exists:
            fail("{}: the rustc distribution has no rustfmt. There is no bin/rustfmt in {}. Add it, or register a rustfmt_toolchain.".format(rctx.name, root))
        link_folder(rctx, root)
    else:
        error = fetch_components(rctx, ["rustfmt"])
        if error:
            fail("{}: {}".format(rctx.name, error))
        link_libraries(rctx, rctx.attr.rust)
    rctx.file("BUILD.bazel", _BUILD)
    return pinned_metadata(rctx, rctx.attr.channel_sha256 and not rctx.attr.path)

rustfmt_repository = repository_rule(
    implementation = _impl,
    doc = "Downloads the component rustfmt of a nightly.",
    attrs = DIST_SERVER_ATTRS | {
        "path": attr.string(doc = "A folder with an unpacked distribution, used instead of a download."),
        "rust": attr.label(doc = "The file BUILD.bazel of the repository with the rustc of the same nightly."),
    },
    environ = ["RUSTUP_DIST_SERVER"],
)
