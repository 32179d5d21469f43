// A spot light with a soft cone and quadratic attenuation.
precision mediump float;
uniform vec3 u_position;
uniform vec3 u_direction;
uniform vec2 u_cone;  // cosine of the outer and of the inner angle
uniform vec3 u_attenuation;
uniform vec3 u_color;
varying vec3 v_position;
varying vec3 v_normal;

void main() {
    vec3 toLight = u_position - v_position;
    float distance = length(toLight);
    toLight /= distance;
    float cone = smoothstep(u_cone.x, u_cone.y, dot(-toLight, u_direction));
    float fade = 1.0 / dot(u_attenuation, vec3(1.0, distance, distance * distance));
    float diffuse = max(dot(normalize(v_normal), toLight), 0.0);
    gl_FragColor = vec4(u_color * (cone * fade * diffuse), 1.0);
}
