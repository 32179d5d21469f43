// Colour grading: saturation, contrast, lift and gain, then a vignette and film grain.
precision mediump float;
uniform sampler2D u_image;
uniform vec3 u_lift;
uniform vec3 u_gain;
uniform vec2 u_settings;  // saturation, contrast
uniform float u_time;
varying vec2 v_texCoord;

void main() {
    vec3 color = texture2D(u_image, v_texCoord).rgb;
    color = mix(vec3(dot(color, vec3(0.2126, 0.7152, 0.0722))), color, u_settings.x);
    color = (color - 0.5) * u_settings.y + 0.5;
    color = color * u_gain + u_lift * (1.0 - color);
    vec2 p = v_texCoord - 0.5;
    color *= 1.0 - dot(p, p);
    color += 0.03 * (fract(sin(dot(v_texCoord + u_time, vec2(12.9898, 78.233))) * 43758.5453) - 0.5);
    gl_FragColor = vec4(clamp(color, 0.0, 1.0), 1.0);
}
