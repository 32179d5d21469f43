// What demos/isa/plasma.frag.tsa says, in GLSL.
precision highp float;

const float kPi = 3.14159265;
uniform vec4 u_view;  // w: seconds
varying vec2 v_place;

void main() {
    vec2 wave = v_place * 5.0 + u_view.w;
    vec2 centre = v_place + 0.5 * vec2(sin(u_view.w), cos(u_view.w));
    float sum = sin(wave.x) + sin(wave.y) + sin((wave.x + wave.y) * 0.5) + sin(length(centre) * 7.0);
    gl_FragColor = vec4(0.5 + 0.5 * sin(sum * kPi / 3.0 + vec3(0.0, 2.0, 4.0) * kPi / 3.0), 1.0);
}
