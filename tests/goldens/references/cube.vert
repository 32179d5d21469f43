// What demos/isa/cube.vert.tsa says, in GLSL.
attribute vec3 a_position;
attribute vec3 a_normal;
attribute vec2 a_texCoord;
uniform mat4 u_projection;
uniform mat4 u_modelView;
varying vec2 v_texCoord;
varying vec3 v_normal;
varying vec3 v_toEye;

void main() {
    vec4 eye = u_modelView * vec4(a_position, 1.0);
    gl_Position = u_projection * eye;
    v_normal = (u_modelView * vec4(a_normal, 0.0)).xyz;
    v_toEye = -eye.xyz;
    v_texCoord = a_texCoord;
}
