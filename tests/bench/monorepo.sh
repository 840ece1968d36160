#!/bin/bash
# Writes a workspace of N packages that uses this checkout from outside.
#
#   monorepo.sh N DIRECTORY            of five packages, one has an offload program and four have Rust libraries; of a
#                                      hundred, one has a library of kernels that the offload programs near it launch
#   monorepo.sh N DIRECTORY binary     N packages with an offload program each, and nothing else
#   monorepo.sh N DIRECTORY plain      N packages with a rust_binary each that uses the same library
#
# Without a GPU arch in the .bazelrc: give --config=<arch>.
set -euo pipefail
count=${1:?} directory=${2:?} kind=${3:-mixed}
if [[ $kind == mixed ]] && ((count % 5)); then
    echo "monorepo.sh: $count packages are no groups of five. Name a multiple of 5." >&2
    exit 2
fi
checkout=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

if [[ -e $directory ]]; then
    echo "monorepo.sh: $directory exists. Name a folder that does not." >&2
    exit 2
fi
mkdir -p "$directory"
cd "$directory"
{
    printf 'module(name = "monorepo")\n\nbazel_dep(name = "rules_rust_offload")\n'
    printf 'local_path_override(\n    module_name = "rules_rust_offload",\n    path = "%s",\n)\n\n' "$checkout"
    # The versions that rules_rust_offload asks for.
    grep -E '^bazel_dep\(name = "[^"]+", version = "[^"]+"\)$' "$checkout/MODULE.bazel"
    printf '\nrust = use_extension("@rules_rust//rust:extensions.bzl", "rust")\nrust.toolchain(versions = [])\n'
    # The one rustc that is there, for rust_binary and rust_library too.
    printf '\noffload = use_extension("@rules_rust_offload//offload:extensions.bzl", "offload")\n'
    printf 'use_repo(offload, "rust_offload")\n\nregister_toolchains("//:rust")\n'
} >MODULE.bazel
cat >BUILD.bazel <<'EOF'
toolchain(
    name = "rust",
    toolchain = "@rust_offload//:host",
    toolchain_type = "@rules_rust//rust:toolchain_type",
)
EOF
{
    echo "import $checkout/offload/configs.bazelrc"
    echo "common --incompatible_strict_action_env"
    echo "build --sandbox_default_allow_network=false"
} >.bazelrc
cp "$checkout/.bazelversion" .

# package NAME: a package that the following functions add to.
package() {
    mkdir "$1"
    printf 'package(default_visibility = ["//visibility:public"])\n' >"$1/BUILD.bazel"
}

# target PACKAGE RULES RULE NAME ATTRIBUTE...
target() {
    {
        printf '\nload("%s", "%s")\n\n%s(\n    name = "%s",\n' "$2" "$3" "$3" "$4"
        printf '    %s,\n' 'edition = "2024"' "${@:5}"
        printf ')\n'
    } >>"$1/BUILD.bazel"
}

gpu='"@rules_rust_offload//offload/gpu"'
offload_rules=@rules_rust_offload//offload:defs.bzl
rust_rules=@rules_rust//rust:defs.bzl

kernel_source() {
    cat <<'EOF'
use gpu::offload_kernel;

#[offload_kernel]
pub fn add_one(x: *mut [f32]) {
    for i in gpu::grid_stride(x.len()) {
        unsafe { (*x)[i] += 1.0 };
    }
}
EOF
}

# kernel_library PACKAGE
kernel_library() {
    package "$1"
    target "$1" "$offload_rules" rust_offload_library kernels 'srcs = ["kernels.rs"]' "crate_name = \"$1_kernels\"" "deps = [$gpu]"
    {
        printf '#![feature(gpu_offload)]\n#![cfg_attr(offload_device, feature(abi_gpu_kernel))]\n#![no_std]\n'
        printf '#![allow(improper_ctypes_definitions, improper_gpu_kernel_arg)]\n\n'
        kernel_source
    } >"$1/kernels.rs"
}

# offload_program PACKAGE KERNELS HOST_DEPS USE: KERNELS is the package of a library of kernels, or empty.
offload_program() {
    package "$1"
    target "$1" "$offload_rules" rust_offload_binary app 'srcs = ["main.rs"]' "host_deps = [$3]" "deps = [$gpu${2:+, \"//$2:kernels\"}]"
    {
        printf '#![feature(gpu_offload)]\n#![cfg_attr(offload_device, feature(abi_gpu_kernel), no_std)]\n'
        printf '#![allow(improper_ctypes_definitions, improper_gpu_kernel_arg)]\n\n'
        kernel_source
        printf '\n#[cfg(not(offload_device))]\nfn main() {\n    let mut x = vec![1.0f32; 1024];\n'
        local kernel
        for kernel in add_one ${2:+"$2_kernels::add_one"}; do
            printf '    gpu::launch! { kernel = %s, workgroup_dim = [4, 1, 1], thread_dim = [256, 1, 1], ' "$kernel"
            printf 'args = (x.as_mut_slice() as *mut [f32],) }\n'
        done
        printf '%s\n    println!("{}", x[0]);\n}\n' "$4"
    } >"$1/main.rs"
}

# library PACKAGE DEPS USE
library() {
    package "$1"
    target "$1" "$rust_rules" rust_library lib 'srcs = ["lib.rs"]' "crate_name = \"$1\"" "deps = [$2]"
    printf 'pub fn value() -> u64 {\n    1%s\n}\n' "$3" >"$1/lib.rs"
}

if [[ $kind == plain ]]; then
    library common "" ""
fi
for ((i = 0; i < count; i++)); do
    name=p$i
    case $kind in
    binary) offload_program "$name" "" "" "" ;;
    plain)
        package "$name"
        target "$name" "$rust_rules" rust_binary app 'srcs = ["main.rs"]' 'deps = ["//common:lib"]'
        printf 'fn main() {\n    println!("{}", common::value());\n}\n' >"$name/main.rs"
        ;;
    mixed)
        if ((i % 100 == 0)); then kernel_library "kernels$i"; fi
        # The program uses the four libraries after it, each of which uses the next.
        case $((i % 5)) in
        0) offload_program "$name" "kernels$((i / 100 * 100))" "\"//p$((i + 1)):lib\"" "    println!(\"{}\", p$((i + 1))::value());" ;;
        4) library "$name" "" "" ;;
        *) library "$name" "\"//p$((i + 1)):lib\"" " + p$((i + 1))::value()" ;;
        esac
        ;;
    *)
        echo "monorepo.sh: $kind is neither binary, plain nor mixed." >&2
        exit 2
        ;;
    esac
done
