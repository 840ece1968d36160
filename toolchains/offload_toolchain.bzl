"""The offload toolchain: what the rules need to know about a rustc that can offload."""

load("//offload:providers.bzl", "OffloadToolchainInfo")

# buildifier: disable=bzl-visibility
load("//offload/private:dialect.bzl", "DIALECTS")

# buildifier: disable=bzl-visibility
load("//offload/private:runtime.bzl", "runfiles_path")

OFFLOAD_TOOLCHAIN_TYPE = "//toolchains:toolchain_type"

def _impl(ctx):
    omptarget = [file for file in ctx.files.runtime if file.basename.startswith("libomptarget.so")]
    if not omptarget:
        fail("{}: the offload runtime lacks libomptarget. Found {}. Add it to runtime.".format(
            ctx.label,
            ", ".join([file.basename for file in ctx.files.runtime]) or "nothing",
        ))
    return [platform_common.ToolchainInfo(
        offload = OffloadToolchainInfo(
            dialect = DIALECTS[ctx.attr.dialect],
            known_archs = ctx.attr.known_archs,
            linker = ctx.file.linker,
            linker_files = depset(ctx.files.linker_files),
            llvm_version = ctx.attr.llvm_version,
            omptarget = omptarget[0],
            runtime = depset(ctx.files.runtime),
            runtime_dir = runfiles_path(omptarget[0].short_path, ctx.workspace_name).rpartition("/")[0],
            runtime_exec_dir = omptarget[0].dirname,
            rustc_version = ctx.attr.rustc_version,
        ),
    )]

offload_toolchain = rule(
    implementation = _impl,
    doc = "Describes a rustc that can offload. Made by the module extension for each rustc distribution.",
    attrs = {
        "dialect": attr.string(
            doc = "How this rustc spells the passes, see `//offload/private:dialect.bzl`.",
            mandatory = True,
            values = DIALECTS.keys(),
        ),
        "known_archs": attr.string_list_dict(
            doc = "By device triple, what `rustc --print target-cpus --target <triple>` printed.",
            mandatory = True,
        ),
        "linker": attr.label(
            allow_single_file = True,
            cfg = "exec",
            doc = "`ld.lld` of rustc's LLVM. A C compiler finds it by this name in the folder that `-B` names.",
            mandatory = True,
        ),
        "linker_files": attr.label_list(
            allow_files = True,
            cfg = "exec",
            doc = "What the linker needs to run: libLLVM, and the `rust-lld` that it may be a wrapper of.",
        ),
        "llvm_version": attr.string(
            doc = "The LLVM version that `rustc -vV` prints, such as `22.1.8`.",
            mandatory = True,
        ),
        "runtime": attr.label_list(
            allow_files = True,
            doc = "The offload runtime: libomptarget, libomp, libLLVM and the libraries that they need.",
            mandatory = True,
        ),
        "rustc_version": attr.string(
            doc = "What `rustc --version` prints.",
            mandatory = True,
        ),
    },
)
