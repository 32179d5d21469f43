// The Mandelbrot set with smooth colours.
precision highp float;
const int kSteps = 100;
uniform vec2 u_center;
uniform float u_scale;
varying vec2 v_texCoord;

void main() {
    vec2 c = u_center + (v_texCoord - 0.5) * u_scale, z = vec2(0.0);
    float count = 0.0;
    for (int i = 0; i < kSteps; ++i) {
        z = vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + c;
        if (dot(z, z) > 16.0) break;
        count += 1.0;
    }
    float smoothCount = count - log2(log2(max(dot(z, z), 4.0)) * 0.5);
    vec3 color = 0.5 + 0.5 * cos(3.0 + smoothCount * 0.15 + vec3(0.0, 0.6, 1.0));
    gl_FragColor = vec4(count < float(kSteps) ? color : vec3(0.0), 1.0);
}
