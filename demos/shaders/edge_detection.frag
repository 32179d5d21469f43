// Sobel edge detection: two 3x3 kernels as matrices, luminances read with unrolled lookups.
precision mediump float;

uniform sampler2D u_image;
uniform vec2 u_texel;
varying vec2 v_texCoord;

float luminance(vec2 offset) {
    return dot(texture2D(u_image, v_texCoord + offset * u_texel).rgb, vec3(0.299, 0.587, 0.114));
}

void main() {
    const mat3 horizontal = mat3(-1.0, -2.0, -1.0, 0.0, 0.0, 0.0, 1.0, 2.0, 1.0);
    const mat3 vertical = mat3(-1.0, 0.0, 1.0, -2.0, 0.0, 2.0, -1.0, 0.0, 1.0);
    vec2 gradient = vec2(0.0);
    for (int x = 0; x < 3; ++x) {
        for (int y = 0; y < 3; ++y) {
            float l = luminance(vec2(float(x - 1), float(y - 1)));
            gradient += l * vec2(horizontal[x][y], vertical[x][y]);
        }
    }
    gl_FragColor = vec4(vec3(length(gradient)), 1.0);
}
