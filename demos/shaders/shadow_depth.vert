// Shadow mapping, first pass: the scene from the light.
attribute vec3 a_position;
uniform mat4 u_toShadow;  // from the object to the light's clip space

void main() { gl_Position = u_toShadow * vec4(a_position, 1.0); }
