// Morphing between four targets by weights.
attribute vec3 a_base;
attribute vec3 a_target0;
attribute vec3 a_target1;
attribute vec3 a_target2;
attribute vec3 a_target3;
uniform vec4 u_weights;
uniform mat4 u_modelViewProjection;
varying vec3 v_offset;

void main() {
    vec3 offset = a_target0 * u_weights.x + a_target1 * u_weights.y + a_target2 * u_weights.z + a_target3 * u_weights.w;
    v_offset = offset;
    gl_Position = u_modelViewProjection * vec4(a_base + offset, 1.0);
}
