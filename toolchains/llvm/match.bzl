"""The check that every LLVM tool, and the offload runtime, is of the LLVM that rustc was built with."""

load("//offload:providers.bzl", "LlvmMatchInfo")
load("//toolchains:offload_toolchain.bzl", "OFFLOAD_TOOLCHAIN_TYPE")
load(":tools.bzl", "LLVM_TOOLS")
load(":version.bzl", "compare_llvm", "parse_llvm_version", "runtime_llvm_version")

_RUST_TOOLCHAIN_TYPE = "@rules_rust//rust:toolchain_type"

_FIX = "Write offload.llvm(path = \"<folder of LLVM {version}>\") in MODULE.bazel, or remove offload.llvm to take the tools of the nightly."
_RUNTIME_FIX = "Write offload.rust(runtime = \"<label of the runtime of LLVM {version}>\") in MODULE.bazel, or remove runtime to take that of the nightly."

_DISTRIBUTION_FIX = "Write offload.rust(nightly = \"<date>\") in MODULE.bazel with another date: the programs of this distribution are not of one LLVM."

def check_declared_llvm(rustc_llvm, rustc_label, llvm, allow_patch_difference):
    """Compares the version that the LLVM toolchain claims with rustc's.

    Args:
        rustc_llvm: (str) the LLVM version of rustc.
        rustc_label: (Label) rustc.
        llvm: (LlvmToolchainInfo)
        allow_patch_difference: (bool) whether the patch level may differ.

    Returns:
        None, or an error.
    """
    difference = compare_llvm(rustc_llvm, llvm.version, allow_patch_difference)
    if not difference:
        return None
    fix = _FIX.format(version = rustc_llvm)
    if difference == "differ in the patch level":
        fix = "Write offload.llvm(allow_patch_difference = True) in MODULE.bazel to accept that."
    return "the LLVM tools do not match rustc. Found LLVM {} in {}, and LLVM {} in {}. {}".format(
        llvm.version,
        llvm.label,
        rustc_llvm,
        rustc_label,
        fix,
    )

def check_declared_runtime(rustc_llvm, rustc_label, basename, label):
    """Compares the version in the name of libomptarget with rustc's LLVM.

    Args:
        rustc_llvm: (str) the LLVM version of rustc.
        rustc_label: (Label) rustc.
        basename: (str) such as `libomptarget.so.22.1`.
        label: (Label) the file.

    Returns:
        None, or an error.
    """
    found = runtime_llvm_version(basename)
    if not found or found == parse_llvm_version(rustc_llvm)[:2]:
        # A name without a version tells nothing; the file is looked into when the check runs.
        return None
    return "the offload runtime does not match rustc. Found LLVM {} in {}, and LLVM {} in {}. {}".format(
        ".".join([str(part) for part in found]),
        label,
        rustc_llvm,
        rustc_label,
        _RUNTIME_FIX.format(version = rustc_llvm),
    )

def _fix(llvm, runtime, version):
    """The line to write if a program turns out to be of another LLVM."""
    fixes = ([_FIX] if llvm else []) + ([_RUNTIME_FIX] if runtime else [])
    return " ".join(fixes or [_DISTRIBUTION_FIX]).format(version = version)

def _tool_argument(name, file):
    return "{}={}={}".format(name, file.owner, file.path)

def _impl(ctx):
    rustc = ctx.toolchains[_RUST_TOOLCHAIN_TYPE]
    offload = ctx.toolchains[OFFLOAD_TOOLCHAIN_TYPE].offload
    llvm = ctx.attr.llvm[platform_common.ToolchainInfo].llvm if ctx.attr.llvm else None
    error = None
    if ctx.attr.runtime:
        error = check_declared_runtime(offload.llvm_version, rustc.rustc.owner, offload.omptarget.basename, offload.omptarget.owner)
    if llvm and not error:
        error = check_declared_llvm(offload.llvm_version, rustc.rustc.owner, llvm, ctx.attr.allow_patch_difference)

    report = ctx.actions.declare_file(ctx.label.name + ".txt")
    args = ctx.actions.args()
    args.add("check-llvm")
    args.add("--rustc", "{}={}".format(rustc.rustc.owner, rustc.rustc.path))
    args.add("--tool", _tool_argument("ld.lld", offload.linker))
    if llvm:
        for tool, file in llvm.tools.items():
            args.add("--tool", _tool_argument(LLVM_TOOLS[tool], file))
    if ctx.attr.runtime:
        args.add("--runtime", "{}={}".format(offload.omptarget.owner, offload.omptarget.path))
    if ctx.attr.allow_patch_difference:
        args.add("--allow-patch-difference")
    args.add("--fix", _fix(llvm, ctx.attr.runtime, offload.llvm_version))
    args.add("--out", report)
    ctx.actions.run(
        executable = ctx.executable._checks,
        arguments = [args],
        inputs = [offload.omptarget] if ctx.attr.runtime else [],
        tools = [
            depset([rustc.rustc, offload.linker], transitive = [rustc.rustc_lib, offload.linker_files]),
            depset(llvm.tools.values() if llvm else [], transitive = [llvm.files] if llvm else []),
        ],
        outputs = [report],
        mnemonic = "RustOffloadCheckLlvm",
        progress_message = "Checking that all LLVM tools are of rustc's LLVM {}".format(offload.llvm_version),
    )
    return [
        DefaultInfo(files = depset([report])),
        LlvmMatchInfo(
            error = error,
            report = report,
        ),
    ]

llvm_match = rule(
    implementation = _impl,
    doc = "Asks rustc and each LLVM tool for its version. One for all offload targets, each of which has it among its validations.",
    attrs = {
        "allow_patch_difference": attr.bool(
            doc = "Whether the patch level of LLVM may differ.",
        ),
        "llvm": attr.label(
            doc = "An llvm_toolchain that is not of the same nightly as rustc.",
            providers = [platform_common.ToolchainInfo],
        ),
        "runtime": attr.bool(
            doc = "Whether the offload runtime is not that of the same nightly as rustc.",
        ),
        "_checks": attr.label(
            cfg = "exec",
            default = "//offload/tools:checks",
            executable = True,
        ),
    },
    toolchains = [
        OFFLOAD_TOOLCHAIN_TYPE,
        _RUST_TOOLCHAIN_TYPE,
    ],
)
