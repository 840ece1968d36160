#!/bin/bash
# What the launcher makes of tests that pass, fail, hang, are for another GPU, or start at once. It needs a GPU.
# Usage: launcher_test.sh <test that passes> <wrong kernel> <hanging kernel> <test for other GPUs>...

set -uo pipefail

passing=$1 wrong=$2 hanging=$3
tmp=${TEST_TMPDIR:-$(mktemp -d)}
export OMP_TARGET_OFFLOAD=MANDATORY
unset XML_OUTPUT_FILE TEST_TOTAL_SHARDS TEST_SHARD_INDEX TEST_SHARD_STATUS_FILE TESTBRIDGE_TEST_ONLY

fail() {
  printf 'FAIL: %s\n' "$*" >&2
  exit 1
}

# expect <status> <part of the output>... : of the last `run`
expect() {
  [[ $status == "$1" ]] || fail "$what: the exit status is $status, not $1: $output"
  shift
  for part in "$@"; do
    grep -qF -- "$part" <<<"$output" || fail "$what does not say \"$part\": $output"
  done
  printf '== %s: status %s\n%s\n\n' "$what" "$status" "$output"
}

run() {
  what=$1 status=0
  shift
  output=$("$@" 2>&1) || status=$?
}

run "passes" "$passing"
expect 0 "runs on" "test tests::fills ... ok" "3 passed; 0 failed"

run "one of its functions" env TESTBRIDGE_TEST_ONLY=fills "$passing"
expect 0 "1 passed; 0 failed; 0 ignored; 0 measured; 2 filtered out"

for shard in 0 1; do
  run "shard $shard" env TEST_TOTAL_SHARDS=2 TEST_SHARD_INDEX=$shard "$passing"
  expect 0 "$((2 - shard)) passed; 0 failed"
done

run "a wrong kernel" env XML_OUTPUT_FILE="$tmp/test.xml" "$wrong"
expect 101 "test tests::doubles ... FAILED" "messages of the offload runtime:" "Launching kernel _RNv"
what=test.xml output=$(<"$tmp/test.xml") status=0
expect 0 'tests="1" failures="1"' 'name="tests::doubles"' "left: 3.0"

run "a kernel that hangs" env TEST_TIMEOUT=20 "$hanging"
expect 137 "killed after 18 s, just before the test's timeout of 20 s. The last kernel that was launched may hang: _RNv"

for other in "${@:4}"; do
  run "for another GPU" "$other"
  expect 1 "no GPU here runs this test. It was built for" "found: "
done

pids=()
for number in 1 2 3 4; do
  "$passing" >"$tmp/$number.log" 2>&1 &
  pids+=($!)
done
for number in 1 2 3 4; do
  wait "${pids[number - 1]}" || fail "number $number of four at once: $(cat "$tmp/$number.log")"
  grep -qF "3 passed; 0 failed" "$tmp/$number.log" || fail "number $number of four at once: $(cat "$tmp/$number.log")"
done
echo "== four at once: all passed"
