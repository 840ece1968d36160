"""Reads what Bazel writes with --execution_log_json_file.

spawns.py ran LOG             prints "<mnemonic> <count>" for each kind of action that ran
spawns.py cached LOG          the same for those that a cache answered
spawns.py compare LOG OTHER   fails, and names what differs, unless all outputs of both builds are the same
"""

import collections
import json
import sys


def spawns(log):
    """The actions: one JSON object after the other, with no commas between them."""
    with open(log, encoding="utf-8") as file:
        text = file.read()
    decoder = json.JSONDecoder()
    at = 0
    while at < len(text):
        spawn, at = decoder.raw_decode(text, at)
        yield spawn
        while at < len(text) and text[at].isspace():
            at += 1


def count(log, cached):
    counts = collections.Counter(spawn["mnemonic"] for spawn in spawns(log) if spawn["cacheHit"] == cached)
    for mnemonic, number in sorted(counts.items()):
        print(mnemonic, number)
    return 0


def outputs(log):
    """Path -> (mnemonic, digest)."""
    return {
        output["path"]: (spawn["mnemonic"], output["digest"]["hash"])
        for spawn in spawns(log)
        for output in spawn["actualOutputs"]
    }


def compare(log, other):
    first, second = outputs(log), outputs(other)
    differ = sorted(path for path in first.keys() | second.keys() if first.get(path) != second.get(path))
    for path in differ:
        mnemonic = first.get(path, second.get(path))[0]
        print(f"{mnemonic} {path}: {'differs' if path in first and path in second else 'is in one build only'}")
    print(f"{len(first.keys() | second.keys()) - len(differ)} outputs are the same, {len(differ)} differ")
    return 1 if differ or not first else 0


COMMANDS = {"ran": lambda log: count(log, False), "cached": lambda log: count(log, True), "compare": compare}

if __name__ == "__main__":
    sys.exit(COMMANDS[sys.argv[1]](*sys.argv[2:]))
