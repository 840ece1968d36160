# What the shell tests in this package share. They run from the root of their runfiles, with paths as arguments.

set -euo pipefail

fail() {
  printf 'FAIL: %s\n' "$*" >&2
  exit 1
}

# expect_line <what it is> <text> <line, without regard to space>
expect_line() {
  tr -s ' \t' ' ' <<<"$2" | sed 's/^ //; s/ $//' | grep -qxF -- "$3" || fail "$1 has no line \"$3\":"$'\n'"$2"
}

# expect_part <what it is> <text> <part of it>
expect_part() {
  grep -qF -- "$3" <<<"$2" || fail "$1 does not say \"$3\":"$'\n'"$2"
}

# Without a GPU, also on a machine that has one.
hide_gpus() {
  if [[ -e /dev/nvidia0 || -e /dev/kfd ]]; then
    echo "this machine has a GPU: it is hidden from the program"
  fi
  export CUDA_VISIBLE_DEVICES="" ROCR_VISIBLE_DEVICES="" HIP_VISIBLE_DEVICES=""
  unset LD_LIBRARY_PATH
}

# expect_no_gpu <how it is started> <program>: it starts, finds its runtime, and stops where it wants the GPU.
expect_no_gpu() {
  local libraries output status=0
  libraries=$(ldd "$2")
  expect_part "ldd $1" "$libraries" libomptarget.so
  if grep -F "not found" <<<"$libraries"; then
    fail "$1: a library is not found"
  fi
  output=$(OMP_TARGET_OFFLOAD=MANDATORY "$2" 2>&1) || status=$?
  expect_part "$1" "$output" "failure of target construct while offloading is mandatory"
  [[ $status == 134 ]] || fail "$1: the exit status is $status, not that of abort: $output"
  echo "$1: ok"
}
