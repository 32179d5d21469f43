// Cellular noise: the distance to the nearest of one point in each of nine cells.
precision highp float;
uniform float u_time;
varying vec2 v_texCoord;

vec2 feature(vec2 cell) {
    vec2 h = fract(sin(vec2(dot(cell, vec2(127.1, 311.7)), dot(cell, vec2(269.5, 183.3)))) * 43758.5453);
    return 0.5 + 0.5 * sin(u_time + 6.2831 * h);
}

void main() {
    vec2 p = v_texCoord * 8.0, cell = floor(p), inside = fract(p);
    float nearest = 8.0, second = 8.0;
    for (int y = -1; y <= 1; ++y)
        for (int x = -1; x <= 1; ++x) {
            vec2 neighbour = vec2(float(x), float(y));
            vec2 to = neighbour + feature(cell + neighbour) - inside;
            float d = dot(to, to);
            if (d < nearest) {
                second = nearest;
                nearest = d;
            } else if (d < second) {
                second = d;
            }
        }
    float edge = sqrt(second) - sqrt(nearest);
    gl_FragColor = vec4(vec3(sqrt(nearest)) * smoothstep(0.0, 0.1, edge), 1.0);
}
