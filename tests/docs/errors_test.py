"""Every message in docs/errors.md is asserted by a test.

Usage: errors_test.py docs/errors.md FILES_WITH_TESTS...

The first column of each table has messages in backticks, in which <...> and the ellipsis stand for what differs. The
longest part between those must be in a test, and there must be at least as many messages as MINIMUM.
"""

import re
import sys
from pathlib import Path

MINIMUM = 60

# Messages that cannot be had here: of the public nightly's rustc, of older machines, of the runtime with a GPU.
NOT_TESTED = {
    "Resource gpu is not being tracked by the resource manager",
    "does not have a matching target pointer",
    "dropping unsupported crate type `bin",
    "error while loading shared libraries: libomptarget.so",
    "extract: expected exactly one device image",
    "rust offload backend not found in the sysroot",
    "target requires explicitly specifying a cpu",
    "version `GLIBC_2.36' not found",
}


def messages(catalogue):
    """The messages of the first columns."""
    for line in catalogue.splitlines():
        if line.startswith("|") and not set(line) <= set("|- "):
            for double, single in re.findall(r"``(.+?)``|`(.+?)`", line[1:].split(" | ")[0]):
                yield (double or single).strip()


def longest_part(message):
    return max((part.strip(" :.`") for part in re.split(r"<[^>]*>|…", message)), key=len)


def text(file):
    """A test's text without what the language puts into strings: continued lines and escapes."""
    joined = re.sub(r"\\\n\s*", "", file.read_text())
    return joined.replace('\\"', '"').replace("\\`", "`")


def main():
    catalogue, *files = map(Path, sys.argv[1:])
    tests = "\n".join(text(file) for file in files)
    all_messages = list(messages(catalogue.read_text()))
    missing = [
        message
        for message in all_messages
        if longest_part(message) not in tests and longest_part(message) not in NOT_TESTED
    ]
    for message in missing:
        print(f"FAIL: no test has this message: {message}", file=sys.stderr)
    if len(all_messages) < MINIMUM:
        sys.exit(f"FAIL: only {len(all_messages)} messages were found in {catalogue}")
    print(f"{len(all_messages)} messages, {len(NOT_TESTED)} of which cannot be had here: {sorted(NOT_TESTED)}")
    sys.exit(bool(missing))


main()
