// Sheet 8: blur an image. Each pixel is the sum of its nine neighbours, weighted
//
//     1 2 1
//     2 4 2    / 16
//     1 2 1
//
// The sampler filters linearly: a lookup between texels is their mean.
precision highp float;
uniform sampler2D u_image;
uniform vec2 u_size;                // width and height in texels

vec4 texel(float x, float y) {
    return texture2D(u_image, (gl_FragCoord.xy + vec2(x, y)) / u_size);
}

void main() {
    // Between four texels, a lookup is a quarter of each: the four of them have the weights.
    gl_FragColor = 0.25 * (texel(-0.5, -0.5) + texel(0.5, -0.5) + texel(-0.5, 0.5) + texel(0.5, 0.5));
}
