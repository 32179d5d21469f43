// A skinned tentacle: suckers in two rows, rings, light that wraps around, a bright rim. Linear light.
precision highp float;

uniform vec3 u_eye;
uniform vec3 u_toSun;
uniform vec3 u_color;  // at the root; the ground's where u_tip is black
uniform vec3 u_tip;
varying vec3 v_position;
varying vec3 v_normal;
varying vec3 v_still;

void main() {
    vec3 fromEye = v_position - u_eye;
    float distance = length(fromEye);
    vec3 normal = normalize(v_normal), toEye = -fromEye / distance;
    float tentacle = step(0.001, u_tip.r);

    // The suckers are on the side of the tentacle that was towards z; each has a pale rim and a dark middle.
    float side = atan(v_still.x, v_still.z), along = v_still.y * 9.0;
    vec2 cell = vec2((abs(side) - 0.42) * 2.2, fract(along + step(0.0, side) * 0.5) - 0.5);
    float sucker = length(cell) * 2.0;
    float rim = tentacle * (1.0 - smoothstep(0.62, 0.80, sucker)), hole = tentacle * (1.0 - smoothstep(0.25, 0.42, sucker));
    vec3 skin = mix(u_color, mix(u_color, u_tip, smoothstep(0.2, 3.2, v_still.y)), tentacle);
    skin *= 1.0 - tentacle * 0.25 * smoothstep(0.55, 0.75, fract(v_still.y * 2.7 + 0.3 * sin(side * 3.0)));
    skin = mix(mix(skin, vec3(0.85, 0.62, 0.50), rim * 0.8), skin * 0.35, hole);

    float facing = dot(normal, u_toSun);
    float wrapped = max(facing * 0.7 + 0.3, 0.0);
    // The ground and the roots see less of the sky the nearer they are to the middle.
    float open = mix(smoothstep(0.5, 3.4, length(v_position.xz)), 1.0, smoothstep(0.0, 1.2, v_position.y));
    vec3 light = vec3(2.1, 1.75, 1.35) * wrapped * wrapped * (0.35 + 0.65 * open);
    light += mix(vec3(0.12, 0.10, 0.09), vec3(0.30, 0.38, 0.50), 0.5 + 0.5 * normal.y) * open;
    float grazing = 1.0 - max(dot(normal, toEye), 0.0);
    vec3 halfway = normalize(u_toSun + toEye);
    float shine = pow(max(dot(normal, halfway), 0.0), 48.0) * 0.7 + grazing * grazing * grazing * 0.35;
    vec3 color = skin * light + vec3(1.0, 0.9, 0.8) * shine * open * tentacle;
    gl_FragColor = vec4(mix(vec3(0.42, 0.56, 0.72), color, exp2(-distance * 0.016)), 1.0);
}
