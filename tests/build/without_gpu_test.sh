#!/bin/bash
# A test for a GPU lists its tests anywhere. Without a GPU it fails and says why, or is visibly skipped; it never passes.
# Usage: without_gpu_test.sh <test> <offload>

source tests/build/testing.sh

test=$1 offload=$2
program=${test%/*}/${test##*/}.offload/test/${test##*/}
label=@@//tests/build:vector_gpu_test
hide_gpus

listed=$("$test" --list)
for name in a_wrong_value_is_caught adds fills; do
  expect_line "$test --list" "$listed" "tests::$name: test"
done

# It says so before anything is launched.
status=0
said=$("$test" 2>&1) || status=$?
[[ $status == 1 ]] || fail "$test: the exit status is $status: $said"
expect_part "$test" "$said" "error: $label: no GPU here runs this test. It was built for gfx90a, sm_90; found: no AMD GPU"
expect_part "$test" "$said" "Run it where there is one, or leave it out with --@rules_rust_offload//offload/settings:missing_gpu=skip."

# The program by itself does not pass either.
expect_no_gpu "a test for a GPU" "$program"

skipped=$(XML_OUTPUT_FILE=$TEST_TMPDIR/test.xml "$offload" launch --missing-gpu=skip --label="$label" --archs=gfx90a --program="_main/$program" 2>&1) ||
  fail "a test that is skipped failed: $skipped"
expect_part "a skipped test" "$skipped" "$label: SKIPPED, no GPU here runs this test: built for gfx90a; found: no AMD GPU"
expect_part "test.xml" "$(cat "$TEST_TMPDIR/test.xml")" 'tests="1" failures="0" errors="0" skipped="1"'
