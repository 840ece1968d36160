"""Tests of //offload/private:refused_attributes.bzl."""

load("@bazel_skylib//lib:partial.bzl", "partial")
load("@bazel_skylib//lib:unittest.bzl", "asserts", "unittest")

# buildifier: disable=bzl-visibility
load("//offload/private:refused_attributes.bzl", "refused_attribute")

_ERRORS = {
    "crate": (":library", "offload targets have no attribute crate. Found crate = \":library\". A test is compiled for both sides. Remove it and write srcs, deps and device_deps; tests may be in modules with #[cfg(test)]."),
    "crate_type": ("cdylib", "offload targets have no attribute crate_type. Found crate_type = \"cdylib\". The passes set it. Remove it; a library for C++ or Python is a rust_offload_shared_library."),
    "experimental_use_cc_common_link": (1, "offload targets have no attribute experimental_use_cc_common_link. Found experimental_use_cc_common_link = 1. rustc embeds the device images when it links. Remove it."),
    "malloc": ("//:tcmalloc", "offload targets have no attribute malloc. Found malloc = \"//:tcmalloc\". rustc links, and takes the allocator of the crate. Remove it and write #[global_allocator] in the crate, or host_deps = [...] with a library that replaces malloc."),
    "out_binary": (True, "offload targets have no attribute out_binary. Found out_binary = True. It is for WebAssembly. Remove it."),
    "platform": ("//:gpu", "offload targets have no attribute platform. Found platform = \"//:gpu\". The device side's platform follows from the arches. Remove it and write archs = [...], or --platforms for another host."),
}

def _refused_impl(ctx):
    env = unittest.begin(ctx)
    for name, (value, error) in _ERRORS.items():
        asserts.equals(env, error, refused_attribute({name: value, "srcs": ["main.rs"]}))
    return unittest.end(env)

def _accepted_impl(ctx):
    env = unittest.begin(ctx)
    asserts.equals(env, None, refused_attribute({"platform": None, "srcs": ["main.rs"], "version": "1.2.3"}))
    return unittest.end(env)

_refused_test = unittest.make(_refused_impl)
_accepted_test = unittest.make(_accepted_impl)

def refused_attributes_test_suite(name):
    """The tests of this file.

    Args:
        name: (str) the name of the suite.
    """
    unittest.suite(
        name,
        partial.make(_refused_test, size = "small"),
        partial.make(_accepted_test, size = "small"),
    )
