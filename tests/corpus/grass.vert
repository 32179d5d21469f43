// Blades of grass bend in the wind: more at the tip, with a gust that travels.
attribute vec3 a_position;
attribute vec2 a_root;
uniform float u_time;
uniform vec2 u_wind;
uniform mat4 u_viewProjection;
varying float v_shade;

void main() {
    float height = a_position.y;
    float gust = 0.5 + 0.5 * sin(dot(a_root, u_wind) * 0.7 - u_time * 2.0);
    float flutter = 0.1 * sin(u_time * 9.0 + a_root.x * 13.0 + a_root.y * 7.0);
    vec2 bend = u_wind * (height * height * (gust + flutter));
    vec3 position = vec3(a_root.x, 0.0, a_root.y) + a_position;
    position.xz += bend;
    position.y -= 0.3 * dot(bend, bend);
    v_shade = 0.4 + 0.6 * height;
    gl_Position = u_viewProjection * vec4(position, 1.0);
}
