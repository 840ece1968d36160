"""The macro rust_offload_test."""

load("//offload/private:arch.bzl", "NVPTX64", "parse_arch")
load("//offload/private/rules:offload_test.bzl", _rust_offload_test = "rust_offload_test")
load("//offload/private/rules:sides.bzl", "both_sides")

def _tags(archs):
    """Tags by which runners choose what they can run."""
    tags = ["gpu"]
    for arch in archs or []:
        # The rule reports an arch that cannot be parsed.
        parsed, _error = parse_arch(arch)
        tag = "requires-gpu-nvidia" if parsed and parsed.triple == NVPTX64 else "requires-gpu-amd"
        if tag not in tags:
            tags.append(tag)
    return tags

def rust_offload_test(
        name,
        archs = None,
        deps = [],
        host_deps = [],
        device_deps = [],
        env = {},
        tags = [],
        target_compatible_with = [],
        **kwargs):
    """Builds and runs functions with `#[test]` that launch kernels on a GPU.

    It is a `rust_test` and a `rust_offload_binary` in one: libtest's output, its filters (`--test_arg=<part of a name>`),
    and all attributes of `rust_offload_binary`. The device side is compiled with `--cfg=test`, so that kernels may be in
    modules with `#[cfg(test)]`.

    The test has the tag `gpu`, and with `archs` also `requires-gpu-amd` or `requires-gpu-nvidia`. Machines without a GPU
    leave it out by `--test_tag_filters=-gpu`, and still build it.

    A launch that fails ends the test: `OMP_TARGET_OFFLOAD=MANDATORY` is set unless `env` says otherwise.

    Args:
        name: (str) the name of the target.
        archs: (list[str]) the arches to build for, as in `rust_offload_binary`.
        deps: (list[label]) libraries for both sides, each built for each side.
        host_deps: (list[label]) libraries for the host side only.
        device_deps: (list[label]) libraries for the device side only.
        env: (dict[str, str]) environment variables of the test.
        tags: (list[str]) more tags.
        target_compatible_with: (list[label]) as for every rule.
        **kwargs: the other attributes of `rust_offload_binary`, and `size`, `timeout` and `flaky` of tests.
    """
    _rust_offload_test(
        name = name,
        env = {"OMP_TARGET_OFFLOAD": "MANDATORY"} | env,
        tags = tags + _tags(archs),
        **both_sides(name, archs, deps, host_deps, device_deps, target_compatible_with, kwargs)
    )
