// Points whose size follows from their distance.
attribute vec4 a_position;
attribute vec4 a_color;
uniform mat4 u_modelViewProjection;
uniform vec2 u_sizes;  // size at distance one, largest size
varying vec4 v_color;

void main() {
    gl_Position = u_modelViewProjection * a_position;
    gl_PointSize = clamp(u_sizes.x / gl_Position.w, 1.0, u_sizes.y);
    v_color = a_color * (gl_PointSize < 2.0 ? 0.5 * gl_PointSize : 1.0);
}
