"""Tests of //offload/private:arch.bzl and of the arch flag's syntax."""

load("@bazel_skylib//lib:partial.bzl", "partial")
load("@bazel_skylib//lib:unittest.bzl", "asserts", "unittest")

# buildifier: disable=bzl-visibility
load("//offload/private:arch.bzl", "AMDGCN", "NVPTX64", "check_known", "near_names", "order_archs", "parse_arch")

# buildifier: disable=bzl-visibility
load("//offload/private:settings.bzl", "split_archs")

def _accepted_impl(ctx):
    env = unittest.begin(ctx)
    for arch, triple in {
        "gfx1100": AMDGCN,
        "gfx90a": AMDGCN,
        "gfx942": AMDGCN,
        "sm_100f": NVPTX64,
        "sm_70": NVPTX64,
        "sm_90a": NVPTX64,
    }.items():
        asserts.equals(env, (struct(arch = arch, triple = triple), None), parse_arch(arch))
    return unittest.end(env)

def _refused_impl(ctx):
    env = unittest.begin(ctx)
    for arch in ["", "gfx", "gfx9z", "GFX90a", "sm_", "sm_a", "sm_90ab", "sm_90A", "sm90", "cuda", "x86-64", "gfx90a "]:
        parsed, error = parse_arch(arch)
        asserts.equals(env, None, parsed)
        asserts.equals(
            env,
            "\"{}\" is not a GPU arch. An arch is gfx[0-9a-f]+ for AMD or sm_[0-9]+[a-z]? for NVIDIA. Write for example archs = [\"gfx90a\"] or --config=sm_90.".format(arch),
            error,
        )
    return unittest.end(env)

def _near_names_impl(ctx):
    env = unittest.begin(ctx)
    known = ["gfx1030", "gfx906", "gfx908", "gfx90a", "gfx90c", "gfx942"]
    asserts.equals(env, ["gfx906", "gfx908", "gfx90a", "gfx90c"], near_names("gfx90f", known)[:4])
    asserts.equals(env, "gfx1030", near_names("gfx103", known)[0])
    asserts.equals(env, [], near_names("gfx90f", []))
    return unittest.end(env)

def _known_impl(ctx):
    env = unittest.begin(ctx)
    known = ["sm_80", "sm_86", "sm_90"]
    asserts.equals(env, None, check_known("sm_90", NVPTX64, known))
    asserts.equals(
        env,
        "rustc does not know the arch \"sm_91\" for nvptx64-nvidia-cuda. Near names that it knows: sm_90, sm_80, sm_86. Write one of them in archs or --config.",
        check_known("sm_91", NVPTX64, known),
    )
    return unittest.end(env)

def _flag_impl(ctx):
    env = unittest.begin(ctx)
    asserts.equals(env, [], split_archs([]))
    asserts.equals(env, [], split_archs([""]))
    asserts.equals(env, ["gfx90a", "sm_80", "sm_90"], split_archs(["gfx90a,sm_80", "sm_90"]))
    return unittest.end(env)

def _order_impl(ctx):
    env = unittest.begin(ctx)
    for written, expected in [
        (["sm_80", "sm_90", "sm_86"], ["sm_90", "sm_86", "sm_80"]),
        (["sm_90", "sm_90a", "sm_100"], ["sm_100", "sm_90a", "sm_90"]),
        (["sm_120", "sm_120f", "sm_120a"], ["sm_120a", "sm_120f", "sm_120"]),
        (["gfx942", "sm_80", "gfx90a", "sm_90"], ["gfx90a", "gfx942", "sm_90", "sm_80"]),
    ]:
        asserts.equals(env, expected, [arch.arch for arch in order_archs([parse_arch(arch)[0] for arch in written])])
    return unittest.end(env)

_accepted_test = unittest.make(_accepted_impl)
_refused_test = unittest.make(_refused_impl)
_near_names_test = unittest.make(_near_names_impl)
_known_test = unittest.make(_known_impl)
_flag_test = unittest.make(_flag_impl)
_order_test = unittest.make(_order_impl)

def arch_test_suite(name):
    """The tests of this file.

    Args:
        name: (str) the name of the suite.
    """
    unittest.suite(
        name,
        partial.make(_accepted_test, size = "small"),
        partial.make(_refused_test, size = "small"),
        partial.make(_near_names_test, size = "small"),
        partial.make(_known_test, size = "small"),
        partial.make(_flag_test, size = "small"),
        partial.make(_order_test, size = "small"),
    )
