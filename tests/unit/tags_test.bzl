"""Tests of //toolchains:tags.bzl."""

load("@bazel_skylib//lib:partial.bzl", "partial")
load("@bazel_skylib//lib:unittest.bzl", "asserts", "unittest")
load("//toolchains:tags.bzl", "check_cuda_tag", "check_llvm_tag", "check_rust_tag", "choose_tag")

def _module(name, tags, is_root = False):
    return struct(name = name, is_root = is_root, tags = tags)

def _rust(nightly = "2026-09-20", path = "", dist_server = "", sha256 = ""):
    return struct(dist_server = dist_server, nightly = nightly, path = path, runtime = None, sha256 = sha256)

def _choose_impl(ctx):
    env = unittest.begin(ctx)
    here = _rust("2026-09-20")
    there = _rust("2026-09-21")

    # Nobody says anything.
    asserts.equals(env, (None, None), choose_tag("rust", [_module("main", [], True), _module("a", [])]))

    # The root decides, whatever the others say.
    asserts.equals(env, (here, None), choose_tag("rust", [_module("main", [here], True), _module("a", [there])]))

    # Others count where the root says nothing, as long as they agree.
    asserts.equals(env, (there, None), choose_tag("rust", [_module("main", [], True), _module("a", [there])]))
    asserts.equals(env, (there, None), choose_tag("rust", [_module("a", [there]), _module("b", [_rust("2026-09-21")])]))
    return unittest.end(env)

def _conflict_impl(ctx):
    env = unittest.begin(ctx)
    asserts.equals(
        env,
        (None, "offload.rust: there must be one tag. Found offload.rust(nightly = \"2026-09-20\") in the module \"a\" and offload.rust(nightly = \"2026-09-20\", path = \"/opt/rust\") in the module \"b\". Write one offload.rust(...) in the root module; it decides."),
        choose_tag("rust", [_module("main", [], True), _module("a", [_rust()]), _module("b", [_rust(path = "/opt/rust")])]),
    )

    # Twice in the root is a mistake even if both say the same.
    asserts.equals(
        env,
        (None, "offload.rust: there must be one tag. Found offload.rust(nightly = \"2026-09-20\") in the module \"main\" and offload.rust(nightly = \"2026-09-20\") in the module \"main\". Write one offload.rust(...) in the root module; it decides."),
        choose_tag("rust", [_module("main", [_rust(), _rust()], True)]),
    )
    return unittest.end(env)

def _rust_impl(ctx):
    env = unittest.begin(ctx)
    asserts.equals(env, None, check_rust_tag(_rust()))
    asserts.equals(env, None, check_rust_tag(_rust(path = "/opt/rust")))
    asserts.equals(
        env,
        "offload.rust: nightly is no date. Found \"nightly\". Write nightly = \"<year>-<month>-<day>\", such as \"2026-09-20\".",
        check_rust_tag(_rust(nightly = "nightly")),
    )
    asserts.equals(
        env,
        "offload.rust: path and dist_server exclude each other. Found offload.rust(dist_server = \"http://x\", nightly = \"2026-09-20\", path = \"/opt/rust\"). Write one of them.",
        check_rust_tag(_rust(path = "/opt/rust", dist_server = "http://x")),
    )
    asserts.equals(
        env,
        "offload.rust: path is not absolute. Found \"third_party/rust\". Write path = \"/<folder>\".",
        check_rust_tag(_rust(path = "third_party/rust")),
    )
    asserts.equals(
        env,
        "offload.rust: dist_server has no scheme. Found \"/srv/rust\". Write file:///srv/rust.",
        check_rust_tag(_rust(dist_server = "/srv/rust")),
    )
    asserts.equals(
        env,
        "offload.rust: dist_server has no scheme. Found \"mirror.example.org\". Write https://<server>, or file:///<folder>.",
        check_rust_tag(_rust(dist_server = "mirror.example.org")),
    )
    asserts.equals(env, None, check_rust_tag(_rust(dist_server = "http://mirror.example.org", sha256 = "0a" * 32)))
    asserts.equals(
        env,
        "offload.rust: sha256 is no SHA-256. Found \"abc\". Write sha256 = \"<64 digits and letters from a to f>\".",
        check_rust_tag(_rust(sha256 = "abc")),
    )
    return unittest.end(env)

