// Phong shading, fragment stage: a loop over point lights.
precision mediump float;

struct Light {
    vec3 position;
    vec3 color;
};
const int kLights = 3;

uniform Light u_lights[kLights];
uniform vec3 u_diffuse;
uniform float u_shininess;
varying vec3 v_position;
varying vec3 v_normal;

void main() {
    vec3 normal = normalize(v_normal);
    vec3 toEye = normalize(-v_position);
    vec3 sum = 0.1 * u_diffuse;
    for (int i = 0; i < kLights; ++i) {
        vec3 toLight = normalize(u_lights[i].position - v_position);
        float diffuse = max(dot(normal, toLight), 0.0);
        vec3 mirrored = reflect(-toLight, normal);
        float specular = diffuse > 0.0 ? pow(max(dot(mirrored, toEye), 0.0), u_shininess) : 0.0;
        sum += u_lights[i].color * (u_diffuse * diffuse + specular);
    }
    gl_FragColor = vec4(sum, 1.0);
}
