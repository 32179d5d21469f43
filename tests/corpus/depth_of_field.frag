// Depth of field: sixteen lookups in a disc whose radius follows from the distance to the focus.
precision highp float;
uniform sampler2D u_image;
uniform sampler2D u_depth;
uniform vec2 u_texel;
uniform vec2 u_focus;  // distance, range
varying vec2 v_texCoord;

void main() {
    float blur = clamp(abs(texture2D(u_depth, v_texCoord).r - u_focus.x) / u_focus.y, 0.0, 1.0);
    vec3 sum = vec3(0.0);
    for (int i = 0; i < 16; ++i) {
        float angle = float(i) * 2.399963, radius = sqrt(float(i) / 16.0) * blur * 8.0;
        sum += texture2D(u_image, v_texCoord + vec2(cos(angle), sin(angle)) * radius * u_texel).rgb;
    }
    gl_FragColor = vec4(sum / 16.0, 1.0);
}
