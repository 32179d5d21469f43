// What demos/isa/quad.vert.tsa says, in GLSL.
attribute vec2 a_position;
uniform vec2 u_aspect;
varying vec2 v_place;

void main() {
    gl_Position = vec4(a_position, 0.0, 1.0);
    v_place = a_position * u_aspect;
}
