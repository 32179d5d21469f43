// Normal mapping, fragment stage: the normal comes from a texture, shading happens in tangent space.
precision mediump float;

uniform sampler2D u_diffuseMap;
uniform sampler2D u_normalMap;
uniform float u_shininess;
varying vec2 v_texCoord;
varying vec3 v_toLight;
varying vec3 v_toEye;

void main() {
    vec3 normal = normalize(texture2D(u_normalMap, v_texCoord).xyz * 2.0 - 1.0);
    vec3 toLight = normalize(v_toLight);
    vec3 halfway = normalize(toLight + normalize(v_toEye));
    float diffuse = max(dot(normal, toLight), 0.0);
    float specular = pow(max(dot(normal, halfway), 0.0), u_shininess);
    vec3 color = texture2D(u_diffuseMap, v_texCoord).rgb;
    gl_FragColor = vec4(color * (0.1 + diffuse) + specular, 1.0);
}
