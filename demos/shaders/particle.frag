// Particles: a soft disc on each point sprite, from yellow to dark red as it ages.
precision mediump float;

varying float v_age;

void main() {
    float distance = length(gl_PointCoord - 0.5) * 2.0;
    float alpha = smoothstep(1.0, 0.2, distance) * (1.0 - v_age);
    vec3 color = mix(vec3(1.0, 0.9, 0.4), vec3(0.5, 0.05, 0.0), v_age);
    gl_FragColor = vec4(color * alpha, alpha);
}
