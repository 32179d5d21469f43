// Cel shading: light in steps, and a dark outline where the surface turns away.
precision mediump float;

uniform vec3 u_color;
uniform vec3 u_lightDirection;
varying vec3 v_position;
varying vec3 v_normal;

void main() {
    vec3 normal = normalize(v_normal);
    float light = dot(normal, u_lightDirection);
    float shade = light > 0.8 ? 1.0 : light > 0.4 ? 0.7 : light > 0.0 ? 0.45 : 0.25;
    float rim = dot(normal, normalize(-v_position));
    vec3 color = rim < 0.25 ? vec3(0.05) : u_color * shade;
    gl_FragColor = vec4(color, 1.0);
}
