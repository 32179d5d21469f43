// Bloom, first pass: what is brighter than a threshold, with a soft knee.
precision mediump float;
uniform sampler2D u_image;
uniform vec2 u_threshold;  // threshold, knee
varying vec2 v_texCoord;

void main() {
    vec3 color = texture2D(u_image, v_texCoord).rgb;
    float brightness = max(color.r, max(color.g, color.b));
    float soft = clamp(brightness - u_threshold.x + u_threshold.y, 0.0, 2.0 * u_threshold.y);
    soft = soft * soft / (4.0 * u_threshold.y + 1e-4);
    float weight = max(soft, brightness - u_threshold.x) / max(brightness, 1e-4);
    gl_FragColor = vec4(color * weight, 1.0);
}
