// Water: reflected and refracted surroundings from a cube map, mixed by Schlick's approximation of Fresnel.
precision mediump float;

uniform samplerCube u_surroundings;
uniform vec3 u_eye;
varying vec3 v_position;
varying vec3 v_normal;

void main() {
    vec3 normal = normalize(v_normal);
    vec3 incident = normalize(v_position - u_eye);
    float facing = clamp(dot(-incident, normal), 0.0, 1.0);
    float fresnel = 0.02 + 0.98 * pow(1.0 - facing, 5.0);
    vec3 reflected = textureCube(u_surroundings, reflect(incident, normal)).rgb;
    vec3 refracted = textureCube(u_surroundings, refract(incident, normal, 0.75)).rgb * vec3(0.6, 0.8, 0.85);
    gl_FragColor = vec4(mix(refracted, reflected, fresnel), 1.0);
}
