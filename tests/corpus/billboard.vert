// A billboard that always faces the eye.
attribute vec3 a_center;
attribute vec2 a_corner;
uniform mat4 u_view;
uniform mat4 u_projection;
uniform float u_size;
varying vec2 v_texCoord;

void main() {
    vec4 center = u_view * vec4(a_center, 1.0);
    center.xy += a_corner * u_size;
    v_texCoord = 0.5 * a_corner + 0.5;
    gl_Position = u_projection * center;
}
