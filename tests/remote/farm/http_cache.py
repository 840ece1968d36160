"""nginx as Bazel's HTTP cache: GET, HEAD and PUT of /ac/<sha256> and /cas/<sha256>."""

from pathlib import Path

from .installation import Installation
from .service import Service, answers_at, free_port

_CONFIGURATION = """\
user root;
worker_processes 1;
daemon off;
pid {home}/nginx.pid;
error_log {home}/error.log;
events {{ worker_connections 512; }}
http {{
  log_format requests '$status $request_method $request_uri';
  access_log {home}/requests.log requests;
  # A miss is no error.
  log_not_found off;
  # On the file system of the root, so that a PUT ends in a rename and is there complete or not at all.
  client_body_temp_path {home}/body;
  proxy_temp_path {home}/proxy;
  fastcgi_temp_path {home}/fastcgi;
  uwsgi_temp_path {home}/uwsgi;
  scgi_temp_path {home}/scgi;
  keepalive_requests 100000;
  keepalive_timeout 300s;
  server {{
    listen 127.0.0.1:{port};
    root {home}/files;
    client_max_body_size 0;
    default_type application/octet-stream;
    location ~ "^/(ac|cas)/[0-9a-f]{{64}}$" {{
      limit_except GET PUT {{ deny all; }}
      dav_methods PUT;
      create_full_put_path on;
      dav_access user:rw group:r all:r;
    }}
    location / {{ return 404; }}
  }}
}}
"""


class HttpCache:
    """A cache with nothing in it."""

    def __init__(self, installation: Installation, home: Path):
        self._installation = installation
        self._home = home / "nginx"
        self._port = free_port()
        self._service = Service("nginx", home / "nginx.log")

    def __enter__(self) -> "HttpCache":
        (self._home / "files").mkdir(parents=True)
        configuration = self._home / "nginx.conf"
        configuration.write_text(_CONFIGURATION.format(home=self._home, port=self._port))
        nginx = self._installation.program("nginx")
        command = [nginx, "-p", str(self._home), "-e", str(self._home / "error.log"), "-c", str(configuration)]
        self._service.start(command, answers_at(self._port))
        return self

    def __exit__(self, *_) -> None:
        self._service.stop()

    def flags(self) -> list:
        """For Bazel."""
        return [f"--remote_cache=http://127.0.0.1:{self._port}"]
