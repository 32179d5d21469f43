// A point drawn as a smooth disc, lit as a sphere.
precision mediump float;
uniform vec3 u_light;
varying vec4 v_color;

void main() {
    vec2 p = 2.0 * gl_PointCoord - 1.0;
    float squared = dot(p, p);
    if (squared > 1.0) discard;
    vec3 normal = vec3(p.x, -p.y, sqrt(1.0 - squared));
    gl_FragColor = vec4(v_color.rgb * (0.2 + 0.8 * max(dot(normal, u_light), 0.0)), v_color.a);
}
