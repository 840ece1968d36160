#!/bin/sh
# Writes FOLDER/crates after FOLDER/Cargo.lock has changed: BUILD files for its crates, and where Bazel downloads them.
#
#   offload/tools/vendor_crates.sh offload/tools rust_offload_crates
#   offload/tools/vendor_crates.sh examples/third_party example_crates
#
# It has the output of rules_rust's `crates_vendor` in its mode "remote", which needs a Rust toolchain outside of offload
# targets. New names of repositories belong into use_repo in MODULE.bazel.
set -eu
folder=$1 repository=$2
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat >"$work/config.json" <<EOF
{
    "cargo_config": null,
    "generate_binaries": false,
    "generate_build_scripts": true,
    "rendering": {
        "build_file_template": "//$folder/crates:BUILD.{name}-{version}.bazel",
        "crates_module_template": "//$folder/crates:{file}",
        "default_package_name": null,
        "generate_target_compatible_with": false,
        "regen_command": "offload/tools/vendor_crates.sh $folder $repository",
        "repository_name": "$repository",
        "vendor_mode": "remote"
    },
    "supported_platform_triples": ["aarch64-unknown-linux-gnu", "x86_64-unknown-linux-gnu"]
}
EOF
cat >"$work/manifests.json" <<EOF
{
    "cargo_config": null,
    "direct_packages": {},
    "manifests": {"$PWD/$folder/Cargo.toml": "//$folder:Cargo.toml"},
    "resolver_version": "2"
}
EOF

# OUTPUT_BASE: no manifest is in it, so that Bazel need not be asked.
BUILD_WORKSPACE_DIRECTORY=$PWD OUTPUT_BASE=$work ./bazelw --cargo-bazel vendor --config="$work/config.json" \
    --splicing-manifest="$work/manifests.json" --cargo-lockfile="$folder/Cargo.lock"
./bazelw --buildifier -r "$folder/crates"
