// Bump mapping from a height texture: the normal leans by the slope between neighbouring texels.
precision mediump float;
uniform sampler2D u_height;
uniform vec2 u_texel;
uniform float u_depth;
uniform vec3 u_light;
uniform vec3 u_color;
varying vec2 v_texCoord;
varying vec3 v_normal;
varying vec3 v_tangent;

void main() {
    float left = texture2D(u_height, v_texCoord - vec2(u_texel.x, 0.0)).r;
    float right = texture2D(u_height, v_texCoord + vec2(u_texel.x, 0.0)).r;
    float below = texture2D(u_height, v_texCoord - vec2(0.0, u_texel.y)).r;
    float above = texture2D(u_height, v_texCoord + vec2(0.0, u_texel.y)).r;
    vec3 normal = normalize(v_normal), tangent = normalize(v_tangent);
    vec3 bitangent = cross(normal, tangent);
    vec3 bumped = normalize(normal - u_depth * ((right - left) * tangent + (above - below) * bitangent));
    gl_FragColor = vec4(u_color * (0.15 + 0.85 * max(dot(bumped, u_light), 0.0)), 1.0);
}