def _llvm_impl(ctx):
    env = unittest.begin(ctx)
    none = struct(allow_patch_difference = False, cc = True, path = "", root = None, version = "")
    both = struct(allow_patch_difference = False, cc = False, path = "/usr/lib/llvm-23", root = Label("@llvm//:bin/clang"), version = "")
    one = struct(allow_patch_difference = False, cc = False, path = "/usr/lib/llvm-23", root = None, version = "23.1.1")
    asserts.equals(env, None, check_llvm_tag(one))
    asserts.equals(env, None, check_llvm_tag(struct(allow_patch_difference = False, cc = False, path = "", root = None, version = "")))
    asserts.equals(
        env,
        "offload.llvm: there is no LLVM. Found offload.llvm(cc = True). Write path = \"<folder>\" or root = \"<label of a file in bin>\", or offload.llvm() to take the LLVM tools of the nightly.",
        check_llvm_tag(none),
    )
    asserts.true(env, check_llvm_tag(both).startswith("offload.llvm: path and root exclude each other. Found offload.llvm(path = \"/usr/lib/llvm-23\", root = "))
    return unittest.end(env)

def _cuda_impl(ctx):
    env = unittest.begin(ctx)
    asserts.equals(env, None, check_cuda_tag(struct(path = "/opt/cuda", ptxas = None, sha256 = "", url = "")))
    asserts.equals(env, None, check_cuda_tag(struct(path = "", ptxas = None, sha256 = "0a" * 32, url = "https://x/nvcc.whl")))
    for tag, expected in [
        (
            struct(path = "", ptxas = None, sha256 = "", url = ""),
            "offload.cuda: there is no CUDA. Found offload.cuda(). Write path = \"<folder>\", ptxas = \"<label>\" or url = \"<archive>\", or remove the tag to look for ptxas on this machine.",
        ),
        (
            struct(path = "", ptxas = None, sha256 = "", url = "https://x"),
            "offload.cuda: url and sha256 need each other. Found offload.cuda(url = \"https://x\"). Write both.",
        ),
        (
            struct(path = "", ptxas = None, sha256 = "0a" * 32, url = "https://x/nvcc.deb"),
            "offload.cuda: url is no archive that Bazel can unpack. Found \"https://x/nvcc.deb\". Write the url of a file that ends with one of .whl .zip .tar.gz .tgz .tar.xz .txz .tar.zst .tzst .tar.bz2 .tbz.",
        ),
        (
            struct(path = "", ptxas = None, sha256 = "00", url = "https://x/nvcc.whl"),
            "offload.cuda: sha256 is no SHA-256. Found \"00\". Write sha256 = \"<64 digits and letters from a to f>\".",
        ),
        (
            struct(path = "/opt/cuda", ptxas = None, sha256 = "00", url = "https://x"),
            "offload.cuda: path and url exclude each other. Found offload.cuda(path = \"/opt/cuda\", sha256 = \"00\", url = \"https://x\"). Write one of them.",
        ),
    ]:
        asserts.equals(env, expected, check_cuda_tag(tag))
    return unittest.end(env)

_choose_test = unittest.make(_choose_impl)
_conflict_test = unittest.make(_conflict_impl)
_cuda_test = unittest.make(_cuda_impl)
_llvm_test = unittest.make(_llvm_impl)
_rust_test = unittest.make(_rust_impl)

def tags_test_suite(name):
    """The tests of this file.

    Args:
        name: (str) the name of the suite.
    """
    unittest.suite(
        name,
        partial.make(_choose_test, size = "small"),
        partial.make(_conflict_test, size = "small"),
        partial.make(_cuda_test, size = "small"),
        partial.make(_llvm_test, size = "small"),
        partial.make(_rust_test, size = "small"),
    )
