#!/bin/bash
# The output groups device_asm and device_llvm_ir are text about the kernels of the arch.
# Usage: text_test.sh <arch> <triple> <assembly> <LLVM IR>

source tests/build/testing.sh

arch=$1 triple=$2 asm=$3 llvm_ir=$4

case $triple in
amdgcn-amd-amdhsa)
  [[ $asm == *."$arch".s ]] || fail "the output group device_asm is $asm"
  expect_part "$asm" "$(head -n 5 "$asm")" ".amdgcn_target \"$triple--$arch\""
  ;;
nvptx64-nvidia-cuda)
  [[ $asm == *."$arch".ptx ]] || fail "the output group device_asm is $asm"
  expect_line "$asm" "$(cat "$asm")" ".target $arch"
  ;;
esac
[[ $llvm_ir == *."$arch".ll ]] || fail "the output group device_llvm_ir is $llvm_ir"
expect_line "$llvm_ir" "$(cat "$llvm_ir")" "target triple = \"$triple\""
for kernel in _RINvC6kernel6kerneldE _RINvC6kernel6kernelfE; do
  expect_part "$asm" "$(cat "$asm")" "$kernel"
  expect_part "$llvm_ir" "$(grep ^define "$llvm_ir")" "@$kernel("
done
