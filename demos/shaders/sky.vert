// Sky, vertex stage: a quad over the viewport; where each corner looks.
attribute vec2 a_position;
uniform mat4 u_toWorld;  // from clip space to directions
varying vec3 v_direction;

void main() {
    vec4 place = vec4(a_position, 1.0, 1.0);
    v_direction = (u_toWorld * place).xyz;
    gl_Position = place;
}
