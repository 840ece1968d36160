#!/bin/sh
# Runs the tests of the provisioning code with the machine's python3.
set -eu
here=$(dirname "$0")
# Bazel starts a link to this file from the package's folder.
[ -d "$here/provision" ] || here=$here/..
cd "$here"
exec python3 -B -m unittest discover -t . -s tests
