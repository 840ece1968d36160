"""The LLVM toolchain: the programs of the LLVM that rustc was built with."""

load("//offload:providers.bzl", "LlvmToolchainInfo")
load(":tools.bzl", "LLVM_TOOLS")
load(":version.bzl", "parse_llvm_version")

LLVM_TOOLCHAIN_TYPE = "//toolchains/llvm:toolchain_type"

def _impl(ctx):
    if not parse_llvm_version(ctx.attr.version):
        fail("{}: version is no LLVM version. Found \"{}\". Write version = \"<major>.<minor>.<patch>\".".format(
            ctx.label,
            ctx.attr.version,
        ))
    return [platform_common.ToolchainInfo(
        llvm = LlvmToolchainInfo(
            files = depset(ctx.files.files),
            label = ctx.label,
            tools = {
                tool: getattr(ctx.file, tool)
                for tool in LLVM_TOOLS
                if getattr(ctx.file, tool)
            },
            version = ctx.attr.version,
        ),
    )]

llvm_toolchain = rule(
    implementation = _impl,
    doc = "Provides programs of LLVM. All of them are optional: what needs one that is not there says so.",
    attrs = {
        "files": attr.label_list(
            allow_files = True,
            cfg = "exec",
            doc = "What the programs need to run, such as libLLVM.",
        ),
        "version": attr.string(
            doc = "The LLVM version that the programs claim, such as `22.1.8`. Every offload target checks that it is rustc's, and what the programs say of themselves.",
            mandatory = True,
        ),
    } | {
        tool: attr.label(
            allow_single_file = True,
            cfg = "exec",
            doc = "The program `{}`.".format(program),
        )
        for tool, program in LLVM_TOOLS.items()
    },
)

def _current_impl(ctx):
    return [ctx.toolchains[LLVM_TOOLCHAIN_TYPE].llvm]

current_llvm_toolchain = rule(
    implementation = _current_impl,
    doc = "Hands over the LLVM toolchain of the configuration to targets that need one.",
    provides = [LlvmToolchainInfo],
    toolchains = [LLVM_TOOLCHAIN_TYPE],
)
