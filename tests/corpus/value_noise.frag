// Value noise with quintic interpolation, fractal sum.
precision highp float;
uniform float u_frequency;
varying vec3 v_position;

float hash(vec3 p) { return fract(sin(dot(p, vec3(12.9898, 78.233, 37.719))) * 43758.5453); }

float noise(vec3 p) {
    vec3 i = floor(p), f = fract(p);
    f = f * f * f * (f * (f * 6.0 - 15.0) + 10.0);
    vec4 low = vec4(hash(i), hash(i + vec3(1.0, 0.0, 0.0)), hash(i + vec3(0.0, 1.0, 0.0)), hash(i + vec3(1.0, 1.0, 0.0)));
    vec4 high = vec4(hash(i + vec3(0.0, 0.0, 1.0)), hash(i + vec3(1.0, 0.0, 1.0)), hash(i + vec3(0.0, 1.0, 1.0)),
                     hash(i + vec3(1.0, 1.0, 1.0)));
    vec4 z = mix(low, high, f.z);
    vec2 y = mix(z.xy, z.zw, f.y);
    return mix(y.x, y.y, f.x);
}

void main() {
    vec3 p = v_position * u_frequency;
    float sum = 0.5 * noise(p) + 0.25 * noise(p * 2.03) + 0.125 * noise(p * 4.01);
    gl_FragColor = vec4(vec3(sum), 1.0);
}
