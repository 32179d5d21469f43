#!/usr/bin/env python3
"""Prints hashes of arrays and pictures that Python gets of Tessera, a line for each: the same with any number of
threads, on every tier and at every SIMD level (TESSERA_THREADS, TESSERA_TIER, TESSERA_SIMD; tests/determinism)."""

import hashlib
import os

import numpy

import tessera

NOISE = """precision highp float;
varying vec2 v;
uniform float k;
float noise(vec2 p) { return fract(sin(dot(p, vec2(12.9898, 78.233))) * 43758.5453); }
void main() {
    float sum = 0.0;
    for (int i = 0; i < 6; ++i) {
        vec2 p = v * k * exp2(float(i));
        sum += (noise(floor(p)) - 0.5) / exp2(float(i)) + 0.1 * pow(abs(sin(p.x)), 2.2);
        if (sum > 0.9) break;
    }
    if (sum < -0.4) discard;
    gl_FragColor = vec4(sum, sqrt(abs(sum)), log2(1.0 + abs(sum)), atan(v.y, v.x));
}
"""
TEXTURED = """precision highp float;
varying vec2 v;
uniform sampler2D picture;
void main() { gl_FragColor = texture2D(picture, v * 3.0) + texture2D(picture, v.yx * 0.1, 1.5); }
"""
INTEGERS = """#version 300 es
precision highp float;
precision highp int;
struct Lamp { vec3 color; float power; };
layout(std140) uniform Lights { Lamp lamp[2]; layout(row_major) mat3x2 turn; } lights;
in vec2 v;
layout(location = 0) out vec4 color;
layout(location = 1) out ivec4 cell;
layout(location = 2) out uvec4 bits;
uint scrambled(uint x) { x ^= x >> 16u; x *= 0x7feb352du; x ^= x >> 15u; x *= 0x846ca68bu; return x ^ (x >> 16u); }
void main() {
    color = vec4(lights.turn * vec3(v, 1.0), sinh(v.x), 1.0);
    for (int i = 0; i < 2; ++i) color.xyz += lights.lamp[i].color * lights.lamp[i].power / (1.0 + dot(v, v));
    cell = ivec4(floor(v * 17.0), int(roundEven(v.x * 9.0)) / 3, int(scrambled(floatBitsToUint(v.y))) % 1000);
    bits = uvec4(scrambled(uint(cell.x * 8191 + cell.y)), packHalf2x16(v), packUnorm2x16(abs(v)), uint(cell.x) << uint(cell.y & 7));
}
"""
VERTEX = """attribute vec3 p; uniform mat4 m; varying vec3 n;
void main() { n = normalize(p); gl_Position = m * vec4(p, 1.0) / (1.0 + length(p)); }
"""
REDUCE = """.compute
.group 64
.shared 256
.buffer b0 x constant
.buffer b1 sums

    mad.u32 r0.x, block.x, block_size.x, thread.x
    shl.u32 r0.x, r0.x, 2
    ld r1.x, b0[r0.x]
    sin r1.y, r1.x
    mad r1.x, r1.x, r1.x, r1.y
    shl.u32 r2.x, thread.x, 2
    st shared[r2.x], r1.x
    bar 1
    xor.u32 r2.x, r2.x, 252
    ld r3.x, shared[r2.x]
    add r1.x, r1.x, r3.x
    st b1[r0.x], r1.x
    ret
"""


def say(name, array):
    data = array.tobytes() if hasattr(array, "tobytes") else array.rgba
    print(name, hashlib.sha256(data).hexdigest()[:32])


def main():
    y, x = numpy.mgrid[-1:1:101j, -1:1:143j].astype(numpy.float32)
    place = numpy.stack([x, y], axis=-1)
    texels = (numpy.arange(37 * 53 * 4) * 2654435761 % 251).astype(numpy.uint8).reshape(37, 53, 4)
    say("noise", tessera.run_fragment(NOISE, {"k": 7.5}, {"v": place}, tier=os.environ.get("TESSERA_TIER")))
    say("textured", tessera.run_fragment(TEXTURED, inputs={"v": place}, textures={"picture": texels},
                                         tier=os.environ.get("TESSERA_TIER")))
    uniforms = {"lights.lamp[0].color": (1, 0.5, 0.25), "lights.lamp[0].power": 3, "lights.lamp[1].color": (0.1, 0.2, 0.3),
                "lights.lamp[1].power": 0.7, "lights.turn": (0.8, 0.6, -0.6, 0.8, 0.1, 0.2)}
    for output in ("color", "cell", "bits"):
        say(f"GLSL ES 3.00, {output}", tessera.run_fragment(INTEGERS, uniforms, {"v": place}, output=output,
                                                            tier=os.environ.get("TESSERA_TIER")))
    points = (numpy.arange(3 * 1000) * 40503 % 997 / 498.5 - 1).astype(numpy.float32).reshape(1000, 3)
    results = tessera.run_vertices(tessera.compile_glsl(VERTEX, "vertex"), {"m": numpy.arange(16)}, {"p": points})
    for name in sorted(results):
        say(name, results[name])
    data, sums = numpy.linspace(-9, 9, 6400, dtype=numpy.float32), numpy.zeros(6400, numpy.float32)
    tessera.Device().run(REDUCE, 100, buffers={"x": data, "sums": sums})
    say("reduced", sums)
    for samples in (0, 4):
        with tessera.Context(160, 120, samples=samples) as context:
            for i in range(4):
                context.shade("precision highp float; uniform vec2 u_at; void main() {"
                              "if (distance(gl_FragCoord.xy, u_at) > 40.0) discard;"
                              "gl_FragColor = vec4(sin(gl_FragCoord.xy * 0.1), u_at.x / 160.0, 1.0); }",
                              {"u_at": (20 + 40 * i, 60)})
            # Edges: thin triangles, a fan of them.
            turn = numpy.arange(90, dtype=numpy.float32) * 0.37
            places = numpy.stack([numpy.cos(turn), numpy.sin(turn)], axis=-1) * numpy.float32([0.9])
            places[::3] = (0.1, -0.05)
            context.gl.glUseProgram(context.program(
                "attribute vec2 p; varying vec2 v; void main() { v = p; gl_Position = vec4(p, 0.0, 1.0); }",
                "precision highp float; varying vec2 v; void main() { gl_FragColor = vec4(v, 0.5, 1.0); }", ["p"]))
            context.gl.glVertexAttribPointer(0, 2, 0x1406, 0, 0, numpy.ascontiguousarray(places))
            context.gl.glDrawArrays(4, 0, 90)
            say(f"context of {samples} samples", context.read())
    with tessera.Context(160, 120, version=3) as context:
        context.shade("#version 300 es\nprecision highp float; uniform uint u_key; uniform mat2 u_turn; out vec4 color; void main() {"
                      "uvec2 p = uvec2(u_turn * gl_FragCoord.xy); uint x = (p.x * 0x9E3779B9u ^ p.y * 0x85EBCA6Bu) + u_key;"
                      "color = vec4((uvec4(x, x >> 8, x >> 16, x >> 24) ^ x >> 13) & 255u) / 255.0; }", {"u_key": 12345, "u_turn": (2, 0.5, -0.5, 2)})
        say("context of version 3", context.read())
    print("model", tessera.model(NOISE, size=(32, 16), uniforms={"k": 7.5}, inputs={"v": [0.3, 0.2]}).cycles)


if __name__ == "__main__":
    main()
