"""Serves a folder as a Rust dist server on the loopback interface, with the faults that a test asks for.

    dist_server.py FOLDER FAULTS PORT_FILE

FAULTS is a file that is read at each request, so that a test can change it: lines "<fault> <end of the path>".

    other-bytes     the file has the right length and another last byte
    truncated       the file ends half way, and the server says that it is whole
    half            the connection ends half way, each time
    half-once       the connection ends half way, the first time
    404             the file is not there
"""

import http.server
import os
import sys


class Handler(http.server.BaseHTTPRequestHandler):
    """Answers GET."""

    protocol_version = "HTTP/1.1"
    broken_off = set()

    def do_GET(self):
        """Sends the file, or what the fault makes of it."""
        fault = self.fault()
        path = os.path.join(FOLDER, self.path.lstrip("/"))
        if fault == "404" or not os.path.isfile(path):
            self.send_error(404)
            return
        with open(path, "rb") as file:
            content = file.read()
        if fault == "other-bytes":
            content = content[:-1] + bytes([content[-1] ^ 1])
        elif fault == "truncated":
            content = content[: len(content) // 2]
        sent = content
        if fault == "half" or (fault == "half-once" and self.path not in self.broken_off):
            self.broken_off.add(self.path)
            sent = content[: len(content) // 2]
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(sent)
        self.close_connection = len(sent) < len(content)

    def fault(self):
        """The fault of this path, or None."""
        with open(FAULTS, encoding="utf-8") as lines:
            for line in filter(str.strip, lines):
                fault, end = line.split()
                if self.path.endswith(end):
                    return fault
        return None

    def log_message(self, format, *args):  # pylint: disable=redefined-builtin
        """Says which files were asked for."""
        print(format % args, flush=True)


if __name__ == "__main__":
    FOLDER, FAULTS, PORT_FILE = sys.argv[1:]
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    with open(PORT_FILE + ".new", "w", encoding="utf-8") as port:
        port.write(str(server.server_port))
    os.rename(PORT_FILE + ".new", PORT_FILE)
    server.serve_forever()
