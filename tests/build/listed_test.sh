#!/bin/bash
# A test for a GPU is libtest's program: it lists its tests anywhere, and does not pass without a GPU.
# Usage: listed_test.sh <test>

source tests/build/testing.sh

hide_gpus
listed=$("$1" --list)
for name in a_wrong_value_is_caught adds fills; do
  expect_line "$1 --list" "$listed" "tests::$name: test"
done
expect_no_gpu "a test for a GPU" "$1"
