"""Shaders on arrays, traced and debugged, and on the model."""

import json

import numpy
import pytest

import tessera

WAVES = """precision highp float;
varying vec2 place;
uniform float k;
void main() {
    float wave = 0.5 + 0.5 * sin(k * length(place));
    if (wave > 0.99) discard;
    gl_FragColor = vec4(wave, place, 1.0);
}
"""


def places(height, width):
    y, x = numpy.mgrid[0:height, 0:width].astype(numpy.float32)
    return numpy.stack([x / width, y / height], axis=-1)


def test_rows_are_from_the_top_and_fragments_from_the_bottom():
    picture = tessera.run_fragment("precision highp float; void main() { gl_FragColor = gl_FragCoord; }", size=(10, 7))
    assert picture.shape == (7, 10, 4) and picture.dtype == numpy.float32
    y, x = numpy.mgrid[0:7, 0:10]
    assert (picture[:, :, 0] == x + 0.5).all() and (picture[:, :, 1] == 7 - y - 0.5).all()


@pytest.mark.parametrize("tier", ["interp", "baseline", "jit", "tiered"])
def test_the_same_bytes_on_every_tier(tier):
    place = places(37, 51)
    picture = tessera.run_fragment(WAVES, {"k": 40}, {"place": place}, tier=tier, threads=3)
    other = tessera.run_fragment(WAVES, {"k": 40}, {"place": place}, tier="interp", threads=1)
    assert picture.tobytes() == other.tobytes()
    discarded = (picture == 0).all(axis=2)
    assert discarded.any() and not discarded.all()
    assert (picture[~discarded][:, 1:3] == place[~discarded]).all()


def test_textures_and_derivatives():
    texels = numpy.zeros((2, 2, 3), numpy.uint8)
    texels[0, 1] = (255, 0, 0)
    glsl = "precision highp float; varying vec2 v; uniform sampler2D s; void main() { gl_FragColor = texture2D(s, v); }"
    corner = tessera.run_fragment(glsl, inputs={"v": [0.75, 0.25]}, textures={"s": texels}, size=(4, 4), linear=False)
    assert (corner == numpy.float32([1, 0, 0, 1])).all()
    slope = tessera.run_fragment("#extension GL_OES_standard_derivatives : require\nprecision highp float;"
                                 "void main() { gl_FragColor = vec4(dFdx(gl_FragCoord.x), dFdy(gl_FragCoord.y), 0, 1); }",
                                 size=(5, 3))
    assert (slope == numpy.float32([1, 1, 0, 1])).all()


def test_vertices():
    results = tessera.run_vertices(
        tessera.compile_glsl("attribute vec3 p; uniform mat4 m; varying vec2 v;"
                             "void main() { v = p.xy; gl_Position = m * vec4(p, 1.0); }", "vertex"),
        {"m": numpy.diag([2, 3, 4, 1])}, {"p": numpy.float32([[1, 2, 3], [4, 5, 6]])})
    assert results["gl_Position"].tolist() == [[2, 6, 12, 1], [8, 15, 24, 1]]
    assert results["v"][:, :2].tolist() == [[1, 2], [4, 5]]


THIRD = """#version 300 es
precision highp float;
precision highp int;
struct Lamp { vec3 color; float power; };
layout(std140) uniform Lights { int count; bool on; Lamp lamp[2]; float table[3]; layout(row_major) mat3x2 turn; } lights;
uniform uvec2 u_bits;
in vec2 place;
flat in ivec2 cell;
layout(location = 0) out vec4 color;
layout(location = 1) out ivec4 signed_one;
layout(location = 2) out uvec2 unsigned_one[2];
void main() {
    vec3 sum = vec3(0.0);
    for (int i = 0; lights.on && i < lights.count; ++i) sum += lights.lamp[i].color * lights.lamp[i].power + lights.table[i];
    color = vec4(sum.xy + lights.turn[2], place);
    signed_one = ivec4(cell - 5, -7, lights.count);
    unsigned_one = uvec2[2](u_bits, uvec2(floatBitsToUint(place.x), 0xffffffffu));
}
"""


