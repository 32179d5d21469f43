// Shadow mapping: depth packed in four 8-bit channels, compared at four places.
precision highp float;

uniform sampler2D u_shadowMap;
uniform float u_texel;
uniform vec3 u_color;
varying vec4 v_shadow;  // position in the light's clip space
varying float v_light;

float unpack(vec4 channels) {
    return dot(channels, vec4(1.0, 1.0 / 255.0, 1.0 / 65025.0, 1.0 / 16581375.0));
}

void main() {
    vec3 place = v_shadow.xyz / v_shadow.w * 0.5 + 0.5;
    float lit = 0.0;
    for (int y = 0; y < 2; ++y) {
        for (int x = 0; x < 2; ++x) {
            vec2 offset = (vec2(float(x), float(y)) - 0.5) * u_texel;
            lit += place.z - 0.001 <= unpack(texture2D(u_shadowMap, place.xy + offset)) ? 0.25 : 0.0;
        }
    }
    bool outside = any(lessThan(place.xy, vec2(0.0))) || any(greaterThan(place.xy, vec2(1.0)));
    gl_FragColor = vec4(u_color * (0.2 + 0.8 * v_light * (outside ? 1.0 : lit)), 1.0);
}
