// What demos/isa/triangle.vert.tsa says, in GLSL.
attribute vec4 a_position;
attribute vec4 a_color;
uniform vec4 u_turn;  // cosine, sine, aspect
varying vec4 v_color;

void main() {
    mat2 turn = mat2(u_turn.x, u_turn.y, -u_turn.y, u_turn.x);
    gl_Position = vec4(turn * a_position.xy * vec2(u_turn.z, 1.0), 0.0, 1.0);
    v_color = a_color;
}
