"""Fails unless `offload report` says of cubins what `cuobjdump --dump-resource-usage` says.

Usage: compare_resources.py <offload> <cubin>...
"""

import json
import re
import subprocess
import sys
from typing import Dict, List, Tuple

# Kernel's symbol: registers, bytes of stack and of shared memory.
Resources = Dict[str, Tuple[int, ...]]


def output(*command: str) -> str:
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def by_report(offload: str, cubin: str) -> Resources:
    kernels = json.loads(output(offload, "report", "--json", cubin))["kernels"]
    return {one["symbol"]: (one["registers"], one["stack_bytes"], one["lds_bytes"]) for one in kernels}


def by_cuobjdump(cubin: str) -> Resources:
    found = re.findall(r"Function (\S+):\s+REG:(\d+) STACK:(\d+) SHARED:(\d+)", output("cuobjdump", "--dump-resource-usage", cubin))
    return {symbol: tuple(map(int, numbers)) for symbol, *numbers in found}


def main(offload: str, cubins: List[str]) -> None:
    for cubin in cubins:
        expected, found = by_cuobjdump(cubin), by_report(offload, cubin)
        # cuobjdump lists functions that kernels call, too.
        expected = {symbol: numbers for symbol, numbers in expected.items() if symbol in found}
        if not found or found != expected:
            sys.exit(f"{cubin}: the report says {found}, cuobjdump {expected}")
        for symbol, numbers in found.items():
            print("{}: {}: REG {} STACK {} SHARED {}: equal".format(cubin, symbol, *numbers))


main(sys.argv[1], sys.argv[2:])
