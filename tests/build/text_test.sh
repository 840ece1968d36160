#!/bin/bash
# The output groups device_asm and device_llvm_ir are text about the kernels of the arch.
# Usage: text_test.sh <arch> <triple> <LLVM IR> <assembly>...

source tests/build/testing.sh

arch=$1 triple=$2 llvm_ir=$3
shift 3
kernels=(_RINvC6kernel6kerneldE _RINvC6kernel6kernelfE)

case $triple in
amdgcn-amd-amdhsa)
  [[ $* == *."$arch".s ]] || fail "the output group device_asm is $*"
  expect_part "$1" "$(head -n 5 "$1")" ".amdgcn_target \"$triple--$arch\""
  ;;
nvptx64-nvidia-cuda)
  [[ $* == *."$arch".ptx\ *."$arch".sass ]] || fail "the output group device_asm is $*"
  expect_line "$1" "$(cat "$1")" ".target $arch"
  # Machine code: the kernels store, and end.
  for kernel in "${kernels[@]}"; do
    expect_part "$2" "$(cat "$2")" ".section	.text.$kernel,"
  done
  expect_part "$2" "$(cat "$2")" "STG.E"
  expect_part "$2" "$(cat "$2")" "EXIT"
  ;;
esac
[[ $llvm_ir == *."$arch".ll ]] || fail "the output group device_llvm_ir is $llvm_ir"
expect_line "$llvm_ir" "$(cat "$llvm_ir")" "target triple = \"$triple\""
for kernel in "${kernels[@]}"; do
  expect_part "$1" "$(cat "$1")" "$kernel"
  expect_part "$llvm_ir" "$(grep ^define "$llvm_ir")" "@$kernel("
done
