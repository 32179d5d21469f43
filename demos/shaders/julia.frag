// A Julia set: z = z * z + c until it escapes, coloured by the number of steps.
precision highp float;

const int kSteps = 64;
uniform vec2 u_constant;
uniform vec2 u_center;
uniform float u_scale;
varying vec2 v_texCoord;

void main() {
    vec2 z = (v_texCoord - 0.5) * u_scale + u_center;
    int steps = kSteps;
    for (int i = 0; i < kSteps; ++i) {
        if (dot(z, z) > 4.0) {
            steps = i;
            break;
        }
        z = vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + u_constant;
    }
    float t = float(steps) / float(kSteps);
    gl_FragColor = vec4(0.5 + 0.5 * cos(6.2831853 * (t + vec3(0.0, 0.33, 0.67))), 1.0);
}
