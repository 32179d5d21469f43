// Rotation by a quaternion for each instance.
attribute vec3 a_position;
attribute vec4 a_rotation;
attribute vec4 a_place;  // position, scale
uniform mat4 u_viewProjection;
varying vec3 v_local;

vec3 rotate(vec4 q, vec3 p) { return p + 2.0 * cross(q.xyz, cross(q.xyz, p) + q.w * p); }

void main() {
    v_local = a_position;
    gl_Position = u_viewProjection * vec4(rotate(normalize(a_rotation), a_position) * a_place.w + a_place.xyz, 1.0);
}
