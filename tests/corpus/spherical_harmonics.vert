// Irradiance from nine spherical harmonics coefficients.
attribute vec4 a_position;
attribute vec3 a_normal;
uniform mat4 u_modelViewProjection;
uniform vec3 u_coefficients[9];
varying vec3 v_irradiance;

void main() {
    vec3 n = a_normal;
    v_irradiance = 0.886227 * u_coefficients[0]
        + 1.023326 * (u_coefficients[1] * n.y + u_coefficients[2] * n.z + u_coefficients[3] * n.x)
        + 0.858086 * (u_coefficients[4] * n.x * n.y + u_coefficients[5] * n.y * n.z + u_coefficients[7] * n.x * n.z)
        + u_coefficients[6] * (0.743125 * n.z * n.z - 0.247708)
        + 0.429043 * u_coefficients[8] * (n.x * n.x - n.y * n.y);
    gl_Position = u_modelViewProjection * a_position;
}
