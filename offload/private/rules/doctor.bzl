"""The rule doctor: what this machine has to build and to run offload programs."""

load("@bazel_skylib//rules:common_settings.bzl", "BuildSettingInfo")
load("//offload:providers.bzl", "CudaToolchainInfo", "LlvmToolchainInfo")
load("//offload/private:settings.bzl", "split_archs")
load("//offload/private:transitions.bzl", "host_transition", "nvidia_transition")
load("//offload/private/compat:rules_rust.bzl", "RUST_TOOLCHAIN_TYPE")
load("//offload/private/rules:tool_with_arguments.bzl", "TOOL_ATTRS", "tool_with_arguments")
load("//toolchains:offload_toolchain.bzl", "OFFLOAD_TOOLCHAIN_TYPE")

def _impl(ctx):
    rust = ctx.toolchains[RUST_TOOLCHAIN_TYPE]
    offload = ctx.toolchains[OFFLOAD_TOOLCHAIN_TYPE].offload
    llvm = ctx.attr._llvm[LlvmToolchainInfo]
    ptxas = ctx.attr._cuda[0][CudaToolchainInfo].ptxas

    # `bazel run` starts programs in the folder that these paths count from.
    programs = [("--rustc", rust.rustc), ("--llvm-tool", offload.linker)]
    programs += [("--llvm-tool", tool) for tool in llvm.tools.values()]
    if ptxas:
        programs.append(("--ptxas", ptxas))
    archs = split_archs(ctx.attr._archs[BuildSettingInfo].value)
    doctor = tool_with_arguments(
        ctx,
        ["doctor"] +
        ["{}={}".format(option, file.short_path) for option, file in programs] +
        ["--runtime=" + offload.omptarget.short_path.rpartition("/")[0]] +
        (["--archs=" + ",".join(archs)] if archs else []),
    )
    runfiles = ctx.runfiles(
        files = [file for _option, file in programs],
        transitive_files = depset(transitive = [
            rust.rustc_lib,
            offload.linker_files,
            offload.runtime,
            llvm.files,
        ]),
    )
    return [DefaultInfo(
        executable = doctor.executable,
        files = depset([doctor.executable]),
        runfiles = doctor.runfiles.merge(runfiles),
    )]

doctor = rule(
    implementation = _impl,
    doc = "Runs `offload doctor` on the toolchains that offload targets have.",
    attrs = TOOL_ATTRS | {
        "_allowlist_function_transition": attr.label(
            default = "@bazel_tools//tools/allowlists/function_transition_allowlist",
        ),
        "_archs": attr.label(
            default = "//offload/settings:archs",
        ),
        "_cuda": attr.label(
            # Where toolchains with ptxas are looked for.
            cfg = nvidia_transition,
            default = "//toolchains/cuda:current_toolchain",
        ),
        "_llvm": attr.label(
            default = "//toolchains/llvm:current_toolchain",
        ),
    },
    cfg = host_transition,
    executable = True,
    toolchains = [
        RUST_TOOLCHAIN_TYPE,
        OFFLOAD_TOOLCHAIN_TYPE,
    ],
)
