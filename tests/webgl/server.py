"""Folders' files for a browser, on the loopback interface: by parts too, which videos are asked for in."""

import contextlib
import http.server
import mimetypes
import pathlib
import posixpath
import re
import threading
import urllib.parse

KINDS = mimetypes.MimeTypes()
KINDS.add_type("text/javascript", ".js")
KINDS.add_type("text/javascript", ".mjs")
KINDS.add_type("application/wasm", ".wasm")
KINDS.add_type("video/webm", ".webm")


def part(text, size):
    """First and one past the last byte that a Range header asks for; None where there is none, or it is no range."""
    given = re.fullmatch(r"bytes=(\d+)-(\d*)", text or "")
    return given and (int(given[1]), min(int(given[2]) + 1, size) if given[2] else size)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    roots = {}

    def log_message(self, *_):
        pass

    def file(self):
        """What the path names below its root."""
        name = urllib.parse.unquote(urllib.parse.urlsplit(self.path).path)
        root = next((root for root in self.roots if name.startswith(root)), None)
        if root is None:
            return None
        return pathlib.Path(self.roots[root] + posixpath.normpath("/" + name[len(root):]))

    def do_GET(self):
        file = self.file()
        try:
            data = file.read_bytes()
        except (AttributeError, OSError, ValueError):
            return self.answer(404)
        kind = KINDS.guess_type(file.name)[0] or "application/octet-stream"
        asked = part(self.headers.get("Range"), len(data))
        if asked is None:
            return self.answer(200, data, {"Content-Type": kind})
        first, end = asked
        if first >= end:
            return self.answer(416, headers={"Content-Range": f"bytes */{len(data)}"})
        return self.answer(206, data[first:end], {"Content-Type": kind, "Content-Range": f"bytes {first}-{end - 1}/{len(data)}"})

    def answer(self, status, data=b"", headers={}):
        # A page that is closed no longer listens.
        with contextlib.suppress(ConnectionError):
            self.send_response(status)
            for name, value in {**headers, "Accept-Ranges": "bytes", "Content-Length": str(len(data))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)


@contextlib.contextmanager
def serving(roots):
    """The address where {"/prefix/": folder} are served during the block."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (Handler,), {"roots": roots}))
    server.handle_error = lambda *_: None  # what a browser breaks off
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
