#!/bin/bash
# What a cache answers: another checkout, another path, another user, another compilation mode; and whether two machines
# would make the same bytes. docs/caches.md has what it means for users.
set -euo pipefail
# shellcheck source=inner_bazel.sh
source "$(dirname "$0")/inner_bazel.sh"

start_workspace edits
spawns=$TEST_SRCDIR/$TEST_WORKSPACE/tests/e2e/spawns.py
flags=(--config=gfx90a --config=sm_90)

# build LOG ARGUMENTS...: builds, and leaves what ran in LOG.
build() {
    expect_success build //app "${flags[@]}" --execution_log_json_file="$scratch/$1" "${@:2}"
}

# expect_spawns ran|cached LOG MNEMONIC=COUNT...: these actions and no others.
expect_spawns() {
    local found expected
    found=$(python3 -B "$spawns" "$1" "$scratch/$2" | tr ' ' '=')
    expected=$(printf '%s\n' "${@:3}" | sort)
    if [[ $(sort <<<"$found") != "$expected" ]]; then
        printf 'FAIL: %s in %s:\n%s\nbut should have been\n%s\n' "$1" "$2" "$found" "$expected" >&2
        exit 1
    fi
}

# move_to OUTPUT_ROOT: from now on the same checkout is at a path of another length, and belongs to somebody else.
move_to() {
    stop_bazel
    output=$scratch/$1
    workspace=$scratch/at/another/longer/path/workspace
    export HOME=$scratch/home_of_somebody USER=somebody LOGNAME=somebody
    if [[ ! -d $workspace ]]; then
        mkdir -p "$(dirname "$workspace")" "$HOME"
        cp -r "$scratch/workspace" "$scratch/module" "$(dirname "$workspace")"
    fi
    override=("--override_module=rules_rust_offload=$(dirname "$workspace")/module")
    cd "$workspace"
}

echo "== the image of an arch, alone and beside another one"
flags=(--@rules_rust_offload//offload/settings:embed=llvm --config=gfx90a)
build alone.json --disk_cache="$scratch/cache" --jobs=1
mkdir "$scratch/alone"
cp bazel-bin/app/app.offload/gfx90a/{device.bin,app.gfx90a.o} "$scratch/alone"
flags+=(--config=sm_90)
build beside.json --disk_cache="$scratch/cache"
for file in device.bin app.gfx90a.o; do
    if ! cmp "bazel-bin/app/app.offload/gfx90a/$file" "$scratch/alone/$file"; then
        echo "FAIL: $file of gfx90a is another one beside sm_90" >&2
        exit 1
    fi
done

echo "== another checkout, with a cache"
move_to output_of_somebody
build cached.json --disk_cache="$scratch/cache"
expect_spawns ran cached.json

echo "== the same without the cache"
move_to another_output_of_somebody
build again.json --jobs=4
expect_spawns cached again.json
# What the cache holds was made in the first checkout.
python3 -B "$spawns" compare "$scratch/cached.json" "$scratch/again.json"

echo "== path mapping: another compilation mode"
flags+=(--experimental_output_paths=strip --disk_cache="$scratch/mapped_cache")
build mapped.json
build mapped_opt.json -c opt
# Bitcode that is the same has one image, wherever it is. rules_rust maps the paths of its command lines since 0.73 only.
mapped=(RustOffloadCheckImage=2 RustOffloadCodegen=3 RustOffloadLinkImage=2 RustOffloadPackImage=2 RustOffloadWrapImages=1)
if grep -q supports-path-mapping "$(inner info output_base)"/external/rules_rust*/rust/private/rustc.bzl; then
    mapped+=(RustOffloadDevice=2)
fi
expect_spawns cached mapped_opt.json "${mapped[@]}"
