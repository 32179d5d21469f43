// Terrain from four textures mixed by a weight map, faded to a far colour.
precision mediump float;
uniform sampler2D u_weights;
uniform sampler2D u_grass;
uniform sampler2D u_rock;
uniform sampler2D u_sand;
uniform sampler2D u_snow;
uniform vec3 u_far;
varying vec2 v_texCoord;
varying float v_distance;

void main() {
    vec4 w = texture2D(u_weights, v_texCoord);
    vec2 p = v_texCoord * 32.0;
    vec3 color = texture2D(u_grass, p).rgb * w.r + texture2D(u_rock, p).rgb * w.g + texture2D(u_sand, p).rgb * w.b +
                 texture2D(u_snow, p).rgb * w.a;
    color /= max(dot(w, vec4(1.0)), 0.001);
    gl_FragColor = vec4(mix(color, u_far, 1.0 - exp(-v_distance * 0.02)), 1.0);
}
