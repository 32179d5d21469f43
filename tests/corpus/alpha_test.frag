// Leaves: what is nearly transparent is not drawn; the back is lit through.
precision mediump float;
uniform sampler2D u_leaf;
uniform vec3 u_light;
varying vec2 v_texCoord;
varying vec3 v_normal;

void main() {
    vec4 leaf = texture2D(u_leaf, v_texCoord);
    if (leaf.a < 0.5) discard;
    float side = gl_FrontFacing ? 1.0 : -1.0;
    float direct = dot(v_normal * side, u_light);
    gl_FragColor = vec4(leaf.rgb * (direct > 0.0 ? 0.3 + 0.7 * direct : 0.3 - 0.4 * direct), 1.0);
}
