// Normal mapping, fragment stage: the normal comes from a texture, shading happens in tangent space. A lamp that is
// near, so its light fades with the distance squared, and the light of an evening sky. Linear light.
precision highp float;

uniform sampler2D u_diffuseMap;
uniform sampler2D u_normalMap;
uniform float u_shininess;
varying vec2 v_texCoord;
varying vec3 v_toLamp;
varying vec3 v_toEye;
varying vec3 v_up;

void main() {
    vec3 normal = normalize(texture2D(u_normalMap, v_texCoord).xyz * 2.0 - 1.0);
    vec3 toLamp = normalize(v_toLamp);
    vec3 halfway = normalize(toLamp + normalize(v_toEye));
    float diffuse = max(dot(normal, toLamp), 0.0);
    // Blinn's highlight keeps its energy as it gets smaller; nothing shines on the side away from the lamp.
    float specular = pow(max(dot(normal, halfway), 0.0), u_shininess) * (u_shininess + 8.0) * 0.006;
    vec3 color = texture2D(u_diffuseMap, v_texCoord).rgb;
    color *= color;  // the images are nearly of gamma 2
    vec3 lamp = vec3(11.0, 7.6, 4.2) / (1.0 + dot(v_toLamp, v_toLamp));
    vec3 sky = mix(vec3(0.05, 0.045, 0.05), vec3(0.10, 0.14, 0.24), 0.5 + 0.5 * dot(normal, v_up));
    gl_FragColor = vec4(color * (sky + lamp * diffuse) + lamp * (specular * diffuse), 1.0);
}
