// Shadow mapping, second pass: the place in the world and in the shadow map.
attribute vec3 a_position;
attribute vec3 a_normal;
uniform mat4 u_model;
uniform mat4 u_viewProjection;
uniform mat4 u_toShadow;  // from the object to the light's clip space
varying vec3 v_position;
varying vec3 v_normal;
varying vec4 v_shadow;

void main() {
    vec4 position = u_model * vec4(a_position, 1.0);
    v_position = position.xyz;
    v_normal = mat3(u_model[0].xyz, u_model[1].xyz, u_model[2].xyz) * a_normal;
    v_shadow = u_toShadow * vec4(a_position, 1.0);
    gl_Position = u_viewProjection * position;
}
