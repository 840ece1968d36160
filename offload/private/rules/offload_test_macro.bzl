"""The macro rust_offload_test."""

load("@bazel_skylib//rules:build_test.bzl", "build_test")
load("//offload/private:arch.bzl", "NVPTX64", "parse_arch")
load("//offload/private/rules:offload_test.bzl", _rust_offload_test = "rust_offload_test")
load("//offload/private/rules:sides.bzl", "both_sides")

def _tags(archs):
    """Tags by which runners choose what they can run, and by which Bazel knows how many tests fit on a machine."""
    tags = ["gpu", "resources:gpu:1"]
    for arch in archs or []:
        # The rule reports an arch that cannot be parsed.
        parsed, _error = parse_arch(arch)
        tag = "requires-gpu-nvidia" if parsed and parsed.triple == NVPTX64 else "requires-gpu-amd"
        if tag not in tags:
            tags.append(tag)
    return tags

def _exec_properties(exec_properties):
    # Bazel has the prefix for what holds for running a test, not for building it.
    if type(exec_properties) != type({}):
        return exec_properties
    return select({
        Label("//offload/settings:tests_run_in_gpu_pool"): {"test.Pool": "gpu"} | exec_properties,
        "//conditions:default": exec_properties,
    })

def rust_offload_test(
        name,
        archs = None,
        deps = [],
        host_deps = [],
        device_deps = [],
        env = {},
        tags = [],
        exec_properties = {},
        target_compatible_with = [],
        **kwargs):
    """Builds and runs functions with `#[test]` that launch kernels on a GPU.

    It is a `rust_test` and a `rust_offload_binary` in one: libtest's output, its filters (`--test_arg=<part of a name>`),
    and all attributes of `rust_offload_binary`. The device side is compiled with `--cfg=test`, so that kernels may be in
    modules with `#[cfg(test)]`.

    Before the test the launcher (`offload launch`) looks for a GPU that the test was built for. If there is none, the test
    fails and says so, or is skipped with `--@rules_rust_offload//offload/settings:missing_gpu=skip`. Of several GPUs it
    takes one that no other test has.

    The test has the tags `gpu` and `resources:gpu:1`, and with `archs` also `requires-gpu-amd` or `requires-gpu-nvidia`.
    Machines without a GPU leave it out by `--test_tag_filters=-gpu`; `<name>_builds`, a test without these tags, compiles it
    there. `--local_resources=gpu=4` says that a machine has four GPUs; without that option Bazel runs no test with such a tag.

    A launch that fails ends the test: `OMP_TARGET_OFFLOAD=MANDATORY` is set unless `env` says otherwise.

    Args:
        name: (str) the name of the target.
        archs: (list[str]) the arches to build for, as in `rust_offload_binary`.
        deps: (list[label]) libraries for both sides, each built for each side.
        host_deps: (list[label]) libraries for the host side only.
        device_deps: (list[label]) libraries for the device side only.
        env: (dict[str, str]) environment variables of the test.
        tags: (list[str]) more tags.
        exec_properties: (dict[str, str]) as for every rule. `--@rules_rust_offload//offload/settings:remote_test_pool=gpu`
            adds `test.Pool = "gpu"`.
        target_compatible_with: (list[label]) as for every rule.
        **kwargs: the other attributes of `rust_offload_binary`, and `size`, `timeout` and `flaky` of tests.
    """
    _rust_offload_test(
        name = name,
        env = {"OMP_TARGET_OFFLOAD": "MANDATORY"} | env,
        tags = tags + _tags(archs),
        exec_properties = _exec_properties(exec_properties),
        **both_sides(name, archs, deps, host_deps, device_deps, target_compatible_with, kwargs)
    )
    build_test(
        name = name + "_builds",
        size = "small",
        tags = tags,
        targets = [":" + name],
    )
