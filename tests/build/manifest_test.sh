#!/bin/bash
# The host side does not know the arch: the manifests of two targets that differ in nothing else are the same.
# Usage: manifest_test.sh <manifest> <manifest>

source tests/build/testing.sh

[[ -s $1 ]] || fail "$1 is empty"
[[ $1 != "$2" ]] || fail "both are $1"
cmp "$1" "$2" || fail "$1 and $2 differ"
