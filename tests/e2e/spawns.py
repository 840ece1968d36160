"""Counts what a build ran: spawns.py EXECUTION_LOG prints "<mnemonic> <count>" for each kind of action."""

import collections
import json
import sys

with open(sys.argv[1], encoding="utf-8") as log:
    text = log.read()
decoder = json.JSONDecoder()
counts = collections.Counter()
at = 0
# One JSON object after the other, with no commas between them.
while at < len(text):
    spawn, at = decoder.raw_decode(text, at)
    counts[spawn["mnemonic"]] += 1
    while at < len(text) and text[at].isspace():
        at += 1
for mnemonic, count in sorted(counts.items()):
    print(mnemonic, count)
