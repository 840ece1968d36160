"""A process of the farm: started, waited for, stopped."""

import os
import signal
import socket
import subprocess
import time
from pathlib import Path
from typing import Callable, Dict, List, Optional

from provision import process
from provision.report import Failure

_COMES_UP_SECONDS = 60
_GOES_DOWN_SECONDS = 10


class Service:
    """One process, with its output in a file."""

    def __init__(self, name: str, log: Path, stop_signal: int = signal.SIGTERM):
        self.name = name
        self.log = log
        self._stop_signal = stop_signal
        self._process: Optional[subprocess.Popen] = None

    def start(self, command: List[str], answers: Callable[[], bool], env: Optional[Dict[str, str]] = None) -> None:
        """Returns once it answers."""
        with open(self.log, "wb") as log:
            self._process = process.start(command, stdout=log, stderr=subprocess.STDOUT, env=env, start_new_session=True)
        deadline = time.monotonic() + _COMES_UP_SECONDS
        while not answers():
            if self._process.poll() is not None or time.monotonic() > deadline:
                lines = self.log.read_text(errors="replace").splitlines()[-5:]
                raise Failure(f"{self.name} does not come up:\n" + "\n".join(lines))
            time.sleep(0.1)

    def stop(self) -> None:
        """Ends it and what it started."""
        if self._process is None or self._process.poll() is not None:
            return
        os.killpg(self._process.pid, self._stop_signal)
        try:
            self._process.wait(_GOES_DOWN_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()


def answers_at(port: int) -> Callable[[], bool]:
    """Whether somebody listens at a port of the loopback interface."""

    def answers() -> bool:
        with socket.socket() as client:
            return client.connect_ex(("127.0.0.1", port)) == 0

    return answers


def free_port() -> int:
    """A port that nobody listens at."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        return server.getsockname()[1]
