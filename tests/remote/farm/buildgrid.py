"""BuildGrid: content-addressable storage, action cache, and the queue that workers take actions from."""

from pathlib import Path

from provision import process

from .installation import Installation
from .postgres import Postgres
from .service import Service, answers_at, free_port

_CONFIGURATION = """\
server:
  - !channel
    address: "127.0.0.1:{port}"
    insecure-mode: true
authorization:
  method: none
monitoring:
  enabled: false
connections:
  - !sql-connection &sql
    connection-string: "{database}"
    pool-size: 10
    max-overflow: 20
storages:
  - !disk-storage &cas
    path: {home}/cas
caches:
  - !lru-action-cache &action-cache
    storage: *cas
    max-cached-refs: 20000
    allow-updates: true
    cache-failed-actions: false
schedulers:
  - !sql-scheduler &scheduler
    sql: *sql
    storage: *cas
    action-cache: *action-cache
    max-execution-timeout: 900
    # A second each, if left out.
    poll-interval: 0.1
    bot-poll-interval: 0.1
    # Without these an action that no worker can take waits for ever.
    queue-timeout-job-max-age: {{seconds: 600}}
    queue-timeout-period: {{seconds: 5}}
    property-set:
      !static-property-set
      # An action goes to the first pool that has all of its properties: one without any goes to `cpu`.
      property-labels:
        - {{label: cpu, properties: [[OSFamily, linux], [ISA, x86-64], [Pool, cpu]]}}
        - {{label: gpu, properties: [[OSFamily, linux], [ISA, x86-64], [Pool, gpu]]}}
    assigners:
      - !priority-age-assigner
        count: 2
        interval: 0.1
instances:
  - name: ""
    services:
      - !cas
        storage: *cas
      - !bytestream
        storage: *cas
      - !action-cache
        cache: *action-cache
      - !execution
        scheduler: *scheduler
# More than Bazel has jobs: every action that waits holds one.
thread-pool-size: 100
"""


class BuildGrid:
    """A server without workers, and with nothing stored."""

    def __init__(self, installation: Installation, home: Path, database: Postgres):
        self._installation = installation
        self._home = home / "buildgrid"
        self._log = home / "buildgrid.log"
        self._database = database
        self._port = free_port()
        self._service = Service("BuildGrid", self._log)

    def __enter__(self) -> "BuildGrid":
        (self._home / "cas").mkdir(parents=True)
        configuration = self._home / "buildgrid.yml"
        configuration.write_text(
            _CONFIGURATION.format(home=self._home, port=self._port, database=self._database.url())
        )
        program = self._installation.buildgrid()
        process.run([program, "migrate", "apply", self._database.url()], "preparing BuildGrid's database")
        self._service.start([program, "server", "start", str(configuration)], answers_at(self._port))
        return self

    def __exit__(self, *_) -> None:
        self._service.stop()

    def address(self) -> str:
        """Host and port."""
        return f"127.0.0.1:{self._port}"
