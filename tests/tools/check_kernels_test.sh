#!/bin/bash
# check_kernels_test.sh OFFLOAD ONE SEVERAL: the check of the kernels in a program, on programs of a real compiler.
# ONE has an image for gfx90a, which rustc embedded; SEVERAL has images for gfx90a, sm_90 and sm_80, which LLVM wrapped.
set -euo pipefail
offload=$1
one=$2
several=$3
report=$TEST_TMPDIR/report.txt

check() {
    rm -f "$report"
    "$offload" check-kernels --executable "$1" --label //app --archs "$2" --out "$report" 2>&1
}

expect_report() {
    local wanted=$1
    shift
    check "$@"
    # Sizes and offsets are the compiler's.
    if ! diff <(printf '%s\n' "$wanted") <(sed -E 's/, [0-9]+ bytes at offset [0-9]+$//' "$report"); then
        echo "FAIL: another report of $*" >&2
        exit 1
    fi
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
        echo "FAIL: a report of a refused program: $*" >&2
        exit 1
    fi
}

launched="launches 2 kernels
kernel::kernel::<f32> (_RINvC6kernel6kernelfE)
kernel::kernel::<f64> (_RINvC6kernel6kerneldE)"

expect_report "//app
image amdgcn-amd-amdhsa gfx90a: 2 kernels
$launched" "$one" gfx90a

expect_report "//app
image amdgcn-amd-amdhsa gfx90a: 2 kernels
image nvptx64-nvidia-cuda sm_90: 2 kernels
image nvptx64-nvidia-cuda sm_80: 2 kernels
$launched" "$several" sm_80,gfx90a,sm_90

# What AMD's image calls the kernel for f32 becomes a name that nobody launches.
for program in "$one" "$several"; do
    lacking=$TEST_TMPDIR/$(basename "$program")
    LC_ALL=C sed 's/kernelfE\.kd/kernelxE.kd/g' "$program" >"$lacking"
    expect_refused "error: //app: the program launches 2 kernels, 1 of which is not in every device image. \
kernel::kernel::<f32> (_RINvC6kernel6kernelfE) of the crate kernel is missing for gfx90a. \
Write the crate kernel into \`deps\` or \`device_deps\`, so that it is compiled for the device; \
what is there already, or is the target itself, must not have the kernel under \`#[cfg(not(offload_device))]\`." "$lacking" gfx90a
done

expect_refused "error: //app: the program launches 2 kernels and has no device image for gfx942. \
It has images for gfx90a (amdgcn-amd-amdhsa). \
Write the archs of these images into \`archs\`, or link an image for each of its archs." "$one" gfx90a,gfx942

head -c 5000 "$one" >"$TEST_TMPDIR/truncated"
expect_refused "error: //app: the program is truncated at offset 5000, before the end of " "$TEST_TMPDIR/truncated" gfx90a
expect_refused "error: //app: the program is no ELF file of 64 bits, little endian." "$0" gfx90a
