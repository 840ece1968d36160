"""The three actions of an offload target: command lines and outputs."""

load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts")
load(
    ":common.bzl",
    "ARCH_ATTRS",
    "CHECK_IMAGE",
    "CHECK_KERNELS",
    "DEVICE",
    "DEVICE_CLIPPY",
    "DEVICE_TEXT",
    "DISASSEMBLE",
    "HOST",
    "HOST_METADATA",
    "HOST_PASS",
    "NVPTX64",
    "PASSES",
    "REPORT",
    "TRIPLES",
    "expect_contains",
    "expect_no",
    "for_each_arch",
    "matching",
    "passes",
    "paths",
    "suite",
)

def _output(action, name):
    """The path of the output of that name, or a text that no argument contains."""
    found = [path for path in paths(action.outputs) if path.rpartition("/")[2] == name]
    return found[0] if found else "<no output {}>".format(name)

def _is_own_action(action):
    # Beside the passes a target has the links and manifests of its runfiles, and SASS where CUDA has a disassembler.
    return action.mnemonic.startswith("Rust") and action.mnemonic != DISASSEMBLE

def _mnemonics_impl(ctx):
    env = analysistest.begin(ctx)
    asserts.equals(
        env,
        sorted(PASSES + [CHECK_IMAGE, CHECK_KERNELS, DEVICE_CLIPPY, DEVICE_TEXT, REPORT]),
        sorted([action.mnemonic for action in analysistest.target_actions(env) if _is_own_action(action)]),
    )
    return analysistest.end(env)

def _outputs_impl(ctx):
    env = analysistest.begin(ctx)
    name = "program_" + ctx.attr.arch
    actions = passes(env)
    package = analysistest.target_bin_dir_path(env) + "/tests/analysis/testdata/"
    for mnemonic, expected in {
        DEVICE: [
            "{}.offload/{}/{}".format(name, ctx.attr.arch, file)
            for file in ["device.bin", "named.bc"]
        ],
        HOST_METADATA: [
            name + ".offload/host_metadata/libnamed.rmeta",
            name + ".offload/host_metadata/offload.manifest",
        ],
        HOST_PASS: [name],
    }.items():
        found = paths(actions[mnemonic].outputs)
        asserts.equals(env, [package + path for path in expected], sorted(found), "outputs of " + mnemonic)

        # Where rustc writes what `--emit` names without a path.
        dirname = found[0].rpartition("/")[0]
        expect_contains(env, "--out-dir=" + dirname, actions[mnemonic].argv, mnemonic)
    return analysistest.end(env)

def _every_pass_impl(ctx):
    env = analysistest.begin(ctx)
    for mnemonic, action in passes(env).items():
        for flag in [
            "tests/analysis/testdata/program.rs",
            "--crate-name=named",
            "-Clto=fat",
            "-Csymbol-mangling-version=v0",
            "-Zunstable-options",
        ]:
            expect_contains(env, flag, action.argv, mnemonic)
        asserts.equals(env, 1, len(matching(action.argv, prefix = "-Zoffload")), "-Zoffload in " + mnemonic)
        asserts.equals(env, 1, len(matching(action.argv, prefix = "--crate-type")), "--crate-type in " + mnemonic)
        asserts.equals(env, 1, len(matching(action.argv, prefix = "--target")), "--target in " + mnemonic)
        asserts.equals(env, 1, len(matching(action.argv, prefix = "--emit")), "--emit in " + mnemonic)
        asserts.equals(env, ["-Clto=fat"], matching(action.argv, part = "lto"), "LTO in " + mnemonic)
        expect_no(env, matching(action.argv, part = "embed-bitcode=no"), mnemonic)
    return analysistest.end(env)

def _host_metadata_impl(ctx):
    env = analysistest.begin(ctx)
    action = passes(env)[HOST_METADATA]
    for flag in [
        "-Zoffload=HostMetadata=" + _output(action, "offload.manifest"),
        "--crate-type=bin",
        "--emit=metadata",
        "--target=" + HOST,
    ]:
        expect_contains(env, flag, action.argv, HOST_METADATA)
    expect_no(env, matching(action.argv, part = "target-cpu"), HOST_METADATA)
    expect_no(env, matching(action.argv, part = "link-arg"), HOST_METADATA)
    expect_no(env, matching(action.argv, part = "codegen=linker"), HOST_METADATA)
    expect_no(env, matching(action.argv, prefix = "--cfg=offload_device"), HOST_METADATA)
    expect_no(env, matching(action.argv, prefix = "--extern=force:"), HOST_METADATA)
    return analysistest.end(env)

