#!/bin/bash
# The device image, and what the executable makes of it, are for the arch and hold the kernels.
# Usage: image_test.sh <arch> <triple> <llvm-objdump> <llvm-readelf> <llvm-offload-binary> <device.bin> <bitcode> <executable>

source tests/build/testing.sh

arch=$1 triple=$2 objdump=$3 readelf=$4 offload_binary=$5 image=$6 bitcode=$7 executable=$8

# expect_image <file> <kind>
expect_image() {
  local listing
  listing=$("$objdump" --offloading "$1")
  expect_line "$1" "$listing" "kind $2"
  expect_line "$1" "$listing" "arch $arch"
  expect_line "$1" "$listing" "triple $triple"
  expect_line "$1" "$listing" "producer openmp"
  [[ $(grep -c "OFFLOADING IMAGE" <<<"$listing") == 1 ]] || fail "$1 holds more than one image: $listing"
}

[[ $(basename "$image") == device.bin ]] || fail "the output group device_image is $image"
expect_image "$image" "llvm ir"
expect_image "$executable" elf

[[ $(head -c 4 "$bitcode" | od -An -tx1) == " 42 43 c0 de" ]] || fail "the output group device_llvm_bc is no bitcode"

# What the host launches, and what the GPU will run.
expect_part "$executable" "$("$readelf" -SW "$executable")" " llvm_offload_entries "
linked=$TEST_TMPDIR/linked.o
"$offload_binary" "$executable" --image="file=$linked,arch=$arch,triple=$triple"
header=$("$readelf" -h "$linked")
symbols=$("$readelf" -sW "$linked")
kernels=(_RINvC6kernel6kerneldE _RINvC6kernel6kernelfE) # kernel::kernel::<f64> and ::<f32>

for kernel in "${kernels[@]}"; do
  grep -qE " FUNC +GLOBAL .* $kernel\$" <<<"$symbols" || fail "the linked image has no kernel $kernel: $symbols"
done

case $triple in
amdgcn-amd-amdhsa)
  expect_line "the linked image" "$header" "Machine: EM_AMDGPU"
  expect_line "the linked image" "$header" "OS/ABI: AMDGPU - HSA"
  expect_part "the flags of the linked image" "$(grep Flags: <<<"$header")" ", $arch"
  notes=$("$readelf" --notes "$linked")
  expect_part "the notes" "$notes" "amdhsa.target:"
  expect_part "the target in the notes" "$(grep amdhsa.target: <<<"$notes")" "amdgcn-amd-amdhsa--$arch"
  for kernel in "${kernels[@]}"; do
    grep -qE " 64 OBJECT +GLOBAL .* $kernel\.kd\$" <<<"$symbols" || fail "there is no descriptor $kernel.kd: $symbols"
    expect_line "the notes" "$notes" ".symbol: $kernel.kd"
  done
  ;;
nvptx64-nvidia-cuda)
  expect_line "the linked image" "$header" "Machine: NVIDIA CUDA architecture"
  [[ $(od -An -tu2 -j18 -N2 "$linked") -eq 190 ]] || fail "e_machine is not 190"
  expect_part "the flags of the linked image" "$(grep Flags: <<<"$header")" ", $arch"
  ;;
*) fail "unknown triple $triple" ;;
esac
