#!/bin/bash
# Runs run_tests.py on the compiler that Bazel uses: compiler_test.sh RUSTC LLVM_READELF PTXAS GFX90A_RLIBS... SM_90_RLIBS...
set -euo pipefail
runfiles=$PWD/..
rustc=$runfiles/$1
tools=$(dirname "$runfiles/$2")
ptxas=$runfiles/$3
shift 3

version=$("$rustc" --version)
case $version in
"rustc 1.98.1 "*) ;;
*)
    echo "SKIPPED: these are the tests of rustc 1.98.1 with offload.patch, and this is $version"
    exit 0
    ;;
esac

cores=()
for rlib in "$@"; do
    case $rlib in
    */amdgcn-amd-amdhsa/*/libcore.rlib) cores+=(--core "gfx90a=$(dirname "$runfiles/$rlib")") ;;
    */nvptx64-nvidia-cuda/*/libcore.rlib) cores+=(--core "sm_90=$(dirname "$runfiles/$rlib")") ;;
    esac
done
exec python3 -B "$(dirname "$0")/run_tests.py" --sysroot "$(dirname "$(dirname "$rustc")")" --tools "$tools" --ptxas "$ptxas" "${cores[@]}" -v
