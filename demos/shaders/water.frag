// Water: the sky reflected from a cube map and the floor refracted through the surface, mixed by Schlick's
// approximation of Fresnel. Two moving layers of ripples bend the normal; light is lost on the way through the water.
precision highp float;

uniform samplerCube u_surroundings;
uniform sampler2D u_relief;  // red, green: slopes; blue: height
uniform vec3 u_eye;
uniform vec3 u_toSun;
uniform float u_time;
varying vec3 v_position;
varying vec3 v_normal;

const vec4 kFloor = vec4(0.0, 0.9975, -0.0698, 1.15);  // a plane: the bed falls away from the shore

float ripple;  // height of the layer of ripples that rippled() found first

vec3 rippled(vec3 normal, float distance) {
    vec3 first = texture2D(u_relief, v_position.xz * 0.13 + vec2(0.013, 0.021) * u_time).rgb;
    vec2 second = texture2D(u_relief, v_position.zx * 0.31 + vec2(-0.027, 0.017) * u_time).rg;
    vec2 slope = (first.rg + second * 0.6 - 0.8) * (0.75 / (1.0 + distance * 0.02));
    ripple = first.b;
    return normalize(normal + vec3(slope.x, 0.0, slope.y));
}

/// Light that waves gather on the bed: bright where two layers of them cross.
float caustics(vec2 place) {
    float a = texture2D(u_relief, place * 0.19 + vec2(0.017, 0.011) * u_time).b;
#ifdef LESS_WORK
    float b = ripple;
#else
    float b = texture2D(u_relief, place.yx * 0.23 + vec2(-0.014, 0.019) * u_time).b;
#endif
    float line = 1.0 - abs(a - b) * 5.0;
    return line > 0.0 ? line * line * line * line : 0.0;
}

vec3 bed(vec2 place) {
    float grain = texture2D(u_relief, place * 0.9).b;
    float patches = smoothstep(0.52, 0.68, texture2D(u_relief, place * 0.043 + 0.2).b);
    vec3 sand = vec3(0.62, 0.50, 0.33) * (0.7 + 0.6 * grain);
    vec3 weed = vec3(0.05, 0.11, 0.06) * (0.4 + 1.2 * grain);
    return mix(sand, weed, patches * 0.85) * (0.5 + 0.7 * caustics(place));
}

void main() {
    vec3 toPosition = v_position - u_eye;
    float distance = length(toPosition);
    vec3 incident = toPosition / distance;
    vec3 normal = rippled(v_normal, distance);

    vec3 down = refract(incident, normal, 0.75);
    float through = (dot(kFloor.xyz, v_position) + kFloor.w) / max(-dot(kFloor.xyz, down), 0.05);
    through = clamp(through, 0.0, 100.0);  // places outside a triangle's edge, of samples inside it, may be anywhere
    vec3 kept = exp2(-through * vec3(0.85, 0.24, 0.20));
    vec3 scattered = vec3(0.004, 0.075, 0.115);
    vec3 refracted = mix(scattered, bed(v_position.xz + down.xz * through), kept);

    vec3 up = reflect(incident, normal);
    up.y = abs(up.y);
    vec3 reflected = textureCube(u_surroundings, up).rgb;
#ifdef LESS_WORK
    float glint = dot(up, u_toSun) - 0.98;  // of the power nothing is left below
    if (glint > 0.0)
#endif
        reflected += vec3(9.0, 7.0, 4.5) * pow(max(dot(up, u_toSun), 0.0), 600.0);

    float facing = clamp(-dot(incident, normal), 0.0, 1.0);
    float grazing = 1.0 - facing;
    float fresnel = 0.02 + 0.98 * grazing * grazing * grazing * grazing * grazing;
    vec3 color = mix(refracted, reflected, fresnel);
#ifdef LESS_WORK
    // The sky's colour at the horizon, as sky.frag has it.
    float toSun = max(dot(normalize(incident.xz), u_toSun.xz), 0.0);
    toSun *= toSun;
    toSun *= toSun;
    vec3 haze = vec3(0.42, 0.56, 0.72) + vec3(0.225, 0.1375, 0.0625) * toSun * toSun;
#else
    vec3 haze = textureCube(u_surroundings, vec3(incident.x, 0.0, incident.z)).rgb;
#endif
    gl_FragColor = vec4(mix(haze, color, exp2(-distance * 0.006)), 1.0);
}