def test_outputs_of_integers_and_uniform_blocks():
    y, x = numpy.mgrid[0:6, 0:9]
    uniforms = {"lights.count": 2, "lights.on": True, "lights.lamp[0].color": (1, 2, 3), "lights.lamp[0].power": 2,
                "lights.lamp[1].color": (4, 5, 6), "Lights.lamp[1].power": 0.5, "lights.table": (0.25, 0.5, 9),
                "lights.turn": (0, 0, 0, 0, 10, 20), "u_bits": (2**32 - 1, 7)}
    inputs = {"place": places(6, 9), "cell": numpy.stack([x, y], axis=-1)}
    def run(output, **more):
        return tessera.run_fragment(THIRD, {**uniforms, **more}, inputs, output=output)
    color = run("color")
    assert color.dtype == numpy.float32 and (color[:, :, :2] == (4 + 0.75 + 10, 6.5 + 0.75 + 20)).all()
    assert (run("color", **{"lights.on": False})[:, :, :2] == (10, 20)).all()
    assert run("color", **{"lights.table[1]": 1.5})[0, 0, 0] == 4 + 1.75 + 10
    cells = run(1)
    assert cells.dtype == numpy.int32 and (cells[:, :, 0] == x - 5).all() and (cells[:, :, 1] == y - 5).all()
    assert (cells[:, :, 2:] == (-7, 2)).all() and cells.tobytes() == run("signed_one").tobytes()
    bits = run("unsigned_one[1]")
    assert bits.dtype == numpy.uint32 and (bits[:, :, 0] == places(6, 9)[:, :, 0].view(numpy.uint32)).all()
    assert (bits[:, :, 1] == 2**32 - 1).all() and (run(2)[:, :, :2] == (2**32 - 1, 7)).all()
    for wrong, said in (({"lights.lamp": 1}, "lights.lamp\\[0\\].color"), ({"lights.table[3]": 1}, "no uniform"),
                        ({"lights.turn": (1, 2)}, "it takes 6"), ({"lights.count": 0.5}, "no integer")):
        with pytest.raises(ValueError, match=said):
            run(0, **wrong)
    with pytest.raises(ValueError, match=r"no output 'other'; its outputs are color, signed_one, unsigned_one\[0\]"):
        run("other")
    # The debugger has them by the same names.
    debugger = tessera.Debugger(THIRD, size=(9, 6), uniforms=uniforms, inputs=inputs, pixel=(3, 2))
    assert {"lights.lamp[1].color", "signed_one", "cell", "u_bits"} <= set(debugger.variables)
    assert (debugger["lights.lamp[1].color"] == (4, 5, 6)).all() and debugger["lights.on"].all()
    assert debugger["lights.turn"][0].tolist() == [[0, 0], [0, 0], [10, 20]]
    assert debugger["u_bits"].dtype == numpy.uint32 and (debugger["u_bits"] == (2**32 - 1, 7)).all()
    debugger.run()
    assert debugger["signed_one"][debugger.position.lane].tolist() == [-2, -3, -7, 2]


def test_vertices_are_numbered():
    glsl = ("#version 300 es\nflat out ivec2 v; flat out uint twice;"
            "void main() { v = ivec2(gl_VertexID, gl_InstanceID); twice = 2u * uint(gl_VertexID); gl_Position = vec4(v, 0, 1); }")
    results = tessera.run_vertices(tessera.compile_glsl(glsl, "vertex"), count=70)
    assert results["v"].dtype == numpy.int32 and results["v"][:, 0].tolist() == list(range(70))
    assert results["twice"].dtype == numpy.uint32 and results["twice"][69, 0] == 138
    results = tessera.run_vertices(tessera.compile_glsl(glsl, "vertex"), inputs={"gl_VertexID": 5, "gl_InstanceID": 9}, count=2)
    assert results["v"][:, :2].tolist() == [[5, 9], [5, 9]] and results["gl_Position"][1, 1] == 9


