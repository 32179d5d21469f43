// Sheet 3: is the centre of this pixel inside of the triangle?
//
// The corners are in pixels, y upwards, and go round to the left: a, b, c. Write 1.0 where the pixel is covered, 0.0 where
// it is not. A centre that lies exactly on an edge belongs to the triangle if the edge is a left or a top one: if, going
// from corner to corner, it goes down, or is level and goes to the left.
precision highp float;
uniform vec2 u_a, u_b, u_c;

float edge(vec2 from, vec2 to, vec2 point) {
    vec2 along = to - from, away = point - from;
    return along.x * away.y - along.y * away.x;
}

bool isTopOrLeft(vec2 from, vec2 to) {
    return to.y < from.y || (to.y == from.y && to.x < from.x);
}

float isInside(vec2 from, vec2 to, vec2 point) {
    float e = edge(from, to, point);
    return e > 0.0 || (e == 0.0 && isTopOrLeft(from, to)) ? 1.0 : 0.0;
}

void main() {
    vec2 centre = gl_FragCoord.xy;  // 0.5, 0.5 is the lowest pixel on the left
    float covered = isInside(u_a, u_b, centre) * isInside(u_b, u_c, centre) * isInside(u_c, u_a, centre);
    gl_FragColor = vec4(covered);
}