def _device_impl(ctx):
    env = analysistest.begin(ctx)
    actions = passes(env)
    action = actions[DEVICE]
    for flag in [
        "-Zoffload=Device=" + _output(actions[HOST_METADATA], "offload.manifest"),
        "-Ctarget-cpu=" + ctx.attr.arch,
        "-Cpanic=abort",
        "--cfg=offload_device",
        "--crate-type=cdylib",
        "--emit=llvm-bc",
        "--target=" + TRIPLES[ctx.attr.arch],
        # Whatever the compilation mode.
        "--codegen=opt-level=3",
    ]:
        expect_contains(env, flag, action.argv, DEVICE)
    asserts.equals(env, ["-Ctarget-cpu=" + ctx.attr.arch], matching(action.argv, part = "target-cpu"))

    # All libraries, whether the program's device side refers to them or not; and no procedural macros.
    asserts.equals(
        env,
        ["--extern=force:both_lib", "--extern=force:device_lib"],
        sorted(matching(action.argv, prefix = "--extern=force:")),
    )
    expect_no(env, matching(action.argv, part = "link-arg"), DEVICE)
    expect_no(env, matching(action.argv, part = "codegen=linker"), DEVICE)
    return analysistest.end(env)

def _device_text_impl(ctx):
    env = analysistest.begin(ctx)
    device = passes(env)[DEVICE].argv
    action = [action for action in analysistest.target_actions(env) if action.mnemonic == DEVICE_TEXT][0]
    name = "program_{0}.{0}.".format(ctx.attr.arch)
    asm = _output(action, name + ("ptx" if TRIPLES[ctx.attr.arch] == NVPTX64 else "s"))
    llvm_ir = _output(action, name + "ll")
    asserts.equals(env, 2, len(action.outputs.to_list()))

    # The Device pass but for what it writes, and where.
    own = [argument for argument in action.argv if argument not in device]
    out_dir = matching(own, prefix = "--out-dir=")
    asserts.equals(env, ["--out-dir=" + asm.rpartition("/")[0]], out_dir)
    asserts.equals(env, ["--emit=asm=" + asm, "--emit=llvm-ir=" + llvm_ir], [argument for argument in own if argument not in out_dir])
    asserts.equals(env, matching(device, prefix = "--out-dir="), [argument for argument in device if argument not in action.argv])
    return analysistest.end(env)

def _host_impl(ctx):
    env = analysistest.begin(ctx)
    actions = passes(env)
    action = actions[HOST_PASS]
    for flag in [
        "-Zoffload=Host=/proc/self/cwd/" + _output(actions[DEVICE], "device.bin"),
        "--crate-type=bin",
        "--emit=link=" + paths(action.outputs)[0],
        "--target=" + HOST,
    ]:
        expect_contains(env, flag, action.argv, HOST_PASS)
    expect_no(env, matching(action.argv, part = "target-cpu"), HOST_PASS)
    expect_no(env, matching(action.argv, prefix = "--cfg=offload_device"), HOST_PASS)

    # The linker is lld, whatever the C++ toolchain prefers: the last one wins.
    asserts.true(env, matching(action.argv, part = "-fuse-ld=")[-1].endswith("=lld"), "the linker is not lld")

    # Relative to the executable, so that it may be moved with its runfiles.
    run_paths = matching(action.argv, part = "-rpath,")
    asserts.equals(env, 3, len(run_paths))
    asserts.equals(env, run_paths, matching(run_paths, prefix = "-Clink-arg=-Wl,-rpath,$ORIGIN/"))
    return analysistest.end(env)

_mnemonics_test = analysistest.make(_mnemonics_impl, attrs = ARCH_ATTRS)
_outputs_test = analysistest.make(_outputs_impl, attrs = ARCH_ATTRS)
_every_pass_test = analysistest.make(_every_pass_impl, attrs = ARCH_ATTRS)
_host_metadata_test = analysistest.make(_host_metadata_impl, attrs = ARCH_ATTRS)
_device_test = analysistest.make(_device_impl, attrs = ARCH_ATTRS)
_device_text_test = analysistest.make(_device_text_impl, attrs = ARCH_ATTRS)
_host_test = analysistest.make(_host_impl, attrs = ARCH_ATTRS)

def passes_test_suite(name):
    """The tests of this file.

    Args:
        name: (str) the name of the suite.
    """
    suite(name, for_each_arch({
        "device": _device_test,
        "device_text": _device_text_test,
        "every_pass": _every_pass_test,
        "host": _host_test,
        "host_metadata": _host_metadata_test,
        "mnemonics": _mnemonics_test,
        "outputs": _outputs_test,
    }))
