"""vispy on the wheel: a shaded triangle as a picture. vispy_picture.py PICTURE.png"""

import sys

import tessera_gl

tessera_gl.enable()
import numpy  # noqa: E402
import vispy  # noqa: E402

vispy.use(app="egl", gl="es2")
from PIL import Image  # noqa: E402
from vispy import app, gloo  # noqa: E402

VERTEX = "attribute vec2 place; varying vec2 at; void main() { at = place; gl_Position = vec4(place, 0.0, 1.0); }"
FRAGMENT = "varying vec2 at; void main() { gl_FragColor = vec4(0.5 + 0.5 * at, 0.5, 1.0); }"

with app.Canvas(size=(200, 150)) as canvas:
    canvas.set_current()
    program = gloo.Program(VERTEX, FRAGMENT)
    program["place"] = numpy.array([(-1, -1), (1, -1), (0, 1)], numpy.float32)
    gloo.clear("black")
    program.draw("triangles")
    picture = gloo.read_pixels((0, 0, 200, 150))
Image.fromarray(picture).save(sys.argv[1])
print(gloo.gl.glGetParameter(gloo.gl.GL_VENDOR), *picture[75, 100])
