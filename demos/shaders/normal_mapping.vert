// Normal mapping, vertex stage: directions to the lamp, the sun and the eye in the tangent space of the surface.
attribute vec3 a_position;
attribute vec3 a_normal;
attribute vec3 a_tangent;  // the bitangent is normal x tangent
attribute vec2 a_texCoord;
uniform mat4 u_model;
uniform mat4 u_viewProjection;
uniform vec3 u_lamp;
uniform vec3 u_eye;
varying vec2 v_texCoord;
varying vec3 v_toLamp;
varying vec3 v_toEye;
varying vec3 v_up;

void main() {
    mat3 turn = mat3(u_model[0].xyz, u_model[1].xyz, u_model[2].xyz);
    vec3 normal = normalize(turn * a_normal), tangent = normalize(turn * a_tangent);
    vec3 bitangent = cross(normal, tangent);
    vec4 position = u_model * vec4(a_position, 1.0);
    vec3 toLamp = u_lamp - position.xyz, toEye = u_eye - position.xyz;
    v_toLamp = vec3(dot(toLamp, tangent), dot(toLamp, bitangent), dot(toLamp, normal));
    v_toEye = vec3(dot(toEye, tangent), dot(toEye, bitangent), dot(toEye, normal));
    v_up = vec3(tangent.y, bitangent.y, normal.y);
    v_texCoord = a_texCoord;
    gl_Position = u_viewProjection * position;
}
