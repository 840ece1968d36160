#!/bin/bash
# A program for several arches has an image for each, the same machine code as a program for one.
# Usage: several_test.sh <llvm-objdump> <llvm-offload-binary> <program> <program for gfx90a> <program for sm_90> <linked image>...

source tests/build/testing.sh

objdump=$1 offload_binary=$2 several=$3 only_gfx90a=$4 only_sm_90=$5
linked=("${@:6}")

archs=$("$objdump" --offloading "$several" | awk '$1 == "arch" { print $2 }' | tr '\n' ' ')
[[ $archs == "gfx90a sm_90 sm_80 " ]] || fail "the images are in the order: $archs"

# extract <program> <arch> <triple>: prints the name of a file with the linked image.
extract() {
  local file=$TEST_TMPDIR/$(basename "$1").$2
  "$offload_binary" "$1" --image="file=$file,arch=$2,triple=$3" || fail "$1 has no image for $2"
  echo "$file"
}

for arch in gfx90a sm_90 sm_80; do
  case $arch in
  gfx*) triple=amdgcn-amd-amdhsa only=$only_gfx90a ;;
  sm_90) triple=nvptx64-nvidia-cuda only=$only_sm_90 ;;
  sm_80) triple=nvptx64-nvidia-cuda only= ;;
  esac
  image=$(extract "$several" $arch $triple)
  group=$(printf '%s\n' "${linked[@]}" | grep -F ".$arch.") || fail "the output group linked_image has none for $arch: ${linked[*]}"
  cmp "$image" "$group" || fail "the output group linked_image has another image for $arch"
  if [[ -n $only ]]; then
    cmp "$image" "$(extract "$only" $arch $triple)" || fail "rustc makes other machine code for $arch than LLVM's tools"
  fi
done
hide_gpus
expect_no_gpu "the program for several arches" "$several"
