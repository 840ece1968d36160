"""A pool of one worker: buildbox-worker takes actions, and bubblewrap runs them without network and home folders."""

from pathlib import Path

from .buildgrid import BuildGrid
from .installation import Installation
from .service import Service

# What an action sees of the machine, read-only: a C compiler, a shell and their libraries. The sources are folders, since
# Debian's /bin is a link that bubblewrap cannot follow. Everything else has to be an input.
_BARE_FILE_SYSTEM = {"/usr": "/usr", "/usr/bin": "/bin", "/usr/lib": "/lib", "/usr/lib64": "/lib64", "/etc": "/etc"}


class Worker:
    """The worker of one pool."""

    def __init__(self, installation: Installation, home: Path, server: BuildGrid, pool: str, jobs: int):
        self._installation = installation
        self._home = home / f"worker-{pool}"
        self._server = server
        self._pool = pool
        self._jobs = jobs
        self._storage = Service(f"the storage of pool {pool}", home / f"storage-{pool}.log")
        self._worker = Service(f"the worker of pool {pool}", home / f"worker-{pool}.log")

    def __enter__(self) -> "Worker":
        self._home.mkdir()
        environment = {"PATH": self._installation.path(), "HOME": "/nonexistent"}
        socket = self._home / "storage.sock"
        upstream = f"http://{self._server.address()}"
        storage = [self._installation.program("buildbox-casd"), f"--bind=unix:{socket}", f"--cas-remote={upstream}"]
        storage += ["--quota-high=8G", "--log-level=warning", str(self._home / "storage")]
        self._storage.start(storage, socket.exists, environment)
        properties = {"OSFamily": "linux", "ISA": "x86-64", "Pool": self._pool}
        command = [
            self._installation.program("buildbox-worker"),
            f"--bots-remote={upstream}",
            f"--cas-remote=unix:{socket}",
            f"--buildbox-run={self._installation.program('buildbox-run-bubblewrap')}",
            f"--concurrent-jobs={self._jobs}",
            "--log-level=info",
            "--runner-arg=--staging-mode=copy-or-link",
            *(f"--runner-arg=--ro-bind-mount={source}:{target}" for source, target in _BARE_FILE_SYSTEM.items()),
            *(word for key, value in properties.items() for word in ("--platform", f"{key}={value}")),
            f"worker-{self._pool}",
        ]
        self._worker.start(command, lambda: self._worker.log.stat().st_size > 0, environment)
        return self

    def __exit__(self, *_) -> None:
        self._worker.stop()
        self._storage.stop()

    def log(self) -> str:
        """What the worker printed."""
        return self._worker.log.read_text(errors="replace")

    def actions(self) -> int:
        """How many actions it has run: those that fail too."""
        return self.log().count("Runner exited with code")
