#!/bin/bash
# The host side of a program with every kind of dependency.
# Usage: everything_test.sh <executable> <expected output>

source tests/build/testing.sh
hide_gpus

diff "$2" <("$1" host) || fail "$1 prints something else than $2"
expect_no_gpu "with a launch" "$1"
