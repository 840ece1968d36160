"""What the user sees: steps, progress, and failures of one line."""

import sys
import time


class Failure(Exception):
    """Something that the user has to change. Its text is the one line that is printed."""


class Report:
    """Messages on stderr. stdout belongs to Bazel, which runs afterwards."""

    def __init__(self, stream=None, clock=time.monotonic):
        self._stream = stream or sys.stderr
        self._clock = clock
        self._start = clock()
        self._live = hasattr(self._stream, "isatty") and self._stream.isatty()
        self._last = float("-inf")
        self._open_line = False

    def say(self, text: str) -> None:
        """Prints a line with the time since the start."""
        if self._open_line:
            self._stream.write("\n")
            self._open_line = False
        self._stream.write(f"[offline {duration(self._clock() - self._start):>6}] {text}\n")
        self._stream.flush()

    def progress(self, text: str) -> None:
        """Shows how far something is: in place on a terminal, a line every 15 seconds in a log."""
        now = self._clock()
        if now - self._last < (0.2 if self._live else 15):
            return
        self._last = now
        if self._live:
            self._stream.write(f"\r\x1b[K[offline {duration(now - self._start):>6}] {text}")
            self._stream.flush()
            self._open_line = True
        else:
            self.say(text)


def duration(seconds: float) -> str:
    """6m10s, 42s."""
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes}m{rest:02d}s" if minutes else f"{rest}s"


def size(count: float) -> str:
    """1.2 GB, 34 MB."""
    return f"{count / 1e9:.1f} GB" if count >= 1e9 else f"{max(1, round(count / 1e6))} MB"
