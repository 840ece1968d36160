#!/bin/bash
# What the report says is what LLVM and ptxas say.
# Usage: report_test.sh <offload> <llvm-readelf> <ptxas> <program for gfx90a> <device image> <reports, linked images and PTX>...

source tests/build/testing.sh

offload=$1 readelf=$2 ptxas=$3 program=$4 device_image=$5
for file in "${@:6}"; do
  case $file in
  */kernel_report.txt) table=$file ;;
  */kernel_report.json) json=$file ;;
  *.gfx90a.o) code_object=$file ;;
  *.sm_90.cubin) cubin=$file ;;
  *.ptx) ptx=$file ;;
  esac
done

# field <field> <arch> <kernel>: from the JSON, as "kernel" precedes "arch", and both all fields
field() {
  awk -v field="\"$1\":" -v arch="\"$2\"," -v kernel="\"$3\"," '
    $1 == "\"kernel\":" { at = ($2 == kernel) }
    $1 == "\"arch\":" && $2 != arch { at = 0 }
    at && $1 == field { sub(",", "", $2); print $2 }
  ' "$json"
}

# expect_field <field> <arch> <kernel> <value>
expect_field() {
  local found
  found=$(field "$1" "$2" "$3")
  [[ $found == "$4" ]] || fail "$1 of $3 for $2 is \"$found\" in the report, and $4 by another account"
  echo "$3 for $2: $1 is $4"
}

# AMD: the metadata, as LLVM prints it.
notes=$("$readelf" --notes "$code_object")
# metadata <field> <symbol>: fields are sorted, and the name is among them
metadata() {
  awk -v field="$1:" -v symbol="$2" '
    /^ *- \.agpr_count/ { found = "" }
    $1 == field || $2 == field { found = $NF }
    $1 == ".name:" && $2 == symbol { named = 1 }
    named && found != "" { print found; exit }
  ' <<<"$notes"
}
for type in f32:f f64:d; do
  symbol=_RINvC6kernel6kernel${type#*:}E kernel="kernel::kernel::<${type%:*}>"
  for pair in registers:.vgpr_count sgprs:.sgpr_count agprs:.agpr_count lds_bytes:.group_segment_fixed_size \
    stack_bytes:.private_segment_fixed_size max_threads:.max_flat_workgroup_size; do
    expect_field "${pair%:*}" gfx90a "$kernel" "$(metadata "${pair#*:}" "$symbol")"
  done
done

# NVIDIA: what ptxas says when it assembles the same PTX.
said=$("$ptxas" -v -m64 -O3 --gpu-name sm_90 -o "$TEST_TMPDIR/kernel.cubin" "$ptx" 2>&1)
for type in f32:f f64:d; do
  registers=$(grep -A3 "Compiling entry function '_RINvC6kernel6kernel${type#*:}E'" <<<"$said" | sed -n 's/.*Used \([0-9]*\) registers.*/\1/p')
  expect_field registers sm_90 "kernel::kernel::<${type%:*}>" "$registers"
  expect_field spills sm_90 "kernel::kernel::<${type%:*}>" 0
done

expect_line "$table" "$(<"$table")" "kernel arch registers scalar spills stack lds max threads code occupancy"

# Images alone, and what rustc embedded.
for image in "$code_object" "$program"; do
  printed=$("$offload" report "$image")
  expect_part "report $image" "$printed" "$(grep gfx90a "$table" | head -1 | tr -s ' ' | cut -d' ' -f1)"
done
"$offload" report "$cubin" >"$TEST_TMPDIR/cubin.txt"
[[ $(wc -l <"$TEST_TMPDIR/cubin.txt") == 3 ]] || fail "the cubin has two kernels: $(<"$TEST_TMPDIR/cubin.txt")"

# expect_failure <message> <arguments>...
expect_failure() {
  local message=$1 output status=0
  shift
  output=$("$offload" "$@" 2>&1 >/dev/null) || status=$?
  [[ $status != 0 ]] || fail "offload $* succeeds"
  expect_part "offload $*" "$output" "$message"
}
expect_failure "offload: kernel::kernel::<f64> for gfx90a: registers is $(field registers gfx90a "kernel::kernel::<f64>"), and registers>0 fails" \
  report "$program" "--fail-if=f64:registers>0"
expect_failure 'offload: no kernel has "f16" in its name, for which registers>0 is asked' report "$program" "--fail-if=f16:registers>0"
expect_failure "there is no field \"register\". Write for example spills>0" report "$program" "--fail-if=register>0"
expect_failure "error: $device_image: this is a device image, an OffloadBinary of bitcode: registers are not chosen yet." report "$device_image"
expect_failure "error: /no/such/file cannot be read" report /no/such/file

# The same kernels, and one build with another program's.
expect_part "offload diff" "$("$offload" diff --exit-code "$program" "$code_object")" "same code  kernel::kernel::<f32> for gfx90a"
expect_failure "" diff --exit-code "$program" "$cubin"
