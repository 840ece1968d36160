"""The repository that declares all toolchains. It names the repositories with the tools without fetching them."""

# buildifier: disable=bzl-visibility
load("//offload/private:arch.bzl", "DEVICE_TRIPLES", "NVPTX64")

_HEADER = """\
package(default_visibility = ["//visibility:public"])
"""

_TOOLCHAIN = """
toolchain(
    name = "{name}",
    exec_compatible_with = {exec},
    target_compatible_with = {target},
    target_settings = {settings},
    toolchain = "{toolchain}",
    toolchain_type = "{type}",
)
"""

_MATCH = """\
load("{match_bzl}", "llvm_match")

package(default_visibility = ["//visibility:public"])

llvm_match(
    name = "match",
    allow_patch_difference = {allow_patch_difference},
    llvm = {llvm},
    runtime = {runtime},
)
"""

_X86_64_LINUX = [
    "@platforms//cpu:x86_64",
    "@platforms//os:linux",
]

def _toolchain(name, type, toolchain, target = [], in_offload_targets = True):
    # Only offload targets set `is_offload_rustc`: everything else keeps the toolchains that it has without this module.
    settings = [str(Label("//offload/private:is_offload_rustc"))] if in_offload_targets else []
    return _TOOLCHAIN.format(
        exec = repr(_X86_64_LINUX),
        name = name,
        settings = repr(settings),
        target = repr(target),
        toolchain = toolchain,
        type = str(type),
    )

def _platform_of(triple):
    return [str(Label("//offload/platforms:{}_triple".format(triple)))]

def _impl(rctx):
    rust_type = Label("@rules_rust//rust:toolchain_type")
    toolchains = [
        _toolchain("host", rust_type, "@rust_offload//:host", _X86_64_LINUX),
        _toolchain("offload", Label("//toolchains:toolchain_type"), "@rust_offload//:offload", _X86_64_LINUX),
        _toolchain("llvm", Label("//toolchains/llvm:toolchain_type"), "@rust_offload_llvm//:llvm", _X86_64_LINUX),
    ] + [
        _toolchain(triple, rust_type, "@rust_offload//:" + triple, _platform_of(triple))
        for triple in DEVICE_TRIPLES
    ]
    if rctx.attr.cc:
        toolchains.append(_toolchain("cc", Label("@bazel_tools//tools/cpp:toolchain_type"), "@rust_offload_llvm//:cc", _X86_64_LINUX))
    rctx.file("BUILD.bazel", _HEADER + "".join(toolchains))
    rctx.file("llvm/BUILD.bazel", _MATCH.format(
        allow_patch_difference = rctx.attr.allow_patch_difference,
        llvm = repr("@rust_offload_llvm//:llvm" if rctx.attr.llvm else None),
        match_bzl = str(Label("//toolchains/llvm:match.bzl")),
        runtime = rctx.attr.runtime,
    ))

    # The module registers these two, so that what the root module registers comes before them.
    rctx.file("cuda/BUILD.bazel", _HEADER + _toolchain(
        "cuda",
        Label("//toolchains/cuda:toolchain_type"),
        "@rust_offload_cuda//:cuda",
        # Asked for on the device side of NVIDIA GPUs: nothing is fetched for other arches.
        _platform_of(NVPTX64),
        in_offload_targets = False,
    ))
    rctx.file("rustfmt/BUILD.bazel", _HEADER + _toolchain(
        "rustfmt",
        Label("@rules_rust//rust/rustfmt:toolchain_type"),
        "@rust_offload_rustfmt//:rustfmt",
        _X86_64_LINUX,
    ))

toolchain_hub = repository_rule(
    implementation = _impl,
    doc = "Declares the toolchains, and the check that the LLVM tools match rustc.",
    attrs = {
        "allow_patch_difference": attr.bool(doc = "Whether the patch level of the LLVM tools may differ from rustc's."),
        "cc": attr.bool(doc = "Whether offload targets get the C++ toolchain of the LLVM repository."),
        "llvm": attr.bool(doc = "Whether the LLVM repository has other tools than those of the nightly, which have to be checked."),
        "runtime": attr.bool(doc = "Whether the offload runtime is not that of the nightly, and has to be checked."),
    },
)
