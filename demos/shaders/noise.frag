// Gradient noise in several octaves from an arithmetic hash, as a marble.
precision highp float;

uniform float u_time;
varying vec2 v_texCoord;

vec2 hash(vec2 p) {
    vec2 mixed = vec2(dot(p, vec2(127.1, 311.7)), dot(p, vec2(269.5, 183.3)));
    return 2.0 * fract(sin(mixed) * 43758.5453) - 1.0;
}

float noise(vec2 p) {
    vec2 cell = floor(p), f = fract(p);
    vec2 u = f * f * (3.0 - 2.0 * f);
    float a = dot(hash(cell), f);
    float b = dot(hash(cell + vec2(1.0, 0.0)), f - vec2(1.0, 0.0));
    float c = dot(hash(cell + vec2(0.0, 1.0)), f - vec2(0.0, 1.0));
    float d = dot(hash(cell + vec2(1.0, 1.0)), f - vec2(1.0, 1.0));
    return mix(mix(a, b, u.x), mix(c, d, u.x), u.y);
}

void main() {
    vec2 p = v_texCoord * 8.0;
    float sum = 0.0, amplitude = 0.5;
    for (int octave = 0; octave < 4; ++octave) {
        sum += amplitude * noise(p);
        p = mat2(1.6, 1.2, -1.2, 1.6) * p + u_time;
        amplitude *= 0.5;
    }
    float stripe = 0.5 + 0.5 * sin(6.0 * (v_texCoord.x + sum));
    gl_FragColor = vec4(mix(vec3(0.2, 0.2, 0.3), vec3(0.95, 0.9, 0.85), stripe), 1.0);
}