@pytest.mark.parametrize("arguments, error, what", [
    ({"size": None}, ValueError, "how large"),
    ({"size": (0, 4)}, ValueError, "from 1 to"),
    ({"size": (4, 40000)}, ValueError, "from 1 to"),
    ({"uniforms": {"other": 1}}, ValueError, "no uniform 'other'; its uniforms are k"),
    ({"uniforms": {"k": [1, 2]}}, ValueError, "2 values given, it takes 1"),
    ({"inputs": {"other": 1}}, ValueError, "no input 'other'"),
    ({"inputs": {"place": numpy.zeros((3, 3, 2))}}, ValueError, "nor one for each"),
    ({"inputs": {"place": numpy.zeros((4, 4, 0))}}, ValueError, "no components"),
    ({"textures": {"s": numpy.zeros((2, 2, 3), "u1")}}, ValueError, "no sampler 's'"),
    ({"program": "#version 300 es\nprecision highp float; uniform highp sampler3D s; out vec4 c;"
      "void main() { c = texture(s, vec3(0)); }", "textures": {"s": numpy.zeros((2, 2, 3), "u1")}}, ValueError,
     "sampler 's' is of kind 3d; pictures are for 2d"),
    ({"tier": "fast"}, tessera.Error, "tier"),
    ({"threads": 65}, ValueError, "threads"),
    ({"output": 3}, tessera.Error, "writes no o3"),
    ({"output": -1}, ValueError, "0 to 15"),
    ({"output": "other"}, ValueError, "no output 'other'; its outputs are gl_FragColor"),
    ({"program": "void main() { loop }"}, tessera.ProgramError, "loop"),
    ({"program": ".compute\n    ret\n"}, tessera.ProgramError, "fragment program is wanted"),
])
def test_wrong_arguments(arguments, error, what):
    with pytest.raises(error, match=what):
        tessera.run_fragment(**{"program": WAVES, "size": (4, 4), **arguments})


def test_a_loop_that_does_not_end_names_the_pixel():
    with pytest.raises(tessera.Error, match=r"pixel 0,3: stopped after \d+ instructions: a loop does not end"):
        tessera.run_fragment(".fragment\n    loop\n    endloop\n    ret\n", size=(8, 4))


def test_traces():
    text = tessera.trace(WAVES, size=(8, 4), pixel=(3, 1), inputs={"place": [0.1, 0.2]})
    assert "line 5" in text and "exec 0xffffffff" in text
    steps = tessera.trace(WAVES, size=(8, 4), form="json", limit=4)
    assert isinstance(steps, list) and any("pc" in step or "instruction" in step for step in steps)
    assert tessera.trace(WAVES, size=(8, 4), form="vcd").startswith("$")
    assert json.loads(tessera.trace(WAVES, size=(8, 4), form="perfetto"))
    with pytest.raises(tessera.Error, match="text, json, vcd or perfetto"):
        tessera.trace(WAVES, size=(8, 4), form="xml")
    with pytest.raises(ValueError, match="no pixel 8,0"):
        tessera.trace(WAVES, size=(8, 4), pixel=(8, 0))


def test_the_debugger_goes_both_ways():
    place = places(8, 8)
    debugger = tessera.Debugger(WAVES, size=(8, 8), uniforms={"k": 3}, inputs={"place": place}, pixel=(5, 2))
    start = debugger.position
    assert (start.count, start.ended, start.groups) == (0, False, 1) and sum(start.active) == 32
    assert debugger.lanes[start.lane] == "pixel 5,2"
    assert debugger["place"][start.lane].tolist() == place[2, 5].tolist()
    seen = []
    while not debugger.position.ended:
        seen.append(debugger.position)
        debugger.step()
    wave = debugger["o0.x"]
    assert wave.shape == (32,) and wave.dtype == numpy.float32
    assert wave[start.lane] == tessera.run_fragment(WAVES, {"k": 3}, {"place": place})[2, 5, 0]
    debugger.step_back()
    while debugger.position.count:
        before = seen[debugger.position.count]
        assert (debugger.position.text, debugger.position.active) == (before.text, before.active)
        debugger.step_back()
    assert debugger.step_back().stopped == "start"


