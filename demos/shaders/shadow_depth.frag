// Shadow mapping, first pass: depth packed in four 8-bit channels.
precision highp float;

void main() {
    vec4 channels = fract(gl_FragCoord.z * vec4(1.0, 255.0, 65025.0, 16581375.0));
    gl_FragColor = channels - channels.yzww * vec4(1.0 / 255.0, 1.0 / 255.0, 1.0 / 255.0, 0.0);
}
