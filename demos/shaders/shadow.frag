// Shadow mapping, second pass: depth packed in four 8-bit channels, compared at sixteen places, which weigh as if each
// texel's result were interpolated (percentage-closer filtering). Light of a sun, of the sky and from the ground.
precision highp float;

uniform sampler2D u_shadowMap;
uniform float u_texel;  // size of a texel of the map
uniform vec3 u_color;
uniform float u_gloss;
uniform vec3 u_eye;
uniform vec3 u_toSun;
varying vec3 v_position;
varying vec3 v_normal;
varying vec4 v_shadow;  // position in the light's clip space

float unpack(vec4 channels) {
    return dot(channels, vec4(1.0, 1.0 / 255.0, 1.0 / 65025.0, 1.0 / 16581375.0));
}

float litShare(vec3 place) {
    if (any(lessThan(place, vec3(0.0))) || any(greaterThan(place, vec3(1.0)))) return 1.0;
    vec2 inTexels = place.xy / u_texel - 0.5;
    vec2 corner = floor(inTexels), within = inTexels - corner;
#ifdef LESS_WORK
    // Where the four at the corners agree, so do the others.
    vec2 first = (corner - 0.5) * u_texel, last = (corner + 2.5) * u_texel;
    vec4 depths = vec4(unpack(texture2D(u_shadowMap, first)), unpack(texture2D(u_shadowMap, vec2(last.x, first.y))),
                       unpack(texture2D(u_shadowMap, vec2(first.x, last.y))), unpack(texture2D(u_shadowMap, last)));
    float agreeing = dot(step(vec4(place.z), depths), vec4(1.0));
    if (agreeing == 0.0 || agreeing == 4.0) return agreeing / 4.0;
#endif
    float lit = 0.0;
    for (int y = 0; y < 4; ++y) {
        float row = y == 0 ? 1.0 - within.y : y == 3 ? within.y : 1.0;
        for (int x = 0; x < 4; ++x) {
            float column = x == 0 ? 1.0 - within.x : x == 3 ? within.x : 1.0;
            vec2 texel = (corner + vec2(float(x), float(y)) - 0.5) * u_texel;
            lit += place.z <= unpack(texture2D(u_shadowMap, texel)) ? row * column : 0.0;
        }
    }
    return lit / 9.0;
}

void main() {
    vec3 normal = normalize(v_normal), fromEye = v_position - u_eye;
    float distance = length(fromEye), facing = max(dot(normal, u_toSun), 0.0);
    vec3 place = v_shadow.xyz / v_shadow.w * 0.5 + 0.5;
    float lit = litShare(place - vec3(0.0, 0.0, 0.001 + 0.009 * (1.0 - facing)));

    vec3 sun = vec3(2.3, 2.0, 1.6) * (facing * lit);
    vec3 around = mix(vec3(0.10, 0.085, 0.07), vec3(0.16, 0.22, 0.32), 0.5 + 0.5 * normal.y);
    vec3 halfway = normalize(u_toSun - fromEye / distance);
    float shine = u_gloss * lit * pow(max(dot(normal, halfway), 0.0), 60.0);
    vec3 color = u_color * (sun + around) + vec3(2.3, 2.0, 1.6) * shine;
    gl_FragColor = vec4(mix(vec3(0.42, 0.56, 0.72), color, exp2(-distance * 0.016)), 1.0);
}