def test_breakpoints_lines_and_expressions():
    debugger = tessera.Debugger(WAVES, size=(8, 8), uniforms={"k": 3}, inputs={"place": places(8, 8)})
    number = debugger.break_at(line=6, condition="wave > 0.5")
    stopped = debugger.run()
    assert (stopped.stopped, stopped.breakpoint, stopped.line) == ("breakpoint", number, 6)
    assert "wave" in debugger.variables
    assert (debugger["wave + 1.0"] == debugger["wave"] + numpy.float32(1)).all()
    assert debugger["place"].shape == (32, 2) and debugger["place.y > 0.5"].dtype == bool
    debugger.clear(number)
    assert debugger.run().ended and debugger.restart().count == 0
    assert debugger.run_to(7).line == 7 and debugger.go_to(1).count == 1
    assert debugger.next().line in (5, 6, 7) and debugger.previous().line
    assert isinstance(debugger["r0.x"], numpy.ma.MaskedArray) or debugger["r0.x"].shape == (32,)
    for wrong in ("nothing", "wave +", "(" * 100000, "r99", "\0"):
        with pytest.raises((tessera.Error, ValueError)):
            debugger[wrong]
    with pytest.raises(tessera.Error, match="no breakpoint"):
        debugger.clear(99)
    with pytest.raises(tessera.Error):
        debugger.break_at(line=5, condition="nothing == 1")
    with pytest.raises(ValueError):
        debugger.step(-1)
    debugger.step(2**62)
    with pytest.raises(tessera.Error, match="no lane 32"):
        debugger.select(32)


def test_the_debugger_of_a_kernel():
    kernel = """.compute
.group 64
.shared 256
.buffer b0 x
    shl.u32 r0.x, thread.x, 2
    ld r1.x, b0[r0.x]
    st shared[r0.x], r1.x
    bar 1
    ld r2.x, shared[r0.x]
    st b0[r0.x], r2.x
    ret
"""
    data = numpy.arange(64, dtype=numpy.float32)
    debugger = tessera.Debugger(kernel, grid=2, buffers={"x": data}, at=1, thread=40)
    assert debugger.position.group == 1 and debugger.position.groups == 2 and debugger.position.lane == 8
    debugger.run_to(9)
    assert debugger["r1.x"].tolist() == data[32:].tolist()
    assert (data == numpy.arange(64)).all()  # the debugger has copies


def test_costs_and_the_model():
    cost = tessera.cost(WAVES, size=(32, 32), uniforms={"k": 2}, inputs={"place": [0.3, 0.4]})
    assert cost.executed and cost.cycles and cost.executed >= cost.instructions
    assert "executed" in str(cost) and "<table" in cost._repr_html_()
    result = tessera.model(WAVES, size=(32, 32), inputs={"place": [0.3, 0.4]})
    assert result.cycles > 0 and {"unit", "kind", "busy"} <= set(result.rows[0])
    assert result.timeline().lstrip().startswith("<svg") and "block processor" in str(result)
    slower = tessera.model(WAVES, size=(32, 32), inputs={"place": [0.3, 0.4]}, parameters={"block.processors": 1})
    assert slower.report["preset"] and slower.cycles >= result.cycles
    assert result.lines()[0].cycles and result.why() and json.loads(result.perfetto())
    for wrong in ({"block.processors": 0}, {"nothing": 1}, {"block.processors": "many"}):
        with pytest.raises(tessera.Error, match="--set|parameter|block"):
            tessera.model(WAVES, size=(8, 4), parameters=wrong)
    with pytest.raises(tessera.Error):
        result.why("nonsense")
    data = numpy.zeros(64, numpy.float32)
    launch = tessera.model(".compute\n.group 64\n.buffer b0 x\n    shl.u32 r0.x, thread.x, 2\n    st b0[r0.x], r0.x\n"
                           "    ret\n", grid=8, buffers={"x": data})
    assert launch.cycles > 0 and not data.any()
