// Blinn-Phong in the vertex stage, as fixed-function hardware lit.
attribute vec4 a_position;
attribute vec3 a_normal;
uniform mat4 u_modelView;
uniform mat4 u_projection;
uniform mat3 u_normalMatrix;
uniform vec3 u_light;
uniform vec4 u_material;  // colour, shininess
varying vec3 v_color;

void main() {
    vec4 position = u_modelView * a_position;
    vec3 normal = normalize(u_normalMatrix * a_normal);
    vec3 halfway = normalize(u_light - normalize(position.xyz));
    float diffuse = max(dot(normal, u_light), 0.0);
    float specular = diffuse > 0.0 ? pow(max(dot(normal, halfway), 0.0), u_material.w) : 0.0;
    v_color = u_material.rgb * diffuse + specular;
    gl_Position = u_projection * position;
}
