// Fog, vertex stage: one directional light for each vertex, and the distance to the eye.
attribute vec3 a_position;
attribute vec3 a_normal;
attribute vec2 a_texCoord;
uniform mat4 u_projection;
uniform mat4 u_modelView;
uniform vec3 u_lightDirection;
uniform vec4 u_color;
varying vec4 v_color;
varying vec2 v_texCoord;
varying float v_distance;

void main() {
    vec4 eye = u_modelView * vec4(a_position, 1.0);
    vec3 normal = mat3(u_modelView[0].xyz, u_modelView[1].xyz, u_modelView[2].xyz) * a_normal;
    v_color = vec4(u_color.rgb * (0.2 + 0.8 * max(dot(normal, u_lightDirection), 0.0)), u_color.a);
    v_texCoord = a_texCoord;
    v_distance = length(eye.xyz);
    gl_Position = u_projection * eye;
}
