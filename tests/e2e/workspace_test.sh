#!/bin/bash
# A repository that uses the module from outside: what builds, and what its author is told when something is wrong.
set -euo pipefail
# shellcheck source=inner_bazel.sh
source "$(dirname "$0")/inner_bazel.sh"

archs=--@rules_rust_offload//offload/settings:archs
start_workspace workspace

echo "== without an arch nothing fails, and nothing is built"
expect_success build //...
expect_failure "//app:app
no_GPU_arch_is_set--build_with_--config=gfx90a_or_write_archs=[...]" build //app
expect_failure "only_built_as_a_dependency_of_offload_targets" build //app:kernels

echo "== wrong arches"
expect_failure "Config value 'gfx000' is not defined in any .rc file" build //app --config=gfx000
expect_failure "//app:app: \"gfx9x\" is not a GPU arch. An arch is gfx[0-9a-f]+ for AMD or sm_[0-9]+[a-z]? for NVIDIA. Write for example archs = [\"gfx90a\"] or --config=sm_90." \
    build //app "$archs=gfx9x"
expect_failure "//app:app: rustc does not know the arch \"gfx90f\" for amdgcn-amd-amdhsa. Near names that it knows: gfx900" \
    build //app "$archs=gfx90f"
expect_failure "//app:app: gfx90a is named twice. Found gfx90a, gfx90a. Write it once in archs, or give one --config=gfx90a." \
    build //app --config=gfx90a --config=gfx90a

echo "== a forbidden flag"
expect_failure "//errors:forbidden_flag: rustc_flags contains -Ctarget-cpu, which each pass sets itself. Found \"-Ctarget-cpu=native\". Write archs = [\"<arch>\"] or --config=<arch> instead." \
    build //errors:forbidden_flag

echo "== a library that is named twice"
mkdir repeated
printf 'load("@rules_rust_offload//offload:defs.bzl", "rust_offload_binary")\nrust_offload_binary(name = "x", srcs = ["x.rs"], deps = ["//app:kernels"], host_deps = ["//app:kernels"])\n' >repeated/BUILD.bazel
expect_failure "//repeated:x: //app:kernels is both in deps and in host_deps. deps are built for both sides. Remove it from host_deps." build //repeated:x
rm -r repeated

echo "== a program and a library of kernels build"
expect_success build //app --config=gfx90a
if OMP_TARGET_OFFLOAD=MANDATORY CUDA_VISIBLE_DEVICES='' ROCR_VISIBLE_DEVICES='' bazel-bin/app/app >"$scratch/run.log" 2>&1; then
    echo "FAIL: the program should not run without a GPU" >&2
    exit 1
fi
grep -qF "failure of target construct while offloading is mandatory" "$scratch/run.log" || {
    cat "$scratch/run.log"
    exit 1
}

echo "== whatever else the command line says, the core of an arch is the same"
core() {
    expect_success cquery 'filter(amdgcn-amd-amdhsa_std_files, deps(//app))' --config=gfx90a --output=files "$@" >/dev/null
    grep '^bazel-out/.*/libcore\.rlib$' "$scratch/log"
}
plain=$(core)
for flags in "-c opt" "-c dbg" "--collect_code_coverage" "--stamp" "--strip=always" "--copt=-DX" "--linkopt=-lm" "--features=x" "--define=x=y" \
    "--@rules_rust//rust/settings:extra_rustc_flag=--cfg=x" "--@rules_rust//rust/settings:extra_rustc_flags=--cfg=x"; do
    # shellcheck disable=SC2086
    if [[ $(core $flags) != "$plain" ]]; then
        printf 'FAIL: with %s core is built again: %s\n%s\n' "$flags" "$plain" "$(core $flags)" >&2
        exit 1
    fi
done

echo "== with coverage and stamps"
expect_success build //app --config=gfx90a --collect_code_coverage --stamp

