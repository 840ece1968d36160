"""Tests of //toolchains/cuda:ptxas.bzl."""

load("@bazel_skylib//lib:partial.bzl", "partial")
load("@bazel_skylib//lib:unittest.bzl", "asserts", "unittest")
load("//toolchains/cuda:ptxas.bzl", "parse_ptxas_archs", "parse_ptxas_version", "ptxas_for")

def _version_impl(ctx):
    env = unittest.begin(ctx)
    asserts.equals(env, "12.9.86", parse_ptxas_version("ptxas: NVIDIA (R) Ptx optimizing assembler\nCuda compilation tools, release 12.9, V12.9.86\nBuild cuda_12.9.r12.9/compiler.36037853_0\n"))
    asserts.equals(env, None, parse_ptxas_version("I am no ptxas"))
    asserts.equals(env, None, parse_ptxas_version(""))
    return unittest.end(env)

def _archs_impl(ctx):
    env = unittest.begin(ctx)
    asserts.equals(
        env,
        ["sm_100", "sm_100a", "sm_100f", "sm_90"],
        parse_ptxas_archs("--gpu-name <gpu name>\n Allowed values for this option:  'compute_100','lto_100','sm_100',\n   'sm_100','sm_100a','sm_100f','sm_90'.\n"),
    )
    asserts.equals(env, [], parse_ptxas_archs(""))
    return unittest.end(env)

def _ptxas_for_impl(ctx):
    env = unittest.begin(ctx)
    cuda = struct(archs = ["sm_80", "sm_90"], cure = "", label = "//:cuda", missing = None, ptxas = "file", version = "12.0.76")
    asserts.equals(env, ("file", None), ptxas_for("sm_90", cuda))
    asserts.equals(
        env,
        (None, "ptxas does not know sm_120. Found ptxas 12.0.76 in //:cuda; near arches that it knows: sm_80, sm_90. Write offload.cuda(path = \"<folder of a CUDA that knows sm_120>\") in MODULE.bazel."),
        ptxas_for("sm_120", cuda),
    )
    none = struct(archs = [], cure = "Write offload.cuda(path = \"<folder with bin/ptxas>\") in MODULE.bazel, or set CUDA_PATH.", label = "//:cuda", missing = "there is no bin/ptxas in CUDA_PATH, /opt/cuda", ptxas = None, version = "")
    asserts.equals(
        env,
        (None, "sm_90 needs ptxas. Found none: there is no bin/ptxas in CUDA_PATH, /opt/cuda. Write offload.cuda(path = \"<folder with bin/ptxas>\") in MODULE.bazel, or set CUDA_PATH."),
        ptxas_for("sm_90", none),
    )
    return unittest.end(env)

_archs_test = unittest.make(_archs_impl)
_ptxas_for_test = unittest.make(_ptxas_for_impl)
_version_test = unittest.make(_version_impl)

def ptxas_test_suite(name):
    """The tests of this file.

    Args:
        name: (str) the name of the suite.
    """
    unittest.suite(
        name,
        partial.make(_archs_test, size = "small"),
        partial.make(_ptxas_for_test, size = "small"),
        partial.make(_version_test, size = "small"),
    )
