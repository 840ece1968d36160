#!/bin/bash
# The executable finds the offload runtime from wherever it is started.
# Usage: run_test.sh <executable>

source tests/build/testing.sh
hide_gpus

program=$1
expect_no_gpu "as data, from the runfiles of a test" "$program"
expect_no_gpu "by its absolute path" "$PWD/$program"

# The file itself, and not the link in the runfiles: beside it is its own runfiles tree, if Bazel has made one.
expect_no_gpu "from the output tree" "$(readlink -f "$program")"

# A copy of the runfiles, in another place, without a link back.
copy=$TEST_TMPDIR/a/copy
mkdir -p "$copy"
cp -rL "$(dirname "$PWD")" "$copy/runfiles"
[[ ! -L $copy/runfiles/_main/$program ]] || fail "the copy is a link"
expect_no_gpu "from a copy of the runfiles" "$copy/runfiles/$(basename "$PWD")/$program"

# Beside its own runfiles tree, as in bazel-bin.
name=$(basename "$program")
beside=$TEST_TMPDIR/beside
mkdir -p "$beside"
mv "$copy/runfiles" "$beside/$name.runfiles"
cp "$beside/$name.runfiles/$(basename "$PWD")/$program" "$beside/$name"
expect_no_gpu "beside its runfiles" "$beside/$name"

# The test must notice a runtime that is not found.
mkdir "$TEST_TMPDIR/alone"
cp "$beside/$name" "$TEST_TMPDIR/alone/$name"
grep -qE "libomptarget.* not found" <(ldd "$TEST_TMPDIR/alone/$name") || fail "a copy without runfiles finds a runtime"
