"""Headless contexts, pictures, and recordings."""

import ctypes
import gc
import subprocess
import sys
import threading

import numpy
import pytest

import tessera

DISC = """precision highp float;
uniform vec2 u_center;
void main() {
    float inside = step(length(gl_FragCoord.xy - u_center), 10.0);
    gl_FragColor = vec4(inside, 0.0, 0.5, 1.0);
}
"""


def test_a_picture_from_plain_calls():
    with tessera.Context(40, 30) as context:
        context.gl.glClearColor(0.0, 1.0, 0.0, 1.0)
        context.gl.glScissor(0, 0, 40, 10)
        context.gl.glEnable(0x0C11)
        context.gl.glClear(0x4000)
        picture = context.read()
    array = numpy.asarray(picture)
    assert array.shape == picture.shape == (30, 40, 4) and array.dtype == numpy.uint8
    assert (array[20:] == (0, 255, 0, 255)).all() and not array[:20].any()
    assert picture.pixel(3, 25) == (0, 255, 0, 255)
    with pytest.raises(IndexError):
        picture.pixel(40, 0)


def test_ctypes_alone_draws_into_it():
    with tessera.Context(8, 8) as context:
        library = ctypes.CDLL("libGLESv2.so.2")
        library.glClearColor(ctypes.c_float(1), ctypes.c_float(0), ctypes.c_float(1), ctypes.c_float(1))
        library.glClear(0x4000)
        assert context.read().pixel(0, 0) == (255, 0, 255, 255)


def test_a_context_of_opengl_es_3_has_its_functions():
    stages = {0x8B31: b"#version 300 es\nvoid main() { vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);"
                      b" gl_Position = vec4(corner * 4.0 - 1.0, 0, 1); }",
              0x8B30: b"#version 300 es\nprecision highp float; out vec4 color; void main() { color = vec4(0, 1, 0, 1); }"}
    with tessera.Context(8, 8, version=3) as context:
        gl = context.gl
        assert gl.glGetString(0x1F02).startswith(b"OpenGL ES 3.0 ")
        program = gl.glCreateProgram()
        for stage, text in stages.items():
            shader = gl.glCreateShader(stage)
            gl.glShaderSource(shader, 1, (ctypes.c_char_p * 1)(text), None)
            gl.glCompileShader(shader)
            gl.glAttachShader(program, shader)
        gl.glLinkProgram(program)
        gl.glUseProgram(program)
        name = ctypes.c_uint()
        gl.glGenVertexArrays(1, ctypes.byref(name))
        gl.glBindVertexArray(name.value)
        gl.glDrawArrays(4, 0, 3)
        fence = gl.glFenceSync(0x9117, 0)
        assert gl.glClientWaitSync(fence, 0, 10**10) in (0x911A, 0x911C) and gl.glGetError() == 0
        assert context.read().pixel(3, 3) == (0, 255, 0, 255)


