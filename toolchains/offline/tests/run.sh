#!/bin/sh
# Runs the tests of the provisioning code with the machine's python3.
set -eu
cd "$(dirname "$0")/.."
exec python3 -B -m unittest discover -t . -s tests
