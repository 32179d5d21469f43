#version 300 es
precision highp float;
struct L { vec3 c; float w; };
layout(std140) uniform B { L l[3]; layout(row_major) mat3x4 m; uint n; } b[2];
flat in ivec2 i;
centroid in vec4 v;
layout(location = 0) out vec4 o;
layout(location = 1) out uvec2 p[2];
const float t[3] = float[](1.0, 2.0, 3.0);
float f(float x[3], out int k) { k = x.length(); return x[i.x % 3]; }
void main() {
    int k;
    switch (i.y) { case 0: o = v; break; case 1: default: o = b[0].m * b[1].l[i.x].c; }
    o.x += f(t, k);
    p[0] = uvec2(b[1].n >> 3u, uint(k)) ^ packHalf2x16(v.xy);
    p[1] = uvec2(floatBitsToUint(inverse(mat2(v))[0]));
}
