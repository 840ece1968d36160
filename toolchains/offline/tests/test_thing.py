"""Things are made once, replaced atomically, and made again when something else is wanted."""

import os
import signal
import subprocess
import sys
from pathlib import Path

from provision.report import Failure
from provision.thing import Replacement

from .support import CacheTest, Note


class ThingTest(CacheTest):
    def test_is_made_once(self):
        note = Note(self.cache, self.report)
        self.assertFalse(note.is_there())
        note.provide()
        note.provide()
        self.assertTrue(note.is_there())
        self.assertEqual(note.made, 1)
        self.assertEqual(note.stamp()["found"], {"version": "1"})
        self.assertIn("note: writing a note", self.said())
        self.assertRegex(self.said(), r"note: done, 1 MB, 0s")

    def test_is_made_again_when_something_else_is_wanted(self):
        note = Note(self.cache, self.report)
        note.provide()
        note.text = "changed"
        self.assertFalse(note.is_there())
        note.provide()
        self.assertEqual((note.folder / "text").read_text(), "changed")

    def test_failure_leaves_the_former_one_in_place(self):
        note = Note(self.cache, self.report)
        note.provide()
        note.text, note.broken = "changed", True
        with self.assertRaises(RuntimeError):
            note.provide()
        self.assertEqual((note.folder / "text").read_text(), "hello")
        self.assertEqual([path.name for path in self.cache.root.iterdir()], ["note"])

    def test_failure_leaves_nothing_half_made(self):
        note = Note(self.cache, self.report)
        note.broken = True
        with self.assertRaises(RuntimeError):
            note.provide()
        self.assertFalse(note.folder.exists())

    def test_damaged_stamp_counts_as_missing(self):
        note = Note(self.cache, self.report)
        note.provide()
        (note.folder / "stamp.json").write_text("{")
        self.assertFalse(note.is_there())

    def test_what_a_thing_needs_is_made_first(self):
        note, user = Note(self.cache, self.report), Note(self.cache, self.report)
        user.folder = self.cache.root / "user"
        user.needs = lambda: [note]
        user.provide()
        self.assertTrue(note.is_there())

    def test_missing_program_is_found_before_anything_is_made(self):
        note = Note(self.cache, self.report)
        note.tools = {"no-such-cargo": "to build rustc"}
        with self.assertRaisesRegex(Failure, "^no-such-cargo is not on PATH. It is needed to build rustc.$"):
            note.check_machine()

    def test_full_disk_is_found_before_anything_is_made(self):
        note = Note(self.cache, self.report)
        note.space = 10**18
        with self.assertRaisesRegex(
            Failure, r"^writing a note needs 1000000000.0 GB of disk, .* has .* free\. Set OFFLOAD_CACHE"
        ):
            note.check_machine()


class ReplacementTest(CacheTest):
    def test_killed_in_the_middle(self):
        place = self.root / "place"
        code = (
            "import os, signal, sys\n"
            "from pathlib import Path\n"
            "from provision.thing import Replacement\n"
            "with Replacement(Path(sys.argv[1])) as new:\n"
            "    (new / 'half').touch()\n"
            "    os.kill(os.getpid(), signal.SIGKILL)\n"
        )
        source = Path(__file__).resolve().parents[1]
        child = subprocess.run([sys.executable, "-c", code, str(place)], env={**os.environ, "PYTHONPATH": str(source)})
        self.assertEqual(child.returncode, -signal.SIGKILL)
        self.assertFalse(place.exists())
        with Replacement(place) as new:
            (new / "whole").touch()
        self.assertEqual([path.name for path in place.iterdir()], ["whole"])
        self.assertEqual([path.name for path in self.root.iterdir()], ["place"])