def test_shades_with_glsl_3():
    glsl = """#version 300 es
precision highp float;
precision highp int;
uniform uvec2 u_bits;
uniform int u_shift[2];
uniform mat3x2 u_turn;
uniform bool u_on;
uniform highp usampler2D u_table;
layout(location = 0) out vec4 color;
void main() {
    uint x = u_bits[1] >> u_shift[1] & 0xffu;
    color = vec4(float(x) / 255.0, u_turn[2].y, u_on, float(texelFetch(u_table, ivec2(0), 0).x) / 255.0);
}
"""
    uniforms = {"u_bits": (0, 0xAB000000), "u_shift": (0, 24), "u_turn": [0, 0, 0, 0, 0, 1], "u_on": True, "u_table": 3}
    with tessera.Context(4, 4, version=3) as context:
        gl = context.gl
        gl.glActiveTexture(0x84C3)
        name = ctypes.c_uint()
        gl.glGenTextures(1, ctypes.byref(name))
        gl.glBindTexture(0x0DE1, name.value)
        gl.glTexStorage2D(0x0DE1, 1, 0x8232, 1, 1)  # GL_R8UI
        gl.glTexSubImage2D(0x0DE1, 0, 0, 0, 1, 1, 0x8D94, 0x1401, b"\x33")
        gl.glTexParameteri(0x0DE1, 0x2801, 0x2600)
        gl.glTexParameteri(0x0DE1, 0x2800, 0x2600)
        context.shade(glsl, uniforms)
        assert context.read().pixel(1, 1) == (0xAB, 255, 255, 0x33)
        context.shade(glsl, {**uniforms, "u_on": 0, "u_shift[1]": 25})
        assert context.read().pixel(1, 1) == (0x55, 255, 0, 0x33)
        for wrong in ({"u_bits": (1, 2, 3)}, {"u_turn": [1, 2]}, {"u_shift": 0.5}, {"other": 1}, {"u_shift": []}):
            with pytest.raises(ValueError, match="uniform"):
                context.shade(glsl, wrong)
        with pytest.raises(tessera.ProgramError, match="undeclared") as caught:
            context.shade(glsl.replace("u_on,", "on,"))
        assert caught.value.line == 12
        context.shade(DISC, {"u_center": (2, 2)})  # and 1.00 as ever
    with tessera.Context(4, 4) as context, pytest.raises(tessera.ProgramError):
        context.shade(glsl, uniforms)


def test_shaders_and_programs_of_the_isa():
    with tessera.Context(64, 48) as context:
        context.shade(DISC, {"u_center": (20, 40)})
        picture = context.read()
        assert picture.pixel(20, 7) == (255, 0, 128, 255) and picture.pixel(60, 40) == (0, 0, 128, 255)
        context.shade(tessera.assemble(".fragment\n.uniform c0 u_color vec4\n    mov o0, c0\n    ret\n"),
                      {"u_color": (0, 1, 1, 1)})
        assert context.read().pixel(5, 5) == (0, 255, 255, 255)
        with pytest.raises(tessera.ProgramError, match="undeclared") as caught:
            context.shade("void main() { gl_FragColor = vec4(missing); }")
        assert caught.value.line == 1
        with pytest.raises(ValueError, match="no uniform 'u_other'"):
            context.shade(DISC, {"u_other": 1})


def test_reading_leaves_the_state_alone():
    with tessera.Context(5, 5) as context:
        name = (ctypes.c_uint * 1)()
        context.gl.glGenFramebuffers(1, name)
        context.gl.glBindFramebuffer(0x8D40, name[0])
        context.gl.glPixelStorei(0x0D05, 8)
        assert len(context.read().rgba) == 100
        bound, alignment = (ctypes.c_int * 1)(), (ctypes.c_int * 1)()
        context.gl.glGetIntegerv(0x8CA6, bound)
        context.gl.glGetIntegerv(0x0D05, alignment)
        assert (bound[0], alignment[0]) == (name[0], 8)


def test_antialiasing_and_several_contexts():
    first, second = tessera.Context(32, 32, samples=4), tessera.Context(16, 16)
    first.shade(DISC, {"u_center": (16, 16)})  # makes itself current
    second.make_current()
    second.gl.glClearColor(1, 1, 1, 1)
    second.gl.glClear(0x4000)
    assert second.read().pixel(0, 0) == (255, 255, 255, 255)
    assert first.read().pixel(16, 16) == (255, 0, 128, 255)
    first.close()
    first.close()
    with pytest.raises(tessera.Error, match="closed"):
        first.read()
    second.close()


def test_wrong_contexts():
    for arguments in ((0, 5), (5, 100000), (5.0, 5), ("5", 5)):
        with pytest.raises(ValueError):
            tessera.Context(*arguments)
    with pytest.raises(ValueError):
        tessera.Context(5, 5, samples=3)


