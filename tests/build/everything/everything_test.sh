#!/bin/bash
# The host side of a program with every kind of dependency.
# Usage: everything_test.sh <executable> <expected output>

source tests/build/testing.sh
hide_gpus

# The time of the build, in seconds since 1970, is only there with stamps.
output=$("$1" host | sed -E 's/^stamp: [0-9]{10}$/stamp: stamped/')
diff "$2" - <<<"$output" || fail "$1 prints something else than $2"
expect_no_gpu "with a launch" "$1"
