#!/bin/bash
# What a program, its intermediate files and a program without kernels have in them.
# Usage: inspect_test.sh <offload> <program for gfx90a, sm_80 and sm_90> <device image for gfx90a> <manifest> <program without kernels> <linked images>...

source tests/build/testing.sh

offload=$1 program=$2 device_image=$3 manifest=$4 no_kernels=$5

printed=$("$offload" inspect --check "$program")
expect_line "inspect" "$printed" "kernel::kernel::<f64> _RINvC6kernel6kerneldE"
for arch in "gfx90a (amdgcn-amd-amdhsa)" "sm_80 (nvptx64-nvidia-cuda)" "sm_90 (nvptx64-nvidia-cuda)"; do
  expect_part "inspect" "$printed" "image for $arch"
done
expect_part "inspect" "$printed" "libomptarget.so"
expect_line "inspect" "$printed" "fits together"
[[ $(grep -cF "kernel::kernel::<f32>" <<<"$printed") == 4 ]] || fail "one launch and three images: $printed"

# The machine code of each image lies in the program where it says.
json=$("$offload" inspect --json "$program")
for image in "${@:6}"; do
  size=$(stat -Lc %s "$image")
  offset=$(grep -B1 "\"size\": $size," <<<"$json" | sed -n 's/.*"offset": \([0-9]*\),/\1/p')
  cmp -n "$size" -i "$offset:0" "$program" "$image" || fail "$image is not at $offset in $program"
  expect_line "inspect $image" "$("$offload" inspect "$image")" "kernel::kernel::<f32> _RINvC6kernel6kernelfE"
done
expect_part "the JSON" "$json" '"schema": 1,'
expect_part "the JSON" "$json" '"kind": "executable",'

expect_part "inspect" "$("$offload" inspect "$device_image")" "bitcode for gfx90a (amdgcn-amd-amdhsa), openmp, "
expect_part "inspect" "$("$offload" inspect "$manifest")" "manifest, for the rustc that wrote it, "
folder=$("$offload" inspect "${device_image%/*}")
expect_part "inspect of a folder" "$folder" "$device_image: device image, "

status=0
said=$("$offload" inspect --check "$no_kernels" 2>&1 >/dev/null) || status=$?
[[ $status == 1 ]] || fail "a program without kernels: status $status: $said"
expect_line "inspect --check" "$said" "offload: $no_kernels: there is no image for a GPU"
status=0
said=$("$offload" inspect tests/build/testing.sh 2>&1) || status=$?
[[ $status == 1 ]] || fail "a file of text: status $status: $said"
expect_part "inspect" "$said" "error: tests/build/testing.sh is nothing that is known here: no ELF file, OffloadBinary, LLVM bitcode or manifest."
