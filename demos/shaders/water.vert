// Water, vertex stage: the sum of four travelling waves moves the vertices; the normal follows from the derivatives.
struct Wave {
    vec2 direction;
    float amplitude;
    float frequency;
    float speed;
};
attribute vec2 a_position;
uniform Wave u_waves[4];
uniform mat4 u_viewProjection;
uniform float u_time;
varying vec3 v_position;
varying vec3 v_normal;

void main() {
    vec3 position = vec3(a_position.x, 0.0, a_position.y);
    vec2 slope = vec2(0.0);
    for (int i = 0; i < 4; ++i) {
        float phase = dot(u_waves[i].direction, a_position) * u_waves[i].frequency + u_time * u_waves[i].speed;
        position.y += u_waves[i].amplitude * sin(phase);
        slope += u_waves[i].direction * (u_waves[i].amplitude * u_waves[i].frequency * cos(phase));
    }
    v_position = position;
    v_normal = vec3(-slope.x, 1.0, -slope.y);
    gl_Position = u_viewProjection * vec4(position, 1.0);
}
