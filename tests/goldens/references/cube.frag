// What demos/isa/cube.frag.tsa says, in GLSL.
precision highp float;

uniform sampler2D u_image;
varying vec2 v_texCoord;
varying vec3 v_normal;
varying vec3 v_toEye;

void main() {
    vec3 normal = normalize(v_normal), light = normalize(vec3(-0.25, 0.55, 0.8));
    vec3 halfway = normalize(normalize(v_toEye) + light);
    float diffuse = max(dot(normal, light), 0.0);
    float specular = diffuse > 0.0 ? pow(max(dot(normal, halfway), 0.0), 40.0) : 0.0;
    vec3 color = texture2D(u_image, v_texCoord).rgb * (0.3 + 0.7 * diffuse);
    gl_FragColor = vec4(clamp(color + 0.35 * specular, 0.0, 1.0), 1.0);
}
