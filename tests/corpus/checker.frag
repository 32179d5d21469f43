// A checker board whose edges are smoothed by derivatives.
#extension GL_OES_standard_derivatives : require
precision highp float;
uniform vec3 u_colors[2];
varying vec2 v_texCoord;

void main() {
    vec2 p = v_texCoord * 8.0;
    vec2 width = fwidth(p);
    vec2 wave = abs(fract(p) - 0.5) * 2.0 - 0.5;
    vec2 sides = clamp(wave / max(width, 1e-4) + 0.5, 0.0, 1.0);
    float odd = mod(floor(p.x) + floor(p.y), 2.0);
    float cover = mix(sides.x * sides.y, 1.0 - sides.x * sides.y, odd);
    gl_FragColor = vec4(mix(u_colors[0], u_colors[1], cover), 1.0);
}
