// Edges of triangles from barycentric coordinates, as wide on the screen everywhere.
#extension GL_OES_standard_derivatives : require
precision mediump float;
uniform vec4 u_edge;
uniform vec4 u_fill;
varying vec3 v_barycentric;

void main() {
    vec3 distance = v_barycentric / fwidth(v_barycentric);
    float nearest = min(distance.x, min(distance.y, distance.z));
    gl_FragColor = mix(u_edge, u_fill, smoothstep(0.5, 1.5, nearest));
}
