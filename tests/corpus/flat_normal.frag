// Flat shading: the normal of the triangle from the derivatives of the position.
#extension GL_OES_standard_derivatives : require
precision highp float;
uniform vec3 u_light;
varying vec3 v_position;

void main() {
    vec3 normal = normalize(cross(dFdx(v_position), dFdy(v_position)));
    gl_FragColor = vec4(vec3(0.1 + 0.9 * max(dot(normal, u_light), 0.0)), 1.0);
}
