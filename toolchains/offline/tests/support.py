"""What several tests need."""

import io
import tempfile
import unittest
from pathlib import Path

from provision.cache import Cache
from provision.report import Report
from provision.thing import Thing


class CacheTest(unittest.TestCase):
    """A test with an empty cache and a report whose lines are in `self.said()`."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.cache = Cache(self.root / "cache")
        self._lines = io.StringIO()
        self.report = Report(self._lines)

    def said(self) -> str:
        """Everything that was reported."""
        return self._lines.getvalue()


class Note(Thing):
    """A thing that is one file; `broken` makes it fail half way."""

    name = "note"
    purpose = "writing a note"
    text = "hello"
    broken = False
    made = 0

    def wanted(self):
        return {"text": self.text}

    def make(self, folder):
        (folder / "half").write_text("half")
        if self.broken:
            raise RuntimeError("broken")
        (folder / "half").rename(folder / "text")
        (folder / "text").write_text(self.text)
        self.made += 1
        return {"version": "1"}
