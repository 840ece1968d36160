"""The module extension that brings the crates of this folder's Cargo.lock. They are fetched when the tool is first built."""

load("//offload/tools/crates:defs.bzl", "crate_repositories")

def _impl(mctx):
    direct = crate_repositories()

    # The repositories follow from generated files alone: the lockfile need not remember them.
    return mctx.extension_metadata(
        reproducible = True,
        root_module_direct_deps = [crate.repo for crate in direct],
        root_module_direct_dev_deps = [],
    )

tool_crates = module_extension(
    implementation = _impl,
    doc = "Brings the crates that `//offload/tools` depends on, as `vendor_crates.sh` wrote them down.",
)
