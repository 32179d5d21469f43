// Eight point lights in a uniform array; those that face away are skipped.
precision mediump float;
const int kLights = 8;
uniform vec4 u_lights[kLights];  // position, radius
uniform vec3 u_colors[kLights];
uniform int u_count;
varying vec3 v_position;
varying vec3 v_normal;

void main() {
    vec3 normal = normalize(v_normal);
    vec3 sum = vec3(0.02);
    for (int i = 0; i < kLights; ++i) {
        if (i >= u_count) break;
        vec3 to = u_lights[i].xyz - v_position;
        float facing = dot(to, normal);
        if (facing <= 0.0) continue;
        float squared = dot(to, to);
        float near = clamp(1.0 - squared / (u_lights[i].w * u_lights[i].w), 0.0, 1.0);
        sum += u_colors[i] * (facing * inversesqrt(squared) * near * near);
    }
    gl_FragColor = vec4(sum, 1.0);
}
