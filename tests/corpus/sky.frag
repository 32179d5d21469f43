// Sky: gradient, sun disc with a glow, stars at night.
precision highp float;
uniform vec3 u_sun;
uniform float u_night;
varying vec3 v_direction;

float star(vec3 d) {
    vec3 cell = floor(d * 200.0);
    float h = fract(sin(dot(cell, vec3(12.9898, 4.1414, 78.233))) * 43758.5453);
    return h > 0.998 ? (h - 0.998) * 500.0 : 0.0;
}

void main() {
    vec3 d = normalize(v_direction);
    float up = clamp(d.y, 0.0, 1.0);
    vec3 day = mix(vec3(0.7, 0.8, 0.95), vec3(0.15, 0.35, 0.75), sqrt(up));
    float toSun = max(dot(d, u_sun), 0.0);
    vec3 sun = vec3(1.0, 0.9, 0.6) * (pow(toSun, 256.0) * 4.0 + pow(toSun, 8.0) * 0.3);
    vec3 night = vec3(0.01, 0.015, 0.04);
    if (u_night > 0.0 && d.y > 0.0) night += star(d);
    gl_FragColor = vec4(mix(day + sun, night, u_night), 1.0);
}
