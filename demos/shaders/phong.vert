// Phong shading, vertex stage: hands position and normal to the fragment stage in eye space.
attribute vec3 a_position;
attribute vec3 a_normal;
uniform mat4 u_projection;
uniform mat4 u_modelView;
varying vec3 v_position;
varying vec3 v_normal;

void main() {
    vec4 eye = u_modelView * vec4(a_position, 1.0);
    v_position = eye.xyz;
    v_normal = (u_modelView * vec4(a_normal, 0.0)).xyz;
    gl_Position = u_projection * eye;
}