def test_contexts_of_threads():
    def work(i):
        with tessera.Context(64, 64) as context:
            for _ in range(5):
                context.shade(DISC, {"u_center": (i * 8, 32)})
            pictures[i] = context.read()
    pictures = {}
    threads = [threading.Thread(target=work, args=(i,)) for i in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with tessera.Context(64, 64) as context:
        for i in range(6):
            context.shade(DISC, {"u_center": (i * 8, 32)})
            assert context.read() == pictures[i]


def test_pictures_are_files_and_arrays(tmp_path):
    array = numpy.random.RandomState(1).randint(0, 256, (17, 23, 4)).astype(numpy.uint8)
    picture = tessera.Image.of(array)
    picture.save(tmp_path / "picture.png")
    assert tessera.Image.open(tmp_path / "picture.png") == picture == tessera.Image.of(str(tmp_path / "picture.png"))
    assert picture.png() == (tmp_path / "picture.png").read_bytes() == picture._repr_png_()
    assert tessera.Image.of(numpy.float32([[0, 0.5, 1, 2, -1, numpy.nan]])).rgba[::4] == bytes([0, 128, 255, 255, 0, 0])
    assert tessera.Image.of(numpy.array([[True, False]])).rgba == b"\xff\xff\xff\xff\0\0\0\xff"
    for wrong in (numpy.zeros((2, 2, 2)), numpy.zeros(3), numpy.zeros((0, 3)), numpy.zeros((2, 2), "i8")):
        with pytest.raises((ValueError, TypeError)):
            tessera.Image.of(wrong)
    (tmp_path / "wrong.png").write_bytes(b"no picture")
    with pytest.raises(tessera.Error, match="wrong.png"):
        tessera.Image.open(tmp_path / "wrong.png")
    with pytest.raises(tessera.Error, match="missing.png"):
        tessera.Image.open(tmp_path / "missing.png")


def test_differences():
    a = numpy.zeros((10, 20, 4), numpy.uint8)
    b = a.copy()
    assert not tessera.diff(a, b) and str(tessera.diff(a, b)) == "200 pixels, none differs"
    b[4, 7] = (0, 3, 0, 0)
    b[6, 2] = (0, 0, 9, 0)
    found = tessera.diff(a, b)
    assert found and (found.differing, found.first, found.worst, found.worst_by) == (2, (7, 4), (2, 6), 9)
    assert found.picture.size == (20, 10) and found.mean[2] == 9 / 200
    assert tessera.diff(a, b, 3).differing == 1 and not tessera.diff(a, b, 9)
    with pytest.raises(ValueError, match="sizes"):
        tessera.diff(a, b[:5])
    with pytest.raises(ValueError, match="0 to 255"):
        tessera.diff(a, b, 256)


def test_recordings_explain_and_debug():
    with tessera.Context(64, 48) as context:
        context.gl.glClear(0x4000)
        with context.record() as recording:
            context.gl.glClearColor(0.2, 0.2, 0.2, 1)
            context.gl.glClear(0x4000)
            context.shade(DISC, {"u_center": (20, 40)})
            picture = context.read()
        context.gl.glClear(0x4000)
    assert recording.frames == 1 and "draw" in recording.list() and recording.commands()
    text = recording.explain(20, 7)
    assert text == tessera.explain(recording, (20, 7))
    assert "pixel 20,7" in text and "glClear" in text and "glDrawArrays" in text
    assert "final value: 255 0 128 255" in text
    history = recording.history(20, 7)
    assert history["pixels"][0]["framebuffer"] == list(picture.pixel(20, 7))
    debugger = recording.debug(20, 7)
    assert debugger.lanes[debugger.position.lane] == "pixel 20,7"
    assert (debugger["u_center"] == (20, 40)).all()
    debugger.run()
    assert debugger["o0.x"][debugger.position.lane] == 1
    result = tessera.model(recording)
    assert result.cycles > 0 and result.report["frames"] == 1
    for wrong in ((64, 0, None), (0, 48, None), (2**30, 0, None), (0, 0, 7), (0, 0, -1)):
        x, y, frame = wrong
        try:
            assert "no such pixel" in recording.explain(x, y, frame)
        except (tessera.Error, ValueError):
            pass


def test_recordings_of_opengl_es_3_have_the_names_of_blocks_and_outputs():
    vertex = """#version 300 es
layout(std140) uniform Places { vec4 at[2]; } places;
in vec2 p;
flat out int n;
void main() { n = gl_InstanceID; gl_Position = vec4(p * 0.5 + places.at[gl_InstanceID].xy, 0, 1); }
"""
    fragment = """#version 300 es
precision highp float;
precision highp int;
uniform Tint { vec4 tint; uint bits; } t;
flat in int n;
layout(location = 0) out vec4 color;
void main() { color = t.tint * float(n + 1) * 0.5; }
"""
    with tessera.Context(32, 32, version=3) as context:
        gl = context.gl
        with context.record() as recording:
            gl.glClear(0x4000)
            program = context.program(vertex, fragment, ["p"])
            gl.glUseProgram(program)
            blocks = (("Places", [-.5, -.5, 0, 0, .5, .5, 0, 0]), ("Tint", [1, 0.5, 0.25, 1, 0, 0, 0, 0]))
            for i, (name, values) in enumerate(blocks):
                buffer, data = ctypes.c_uint(), numpy.float32(values)
                gl.glGenBuffers(1, ctypes.byref(buffer))
                gl.glBindBufferBase(0x8A11, i, buffer.value)
                gl.glBufferData(0x8A11, data.nbytes, data.tobytes(), 0x88E4)
                gl.glUniformBlockBinding(program, gl.glGetUniformBlockIndex(program, name.encode()), i)
            corners = numpy.float32([-1, -1, 1, -1, -1, 1, 1, 1])
            gl.glEnableVertexAttribArray(0)
            gl.glVertexAttribPointer(0, 2, 0x1406, 0, 0, corners)
            gl.glDrawArraysInstanced(5, 0, 4, 2)
            assert context.read().pixel(28, 4) == (255, 128, 64, 255) and gl.glGetError() == 0
    assert "x 2 instances" in recording.explain(28, 4) and "color 1 0.5 0.25 1" in recording.explain(28, 4)
    debugger = recording.debug(28, 4)
    lane = debugger.position.lane
    assert {"t.tint", "n", "color"} <= set(debugger.variables)
    assert debugger["t.tint"][lane].tolist() == [1, 0.5, 0.25, 1] and debugger["n"][lane] == 1
    debugger.run()
    assert debugger["color"][lane].tolist() == [1, 0.5, 0.25, 1]
    assert tessera.model(recording).cycles > 0


def test_a_context_that_records_all(tmp_path):
    with tessera.Context(64, 48, record=True) as context:
        context.shade(DISC, {"u_center": (20, 40)})
        assert "glDrawArrays" in context.explain(20, 7)
        context.end_frame()
        context.gl.glClearColor(0, 0, 1, 1)
        context.gl.glClear(0x4000)
        assert "final value: 0 0 255 255" in context.explain(20, 7)
        with pytest.raises(tessera.Error, match="records all"):
            with context.record():
                pass
        with pytest.raises(tessera.Error, match="another recording"):
            tessera.Context(5, 5, record=True)
        recording = context.recorded()
        recording.save(tmp_path / "stream.tsc")
    assert tessera.Recording.open(tmp_path / "stream.tsc").frames == recording.frames
    with tessera.Context(5, 5) as context:
        with pytest.raises(tessera.Error, match="record=True"):
            context.explain(0, 0)


def test_what_is_recorded_draws_the_same():
    def draw(context):
        for i in range(3):
            context.shade(DISC, {"u_center": (10 + i * 20, 20)})
        return context.read()
    with tessera.Context(64, 48) as context:
        plain = draw(context)
        with context.record():
            recorded = draw(context)
        assert plain == recorded == draw(context)
    gc.collect()


def test_pyopengl_draws_into_it():
    pytest.importorskip("OpenGL")
    code = ("import tessera\n"
            "with tessera.Context(8, 8, record=True) as context:\n"
            "    from OpenGL import GLES2\n"
            "    GLES2.glClearColor(0, 0.2, 1, 1)\n"
            "    GLES2.glClear(GLES2.GL_COLOR_BUFFER_BIT)\n"
            "    print(context.read().pixel(3, 3), 'glClear' in context.explain(3, 3))\n")
    said = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, timeout=60)
    assert (said.returncode, said.stdout) == (0, "(0, 51, 255, 255) True\n"), said.stderr
