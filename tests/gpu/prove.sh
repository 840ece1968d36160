#!/bin/bash
# Runs on a machine with an NVIDIA GPU what this repository says about GPUs, and fails if any of it is not so.
# It needs the driver, compute-sanitizer, cuda-gdb, cuobjdump, ncu and python3, and no Bazel: build it with `-c opt` for
# gfx90a, sm_80 and sm_90, carry bazel-bin/tests/gpu/prove.runfiles there (`tar --dereference`), and start
# prove.runfiles/_main/tests/gpu/prove.sh.

set -euo pipefail

cd "$(dirname "$0")/../.."
export OMP_TARGET_OFFLOAD=MANDATORY
offload=tests/tools/offload
examples=(kernel saxpy stencil pipeline alloc roots)
wrong=()

# show <what it is> <status, or any> <part of the output> <command>...
show() {
  local what=$1 expected=$2 part=$3 output status=0
  shift 3
  output=$(timeout --kill-after=5 240 "$@" 2>&1) || status=$?
  printf '== %s: status %s\n%s\n' "$what" "$status" "$output"
  if [[ $expected != any && $status != "$expected" ]]; then
    wrong+=("$what: the exit status is $status, not $expected")
  elif ! grep -qF -- "$part" <<<"$output"; then
    wrong+=("$what does not say \"$part\"")
  fi
}

nvidia-smi --query-gpu=name,driver_version --format=csv,noheader

show "doctor" 0 "sm_90" "$offload" doctor --archs=sm_90 --runtime="$(dirname "$(find -L .. -name libomptarget.so -print -quit)")"
show "inspect" 0 "fits together" "$offload" inspect examples/kernel

for example in "${examples[@]}"; do
  show "$example" 0 "Launching kernel _R" env LIBOMPTARGET_INFO=16 "examples/$example"
done
show "stencil of an odd width" 0 "all 777 * 777 points are right" examples/stencil 777
show "no device" 134 "offloading is mandatory" env CUDA_VISIBLE_DEVICES= examples/kernel
show "a package, in an empty environment" 0 "Launching kernel _R" \
  env -i OMP_TARGET_OFFLOAD=MANDATORY LIBOMPTARGET_INFO=16 examples/kernel_package/kernel

show "registers, stack and shared memory by cuobjdump and by the report" 0 "equal" \
  python3 tests/gpu/compare_resources.py "$offload" examples/*.offload/sm_*/*.cubin

show "compute-sanitizer" 3 "in out_of_bounds.rs:9" \
  compute-sanitizer --report-api-errors no --error-exitcode 3 tests/gpu/out_of_bounds_with_lines
show "compute-sanitizer, of a right program" 0 "ERROR SUMMARY: 0 errors" \
  compute-sanitizer --report-api-errors no --error-exitcode 3 examples/saxpy
show "cuda-gdb" any "out_of_bounds.rs:9" cuda-gdb -batch -ex run tests/gpu/out_of_bounds_with_lines

show "the launcher" 0 "four at once: all passed" tests/gpu/launcher_test.sh \
  tests/gpu/{vector,wrong,hanging,other_arch,other_vendor}_test

show "against the copy bandwidth" 0 "GB/s" tests/bench/on_gpu --saxpy examples/saxpy --stencil examples/stencil

if ((${#wrong[@]})); then
  printf 'FAIL: %s\n' "${wrong[@]}"
  exit 1
fi
echo "all of it was so"
