#!/usr/bin/env python3
"""vispy on EGL and OpenGL ES 2.0, off screen: a shaded disc and marks; the picture goes to the file named by PICTURE."""

import os

import numpy
import vispy

vispy.use(app="egl", gl="es2")
from vispy import app, gloo, io  # noqa: E402

VERTEX = """attribute vec2 a_position; attribute float a_size; varying vec2 v_position;
void main() { v_position = a_position; gl_Position = vec4(a_position, 0.0, 1.0); gl_PointSize = a_size; }"""
FRAGMENT = """precision highp float; varying vec2 v_position;
void main() {
    vec2 at = gl_PointCoord * 2.0 - 1.0;
    float inside = 1.0 - smoothstep(0.9, 1.0, length(at));
    gl_FragColor = vec4((v_position * 0.5 + 0.5) * inside, inside * (1.0 - at.y * 0.5), 1.0);
}"""

canvas = app.Canvas(size=(320, 240), show=True)
canvas.set_current()
angles = numpy.linspace(0, 2 * numpy.pi, 24, endpoint=False, dtype=numpy.float32)
program = gloo.Program(VERTEX, FRAGMENT)
program["a_position"] = numpy.stack([0.7 * numpy.cos(angles), 0.7 * numpy.sin(angles)], axis=1).astype(numpy.float32)
program["a_size"] = numpy.linspace(8, 31, 24, dtype=numpy.float32)
gloo.set_viewport(0, 0, 320, 240)
gloo.clear(color=(0.1, 0.15, 0.2, 1.0))
program.draw("points")
print(gloo.gl.glGetParameter(gloo.gl.GL_RENDERER))
io.write_png(os.environ["PICTURE"], gloo.read_pixels((0, 0, 320, 240)))
