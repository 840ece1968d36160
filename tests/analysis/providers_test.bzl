"""What an offload target tells others: providers, output groups and runfiles."""

load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts")
load("@rules_rust//rust:rust_common.bzl", "CrateInfo", "DepInfo")
load("//offload:providers.bzl", "OffloadInfo")
load(
    ":common.bzl",
    "ARCH_ATTRS",
    "DEVICE",
    "HOST_METADATA",
    "HOST_PASS",
    "TRIPLES",
    "expect_some",
    "for_each_arch",
    "matching",
    "passes",
    "paths",
    "suite",
)

def _short_path(files, name):
    return [file.short_path for file in files if file.basename == name]

def _outputs(action, name):
    return [path for path in paths(action.outputs) if path.endswith("/" + name)]

def _offload_info_impl(ctx):
    env = analysistest.begin(ctx)
    info = analysistest.target_under_test(env)[OffloadInfo]
    actions = passes(env)
    asserts.equals(env, ["images", "manifest", "runtime"], sorted([field for field in dir(info) if not field.startswith("to_")]))
    asserts.equals(env, _outputs(actions[HOST_METADATA], "offload.manifest"), [info.manifest.path])
    asserts.equals(env, [ctx.attr.arch], info.images.keys())
    image = info.images[ctx.attr.arch]
    asserts.equals(env, ctx.attr.arch, image.arch)
    asserts.equals(env, TRIPLES[ctx.attr.arch], image.triple)
    asserts.equals(env, _outputs(actions[DEVICE], "device.bin"), [image.file.path])
    asserts.equals(env, _outputs(actions[DEVICE], "named.bc"), [image.bitcode.path])
    expect_some(env, matching(paths(info.runtime), part = "/libomptarget.so"), "libomptarget in the runtime")
    return analysistest.end(env)

def _as_list(deps):
    # Newer versions of rules_rust have a list where older ones have a depset.
    return deps if type(deps) == type([]) else deps.to_list()

def _crate_info_impl(ctx):
    env = analysistest.begin(ctx)
    target = analysistest.target_under_test(env)
    crate = target[CrateInfo]
    asserts.equals(env, "named", crate.name)
    asserts.equals(env, "bin", crate.type)
    asserts.equals(env, "2021", crate.edition)
    asserts.equals(env, "tests/analysis/testdata/program.rs", crate.root.path)
    asserts.equals(env, paths(passes(env)[HOST_PASS].outputs), [crate.output.path])
    names = [dep.crate_info.name for dep in _as_list(crate.deps) if dep.crate_info]
    asserts.equals(env, ["both_lib", "host_lib"], sorted(names))
    asserts.equals(env, ["macros"], [dep.crate_info.name for dep in _as_list(crate.proc_macro_deps)])
    asserts.true(env, DepInfo in target, "there is no DepInfo")
    return analysistest.end(env)

def _output_groups_impl(ctx):
    env = analysistest.begin(ctx)
    groups = analysistest.target_under_test(env)[OutputGroupInfo]
    actions = passes(env)
    asserts.equals(env, _outputs(actions[DEVICE], "device.bin"), paths(groups.device_image))
    asserts.equals(env, _outputs(actions[DEVICE], "named.bc"), paths(groups.device_llvm_bc))
    asserts.equals(env, _outputs(actions[HOST_METADATA], "offload.manifest"), paths(groups.offload_manifest))
    return analysistest.end(env)

def _runfiles_impl(ctx):
    env = analysistest.begin(ctx)
    info = analysistest.target_under_test(env)[DefaultInfo]
    executable = paths(passes(env)[HOST_PASS].outputs)
    asserts.equals(env, executable, paths(info.files))
    asserts.equals(env, executable, [info.files_to_run.executable.path])
    files = info.default_runfiles.files.to_list()
    names = [file.basename for file in files]
    for library in ["libomptarget.so", "libomp.so", "libLLVM.so"]:
        expect_some(env, matching(names, prefix = library), library + " in the runfiles")
    asserts.equals(env, ["tests/analysis/testdata/data.txt"], _short_path(files, "data.txt"))
    asserts.equals(env, [], _short_path(files, "rustc"), "the compiler in the runfiles")
    asserts.equals(env, [], _short_path(files, "device.bin"), "the device image in the runfiles")
    return analysistest.end(env)

def _run_environment_impl(ctx):
    env = analysistest.begin(ctx)
    info = analysistest.target_under_test(env)[RunEnvironmentInfo]
    asserts.equals(env, {"DATA": "tests/analysis/testdata/data.txt"}, info.environment)
    return analysistest.end(env)

_offload_info_test = analysistest.make(_offload_info_impl, attrs = ARCH_ATTRS)
_crate_info_test = analysistest.make(_crate_info_impl, attrs = ARCH_ATTRS)
_output_groups_test = analysistest.make(_output_groups_impl, attrs = ARCH_ATTRS)
_runfiles_test = analysistest.make(_runfiles_impl, attrs = ARCH_ATTRS)
_run_environment_test = analysistest.make(_run_environment_impl, attrs = ARCH_ATTRS)

def providers_test_suite(name):
    """The tests of this file.

    Args:
        name: (str) the name of the suite.
    """
    suite(name, for_each_arch({
        "crate_info": _crate_info_test,
        "offload_info": _offload_info_test,
        "output_groups": _output_groups_test,
        "run_environment": _run_environment_test,
        "runfiles": _runfiles_test,
    }))
