#!/bin/bash
# What the offload rules do, with plain rustc commands: the same compiler, the same flags, no Bazel.
#
#   by_hand.sh core    core, compiler_builtins and alloc for the arch, as toolchains/rust/device_std.bzl builds them
#   by_hand.sh build   the three passes for one source file, as //examples:kernel
#
# Environment:
#   SYSROOT      the unpacked rustc distribution
#   ARCH         gfx90a, sm_90, ...
#   DEVICE_STD   where `core` writes and `build` reads
#   MODE         fastbuild (default), dbg or opt, Bazel's compilation mode
#   SOURCE, OUT  for `build`: the source file, and the folder for what is made of it
#   RUSTC_FLAGS  for `build`: more flags of the host passes, separated by spaces
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
        --remap-path-prefix="$library/=library/" -Zunstable-options -Ldependency="$device_lib" \
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

build() {
    : "${SOURCE:?}" "${OUT:?}"
    local name more_flags
    name=$(basename "$SOURCE" .rs)
    local every_pass=("$SOURCE" --crate-name="$name" --edition=2024 --remap-path-prefix="$PWD=" --error-format=human
        -Clto=fat -Csymbol-mangling-version=v0 -Zunstable-options)
    local host_passes=(--crate-type=bin --target=$host --sysroot="$SYSROOT" "--check-cfg=cfg(offload_device)")
    case ${MODE:-fastbuild} in # as rules_rust
    fastbuild) host_passes+=(-Copt-level=0 -Cdebuginfo=0 -Cstrip=none) ;;
    dbg) host_passes+=(-Copt-level=0 -Cdebuginfo=2 -Cstrip=none) ;;
    opt) host_passes+=(-Copt-level=3 -Cdebuginfo=0 -Cstrip=debuginfo) ;;
    esac
    read -ra more_flags <<<"${RUSTC_FLAGS:-}"
    host_passes+=("${more_flags[@]}")
    mkdir -p "$OUT"/{metadata,device}

    "$rustc" "${every_pass[@]}" "${host_passes[@]}" --emit=metadata --out-dir="$OUT/metadata" \
        -Zoffload=HostMetadata="$OUT/metadata/offload.manifest"

    "$rustc" "${every_pass[@]}" --crate-type=cdylib --target=$triple --sysroot="$DEVICE_STD" -Ctarget-cpu="$ARCH" \
        -Copt-level=3 -Cpanic=abort -Zmerge-functions=disabled -Cdebuginfo=0 -Cstrip=none --cfg=offload_device --emit=llvm-bc --out-dir="$OUT/device" \
        -Zoffload=Device="$OUT/metadata/offload.manifest"

    local gcc lld_dir=$SYSROOT/lib/rustlib/$host/bin/gcc-ld
    gcc=$(command -v gcc)
    PATH=${PTXAS_DIR:-/nonexistent} "$rustc" "${every_pass[@]}" "${host_passes[@]}" --emit=link="$OUT/$name" --out-dir="$OUT" \
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
