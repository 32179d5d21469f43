// Sky: a gradient to the zenith, haze at the horizon, a sun with its glow, clouds on a plane overhead. Linear light.
precision highp float;

uniform sampler2D u_relief;  // blue: turbulence
uniform vec3 u_toSun;
varying vec3 v_direction;

float turbulence(vec2 place) {
    return texture2D(u_relief, place).b * 0.7 + texture2D(u_relief, place * 3.1 + 0.37).b * 0.3;
}

void main() {
    vec3 direction = normalize(v_direction);
    float height = max(direction.y, 0.0);
    float haze = 1.0 - height;
    haze *= haze * haze;
    float toSun = max(dot(direction, u_toSun), 0.0);
    vec3 color = mix(vec3(0.055, 0.19, 0.52), vec3(0.42, 0.56, 0.72), haze);
    color += vec3(0.9, 0.55, 0.25) * (0.25 * pow(toSun, 8.0) + 0.8 * pow(toSun, 160.0));

    vec2 place = direction.xz / (height + 0.12);
    float cover = smoothstep(0.44, 0.66, turbulence(place * 0.09));
    float thick = 0.0;
#ifdef LESS_WORK
    if (cover > 0.0)
#endif
        thick = smoothstep(0.55, 0.95, turbulence(place * 0.09 + u_toSun.xz * 0.012));
    vec3 cloud = mix(vec3(1.05, 1.0, 0.95), vec3(0.48, 0.52, 0.60), thick) + vec3(0.8, 0.5, 0.25) * pow(toSun, 12.0);
    color = mix(color, cloud, cover * smoothstep(0.02, 0.25, height));

    color += vec3(14.0, 11.0, 7.0) * smoothstep(0.9994, 0.9998, toSun);
    gl_FragColor = vec4(color, 1.0);
}
