// Kuwahara's filter: the mean of the quadrant with the least variance; looks painted.
precision mediump float;
uniform sampler2D u_image;
uniform vec2 u_texel;
varying vec2 v_texCoord;

void main() {
    vec3 best = vec3(0.0);
    float least = 1e4;
    for (int q = 0; q < 4; ++q) {
        vec2 side = vec2(q == 0 || q == 2 ? -1.0 : 1.0, q < 2 ? -1.0 : 1.0);
        vec3 mean = vec3(0.0), squares = vec3(0.0);
        for (int y = 0; y < 3; ++y)
            for (int x = 0; x < 3; ++x) {
                vec3 c = texture2D(u_image, v_texCoord + side * vec2(float(x), float(y)) * u_texel).rgb;
                mean += c;
                squares += c * c;
            }
        mean /= 9.0;
        vec3 variance = abs(squares / 9.0 - mean * mean);
        float sum = variance.r + variance.g + variance.b;
        if (sum < least) {
            least = sum;
            best = mean;
        }
    }
    gl_FragColor = vec4(best, 1.0);
}
