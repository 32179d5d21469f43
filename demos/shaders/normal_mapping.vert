// Normal mapping, vertex stage: light and eye directions in the tangent space of the surface.
attribute vec3 a_position;
attribute vec3 a_normal;
attribute vec4 a_tangent;  // w: handedness of the bitangent
attribute vec2 a_texCoord;
uniform mat4 u_projection;
uniform mat4 u_modelView;
uniform mat3 u_normalMatrix;
uniform vec3 u_lightPosition;  // eye space
varying vec2 v_texCoord;
varying vec3 v_toLight;
varying vec3 v_toEye;

void main() {
    vec3 normal = normalize(u_normalMatrix * a_normal);
    vec3 tangent = normalize(u_normalMatrix * a_tangent.xyz);
    vec3 bitangent = cross(normal, tangent) * a_tangent.w;
    vec4 eye = u_modelView * vec4(a_position, 1.0);
    vec3 toLight = u_lightPosition - eye.xyz;
    v_toLight = vec3(dot(toLight, tangent), dot(toLight, bitangent), dot(toLight, normal));
    v_toEye = vec3(dot(-eye.xyz, tangent), dot(-eye.xyz, bitangent), dot(-eye.xyz, normal));
    v_texCoord = a_texCoord;
    gl_Position = u_projection * eye;
}
