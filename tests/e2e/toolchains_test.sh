#!/bin/bash
# Toolchains: who gets which, every way to fill one, and what is said when one does not fit.
set -euo pipefail
# shellcheck source=inner_bazel.sh
source "$(dirname "$0")/inner_bazel.sh"
llvm=$(required_folder OFFLOAD_LLVM "an LLVM of rustc's version")
other_llvm=$(required_folder OFFLOAD_OTHER_LLVM "an LLVM of another version")
cuda=$(required_folder CUDA_PATH "a CUDA with ptxas 12.9")
# The tests below say where ptxas is.
unset CUDA_PATH CUDA_HOME

start_workspace toolchains

# The repositories of ours that were fetched, without the marker files beside them; the crates of the tools are one.
fetched() { find "$(inner info output_base 2>/dev/null)/external" -maxdepth 1 -type d -name '*rust_offload*' -printf '%f\n' | sed 's/.*[~+]//; s/^rust_offload_crates__.*/rust_offload_crates/' | grep -v '^rules_rust_offload$' | sort -u | tr '\n' ' '; }

expect_fetched() {
    local now
    now=$(fetched)
    if [[ ${now% } != "$1" ]]; then
        printf 'FAIL: fetched should be "%s", it is "%s"\n' "$1" "$now" >&2
        exit 1
    fi
}

expect_equal() {
    if [[ $2 != "$3" ]]; then
        echo "FAIL: $1" >&2
        diff <(echo "$2") <(echo "$3") >&2
        exit 1
    fi
}

expect_found() {
    if ! grep -q -- "$1" <<<"$2"; then
        printf 'FAIL: "%s" should be in\n%s\n' "$1" "$2" >&2
        exit 1
    fi
}

plain_compiler() {
    expect_success aquery 'mnemonic("^Rustc$", //plain)' --output=text >&2
    grep -vE '^(INFO|Starting local Bazel)' "$scratch/log"
}

echo "== a repository that adds the module keeps its own Rust toolchain"
mv app "$scratch/app"
with_module=("${override[@]}")
override=()
before=$(plain_compiler)
expect_found 'bin/other_rust/rust/bin/rustc' "$before"
mv "$scratch/app" app
override=("${with_module[@]}")
echo 'bazel_dep(name = "rules_rust_offload", version = "0.1.0")' >>"$scratch/MODULE.bazel"
use_offload
expect_equal "the actions of a plain target changed" "$before" "$(plain_compiler)"

echo "== and fetches nothing for it"
expect_success query //...
expect_success build //... --nobuild
expect_fetched "rust_offload_toolchains"
expect_success mod graph

echo "== the lines of the documentation"
use_offload 'use_repo(offload, "rust_offload_toolchains")' 'register_toolchains("@rust_offload_toolchains//:all")'
expect_equal "registered toolchains leak into plain targets" "$before" "$(plain_compiler)"
expect_fetched "rust_offload_toolchains"

echo "== a build for an AMD GPU fetches the compiler, but neither ptxas nor LLVM's tools"
expect_success build //app --config=gfx90a --nobuild
expect_fetched "rust_offload rust_offload_crates rust_offload_toolchains"

echo "== modules that disagree"
# The overrides are only allowed in the root module.
two_modules='bazel_dep(name = "a", version = "1.0")
bazel_dep(name = "b", version = "1.0")
local_path_override(module_name = "a", path = "a")
local_path_override(module_name = "b", path = "b")'
use_offload "$two_modules"
expect_failure 'offload.rust: there must be one tag. Found offload.rust(nightly = "2026-10-01") in the module "a" and offload.rust(nightly = "2026-10-02") in the module "b". Write one offload.rust(...) in the root module; it decides.' \
    build //app --config=gfx90a --nobuild
use_offload "$two_modules" 'offload.rust(nightly = "2026-09-20")'
expect_success build //app --config=gfx90a --nobuild

echo "== ptxas"
use_offload 'offload.cuda(path = "third_party/cuda")'
expect_failure 'offload.cuda: path is not absolute. Found "third_party/cuda". Write path = "/<folder>".' build //app --config=gfx90a --nobuild
use_offload "offload.cuda(path = \"$scratch/later\")"
expect_failure "//app:app: sm_90 needs ptxas. Found none: there is no bin/ptxas in the path of offload.cuda, $scratch/later. Write offload.cuda(path = \"<folder with bin/ptxas>\") in MODULE.bazel." \
    build //app --config=sm_90 --nobuild
expect_success build //app --config=gfx90a --nobuild
# It appears, and is found.
mkdir -p "$scratch/later/bin"
cp "$cuda/bin/ptxas" "$scratch/later/bin"
expect_success build //app --config=sm_90 --nobuild
mkdir -p "$scratch/broken/bin"
printf '#!/bin/sh\necho I am no assembler\n' >"$scratch/broken/bin/ptxas"
chmod +x "$scratch/broken/bin/ptxas"
use_offload
expect_failure "Found none: CUDA_PATH is not an absolute path: \"cuda\". Write offload.cuda(path = \"<folder with bin/ptxas>\") in MODULE.bazel, or set CUDA_PATH." \
    build //app --config=sm_90 --nobuild --repo_env=CUDA_PATH=cuda
