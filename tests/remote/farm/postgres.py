"""PostgreSQL, where BuildGrid keeps its jobs: on a Unix socket, and not meant to survive anything."""

import os
import pwd
import shutil
import signal
import subprocess
from pathlib import Path
from typing import List

from provision import process
from provision.report import Failure

from .service import Service

_USER = "buildgrid"


class Postgres:
    """A server with one empty database."""

    def __init__(self, home: Path):
        self._home = home / "postgres"
        self._programs = _programs()
        # SIGINT: without waiting for clients.
        self._service = Service("PostgreSQL", home / "postgres.log", signal.SIGINT)

    def __enter__(self) -> "Postgres":
        self._home.mkdir()
        if os.geteuid() == 0:
            user = pwd.getpwnam("postgres")
            os.chown(self._home, user.pw_uid, user.pw_gid)
        database = self._home / "data"
        self._run("initdb", "-D", str(database), "-A", "trust", "-U", _USER, "-E", "UTF8", "--no-sync")
        settings = ["listen_addresses=", "fsync=off", "synchronous_commit=off", "full_page_writes=off"]
        command = self._command("postgres", "-D", str(database), "-k", str(self._home))
        self._service.start([*command, *(word for setting in settings for word in ("-c", setting))], self._answers)
        self._run("createdb", "-h", str(self._home), "-U", _USER, _USER)
        return self

    def __exit__(self, *_) -> None:
        self._service.stop()

    def url(self) -> str:
        """What BuildGrid connects to."""
        return f"postgresql+psycopg://{_USER}@/{_USER}?host={self._home}"

    def _answers(self) -> bool:
        command = self._command("pg_isready", "-q", "-h", str(self._home), "-U", _USER)
        return subprocess.run(command, cwd=self._home, stdin=subprocess.DEVNULL).returncode == 0

    def _run(self, program: str, *arguments: str) -> None:
        process.run(self._command(program, *arguments), f"running {program}", cwd=self._home)

    def _command(self, program: str, *arguments: str) -> List[str]:
        command = [str(self._programs / program), *arguments]
        # It refuses to run as root.
        as_user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups", "env", f"-C{self._home}", "LC_ALL=C"]
        return [*as_user, *command] if os.geteuid() == 0 else command


def _programs() -> Path:
    found = shutil.which("initdb")
    if found:
        # It may be a link out of a folder that has no more than that.
        return Path(os.path.realpath(found)).parent
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if not versions:
        raise Failure("PostgreSQL is not on this machine. BuildGrid needs it. Install the package postgresql.")
    return versions[-1].parent
