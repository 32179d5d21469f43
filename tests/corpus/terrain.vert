// Terrain displaced by a height texture read in the vertex stage, with the normal from its neighbours.
attribute vec2 a_position;
uniform sampler2D u_height;
uniform float u_scale;
uniform float u_texel;
uniform mat4 u_viewProjection;
varying vec3 v_normal;
varying float v_altitude;

float altitude(vec2 p) { return texture2DLod(u_height, p, 0.0).r * u_scale; }

void main() {
    float here = altitude(a_position);
    vec2 slope = vec2(altitude(a_position + vec2(u_texel, 0.0)), altitude(a_position + vec2(0.0, u_texel))) - here;
    v_normal = normalize(vec3(-slope.x, u_texel, -slope.y));
    v_altitude = here / u_scale;
    gl_Position = u_viewProjection * vec4(a_position.x, here, a_position.y, 1.0);
}
