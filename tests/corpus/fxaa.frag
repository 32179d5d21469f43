// Antialiasing along the direction in which luminance changes least.
precision mediump float;
uniform sampler2D u_image;
uniform vec2 u_texel;
varying vec2 v_texCoord;

float luminance(vec2 offset) {
    return dot(texture2D(u_image, v_texCoord + offset * u_texel).rgb, vec3(0.299, 0.587, 0.114));
}

void main() {
    float nw = luminance(vec2(-1.0, -1.0)), ne = luminance(vec2(1.0, -1.0));
    float sw = luminance(vec2(-1.0, 1.0)), se = luminance(vec2(1.0, 1.0)), m = luminance(vec2(0.0));
    float low = min(m, min(min(nw, ne), min(sw, se))), high = max(m, max(max(nw, ne), max(sw, se)));
    vec2 along = vec2(sw + se - nw - ne, nw + sw - ne - se);
    float reduce = max((nw + ne + sw + se) * 0.03125, 0.0078125);
    along = clamp(along / (min(abs(along.x), abs(along.y)) + reduce), -8.0, 8.0) * u_texel;
    vec3 near = 0.5 * (texture2D(u_image, v_texCoord - along / 6.0).rgb + texture2D(u_image, v_texCoord + along / 6.0).rgb);
    vec3 far = 0.5 * near + 0.25 * (texture2D(u_image, v_texCoord - 0.5 * along).rgb + texture2D(u_image, v_texCoord + 0.5 * along).rgb);
    float l = dot(far, vec3(0.299, 0.587, 0.114));
    gl_FragColor = vec4(l < low || l > high ? near : far, 1.0);
}
