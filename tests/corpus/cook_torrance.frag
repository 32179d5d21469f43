// Microfacet specular: GGX distribution, Smith's visibility, Schlick's Fresnel.
precision highp float;
uniform vec3 u_light;
uniform vec3 u_albedo;
uniform float u_roughness;
uniform float u_metallic;
varying vec3 v_normal;
varying vec3 v_toEye;

float distribution(float nh, float a2) {
    float d = nh * nh * (a2 - 1.0) + 1.0;
    return a2 / (3.14159265 * d * d);
}
float visibility(float nl, float nv, float a2) {
    return 0.5 / (nl * sqrt(nv * nv * (1.0 - a2) + a2) + nv * sqrt(nl * nl * (1.0 - a2) + a2) + 1e-4);
}
void main() {
    vec3 n = normalize(v_normal), v = normalize(v_toEye), h = normalize(u_light + v);
    float nl = max(dot(n, u_light), 0.0), nv = max(dot(n, v), 1e-3), nh = max(dot(n, h), 0.0);
    float alpha = u_roughness * u_roughness, a2 = alpha * alpha;
    vec3 f0 = mix(vec3(0.04), u_albedo, u_metallic);
    vec3 fresnel = f0 + (1.0 - f0) * pow(1.0 - max(dot(h, v), 0.0), 5.0);
    vec3 diffuse = u_albedo * (1.0 - u_metallic) / 3.14159265;
    vec3 color = (diffuse + fresnel * (distribution(nh, a2) * visibility(nl, nv, a2))) * nl;
    gl_FragColor = vec4(pow(color / (color + 1.0), vec3(1.0 / 2.2)), 1.0);
}
