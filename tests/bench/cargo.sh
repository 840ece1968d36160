#!/bin/bash
# The three passes with cargo and RUSTFLAGS, which is how they are run today.
#
#   cargo.sh build
#
# Environment: SYSROOT, ARCH, DEVICE_STD, MODE, PROGRAM, OUT as in by_hand.sh, and PTXAS_DIR; PROGRAM has a Cargo.toml.
# Each side has a target folder of its own, since cargo compiles everything again when RUSTFLAGS change.
set -euo pipefail
: "${SYSROOT:?}" "${ARCH:?}" "${DEVICE_STD:?}" "${PROGRAM:?}" "${OUT:?}"

host=x86_64-unknown-linux-gnu
case $ARCH in
gfx*) triple=amdgcn-amd-amdhsa ;;
sm_*) triple=nvptx64-nvidia-cuda ;;
esac
export RUSTC=$SYSROOT/bin/rustc
case ${MODE:-fastbuild} in
fastbuild) export CARGO_PROFILE_DEV_OPT_LEVEL=0 ;;
dbg) export CARGO_PROFILE_DEV_OPT_LEVEL=0 CARGO_PROFILE_DEV_DEBUG=2 ;;
opt) export CARGO_PROFILE_DEV_OPT_LEVEL=3 CARGO_PROFILE_DEV_STRIP=debuginfo ;;
esac
out=$(realpath -m "$OUT")
mkdir -p "$out"
every_pass="-Csymbol-mangling-version=v0 -Zunstable-options"
cargo=(cargo rustc --quiet --offline --manifest-path "$PROGRAM/Cargo.toml")
lld_dir=$SYSROOT/lib/rustlib/$host/bin/gcc-ld
link_args="-Clink-arg=-B$lld_dir -Clink-arg=-fuse-ld=lld -Clink-arg=-Wl,-rpath,$SYSROOT/lib/rustlib/$host/lib"

host_pass() {
    RUSTFLAGS="$every_pass $link_args" PATH=$PATH:${PTXAS_DIR:-} "${cargo[@]}" --target=$host --target-dir="$out/host" --bin=app "$@"
}

host_pass --profile=check -- -Clto=fat -Zoffload=HostMetadata="$out/offload.manifest"

RUSTFLAGS="$every_pass --sysroot=$DEVICE_STD -Ctarget-cpu=$ARCH -Zmerge-functions=disabled --cfg=offload_device -Clinker=$SYSROOT/lib/rustlib/$host/bin/rust-lld" \
    CARGO_PROFILE_DEV_OPT_LEVEL=3 CARGO_PROFILE_DEV_PANIC=abort \
    "${cargo[@]}" --target=$triple --target-dir="$out/device" --lib -- --emit=llvm-bc -Zoffload=Device="$out/offload.manifest"
device=$(find "$out/device/$triple/debug/deps" -name device.bin)

host_pass -- -Zoffload=Host="$device"
