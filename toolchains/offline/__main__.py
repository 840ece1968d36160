"""python3 toolchains/offline ARGUMENTS: what ./bazelw does once it has found a Python."""

import sys

from provision.cli import main

sys.exit(main(sys.argv[1:]))
