// A signed distance field of a sphere and a torus, marched and lit.
precision highp float;
const int kSteps = 48;
uniform vec3 u_eye;
uniform vec3 u_light;
varying vec3 v_ray;

float scene(vec3 p) {
    vec2 ring = vec2(length(p.xz) - 1.2, p.y);
    return min(length(p) - 0.7, length(ring) - 0.25);
}

void main() {
    vec3 ray = normalize(v_ray), p = u_eye;
    float hit = 0.0;
    for (int i = 0; i < kSteps; ++i) {
        float d = scene(p);
        if (d < 0.002) {
            hit = 1.0;
            break;
        }
        p += ray * d;
    }
    vec2 e = vec2(0.002, 0.0);
    vec3 normal = normalize(vec3(scene(p + e.xyy), scene(p + e.yxy), scene(p + e.yyx)) - scene(p));
    gl_FragColor = vec4(vec3(hit * (0.1 + 0.9 * max(dot(normal, u_light), 0.0))), 1.0);
}
