"""core for a GPU is built once for each arch, whatever the target, the compilation mode or the user's flags."""

load("@bazel_skylib//lib:partial.bzl", "partial")
load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts")

# buildifier: disable=bzl-visibility
load("//offload/private:arch_option.bzl", "arch_option")
load(":common.bzl", "ARCH_ATTRS", "DEVICE", "TRIPLES", "matching", "paths", "suite")

# The crates, by where the root of each lies in rust-src.
_ROOTS = {
    "alloc": "alloc/src/lib.rs",
    "compiler_builtins": "compiler-builtins/compiler-builtins/src/lib.rs",
    "core": "core/src/lib.rs",
}

_ActionsInfo = provider(
    doc = "The actions of a target.",
    fields = {"actions": "(list[Action])"},
)

_actions_aspect = aspect(
    implementation = lambda target, _ctx: [_ActionsInfo(actions = target.actions)],
    doc = "Makes the actions of a target visible to `core_of_each`.",
)

_CoresInfo = provider(
    doc = "Where the Device passes of several targets in several configurations find core.",
    fields = {"cores": "(dict[str, list[str]]) by target and configuration, the paths of core, alloc and compiler_builtins."},
)

_FLAG = str(Label("@rules_rust//rust/settings:extra_rustc_flag"))
_FLAGS = str(Label("@rules_rust//rust/settings:extra_rustc_flags"))
_ARCHS = str(Label("//offload/settings:archs"))

_PLAIN = {
    "//command_line_option:compilation_mode": "fastbuild",
    "//command_line_option:copt": [],
    "//command_line_option:cxxopt": [],
    "//command_line_option:features": [],
    "//command_line_option:linkopt": [],
    _ARCHS: [],
    _FLAG: [],
    _FLAGS: [],
}

# What a transition may change, by a name for messages. What is the same for the whole build does not show in paths.
_CONFIGURATIONS = {
    "-c dbg": {"//command_line_option:compilation_mode": "dbg"},
    "-c fastbuild": {},
    "-c opt": {"//command_line_option:compilation_mode": "opt"},
    "archs": {_ARCHS: ["gfx942"]},
    "copt": {"//command_line_option:copt": ["-DFROM_THE_USER"]},
    "cxxopt": {"//command_line_option:cxxopt": ["-DFROM_THE_USER"]},
    "extra_rustc_flag": {_FLAG: ["--cfg=from_the_user"]},
    "extra_rustc_flags": {_FLAGS: ["--cfg=from_the_user"]},
    "features": {"//command_line_option:features": ["from_the_user"]},
    "linkopt": {"//command_line_option:linkopt": ["-lm"]},
}

_every_configuration = transition(
    implementation = lambda _settings, _attr: {
        name: _PLAIN | changed
        for name, changed in _CONFIGURATIONS.items()
    },
    inputs = [],
    outputs = _PLAIN.keys(),
)

def _is_core(path, triple):
    # The rust_toolchain also links core into its sysroot, once for each configuration of its own.
    return path.endswith(".rlib") and "/{0}_std_files/lib/rustlib/{0}/lib/".format(triple) in path and "/{}/".format(triple) not in path.partition("_std_files/")[0]

def _core_of_each_impl(ctx):
    cores = {}
    for configuration, targets in ctx.split_attr.targets.items():
        for target in targets:
            devices = [action for action in target[_ActionsInfo].actions if action.mnemonic == DEVICE]
            cores["{} {}".format(target.label.name, configuration)] = sorted([
                path
                for action in devices
                for path in paths(action.inputs)
                if _is_core(path, ctx.attr.triple)
            ])
    return [_CoresInfo(cores = cores)]

core_of_each = rule(
    implementation = _core_of_each_impl,
    doc = "Collects where targets find core in every configuration.",
    attrs = {
        "targets": attr.label_list(
            aspects = [_actions_aspect],
            cfg = _every_configuration,
            doc = "Offload targets for one arch.",
            mandatory = True,
        ),
        "triple": attr.string(
            doc = "The device triple of the arch.",
            mandatory = True,
        ),
        "_allowlist_function_transition": attr.label(
            default = "@bazel_tools//tools/allowlists/function_transition_allowlist",
        ),
    },
)

def _same_impl(ctx):
    env = analysistest.begin(ctx)
    cores = analysistest.target_under_test(env)[_CoresInfo].cores
    asserts.equals(env, 2 * len(_CONFIGURATIONS), len(cores))
    first = cores.values()[0]
    asserts.equals(
        env,
        ["lib{}.rlib".format(crate) for crate in _ROOTS],
        [path.rpartition("/")[2] for path in first],
    )
    for where, core in cores.items():
        asserts.equals(env, first, core, where)
    return analysistest.end(env)

def _actions_impl(ctx):
    env = analysistest.begin(ctx)
    triple = TRIPLES[ctx.attr.arch]
    actions = [action for action in analysistest.target_actions(env) if action.mnemonic == "RustDeviceStd"]
    by_crate = {
        matching(action.argv, prefix = "--crate-name=")[0].partition("=")[2]: action
        for action in actions
    }
    asserts.equals(env, _ROOTS.keys(), sorted(by_crate.keys()))
    asserts.equals(env, len(_ROOTS), len(actions))
    for crate, action in by_crate.items():
        for flag in [
            "--target=" + triple,
            "-Ctarget-cpu=" + ctx.attr.arch,
            "-Copt-level=3",
            "-Cpanic=abort",
            "-Cembed-bitcode=yes",
            "--crate-type=rlib",
            "--emit=link=" + paths(action.outputs)[0],
        ]:
            asserts.true(env, flag in action.argv, "{} has no {}".format(crate, flag))
        asserts.equals(env, [], [argument for argument in action.argv if argument.startswith("/") or "=/" in argument])
        asserts.equals(env, {}, action.env)
        inputs = paths(action.inputs)
        for other, root in _ROOTS.items():
            found = matching(inputs, suffix = "/library/" + root)
            asserts.equals(env, 1 if other == crate else 0, len(found), "sources of {} for {}".format(other, crate))
    return analysistest.end(env)

_same_test = analysistest.make(_same_impl)

# The option that the device side's transition sets.
_ACTIONS_TESTS = {
    arch: analysistest.make(
        _actions_impl,
        attrs = ARCH_ATTRS,
        config_settings = {"//command_line_option:copt": [arch_option(arch)]},
    )
    for arch in TRIPLES
}
_actions_gfx90a_test = _ACTIONS_TESTS["gfx90a"]
_actions_sm_90_test = _ACTIONS_TESTS["sm_90"]

def core_test_suite(name):
    """The tests of this file.

    Args:
        name: (str) the name of the suite.
    """
    tests = {}
    for arch, actions_test in {
        "gfx90a": _actions_gfx90a_test,
        "sm_90": _actions_sm_90_test,
    }.items():
        core_of_each(
            name = "{}_of_each_{}".format(name, arch),
            tags = ["manual"],
            targets = [
                "//tests/analysis/testdata:program_" + arch,
                "//tests/analysis/testdata:small_" + arch,
            ],
            testonly = True,
            triple = TRIPLES[arch],
        )
        tests["same_" + arch] = partial.make(
            _same_test,
            size = "small",
            target_under_test = ":{}_of_each_{}".format(name, arch),
        )
        tests["actions_" + arch] = partial.make(
            actions_test,
            arch = arch,
            size = "small",
            target_under_test = "@rust_offload//:{}_std_files".format(TRIPLES[arch]),
        )
    suite(name, tests)
