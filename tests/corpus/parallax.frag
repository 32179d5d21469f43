// Parallax mapping with a linear search along the view ray through a height field.
precision highp float;
const int kLayers = 12;
uniform sampler2D u_height;
uniform sampler2D u_image;
uniform float u_scale;
varying vec2 v_texCoord;
varying vec3 v_eyeTangent;

void main() {
    vec3 eye = normalize(v_eyeTangent);
    vec2 stepSize = eye.xy / max(eye.z, 0.05) * u_scale / float(kLayers);
    vec2 place = v_texCoord;
    float layer = 1.0;
    for (int i = 0; i < kLayers; ++i) {
        if (texture2D(u_height, place).r >= layer) break;
        place -= stepSize;
        layer -= 1.0 / float(kLayers);
    }
    gl_FragColor = texture2D(u_image, place);
}