echo "== the tools of rules_rust see both sides"
aspect() { printf -- '--aspects=@rules_rust//rust:defs.bzl%%%s --output_groups=%s' "$1" "$2"; }
# shellcheck disable=SC2046
{
    expect_success build //app --config=gfx90a $(aspect rust_clippy_aspect clippy_checks)
    expect_success build //app --config=gfx90a $(aspect rustfmt_aspect rustfmt_checks)
    expect_success build //app --config=gfx90a $(aspect rust_analyzer_aspect rust_analyzer_crate_spec)
    expect_success build //app --config=gfx90a --output_groups=device_clippy
}
# shellcheck disable=SC2046
expect_failure "error: equality checks against true are unnecessary
--> lints/main.rs:26:13" build //lints $(aspect rust_clippy_aspect clippy_checks)
expect_failure "Linting the kernels of //lints:lints for gfx90a failed
error: unneeded \`return\` statement
--> lints/main.rs:14:5" build //lints --output_groups=device_clippy
# shellcheck disable=SC2046
expect_failure "Diff in" build //lints $(aspect rustfmt_aspect rustfmt_checks)

echo "== rustc's messages arrive whole"
expect_failure "error[E0308]: mismatched types
 --> errors/device_type_error.rs:9:20
9 |     let i: usize = gpu::thread_idx_x();
expected \`usize\`, found \`u32\`
Compiling the kernels of //errors:device_type_error for gfx90a failed" build //errors:device_type_error --@rules_rust//rust/settings:error_format=human
expect_failure "error: generic offload kernel \`forgotten\` is not instantiated
 --> errors/never_launched.rs:8:4
fn forgotten<T: Copy>(x: *mut [T; 64], value: T) {" build //errors:never_launched
for kind in device_type_error never_launched; do
    if [[ -e bazel-bin/errors/$kind ]]; then
        echo "FAIL: $kind left an executable behind" >&2
        exit 1
    fi
done

# error_of TARGET TEXT [ARGUMENTS...]: rustc's own words, which docs/errors.md explains.
error_of() {
    expect_failure "$2" build "//errors:$1" --@rules_rust//rust/settings:error_format=human "${@:3}"
}
error_of std_on_the_device "Compiling the kernels of //errors:std_on_the_device for gfx90a failed
error[E0463]: can't find crate for \`std\`
the \`amdgcn-amd-amdhsa\` target may not support the standard library
because it does not declare \`#![no_std]\`"
error_of no_gpu_crate "Finding the kernels that //errors:no_gpu_crate launches failed
error[E0433]: cannot find module or crate \`gpu\` in this scope"
error_of no_panic_handler "Compiling the kernels of //errors:no_panic_handler for gfx90a failed
error: \`#[panic_handler]\` function required, but not found"
error_of two_panic_handlers "Compiling the kernels of //errors:two_panic_handlers for gfx90a failed
error[E0152]: found duplicate lang item \`panic_impl\`"
error_of no_main "Finding the kernels that //errors:no_main launches failed
error[E0601]: \`main\` function not found in crate \`no_main\`"
error_of not_launchable "Finding the kernels that //errors:not_launchable launches failed
is not supported as a generic argument of the offload kernel \`kernel\`
--> errors/not_launchable.rs:15:5"
error_of another_edition "error[E0670]: \`async fn\` is not permitted in Rust 2015"
error_of unwinding "error: unwinding panics are not supported without std"
error_of not_optimised "Compiling //errors:not_optimised with its kernels for gfx90a failed
undefined symbol: rust_eh_personality"

echo "== a kernel that only the host knows of"
error_of missing_kernel "Compiling the kernels of //errors:missing_kernel for gfx90a failed
there is no crate \`plain_kernels\` in this compilation"

echo "== attributes that cannot be"
expect_build_file_error() {
    mkdir refused
    printf 'load("@rules_rust_offload//offload:defs.bzl", "rust_offload_binary")\nrust_offload_binary(name = "x", srcs = ["x.rs"], %s)\n' "$1" >refused/BUILD.bazel
    expect_failure "$2" build //refused:x
    rm -r refused
}
expect_build_file_error 'platform = "//:gpu"' \
    '//refused:x: offload targets have no attribute platform. Found platform = "//:gpu". The device side'"'"'s platform follows from the arches. Remove it and write archs = [...], or --platforms for another host.'
expect_build_file_error 'arch = "gfx90a"' "no such attribute 'arch' in 'rust_offload_binary' rule"

echo "== a folder that is no distribution"
use_offload 'offload.rust(path = "/nonexistent")'
expect_failure "rust_offload: path is no rustc distribution. There is no bin/rustc in /nonexistent. Write offload.rust(path = \"<folder that has bin and lib>\")." \
    build //app --config=gfx90a
mkdir -p "$scratch/broken/bin" "$scratch/broken/lib"
printf '#!/bin/sh\necho "I am broken" >&2\nexit 1\n' >"$scratch/broken/bin/rustc"
chmod +x "$scratch/broken/bin/rustc"
use_offload "offload.rust(path = \"$scratch/broken\")"
expect_failure "rust_offload: rustc does not run here. \`rustc -vV\` ends with status 1 and says: I am broken
Write offload.rust(path = \"<folder whose bin/rustc runs on this machine>\")." build //app --config=gfx90a

use_offload "offload.rust(path = \"$scratch/broken\")" 'use_repo(offload, "rust_offload_rustfmt")'
expect_failure "rust_offload_rustfmt: the rustc distribution has no rustfmt. There is no bin/rustfmt in $scratch/broken. Add it, or register a rustfmt_toolchain." \
    query @rust_offload_rustfmt//:all

echo "== two tags"
use_offload 'offload.rust(nightly = "2026-01-01")' 'offload.rust(nightly = "2026-01-02")'
expect_failure 'offload.rust: there must be one tag. Found offload.rust(nightly = "2026-01-01") in the module "workspace" and offload.rust(nightly = "2026-01-02") in the module "workspace". Write one offload.rust(...) in the root module; it decides.' \
    build //app --config=gfx90a
