"""What is loaded from modules that Debian lacks, even where none of it is used: module -> file -> content."""

_APPLE_CONSTRAINTS = """\
package(default_visibility = ["//visibility:public"])

constraint_setting(name = "target_environment", default_constraint_value = ":device")

constraint_value(name = "device", constraint_setting = ":target_environment")

constraint_value(name = "simulator", constraint_setting = ":target_environment")

constraint_value(name = "catalyst", constraint_setting = ":target_environment")
"""

_APPLE_SUPPORT = """\
apple_support = struct(path_placeholders = struct(
    xcode = lambda: "__BAZEL_XCODE_DEVELOPER_DIR__",
    sdkroot = lambda: "__BAZEL_XCODE_SDKROOT__",
))
"""

_BUILDOZER = """\
def _repo(rctx):
    rctx.file("BUILD.bazel", "exports_files([\\"buildozer.exe\\"])")
    found = rctx.which("buildozer")
    if found:
        rctx.symlink(found, "buildozer.exe")
    else:
        rctx.file("buildozer.exe", "#!/bin/sh\\necho no buildozer here >&2; exit 1\\n")

_buildozer = repository_rule(implementation = _repo)

def _impl(_mctx):
    _buildozer(name = "buildozer_binary")

buildozer_binary = module_extension(
    implementation = _impl,
    tag_classes = {"buildozer": tag_class(attrs = {"sha256": attr.string_dict(), "version": attr.string()})},
)
"""

STUBS = {
    # rules_cc and rules_rust name its constraints; newer versions of rules_rust load its constants.
    "apple_support": {
        "constraints/BUILD.bazel": _APPLE_CONSTRAINTS,
        "lib/BUILD.bazel": "",
        "lib/apple_support.bzl": _APPLE_SUPPORT,
    },
    # `bazel mod graph` loads every extension that bazel_tools uses; only `bazel mod tidy` runs this one.
    "buildozer": {"buildozer_binary.bzl": _BUILDOZER},
    "zlib": {
        "BUILD.bazel": 'cc_library(name = "zlib", linkopts = ["-lz"], visibility = ["//visibility:public"])\n',
    },
}
