"""The playground's server, asked as its page asks. `./run playground-check` drives the page in Chromium."""

import http.client
import json
import os
import pathlib
import re
import struct
import subprocess
import sys
import threading

import pytest

from tessera import playground

SOURCE = pathlib.Path(os.environ["TESSERA_SOURCE"])
GLSL = """precision highp float;
uniform float u_gain;
uniform sampler2D u_image;
varying vec2 v_place;
void main() {
    if (v_place.x > 0.5) discard;
    gl_FragColor = u_gain * texture2D(u_image, v_place);
}
"""


@pytest.fixture(scope="module")
def port():
    server = playground.serve()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_address[1]
    server.shutdown()
    server.server_close()


def ask(port, method, path, body=b"", **headers):
    """Status, headers, body."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
    answer = connection.getresponse()
    data = answer.read()
    connection.close()
    return answer.status, answer.headers, data


def post(port, path, **request):
    status, headers, data = ask(port, "POST", path, json.dumps(request).encode(), Content_Type="application/json")
    return status, (json.loads(data) if headers["Content-Type"] == "application/json" else data)


def test_the_page_is_one_file(port):
    status, headers, page = ask(port, "GET", "/")
    assert status == 200 and headers["Content-Type"] == "text/html; charset=utf-8"
    # Nothing is loaded from elsewhere, and the browser is told so.
    assert not re.search(rb"https?://|src=|@import|<link", page)
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert ask(port, "GET", "/favicon.ico")[0] == 404 and ask(port, "GET", "/../__init__.py")[0] == 404


def test_examples_of_the_page_are_programs(port):
    page = (SOURCE / "python/tessera/playground/page.html").read_text()
    examples = re.findall(r'^  "([^"]+)": `(.*?)`', page, re.MULTILINE | re.DOTALL)
    assert len(examples) >= 5
    for name, text in examples:
        status, found = post(port, "/look", text=text)
        assert status == 200 and found["ok"] and found["diagnostics"] == [], (name, found)


def test_look(port):
    status, found = post(port, "/look", text=GLSL)
    assert status == 200 and found["ok"] and found["stage"] == "fragment"
    assert len(found["listing"]) == found["cost"]["instructions"]
    assert [one["name"] for one in found["uniforms"]] == ["u_gain"] and found["samplers"] == ["u_image"]
    assert {one["line"] for one in found["listing"]} <= {0, 6, 7, 8} and any("tex" in one["text"] for one in found["listing"])
    status, wrong = post(port, "/look", text="void main() { gl_FragColor = nothing; }")
    assert status == 200 and not wrong["ok"] and wrong["diagnostics"][0]["line"] == 1
    assert "'nothing' : undeclared identifier" in wrong["diagnostics"][0]["message"]
    # Branches, labels and directives: an entry for each instruction.
    text = (SOURCE / "shader-core/asm/examples/subroutine.tsa").read_text()
    found = post(port, "/look", text=text)[1]
    assert found["stage"] == "vertex" and len(found["listing"]) == found["cost"]["instructions"]


def test_draw_and_lanes(port):
    request = {"text": GLSL, "size": [8, 4], "uniforms": {"u_gain": [0.5], "gone": [1]}}
    status, picture = post(port, "/draw", **request)
    assert status == 200 and len(picture) == 8 * 4 * 16
    values = struct.unpack("<128f", picture)
    assert values[3] == 0.5 and values[4 * 7 + 3] == 0.0  # half the texture's alpha; discarded
    status, group = post(port, "/lanes", **request, pixel=[1, 2])
    assert status == 200 and group["pixel"] == [1, 2] and group["complete"]
    assert group["steps"][0]["mask"] == 0xFFFFFFFF and all(step["line"] for step in group["steps"])
    last = [step for step in group["steps"] if any(write["register"] == "o0" for write in step["writes"])][-1]
    write = next(write for write in last["writes"] if write["register"] == "o0")
    at = 4 * (2 * 8 + 1)
    assert [write[c][group["lane"]] for c in "xyzw"] == pytest.approx(list(values[at:at + 4]), abs=1e-6)


def test_integers_and_several_outputs(port):
    text = """#version 300 es
