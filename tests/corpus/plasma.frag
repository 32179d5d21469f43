// Plasma: a sum of sines.
precision mediump float;
uniform float u_time;
varying vec2 v_texCoord;

void main() {
    vec2 p = v_texCoord * 10.0;
    float v = sin(p.x + u_time) + sin(0.5 * (p.y + u_time)) + sin(0.5 * (p.x + p.y + u_time));
    vec2 center = p - 5.0 + vec2(sin(u_time / 3.0), cos(u_time / 2.0)) * 5.0;
    v += sin(sqrt(dot(center, center) + 1.0) + u_time);
    v *= 0.5;
    gl_FragColor = vec4(0.5 + 0.5 * sin(3.14159 * (v + vec3(0.0, 0.667, 1.333))), 1.0);
}
