// Sheet 3: is the centre of this pixel inside of the triangle?
//
// The corners are in pixels, y upwards, and go round to the left: a, b, c. Write 1.0 where the pixel is covered, 0.0 where
// it is not. A centre that lies exactly on an edge belongs to the triangle if the edge is a left or a top one: if, going
// from corner to corner, it goes down, or is level and goes to the left.
precision highp float;
uniform vec2 u_a, u_b, u_c;

float edge(vec2 from, vec2 to, vec2 point) {
    return 0.0;                     // your formula
}

void main() {
    vec2 centre = gl_FragCoord.xy;  // 0.5, 0.5 is the lowest pixel on the left
    float covered = 0.0;            // and your decision
    gl_FragColor = vec4(covered);
}
