#!/bin/bash
# A package starts in a root directory that has nothing but the package and the C library.
# Usage: package_test.sh <package> <sizes>

source tests/build/testing.sh

package=$1 sizes=$2
root=$TEST_TMPDIR/root

printed=$(<"$sizes")
expect_part "the sizes" "$printed" "  kernel_several"
expect_part "the sizes" "$printed" "/libomptarget.so"
bytes=$(find -L "$package" -type f -printf '%s\n' | awk '{ sum += $1 } END { print sum }')
expect_part "the sizes" "$printed" "$bytes  in $(find -L "$package" -type f | wc -l) files"

mkdir -p "$root/app" "$root/lib64" "$root/lib/x86_64-linux-gnu"
cp -rL "$package/." "$root/app"
# Of the machine: the loader, and what no program can bring along.
for library in /lib64/ld-linux-x86-64.so.2 $(ldd /lib/x86_64-linux-gnu/libm.so.6 | grep -o '/[^ ]*libc.so.6') /lib/x86_64-linux-gnu/libm.so.6; do
  cp -L "$library" "$root${library%/*}"
done
[[ $(find "$root" -name 'libstdc++*' -o -name 'libgcc_s*' | grep -vc "^$root/app/") == 0 ]] || fail "more than the C library is in the root directory"

# The kernel's own folder is there on every machine: without it the loader does not know where a program lies ($ORIGIN).
mkdir "$root/proc"
# in_root <command>
in_root() {
  # shellcheck disable=SC2016
  unshare --user --map-root-user --mount sh -c 'mount --rbind /proc "$1/proc" && exec /usr/sbin/chroot "$@"' sh "$root" "$@"
}

# Zeros without a GPU are no proof: it has to want one.
export OMP_TARGET_OFFLOAD=MANDATORY
output=$(in_root /app/kernel_several 2>&1) && status=0 || status=$?
[[ $status == 134 ]] || fail "the exit status is $status, not that of abort: $output"
expect_part "the program" "$output" "failure of target construct while offloading is mandatory"

# Without a library of the package it does not start.
rm "$root"/app/kernel_several.runfiles/*/lib/libz3.so*
output=$(in_root /app/kernel_several 2>&1) && status=0 || status=$?
[[ $status == 127 ]] || fail "without libz3 the exit status is $status: $output"
