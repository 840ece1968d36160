#!/bin/bash
# What an edit compiles again, by the log of what Bazel ran. The table is in docs/rebuilds.md.
set -euo pipefail
# shellcheck source=inner_bazel.sh
source "$(dirname "$0")/inner_bazel.sh"

start_workspace edits
flags=(--config=gfx90a --@rules_rust_offload//offload/settings:embed=llvm)

# expect_runs WHAT MNEMONIC=COUNT...: after a change, a build runs these actions and no others.
expect_runs() {
    local what=$1 found expected
    shift
    echo "== $what"
    expect_success build //app "${flags[@]}" --execution_log_json_file="$scratch/execution.json"
    found=$(python3 -B "$TEST_SRCDIR/$TEST_WORKSPACE/tests/e2e/spawns.py" ran "$scratch/execution.json" | tr ' ' '=')
    expected=$(printf '%s\n' "$@" | sort)
    if [[ $(sort <<<"$found") != "$expected" ]]; then
        printf 'FAIL: %s runs\n%s\nbut should run\n%s\n' "$what" "$found" "$expected" >&2
        exit 1
    fi
}

# edit FILE SED_COMMAND: changes something, or ends the test.
edit() {
    cp "app/$1" "$scratch/before"
    sed -i "$2" "app/$1"
    if cmp -s "app/$1" "$scratch/before"; then
        echo "FAIL: nothing changed in $1 by $2" >&2
        exit 1
    fi
}

expect_success build //app "${flags[@]}"
program=(RustOffloadHost=1 RustOffloadCheckKernels=1)
host=(RustOffloadHostMetadata=1 "${program[@]}")
# Code is generated for the arch, and for the object that holds its image.
device=(RustOffloadDevice=1 RustOffloadCheckImage=1 RustOffloadCodegen=2 RustOffloadLinkImage=1 RustOffloadPackImage=1 RustOffloadWrapImages=1)

expect_runs "nothing"

edit host.rs 's|// instantiations|// more instantiations|'
# The program comes out the same, and is not looked at again.
expect_runs "a comment in a file of the host" RustOffloadHostMetadata=1 RustOffloadHost=1

edit host.rs 's/println!("{} {}"/println!("{}: {}"/'
expect_runs "the host's logic" "${host[@]}"

edit kernels.rs 's/if i < 256/if i < 255/'
expect_runs "the body of a kernel" "${host[@]}" "${device[@]}"

edit host.rs 's|// more instantiations|let mut y = [1.0f64; 256]; gpu::launch! { kernel = scale::<f64>, workgroup_dim = [256, 1, 1], args = (\&mut y as *mut [f64; 256],) }|'
expect_runs "a new instantiation of a generic kernel" "${host[@]}" "${device[@]}"

edit host_dep.rs 's/hello/good day/'
expect_runs "a library of the host" Rustc=1 "${host[@]}"

edit device_dep.rs 's/2/3/'
expect_runs "a library of the device" Rustc=1 "${program[@]}" "${device[@]}"

flags+=(--config=sm_90)
# The two libraries of the device, but neither the proc macro that one of them uses nor rules_rust's process_wrapper:
# those know nothing of archs.
expect_runs "one more arch" RustDeviceStd=3 Rustc=2 "${program[@]}" "${device[@]}"

mode=("${flags[@]}")
flags+=(-c opt)
# The outputs of each mode have places of their own, the manifest among them, so that the passes run once more: but neither
# the device's core nor its libraries, since the device side is compiled the same in every mode. Rustc: the host's libraries.
expect_runs "another compilation mode" Rustc=2 RustOffloadCheckLlvm=1 "${host[@]}" RustOffloadDevice=2 RustOffloadCheckImage=2 \
    RustOffloadCodegen=3 RustOffloadLinkImage=2 RustOffloadPackImage=2 RustOffloadWrapImages=1
flags=("${mode[@]}")
expect_runs "back again"
