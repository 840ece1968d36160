"""The repository whose toolchains a module registers. It names the others without fetching them."""

# buildifier: disable=bzl-visibility
load("//offload/private:arch.bzl", "DEVICE_TRIPLES")

_HEADER = """\
package(default_visibility = ["//visibility:public"])

_EXEC = [
    "@platforms//cpu:x86_64",
    "@platforms//os:linux",
]
"""

# Only offload targets set `is_offload_rustc`: everything else keeps the Rust toolchain that it has without this module.
_TOOLCHAIN = """
toolchain(
    name = "{name}",
    exec_compatible_with = _EXEC,
    target_compatible_with = {target},
    target_settings = [{setting}],
    toolchain = "{toolchain}",
    toolchain_type = "{type}",
)
"""

def _impl(rctx):
    rust_type = Label("@rules_rust//rust:toolchain_type")
    offload_type = Label("//toolchains:toolchain_type")
    toolchains = [
        ("host", "_EXEC", rust_type),
        ("offload", "_EXEC", offload_type),
    ] + [
        (triple, repr([str(Label("//offload/platforms:{}_triple".format(triple)))]), rust_type)
        for triple in DEVICE_TRIPLES
    ]
    rctx.file("BUILD.bazel", _HEADER + "".join([
        _TOOLCHAIN.format(
            name = name,
            setting = repr(str(Label("//offload/private:is_offload_rustc"))),
            target = target,
            toolchain = "@{}//:{}".format(rctx.attr.rust_repository, name),
            type = str(type),
        )
        for name, target, type in toolchains
    ]))

toolchain_hub = repository_rule(
    implementation = _impl,
    doc = "Declares the toolchains of a rustc distribution, for `register_toolchains`.",
    attrs = {
        "rust_repository": attr.string(
            doc = "The name of the repository with the distribution.",
            mandatory = True,
        ),
    },
)
