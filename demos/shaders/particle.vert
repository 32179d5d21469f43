// Particles: ballistic motion computed from birth time and velocity, drawn as point sprites.
attribute vec3 a_start;
attribute vec3 a_velocity;
attribute float a_birth;
uniform mat4 u_viewProjection;
uniform float u_time;
uniform float u_lifetime;
uniform vec3 u_gravity;
varying float v_age;

void main() {
    float age = mod(u_time - a_birth, u_lifetime);
    vec3 position = a_start + age * (a_velocity + 0.5 * age * u_gravity);
    v_age = age / u_lifetime;
    gl_Position = u_viewProjection * vec4(position, 1.0);
    gl_PointSize = mix(24.0, 4.0, v_age) / gl_Position.w;
}
