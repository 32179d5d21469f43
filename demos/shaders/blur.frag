// Gaussian blur along one direction: a loop over weights that are computed in place.
precision mediump float;

const int kRadius = 4;
uniform sampler2D u_image;
uniform vec2 u_step;  // one texel along the direction
uniform float u_sigma;
varying vec2 v_texCoord;

void main() {
    vec4 sum = vec4(0.0);
    float total = 0.0;
    for (int i = -kRadius; i <= kRadius; ++i) {
        float offset = float(i);
        float weight = exp(-offset * offset / (2.0 * u_sigma * u_sigma));
        sum += texture2D(u_image, v_texCoord + offset * u_step) * weight;
        total += weight;
    }
    gl_FragColor = sum / total;
}
