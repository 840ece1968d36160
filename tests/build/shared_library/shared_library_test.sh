#!/bin/bash
# A C++ and a Python program load the library; it finds the offload runtime, and stops where it wants the GPU.
# Usage: shared_library_test.sh <C++ program> <Python program> <library>

source tests/build/testing.sh
hide_gpus

cc=$1 python=$2 library=$3

# expect_output <text> <command>...
expect_output() {
  local expected=$1 output
  shift
  output=$("$@") || fail "$* ends with status $?"
  [[ $output == "$expected" ]] || fail "$* prints: $output"
}

expect_output "vector 1 from C++" "$cc"
expect_output "vector 1 from C++" "$(readlink -f "$cc")"
expect_output "vector 1 from Python" python3 -B "$python" "$PWD/$library"
expect_output "vector 1 from Python" python3 -B "$python" "$(readlink -f "$library")"

# From a copy of the runfiles, in another place.
copy=$TEST_TMPDIR/a/copy
mkdir -p "$copy"
cp -rL "$(dirname "$PWD")" "$copy/runfiles"
expect_output "vector 1 from C++" "$copy/runfiles/$(basename "$PWD")/$cc"
expect_output "vector 1 from Python" python3 -B "$python" "$copy/runfiles/$(basename "$PWD")/$library"

for program in "$cc" "python3 -B $python $PWD/$library"; do
  status=0
  # shellcheck disable=SC2086
  output=$(OMP_TARGET_OFFLOAD=MANDATORY $program gpu 2>&1) || status=$?
  expect_part "$program" "$output" "failure of target construct while offloading is mandatory"
  [[ $status == 134 ]] || fail "$program: the exit status is $status, not that of abort: $output"
done
