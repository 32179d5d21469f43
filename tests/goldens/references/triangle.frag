// What demos/isa/triangle.frag.tsa says, in GLSL.
precision highp float;

uniform vec4 u_rings;  // rings per pixel, strength
varying vec4 v_color;

void main() {
    vec2 place = gl_FragCoord.xy;  // which is mediump: the squares would not fit
    float light = 1.0 + u_rings.y * sin(length(place) * u_rings.x);
    gl_FragColor = vec4(clamp(v_color.rgb * light, 0.0, 1.0), 1.0);
}
