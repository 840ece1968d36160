#!/bin/bash
# check_image_test.sh OFFLOAD DEVICE_IMAGE: the check of a device image, on the image of a real compiler.
set -euo pipefail
offload=$1
image=$2
report=$TEST_TMPDIR/report.txt

check() {
    rm -f "$report"
    "$offload" check-image --image "$1" --label //app --triple "${2:-amdgcn-amd-amdhsa}" --arch "${3:-gfx90a}" --llvm "${4:-22.1.8}" --out "$report" 2>&1
}

expect_refused() {
    local text=$1 said
    shift
    if said=$(check "$@"); then
        echo "FAIL: should have been refused: $*" >&2
        exit 1
    fi
    if [[ $said != *"$text"* ]]; then
        printf 'FAIL: should have said\n%s\nbut said\n%s\n' "$text" "$said" >&2
        exit 1
    fi
    if [[ -e $report ]]; then
        echo "FAIL: a report of a refused image: $*" >&2
        exit 1
    fi
}

check "$image"
grep -q 'arch gfx90a' "$report"
check "$image" amdgcn-amd-amdhsa gfx90a 23.1.1

# The version is a 32-bit number after the magic.
newer=$TEST_TMPDIR/newer.bin
cp "$image" "$newer"
chmod u+w "$newer"
printf '\011' | dd of="$newer" bs=1 seek=4 conv=notrunc status=none
expect_refused "//app: the device image has OffloadBinary version 9, and LLVM 22 reads versions up to 1." "$newer"
expect_refused "//app: the device image has OffloadBinary version 9, and LLVM 23 reads versions up to 2." "$newer" amdgcn-amd-amdhsa gfx90a 23.1.1

expect_refused "gfx942" "$image" amdgcn-amd-amdhsa gfx942
expect_refused "nvptx64-nvidia-cuda" "$image" nvptx64-nvidia-cuda gfx90a
head -c 100 "$image" >"$TEST_TMPDIR/truncated.bin"
expect_refused "truncated" "$TEST_TMPDIR/truncated.bin"
echo "no image" >"$TEST_TMPDIR/text.bin"
expect_refused "the device image is no OffloadBinary" "$TEST_TMPDIR/text.bin"