precision highp float;
precision highp int;
uniform Scale { ivec2 by; bool on; } scale;
uniform highp sampler3D u_volume;
flat in ivec3 v_cell;
layout(location = 0) out vec2 color;
layout(location = 1) out ivec3 cell;
void main() {
    color = vec2(v_cell) + texture(u_volume, vec3(0)).w;
    cell = scale.on ? v_cell * ivec3(scale.by, 9) - 100 : ivec3(7);
}
"""
    found = post(port, "/look", text=text)[1]
    assert found["results"] == [{"number": 0, "name": "color", "type": "vec2", "components": 2, "integer": False},
                                {"number": 1, "name": "cell", "type": "ivec3", "components": 3, "integer": True}]
    assert found["samplers"] == ["u_volume"] and found["pictured"] == []
    assert [(one["name"], one["integer"]) for one in found["uniforms"]] == [("scale.by", True), ("scale.on", True)]
    request = {"text": text, "size": [8, 4], "uniforms": {"scale.by": [2, 1000], "scale.on": [1]}}
    values = struct.unpack("<128f", post(port, "/draw", **request)[1])
    assert values[4 * 5:4 * 5 + 2] == (6.0, 4.0)  # pixel 5,3 from below; a texture that is none has 1 in w
    values = struct.unpack("<128i", post(port, "/draw", **request, output=1)[1])
    assert values[4 * 5:4 * 5 + 3] == (-90, 2900, -100)
    assert "writes no o2" in post(port, "/draw", **request, output=2)[1]["error"]
    assert post(port, "/draw", **request, output="cell")[0] == 400
    group = post(port, "/lanes", **request, pixel=[5, 0])[1]
    assert [write["x"][group["lane"]] for step in group["steps"] for write in step["writes"] if write["register"] == "o1"] == [-90]


def test_what_is_wrong_is_an_answer(port):
    endless = "void main() { for (int i = 0; i < 2; i += 0) gl_FragColor = vec4(1.0); }"
    status, answer = post(port, "/draw", text=".fragment\n    loop\n    endloop\n    ret\n", size=[4, 4])
    assert status == 200 and "a loop does not end" in answer["error"], (answer, endless)
    assert "error" in post(port, "/draw", text="nonsense", size=[4, 4])[1]
    for path, request in (("/look", {}), ("/look", {"text": 5}), ("/draw", {"text": GLSL}), ("/draw", {"text": GLSL, "size": [0, 4]}),
                          ("/draw", {"text": GLSL, "size": [10**6, 10**6]}), ("/draw", {"text": GLSL, "size": ["a", "b"]}),
                          ("/draw", {"text": GLSL, "size": [4, 4], "uniforms": {"u_gain": "x"}}),
                          ("/draw", {"text": GLSL, "size": [4, 4], "uniforms": []}),
                          ("/lanes", {"text": GLSL, "size": [4, 4]}), ("/lanes", {"text": GLSL, "size": [4, 4], "pixel": [0.5, {}]})):
        status, answer = post(port, path, **request)
        assert status == 400 and answer["error"], (path, request)
    assert post(port, "/draw", text=GLSL, size=[4, 4], uniforms={"u_gain": [1, 2, 3]})[1]["error"]
    assert post(port, "/lanes", text=GLSL, size=[4, 4], uniforms={"u_gain": [1]}, pixel=[-5, 10**9])[0] == 200
    for body in (b"", b"{", b"[]", b"\xff", b"[" * 100000):
        assert ask(port, "POST", "/look", body, Content_Type="application/json")[0] == 400


def test_other_pages_are_refused(port):
    body = json.dumps({"text": GLSL}).encode()
    kind = {"Content_Type": "application/json"}
    assert ask(port, "POST", "/look", body, **kind, Origin="http://evil.example")[0] == 403
    assert ask(port, "POST", "/look", body, **kind, Host="evil.example")[0] == 403
    assert ask(port, "GET", "/", Host=f"evil.example:{port}")[0] == 403
    assert ask(port, "POST", "/look", body, Content_Type="text/plain")[0] == 403  # what forms can send
    assert ask(port, "POST", "/look", body, **kind, Origin=f"http://127.0.0.1:{port}")[0] == 200
    assert ask(port, "POST", "/nothing", body, **kind)[0] == 404
    assert ask(port, "POST", "/look", b"", Content_Length=str(1 << 30), **kind)[0] == 413


def test_the_verb():
    process = subprocess.Popen([sys.executable, "-m", "tessera", "playground", "--no-browser"], stdout=subprocess.PIPE,
                               text=True)
    try:
        line = process.stdout.readline()
        served = re.fullmatch(r"the playground is at http://127\.0\.0\.1:(\d+)/; Ctrl-C ends it\n", line)
        assert served and b"Tessera playground" in ask(int(served[1]), "GET", "/")[2]
        process.send_signal(2)
        assert process.wait(30) == 0
    finally:
        process.kill()
        process.communicate()
    said = subprocess.run([sys.executable, "-m", "tessera", "playground", "--port", "99999"], capture_output=True, text=True)
    assert said.returncode == 2 and said.stderr == "error: a port is a number from 0 to 65535\n"
