"""The module extension that brings the crates of this folder's Cargo.lock."""

load("//examples/third_party/crates:defs.bzl", "crate_repositories")

def _impl(mctx):
    direct = crate_repositories()
    return mctx.extension_metadata(
        reproducible = True,
        root_module_direct_deps = [],
        root_module_direct_dev_deps = [crate.repo for crate in direct],
    )

example_crates = module_extension(
    implementation = _impl,
    doc = "Brings the crates that examples depend on, as `vendor_crates.sh` wrote them down.",
)
