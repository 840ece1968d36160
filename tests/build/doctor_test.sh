#!/bin/bash
# What the doctor says of the toolchains and of this machine.
# Usage: doctor_test.sh <doctor>

source tests/build/testing.sh

doctor=$1
status=0
said=$("$doctor" 2>&1) || status=$?
echo "$said"
expect_part doctor "$said" "rustc     1."
expect_part doctor "$said" "/ld.lld"
expect_part doctor "$said" "/llc"
expect_part doctor "$said" "/ptxas"
expect_part doctor "$said" "runtime   libomptarget.so"
expect_part doctor "$said" "opens libcuda.so"
if [[ $status == 0 ]]; then
  expect_line doctor "$said" "Offload programs run here."
else
  [[ $status == 1 ]] || fail "the exit status is $status"
  expect_line doctor "$said" "Offload programs do not run here:"
fi

# The toolchains are all right, wherever this runs.
for part in "does not work" "of another LLVM" "cannot be loaded" "NOT rustc's" "unknown version"; do
  if grep -F "$part" <<<"$said"; then
    fail "the toolchains of the tests are not all right"
  fi
done

# More arguments follow those of the rule.
json=$("$doctor" --json --archs=gfx90a) || true
expect_part "doctor --json" "$json" '"schema": 1,'
expect_part "doctor --json" "$json" '"arch": "gfx90a",'
status=0
"$doctor" --no-such-option 2>/dev/null || status=$?
[[ $status == 2 ]] || fail "an unknown option: the exit status is $status"
