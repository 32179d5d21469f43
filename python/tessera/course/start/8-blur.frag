// Sheet 8: blur an image. Each pixel is the sum of its nine neighbours, weighted
//
//     1 2 1
//     2 4 2    / 16
//     1 2 1
//
// This program is right, and for its many lookups the chip reads the image from memory again and again. The sampler filters
// linearly: a lookup between texels is their mean. So fewer lookups do.
precision highp float;
uniform sampler2D u_image;
uniform vec2 u_size;                // width and height in texels

vec4 texel(float x, float y) {
    return texture2D(u_image, (gl_FragCoord.xy + vec2(x, y)) / u_size);
}

void main() {
    vec4 sum = 4.0 * texel(0.0, 0.0);
    sum += 2.0 * (texel(-1.0, 0.0) + texel(1.0, 0.0) + texel(0.0, -1.0) + texel(0.0, 1.0));
    sum += texel(-1.0, -1.0) + texel(1.0, -1.0) + texel(-1.0, 1.0) + texel(1.0, 1.0);
    gl_FragColor = sum / 16.0;
}
