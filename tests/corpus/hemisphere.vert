// Hemisphere ambient: sky above, ground below.
attribute vec4 a_position;
attribute vec3 a_normal;
uniform mat4 u_modelViewProjection;
uniform vec3 u_sky;
uniform vec3 u_ground;
varying lowp vec4 v_color;

void main() {
    v_color = vec4(mix(u_ground, u_sky, 0.5 + 0.5 * a_normal.y), 1.0);
    gl_Position = u_modelViewProjection * a_position;
}
