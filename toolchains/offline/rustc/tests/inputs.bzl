"""What the tests of the compiler run with: files of toolchains, as targets."""

# buildifier: disable=bzl-visibility
load("//offload/private:transitions.bzl", "device_transition", "host_transition")

def _device_files_impl(ctx):
    return [DefaultInfo(
        files = depset(transitive = [target[DefaultInfo].files for targets in ctx.split_attr.srcs.values() for target in targets]),
    )]

device_files = rule(
    implementation = _device_files_impl,
    doc = "The files of `srcs`, built for an arch.",
    attrs = {
        "archs": attr.string_list(
            doc = "The arch.",
            mandatory = True,
        ),
        "srcs": attr.label_list(
            cfg = device_transition,
            doc = "Targets of the device side.",
            mandatory = True,
        ),
        "_allowlist_function_transition": attr.label(
            default = "@bazel_tools//tools/allowlists/function_transition_allowlist",
        ),
    },
    cfg = host_transition,
)
