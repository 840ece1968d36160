#!/bin/bash
# rustc from a dist server over HTTP: what is fetched, and what is said when the server is at fault.
set -euo pipefail
# shellcheck source=inner_bazel.sh
source "$(dirname "$0")/inner_bazel.sh"
case ${RUSTUP_DIST_SERVER:-} in
file://*) dist=${RUSTUP_DIST_SERVER#file://} ;;
*)
    echo "FAIL: RUSTUP_DIST_SERVER has to be the file:// address of a folder (bazelw sets it), it is \"${RUSTUP_DIST_SERVER:-}\"" >&2
    exit 1
    ;;
esac
unset RUSTUP_DIST_SERVER

start_workspace workspace
index=dist/2026-09-20/channel-rust-nightly.toml
sha256=$(sha256sum "$dist/$index" | cut -d' ' -f1)

# use_rust ATTRIBUTES: the tag offload.rust with these attributes.
use_rust() { use_offload "offload.rust($1)"; }
fetch=(build //app --config=gfx90a --nobuild)

echo "== a nightly without the component, and others that have it"
folder=file://$scratch/folder
for date in 2026-09-17 2026-09-25; do
    mkdir -p "$scratch/folder/dist/$date"
    # Other bytes than those of the real index: Bazel remembers files by their hashes.
    { cat "$dist/$index" && echo "# $date"; } >"$scratch/folder/dist/$date/channel-rust-nightly.toml"
done
mkdir -p "$scratch/folder/dist/2026-09-20"
sed '/^\[pkg.offload-preview.target/,/^$/d' "$dist/$index" >"$scratch/folder/$index"
use_rust "dist_server = \"$folder\""
expect_failure "rust_offload: the nightly 2026-09-20 cannot be used: component offload for x86_64-unknown-linux-gnu is missing or not available. Looked in $folder/$index; nearest dates that have it: 2026-09-17, 2026-09-25. Write offload.rust(nightly = \"<date>\") with another date." "${fetch[@]}"
rm -r "$scratch/folder/dist/2026-09-17" "$scratch/folder/dist/2026-09-25"
use_rust "dist_server = \"$folder/\""
expect_failure "Looked in $folder/$index; no nightly of the 7 days before and after has it on that server. Write offload.rust(nightly = \"<date>\") with another date." "${fetch[@]}"

echo "== an index that is not the pinned one"
use_rust "dist_server = \"$folder\", sha256 = \"$sha256\""
expect_failure "but wanted $sha256
rust_offload: the index of the nightly 2026-09-20 cannot be fetched. Looked for $folder/$index with SHA-256 $sha256; Bazel's warning above says what it found. Write offload.rust(nightly = \"<date>\", sha256 = \"<its hash>\") with a date that the server has, or another dist_server." "${fetch[@]}"

echo "== a server over HTTP"
: >"$scratch/faults"
python3 -B "$TEST_SRCDIR/$TEST_WORKSPACE/tests/e2e/dist_server.py" "$dist" "$scratch/faults" "$scratch/port" >"$scratch/server.log" 2>&1 &
server_pid=$!
trap 'kill $server_pid; clean_up' EXIT
for _ in $(seq 100); do
    [[ -e $scratch/port ]] && break
    sleep 0.1
done
server=http://127.0.0.1:$(cat "$scratch/port")
faults() { printf '%s\n' "$@" >"$scratch/faults"; }
requests() { grep -c "GET /$1" "$scratch/server.log" || true; }

use_rust "dist_server = \"$server\""
expect_failure "rust_offload: the index of the nightly 2026-09-20 has no hash, and Bazel fetches nothing over http:// without one. Found the dist server $server. Write offload.rust(sha256 = \"<SHA-256 of $server/$index>\"), or a server with https://." "${fetch[@]}"

# All that follows is the same repository with the same attributes: what one try left behind would be seen by the next.
use_rust "dist_server = \"$server\", sha256 = \"$sha256\""
faults "404 $index"
expect_failure "404 Not Found
rust_offload: the index of the nightly 2026-09-20 cannot be fetched. Looked for $server/$index with SHA-256 $sha256;" "${fetch[@]}"
archive=$(cd "$dist/dist/2026-09-20" && ls rustc-nightly-*.tar.gz)
rustc_sha256=$(sha256sum "$dist/dist/2026-09-20/$archive" | cut -d' ' -f1)
cannot_be_fetched="rust_offload: component rustc of the nightly 2026-09-20 cannot be fetched. Looked for $server/dist/2026-09-20/$archive with SHA-256 $rustc_sha256; Bazel's warning above says what it found. Try again, or write offload.rust(dist_server = \"<url>\") with a server that has it."

echo "== a component that is not there"
faults "404 $archive"
expect_failure "404 Not Found
$cannot_be_fetched" "${fetch[@]}"

for fault in other-bytes truncated; do
    echo "== a component that is not what the index says: $fault"
    faults "$fault $archive"
    expect_failure "but wanted $rustc_sha256
$cannot_be_fetched" "${fetch[@]}"
done

echo "== a server that stops half way, each time"
faults "half $archive"
before=$(requests "dist/2026-09-20/$archive")
expect_failure "$cannot_be_fetched" "${fetch[@]}"
if (($(requests "dist/2026-09-20/$archive") - before < 2)); then
    echo "FAIL: it was not tried again" >&2
    exit 1
fi

echo "== a server that stops half way once: the next try gets all of it"
faults "half-once .tar.gz"
expect_success "${fetch[@]}"

echo "== what is fetched: five components, no more"
for component in rustc rust-std rust-src offload clippy; do
    if (($(requests "dist/2026-09-20/$component-nightly") == 0)); then
        echo "FAIL: $component was not fetched" >&2
        exit 1
    fi
done
for component in llvm-tools rustfmt; do
    if (($(requests "dist/2026-09-20/$component") != 0)); then
        echo "FAIL: $component was fetched, though nothing asked for it" >&2
        exit 1
    fi
done

echo "== LLVM's tools when they are asked for"
faults
expect_success run @rules_rust_offload//toolchains/llvm:llc -- --version
grep -q "LLVM version 22.1.8" "$scratch/log"
if (($(requests dist/2026-09-20/llvm-tools) == 0)); then
    echo "FAIL: llvm-tools was not fetched" >&2
    exit 1
fi
expect_failure "//toolchains/llvm:clang: this target needs clang. Found an LLVM toolchain, @@
with clang-linker-wrapper, llc, lld, llvm-as
. Write offload.llvm(path = \"<folder of an LLVM 22.1.8 that has bin/clang>\") in MODULE.bazel." run @rules_rust_offload//toolchains/llvm:clang

echo "== rustfmt, clippy and rustdoc, where the nightly has them"
app=(build //app --config=gfx90a)
rustfmt=("${app[@]}" "--aspects=@rules_rust//rust:defs.bzl%rustfmt_aspect" --output_groups=rustfmt_checks)
clippy=("${app[@]}" "--aspects=@rules_rust//rust:defs.bzl%rust_clippy_aspect" --output_groups=clippy_checks)
expect_success "${rustfmt[@]}"
expect_success "${clippy[@]}"

echo "== and where it has not"
fewer=$scratch/fewer/dist/2026-09-20
mkdir -p "$fewer"
ln -s "$dist"/dist/2026-09-20/*.tar.gz "$fewer"
sed '/^\[pkg.clippy-preview.target/,/^$/d; /^\[pkg.rustfmt-preview.target/,/^$/d' "$dist/$index" >"$scratch/fewer/$index"
use_rust "dist_server = \"file://$scratch/fewer\""
expect_success build //app --config=gfx90a
expect_failure "rust_offload_rustfmt: the nightly 2026-09-20 cannot be used: component rustfmt for x86_64-unknown-linux-gnu is missing or not available. Looked in file://$scratch/fewer/$index" "${rustfmt[@]}"
no_clippy="rust_offload: the rustc distribution has no clippy-driver. There is no bin/clippy-driver in the nightly 2026-09-20. Write offload.rust(...) with one that has it."
expect_failure "$no_clippy" "${clippy[@]}"
expect_failure "$no_clippy" "${app[@]}" --output_groups=device_clippy

echo "== the variable, with the folder itself"
cp "$scratch/MODULE.bazel" MODULE.bazel
RUSTUP_DIST_SERVER=$dist expect_failure "rust_offload: RUSTUP_DIST_SERVER has no scheme. Found \"$dist\". Write file://$dist." "${fetch[@]}"
RUSTUP_DIST_SERVER=file://$dist expect_success "${fetch[@]}"

echo "== a rustc of before the passes"
mkdir -p "$scratch/old/bin" "$scratch/old/lib"
cat >"$scratch/old/bin/rustc" <<'EOS'
#!/bin/sh
case $1 in
-vV) printf 'rustc 1.98.0-nightly (0123456789 2026-07-01)\nLLVM version: 22.1.4\n' ;;
-Zhelp) echo '    -Z offload=val -- a list of offload flags to enable' ;;
esac
EOS
chmod +x "$scratch/old/bin/rustc"
use_rust "path = \"$scratch/old\""
expect_failure "rust_offload: this rustc does not know the three offload passes. Found rustc 1.98.0-nightly (0123456789 2026-07-01); they are in nightlies from 2026-09-09 (1.100.0-nightly) on. Write offload.rust(nightly = \"<date>\") with such a date." "${fetch[@]}"

echo "== a nightly as it is, whose manifest covers the final crate only"
cat >"$scratch/old/bin/rustc" <<'EOS'
#!/bin/sh
case $* in
-vV) printf 'rustc 1.100.0-nightly (0123456789 2026-09-19)\nLLVM version: 23.1.0\n' ;;
*target=amdgcn-amd-amdhsa) printf '    gfx90a\n' ;;
*target=nvptx64-nvidia-cuda) printf '    sm_90\n' ;;
esac
EOS
mkdir -p "$scratch/old/lib/rustlib/x86_64-unknown-linux-gnu/lib"
touch "$scratch/old/lib/rustlib/x86_64-unknown-linux-gnu/lib/libomptarget.so"
for root in alloc/src compiler-builtins/compiler-builtins/src core/src; do
    mkdir -p "$scratch/old/lib/rustlib/src/rust/library/$root"
    touch "$scratch/old/lib/rustlib/src/rust/library/$root/lib.rs"
done
expect_failure "//app:app: kernels in libraries do not reach the program with this rustc: the manifest covers the final crate only (rust-lang/rust#162279). Found @@//app:kernels in deps, and rustc 1.100.0-nightly (0123456789 2026-09-19). Move the kernels into srcs; in a library without any write has_kernels = False." "${fetch[@]}"
