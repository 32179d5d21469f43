"""Pictures in tests: pytest compares them with goldens/ to the byte.

    pip install tessera_gl-*.whl numpy pytest
    pytest                       # a failure leaves pages in tessera-report
    pytest --update-goldens      # what is drawn becomes the goldens: look at them
"""

import numpy
import pytest

FLAG = """precision mediump float;
uniform vec2 u_size;
void main() {
    vec2 place = gl_FragCoord.xy / u_size;
    float wave = 0.5 + 0.04 * sin(12.0 * place.x);
    gl_FragColor = place.y > wave ? vec4(0.8, 0.1, 0.2, 1.0) : vec4(0.95, 0.9, 0.8, 1.0);
}
"""


@pytest.mark.gl(96, 64)
def test_flag(gl, assert_image):
    gl.shade(FLAG, {"u_size": (96, 64)})
    assert_image(gl, "flag.png")


@pytest.mark.gl(96, 64, samples=4)
def test_antialiased_corner(gl, assert_image):
    program = gl.program("attribute vec2 p; void main() { gl_Position = vec4(p, 0.0, 1.0); }",
                         "precision mediump float; void main() { gl_FragColor = vec4(0.2, 0.5, 0.9, 1.0); }", ["p"])
    gl.gl.glUseProgram(program)
    corners = numpy.float32([[-0.9, -0.8], [0.9, -0.5], [-0.3, 0.9]])
    gl.gl.glVertexAttribPointer(0, 2, 0x1406, 0, 0, corners)
    gl.gl.glEnableVertexAttribArray(0)
    gl.gl.glDrawArrays(4, 0, 3)
    assert_image(gl, "corner.png")
