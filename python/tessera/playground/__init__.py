"""A page to try programs on: text at the left; at the right the instructions that it becomes, what they cost, the picture, and the
32 lanes of the pixel under the pointer.

`tessera playground` serves it on the loopback interface, to this computer alone, and opens the browser. The page asks this process
for all that it shows; nothing else is loaded from anywhere.
"""

from __future__ import annotations

import argparse
import ctypes
import http.server
import json
import math
import pathlib
import threading
import webbrowser
from typing import Any, Callable, Dict, List

from .. import _jobs
from .._errors import Diagnostic, Error
from .._glsl import stage_of
from .._library import check, take_text, tools
from ..images import Image
from ..programs import Program, _is_assembly, assemble, compile_glsl

_HERE = pathlib.Path(__file__).resolve().parent
#: What a browser may send, and what it gets, at most.
_LONGEST = 1 << 20
_PIXELS = 640 * 480
_TRACED = 2000


class BadRequest(Exception):
    """A request that has no answer; the page never sends one."""


def _test_picture() -> Image:
    """What samplers show: a chequered colour wheel, whose first row is at t = 0."""
    size = 64
    pixels = bytearray()
    for y in range(size):
        for x in range(size):
            light = 1.0 if (x // 8 + y // 8) % 2 else 0.6
            angle = math.atan2(y - 31.5, x - 31.5)
            pixels += bytes([int(255 * light * (0.5 + 0.5 * math.cos(angle + turn))) for turn in (0.0, 2.1, 4.2)] + [255])
    return Image(size, size, bytes(pixels))


TEST_PICTURE = _test_picture()


def _program(request: Dict[str, Any]) -> Program:
    text = request.get("text")
    if not isinstance(text, str):
        raise BadRequest("a text is wanted")
    if _is_assembly(text):
        return assemble(text, "program.tsa")
    stage = stage_of(text.split("\n"), "")
    return compile_glsl(text, stage, "shader.vert" if stage == "vertex" else "shader.frag")


def _told(diagnostics: List[Diagnostic]) -> List[Dict[str, Any]]:
    return [{"line": one.line, "column": one.column, "error": one.is_error, "message": one.message} for one in diagnostics]


def look(request: Dict[str, Any]) -> Dict[str, Any]:
    """What a text is: what is wrong with it, or its instructions with their lines, costs and uniforms."""
    try:
        program = _program(request)
    except Error as error:
        return {"ok": False, "diagnostics": _told(error.diagnostics)}
    info = program.info
    # A listing without declarations has an instruction a line; labels and directives are none.
    listing = [line for line in program.disassemble().splitlines()
               if line.startswith("    ") and line.strip() and not line.strip().startswith((";", "."))]
    cost = program.cost()
    return {"ok": True, "stage": program.stage, "diagnostics": _told(program.warnings),
            "listing": [{"text": text.rstrip()[4:], "line": line} for text, line in zip(listing, info["lines"])],
            "cost": {**cost.summary, "lines": [{"line": line.line, "instructions": line.instructions,
                                                "cycles": line.latency} for line in cost]},
            "temporaries": info["temporaries"],
            "uniforms": [{key: one[key] for key in ("name", "type", "components", "integer")} for one in info["uniforms"]],
            "samplers": [one["name"] for one in info["samplers"]], "inputs": [one["name"] for one in info["inputs"]],
            "pictured": [one["name"] for one in _pictured(info)],
            "results": [{"number": int(one["register"][1:]), **{key: one[key] for key in ("name", "type", "components", "integer")}}
                        for one in info.get("results", [])]}


def _pictured(info: Dict[str, Any]) -> List[Dict[str, Any]]:
    """Samplers that have the test picture; those of other kinds of textures have none."""
    return [one for one in info["samplers"] if one["type"] in ("2d", "external")]


def _job(request: Dict[str, Any]) -> _jobs.Job:
    """The job of a picture: uniforms as they are set, varyings from 0 to 1 across it, of integers the pixel, counted from the
    lower left corner, the test picture in samplers."""
    program = _program(request)
    size = request.get("size")
    if not isinstance(size, list) or len(size) != 2 or not all(isinstance(n, int) and n > 0 for n in size) or \
            size[0] * size[1] > _PIXELS:
        raise BadRequest(f"a size is two numbers, and at most {_PIXELS} pixels")
    given = request.get("uniforms", {})
    if not isinstance(given, dict):
        raise BadRequest("uniforms are an object")
    uniforms = {one["name"]: given[one["name"]] for one in program.info["uniforms"]
                if one["name"] in given and not one["name"].startswith("gl_")}
    textures = {one["name"]: TEST_PICTURE for one in _pictured(program.info)}
    width, height = size
    job = _jobs.pixels(program, (width, height), uniforms, {}, textures)
    for one in program.info["inputs"]:
        count = one["components"]
        if count > 4:
            continue
        places: Any
        if one["integer"]:
            across: List[Any] = list(range(width)) * height
            upwards: List[Any] = [height - y - 1 for y in range(height) for _ in range(width)]
            places = (ctypes.c_int * (count * width * height))()
        else:
            across = [(x + 0.5) / width for x in range(width)] * height
            upwards = [(height - y - 0.5) / height for y in range(height) for _ in range(width)]
            places = (ctypes.c_float * (count * width * height))(*([0.0, 0.0, 0.0, 1.0][:count] * (width * height)))
        places[0::count] = across
        if count > 1:
            places[1::count] = upwards
        check(tools.tesseraJobInput(job.address, one["name"].encode(), ctypes.addressof(places), count, width * height))
    return job


def draw(request: Dict[str, Any]) -> bytes:
    """One output of the program: four floats for each pixel, or four integers, as it is declared; rows from the top. Raises
    Error, also for loops that do not end."""
    output = request.get("output", 0)
    if not isinstance(output, int) or not 0 <= output < 16:
        raise BadRequest("an output is a number from 0 to 15")
    job = _job(request)
    check(tools.tesseraRunJob(job.address, None, 0))
    values = (ctypes.c_float * (4 * job.shape[0] * job.shape[1]))()
    check(tools.tesseraJobOutput(job.address, output, ctypes.addressof(values)))
    return bytes(values)


def lanes(request: Dict[str, Any]) -> Dict[str, Any]:
    """The group of 32 lanes that has a pixel: what each instruction wrote in each lane, in the order in which they ran."""
    pixel = request.get("pixel")
    if not isinstance(pixel, list) or len(pixel) != 2 or not all(isinstance(n, int) for n in pixel):
        raise BadRequest("a pixel is two numbers")
    job = _job(request)
    height, width = job.shape
    x, y = min(max(pixel[0], 0), width - 1), min(max(pixel[1], 0), height - 1)
    group, lane = _jobs.lane_of(job, (x, y), None, 0, 0)
    text = take_text(tools.tesseraJobTrace(job.address, group, b"json", _TRACED))
    steps = []
    for line in text.splitlines():
        entry = json.loads(line)
        steps.append({"instruction": entry["pc"], "line": entry["line"], "text": entry["instruction"],
                      "mask": int(entry["exec"], 16) & int(entry["guarded"], 16), "writes": entry["writes"]})
    return {"pixel": [x, y], "lane": lane, "group": group, "steps": steps, "complete": len(steps) < _TRACED}


_ACTIONS: Dict[str, Callable[[Dict[str, Any]], Any]] = {"/look": look, "/draw": draw, "/lanes": lanes}


class Handler(http.server.BaseHTTPRequestHandler):
    """Answers the page, and nobody else: requests of other sites' pages are refused."""

    protocol_version = "HTTP/1.1"
    server_version, sys_version = "tessera", ""

    def log_message(self, format: str, *arguments: Any) -> None:  # noqa: A002: the base's name
        """Nothing: the terminal is the user's."""

    def _answer(self, status: int, kind: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Content-Security-Policy", "default-src 'none'; script-src 'unsafe-inline'; style-src "
                         "'unsafe-inline'; connect-src 'self'; img-src data:; frame-ancestors 'none'")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def _refuse(self, status: int, why: str) -> None:
        self.close_connection = True  # what was sent may not have been read
        self._answer(status, "application/json", json.dumps({"error": why}).encode())

    def _is_ours(self) -> bool:
        """Not another site's page that sends requests here, nor one whose name was made to mean this computer."""
        port = self.connection.getsockname()[1]
        names = (f"127.0.0.1:{port}", f"localhost:{port}")
        origin = self.headers.get("Origin")
        return self.headers.get("Host") in names and (origin is None or origin in [f"http://{name}" for name in names])

    def do_GET(self) -> None:
        """The page."""
        if not self._is_ours():
            self._refuse(403, "this page is for 127.0.0.1")
        elif self.path.split("?")[0] in ("/", "/index.html"):
            self._answer(200, "text/html; charset=utf-8", (_HERE / "page.html").read_bytes())
        else:
            self._refuse(404, "there is no such page")

    do_HEAD = do_GET

    def do_POST(self) -> None:
        """What the page asks."""
        length = self.headers.get("Content-Length", "")
        if not self._is_ours() or self.headers.get("Content-Type") != "application/json":
            self._refuse(403, "this is for the page")
        elif self.path not in _ACTIONS:
            self._refuse(404, "there is no such action")
        elif not length.isdigit() or int(length) > _LONGEST:
            self._refuse(413, f"a request has a length, of at most {_LONGEST} bytes")
        else:
            self._act(self.rfile.read(int(length)))

    def _act(self, body: bytes) -> None:
        try:
            request = json.loads(body)
            if not isinstance(request, dict):
                raise BadRequest("an object is wanted")
            answer = _ACTIONS[self.path](request)
        except Error as error:
            self._answer(200, "application/json", json.dumps({"error": str(error)}).encode())
        except (BadRequest, ValueError, TypeError, RecursionError) as error:
            self._refuse(400, str(error))
        else:
            if isinstance(answer, bytes):
                self._answer(200, "application/octet-stream", answer)
            else:
                self._answer(200, "application/json", json.dumps(answer).encode())


def serve(port: int = 0) -> http.server.ThreadingHTTPServer:
    """A server on the loopback interface; serve_forever() runs it. Port 0: any that is free."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
    server.daemon_threads = True
    return server


def add_options(parser: argparse.ArgumentParser) -> None:
    """The verb's words."""
    parser.add_argument("--port", type=int, default=0, help="default: any that is free")
    parser.add_argument("--no-browser", action="store_true", help="print the address, and open no browser")


def main(options: argparse.Namespace) -> int:
    """Serves until it is interrupted."""
    if not 0 <= options.port < 65536:
        raise ValueError("a port is a number from 0 to 65535")
    server = serve(options.port)
    address = f"http://127.0.0.1:{server.server_address[1]!s}/"
    print(f"the playground is at {address}; Ctrl-C ends it", flush=True)
    if not options.no_browser:
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        print()
    finally:
        server.server_close()
    return 0

