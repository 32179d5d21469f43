// Wood: rings around an axis, bent by noise from a texture.
precision mediump float;
uniform sampler2D u_noise;
uniform vec3 u_light;
uniform vec3 u_dark;
varying vec3 v_local;

void main() {
    float bend = texture2D(u_noise, v_local.xy * 0.3).r + 0.5 * texture2D(u_noise, v_local.yz * 0.7).r;
    float ring = fract((length(v_local.xz) + 0.2 * bend) * 6.0);
    float grain = smoothstep(0.3, 0.8, ring) * (1.0 - smoothstep(0.9, 1.0, ring));
    gl_FragColor = vec4(mix(u_light, u_dark, grain), 1.0);
}
