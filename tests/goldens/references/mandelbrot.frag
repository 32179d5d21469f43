// What demos/isa/mandelbrot.frag.tsa says, in GLSL.
precision highp float;

const int kSteps = 160;
uniform vec4 u_view;  // centre, half the size
varying vec2 v_place;

void main() {
    vec2 c = v_place * u_view.z + u_view.xy, z = vec2(0.0);
    gl_FragColor = vec4(0.0, 0.0, 0.0, 1.0);
    for (int count = 0; count < kSteps; ++count) {
        float square = dot(z, z);
        if (square >= 256.0) {
            float smoothed = float(count) - log2(log2(square) * 0.5);
            gl_FragColor.rgb = 0.5 + 0.5 * cos(smoothed * (6.2831853 / 60.0) + vec3(2.6, 2.2, 1.7));
            break;
        }
        z = vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + c;
    }
}
