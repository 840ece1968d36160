#!/bin/bash
# rustdoc knows the host side: the kernels, and what launches them.
# Usage: doc_test.sh <documentation of a library> <documentation of a program>

source tests/build/testing.sh

library=$1/pipeline_kernels program=$2/kernel
expect_part "$library/kernels/index.html" "$(cat "$library/kernels/index.html")" "fn.histogram.html"
expect_part "$library/index.html" "$(cat "$library/index.html")" "fn.quantize.html"
expect_part "$program/index.html" "$(cat "$program/index.html")" "fn.main.html"