use_offload "offload.cuda(path = \"$scratch/broken\")"
expect_failure "Found none: \`$scratch/broken/bin/ptxas --version\` ends with status 0 and prints no version of ptxas." build //app --config=sm_90 --nobuild
use_offload "offload.cuda(path = \"$cuda\")"
expect_failure "//app:app: ptxas does not know sm_110. Found ptxas 12.9.86 in @@
rust_offload_cuda//:cuda; near arches that it knows: sm_10" build //app --config=sm_110 --nobuild
expect_success build //app --config=sm_90 --nobuild
# The label of a file in another repository, as rules_cuda's or one of one's own.
use_offload 'new_local_repository = use_repo_rule("@bazel_tools//tools/build_defs/repo:local.bzl", "new_local_repository")' \
    "new_local_repository(name = \"nvcc\", path = \"$cuda\", build_file_content = \"\")" \
    'offload.cuda(ptxas = "@nvcc//:bin/ptxas")'
expect_success build //app --config=sm_90 --nobuild
# A Python wheel, as NVIDIA lays it out.
mkdir -p "$scratch/wheel/nvidia/cuda_nvcc/bin"
cp "$cuda/bin/ptxas" "$scratch/wheel/nvidia/cuda_nvcc/bin/ptxas"
(cd "$scratch/wheel" && python3 -m zipfile -c "$scratch/nvcc.whl" nvidia)
sha256=$(sha256sum "$scratch/nvcc.whl" | cut -d' ' -f1)
use_offload "offload.cuda(url = \"file://$scratch/nvcc.whl\", sha256 = \"$sha256\")"
expect_success build //app --config=sm_90 --nobuild
# A redistributable archive.
mkdir -p "$scratch/redist/cuda_nvcc-linux-x86_64-12.9.86-archive/bin"
cp "$cuda/bin/ptxas" "$scratch/redist/cuda_nvcc-linux-x86_64-12.9.86-archive/bin/ptxas"
archive=$scratch/nvcc.tar.gz
tar -C "$scratch/redist" -czf "$archive" cuda_nvcc-linux-x86_64-12.9.86-archive
use_offload "offload.cuda(url = \"file://$archive\", sha256 = \"$(sha256sum "$archive" | cut -d' ' -f1)\")"
expect_success build //app --config=sm_90 --nobuild
wrong=${sha256//[0-9]/0}
use_offload "offload.cuda(url = \"file://$archive\", sha256 = \"$wrong\")"
expect_failure "but wanted $wrong
rust_offload_cuda: the archive of offload.cuda cannot be fetched. Looked for file://$archive with SHA-256 $wrong; Bazel's warning above says what it found. Write offload.cuda(url = \"<archive>\", sha256 = \"<its hash>\")." \
    build //app --config=sm_90 --nobuild
expect_success build //app --config=gfx90a --nobuild
use_offload "offload.cuda(url = \"file://$archive\")"
expect_failure "offload.cuda: url and sha256 need each other. Found offload.cuda(url = \"file://$archive\"). Write both." build //app --config=gfx90a --nobuild

echo "== an LLVM of another version, as it says itself"
use_offload "offload.llvm(path = \"$other_llvm\")"
expect_failure "//app:app: the LLVM tools do not match rustc. Found LLVM 19.1.7 in @@
, and LLVM 22.1.8 in @@
. Write offload.llvm(path = \"<folder of LLVM 22.1.8>\") in MODULE.bazel, or remove offload.llvm to take the tools of the nightly." \
    build //app --config=gfx90a --nobuild

echo "== another LLVM in the same folder"
cp -r "$other_llvm" "$scratch/llvm"
use_offload "offload.llvm(path = \"$scratch/llvm\")"
expect_failure "Found LLVM 19.1.7 in @@" build //app --config=gfx90a --nobuild
chmod -R u+w "$scratch/llvm"
rm -r "$scratch/llvm"
cp -r "$llvm" "$scratch/llvm"
expect_success build //app --config=gfx90a --nobuild
rm -r "$scratch/llvm"

echo "== an LLVM of another version that claims to be the right one"
use_offload "offload.llvm(path = \"$other_llvm\", version = \"22.1.8\")"
expect_success build //app --config=gfx90a --nobuild
expect_failure "error: the LLVM tools do not match rustc's LLVM 22.1.8 (@@
rust_offload_llvm//:bin/lld says LLVM 19.1.7
Write offload.llvm(path = \"<folder of LLVM 22.1.8>\") in MODULE.bazel, or remove offload.llvm to take the tools of the nightly." \
    build //app --config=gfx90a

echo "== another patch level"
use_offload "offload.llvm(path = \"$llvm\", version = \"22.1.7\")"
expect_failure "//app:app: the LLVM tools do not match rustc. Found LLVM 22.1.7 in @@
Write offload.llvm(allow_patch_difference = True) in MODULE.bazel to accept that." build //app --config=gfx90a --nobuild
use_offload "offload.llvm(path = \"$llvm\", version = \"22.1.7\", allow_patch_difference = True)"
expect_success build //app --config=gfx90a --nobuild

echo "== no LLVM"
use_offload "offload.llvm(path = \"$scratch/nothing\")"
expect_failure "rust_offload_llvm: there is no LLVM. Found no folder bin in $scratch/nothing. Write offload.llvm(path = \"<folder that has bin and lib>\")." \
    build //app --config=gfx90a --nobuild
use_offload "offload.llvm(path = \"$other_llvm\", version = \"22.1.8\", cc = True)"
expect_failure "rust_offload_llvm: the C++ toolchain of offload.llvm(cc = True) needs clang, llvm-ar. Found no such files" build //app --config=gfx90a --nobuild

printf '#!/bin/sh\necho I am no linker\n' >"$scratch/broken/bin/lld"
chmod +x "$scratch/broken/bin/lld"
use_offload "offload.llvm(path = \"$scratch/broken\")"
expect_failure "rust_offload_llvm: the version of LLVM is not known. \`bin/lld --version\` said: I am no linker
Write offload.llvm(version = \"<major>.<minor>.<patch>\")." build //app --config=gfx90a --nobuild

use_offload 'offload.llvm(root = "//app:main.rs")'
expect_failure "rust_offload_llvm: root leads to no LLVM. Found @@//app:main.rs, in a folder without bin. Write root = \"<label of a file in the folder bin of an LLVM>\"." \
    build //app --config=gfx90a --nobuild

echo "== the tools of an LLVM repository, such as that of toolchains_llvm"
use_offload 'new_local_repository = use_repo_rule("@bazel_tools//tools/build_defs/repo:local.bzl", "new_local_repository")' \
    "new_local_repository(name = \"llvm_toolchain_llvm\", path = \"$llvm\", build_file_content = \"\")" \
    'offload.llvm(root = "@llvm_toolchain_llvm//:bin/clang", version = "22.1.8")' \
    'use_repo(offload, "rust_offload_llvm")'
expect_success cquery '@rust_offload_llvm//:llc' --output=files

echo "== C++ dependencies and the final link with the matching clang and lld"
use_offload "offload.llvm(path = \"$llvm\", cc = True)"
expect_success aquery 'mnemonic("CppCompile", deps(//app:app))' --config=gfx90a
expect_found 'rust_offload_llvm/bin/clang' "$(cat "$scratch/log")"
expect_success build //app --config=gfx90a
comment=$(readelf -p .comment bazel-bin/app/app)
expect_found 'clang version 22.1.8' "$comment"
expect_found 'LLD 22.1.8' "$comment"
said=$(OMP_TARGET_OFFLOAD=DISABLED bazel-bin/app/app)
expect_found '^native code made by clang: true$' "$said"
expect_success build @rules_rust_offload//toolchains/llvm:match
expect_success aquery 'mnemonic("RustOffloadCheckLlvm", deps(//app:app))' --config=gfx90a
for tool in clang llc lld opt llvm-offload-wrapper clang-linker-wrapper; do
    expect_found "$tool=@@.*rust_offload_llvm//:bin/$tool" "$(cat "$scratch/log")"
done

echo "== a runtime of the site's own"
cp -L "$llvm"/lib/*.so* site/
use_offload 'offload.rust(runtime = "//site:runtime")'
expect_success build //app --config=gfx90a
expect_found 'libomptarget.so.22.1 => .*/site/libomptarget.so.22.1' "$(ldd bazel-bin/app/app)"
rm site/libomptarget.so.*
cp "$other_llvm"/lib/libomptarget.so.19.1 site/
expect_failure "//app:app: the offload runtime does not match rustc. Found LLVM 19.1 in @@//site:libomptarget.so.19.1, and LLVM 22.1.8 in @@
. Write offload.rust(runtime = \"<label of the runtime of LLVM 22.1.8>\") in MODULE.bazel, or remove runtime to take that of the nightly." \
    build //app --config=gfx90a --nobuild
mv site/libomptarget.so.19.1 site/libomptarget.so
expect_failure "error: the offload runtime does not match rustc's LLVM 22.1.8 (@@
@@//site:libomptarget.so says LLVM 19.1 (its SONAME is libomptarget.so.19.1)
Write offload.rust(runtime = \"<label of the runtime of LLVM 22.1.8>\") in MODULE.bazel, or remove runtime to take that of the nightly." build //app --config=gfx90a
