// Filmic tone mapping of a bright image, then the sRGB curve.
precision mediump float;

uniform sampler2D u_image;
uniform float u_exposure;
varying vec2 v_texCoord;

vec3 filmic(vec3 x) {
    return clamp((x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14), 0.0, 1.0);
}

void main() {
    vec3 color = filmic(texture2D(u_image, v_texCoord).rgb * u_exposure);
    vec3 low = color * 12.92;
    vec3 high = 1.055 * pow(color, vec3(1.0 / 2.4)) - 0.055;
    gl_FragColor = vec4(mix(low, high, step(0.0031308, color)), 1.0);
}
