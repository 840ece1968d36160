#!/bin/bash
# What the offload rules do, with plain rustc commands: the same compiler, the same flags, no Bazel.
#
#   by_hand.sh core    core, compiler_builtins and alloc for the arch, as toolchains/rust/device_std.bzl builds them
#   by_hand.sh build   the libraries of a program for both sides, and its three passes
#
# Environment:
#   SYSROOT      the unpacked rustc distribution
#   ARCH         gfx90a, sm_90, ...
#   DEVICE_STD   where `core` writes and `build` reads
#   MODE         fastbuild (default), dbg or opt, Bazel's compilation mode
#   PROGRAM, OUT for `build`: the folder of main.rs, and the one for what is made of it
#   CRATE, MAIN  for `build`: the crate's name (default: app), and its root (default: PROGRAM/main.rs)
#   LIBRARIES    for `build`: NAME or NAME:USE,USE... of libraries, separated by spaces, each after those it uses. Their
#                roots are PROGRAM/NAME.rs, or PROGRAM/NAME/src/lib.rs
#   PTXAS_DIR    for `build` with an sm_* arch: the folder that has ptxas in it
set -euo pipefail
: "${SYSROOT:?}" "${ARCH:?}" "${DEVICE_STD:?}"

host=x86_64-unknown-linux-gnu
case $ARCH in
gfx*) triple=amdgcn-amd-amdhsa ;;
sm_*) triple=nvptx64-nvidia-cuda ;;
*)
    echo "by_hand.sh: ARCH is $ARCH. It has to be gfx* or sm_*." >&2
    exit 2
    ;;
esac
rustc=$SYSROOT/bin/rustc
device_lib=$DEVICE_STD/lib/rustlib/$triple/lib

# Usage: device_crate NAME ROOT FLAG...
device_crate() {
    local name=$1 library=$SYSROOT/lib/rustlib/src/rust/library
    "$rustc" "$library/$2" --crate-name="$name" --crate-type=rlib --edition=2024 \
        --target=$triple -Ctarget-cpu="$ARCH" -Copt-level=3 -Cpanic=abort -Cembed-bitcode=yes \
        -Zforce-unstable-if-unmarked --cap-lints=allow -Cmetadata="rust-offload-$name" \
        -Zremap-cwd-prefix= --remap-path-prefix="$library/=library/" -Zunstable-options -Ldependency="$device_lib" \
        --emit=link="$device_lib/lib$name.rlib" "${@:3}"
}

core() {
    mkdir -p "$device_lib"
    local features=() feature
    for feature in compiler-builtins mem arch unmangled-names; do
        features+=(--cfg "feature=\"$feature\"")
    done
    local extern_core=--extern=noprelude:core=$device_lib/libcore.rlib
    device_crate core core/src/lib.rs
    device_crate compiler_builtins compiler-builtins/compiler-builtins/src/lib.rs "${features[@]}" "$extern_core"
    device_crate alloc alloc/src/lib.rs "$extern_core" \
        --extern=noprelude:compiler_builtins="$device_lib/libcompiler_builtins.rlib"
}

# The flags of every rustc that makes a part of the program, by side.
every_pass=(--edition=2024 --remap-path-prefix="$PWD=" --error-format=human -Csymbol-mangling-version=v0 -Zunstable-options)
host_side=(--target=$host --sysroot="$SYSROOT" "--check-cfg=cfg(offload_device)")
case ${MODE:-fastbuild} in # as rules_rust
fastbuild) host_side+=(-Copt-level=0 -Cdebuginfo=0 -Cstrip=none) ;;
dbg) host_side+=(-Copt-level=0 -Cdebuginfo=2 -Cstrip=none) ;;
opt) host_side+=(-Copt-level=3 -Cdebuginfo=0 -Cstrip=debuginfo) ;;
esac
device_side=(--target=$triple --sysroot="$DEVICE_STD" -Ctarget-cpu="$ARCH" -Copt-level=3 -Cpanic=abort -Cdebuginfo=0 -Cstrip=none
    -Zmerge-functions=disabled --cfg=offload_device)

# Usage: libraries FOLDER FLAG...; sets `externs`.
libraries() {
    local folder=$1 library name root use uses
    mkdir -p "$folder"
    externs=(-Ldependency="$folder")
    for library in ${LIBRARIES:-}; do
        name=${library%%:*} uses=()
        if [[ $library == *:* ]]; then
            for use in $(tr , ' ' <<<"${library#*:}"); do uses+=(--extern="$use=$folder/lib$use.rlib"); done
        fi
        root=$PROGRAM/$name.rs
        [[ -e $root ]] || root=$PROGRAM/$name/src/lib.rs
        "$rustc" "$root" --crate-name="$name" --crate-type=rlib "${every_pass[@]}" "${@:2}" -Ldependency="$folder" "${uses[@]}" \
            --emit=link="$folder/lib$name.rlib"
        externs+=(--extern="$name=$folder/lib$name.rlib")
    done
}

build() {
    : "${PROGRAM:?}" "${OUT:?}"
    local program=("${MAIN:-$PROGRAM/main.rs}" --crate-name="${CRATE:-app}" "${every_pass[@]}" -Clto=fat)
    mkdir -p "$OUT"/{metadata,device}

    libraries "$OUT/host_deps" "${host_side[@]}"
    local host_pass=("${program[@]}" --crate-type=bin "${host_side[@]}" "${externs[@]}")
    "$rustc" "${host_pass[@]}" --emit=metadata --out-dir="$OUT/metadata" -Zoffload=HostMetadata="$OUT/metadata/offload.manifest"

    libraries "$OUT/device_deps" "${device_side[@]}"
    "$rustc" "${program[@]}" --crate-type=cdylib "${device_side[@]}" "${externs[@]}" --emit=llvm-bc --out-dir="$OUT/device" \
        -Zoffload=Device="$OUT/metadata/offload.manifest"

    local gcc lld_dir=$SYSROOT/lib/rustlib/$host/bin/gcc-ld
    gcc=$(command -v gcc)
    PATH=${PTXAS_DIR:-/nonexistent} "$rustc" "${host_pass[@]}" --emit=link="$OUT/app" --out-dir="$OUT" \
        -Zoffload=Host="$(realpath "$OUT")/device/device.bin" -Clinker="$gcc" \
        -Clink-arg=-B/usr/bin -Clink-arg=-B"$lld_dir" -Clink-arg=-fuse-ld=lld -Clink-arg=-Wl,-z,relro,-z,now \
        -Clink-arg=-Wl,-rpath,"$SYSROOT/lib/rustlib/$host/lib"
}

case ${1:-} in
core | build) "$1" ;;
*)
    echo "usage: by_hand.sh core|build" >&2
    exit 2
    ;;
esac
