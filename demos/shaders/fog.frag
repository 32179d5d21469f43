// Fog, fragment stage: linear, exponential or squared exponential, chosen by a uniform; cut-out by the alpha test.
precision mediump float;

uniform sampler2D u_image;
uniform vec4 u_fogColor;
uniform vec3 u_fog;  // start, end, density
uniform int u_mode;
varying vec4 v_color;
varying vec2 v_texCoord;
varying float v_distance;

void main() {
    vec4 color = texture2D(u_image, v_texCoord) * v_color;
    if (color.a < 0.5) discard;
    float visible;
    if (u_mode == 0) {
        visible = (u_fog.y - v_distance) / (u_fog.y - u_fog.x);
    } else if (u_mode == 1) {
        visible = exp(-u_fog.z * v_distance);
    } else {
        float thickness = u_fog.z * v_distance;
        visible = exp(-thickness * thickness);
    }
    gl_FragColor = vec4(mix(u_fogColor.rgb, color.rgb, clamp(visible, 0.0, 1.0)), color.a);
}
