// A reflecting surface: cube map with a bias for rough places, tinted at the edge.
precision mediump float;
uniform samplerCube u_surroundings;
uniform float u_roughness;
uniform vec3 u_tint;
varying vec3 v_normal;
varying vec3 v_toEye;

void main() {
    vec3 n = normalize(v_normal), e = normalize(v_toEye);
    vec3 r = reflect(-e, n);
    vec3 seen = textureCube(u_surroundings, r, u_roughness * 6.0).rgb;
    float rim = pow(1.0 - max(dot(n, e), 0.0), 3.0);
    gl_FragColor = vec4(mix(seen * u_tint, seen, rim), 1.0);
}
