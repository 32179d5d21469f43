"""A Julia set three ways: as a fragment shader on arrays, in OpenGL ES, and what the chip would make of it.

    pip install tessera_gl-*.whl numpy
    python julia.py julia.png
"""

import sys

import numpy

import tessera

SHADER = """precision highp float;
uniform vec2 u_c;
uniform vec2 u_size;
void main() {
    vec2 z = 3.0 * (gl_FragCoord.xy / u_size - 0.5);
    float steps = 0.0;
    for (int i = 0; i < 64; ++i) {
        z = vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + u_c;
        if (dot(z, z) > 4.0) break;
        steps += 1.0;
    }
    gl_FragColor = vec4(0.5 + 0.5 * cos(steps * 0.15 + vec3(0.0, 1.0, 2.0)), 1.0);
}
"""
WIDTH, HEIGHT = 160, 120


def main():
    uniforms = {"u_c": (-0.8, 0.156), "u_size": (WIDTH, HEIGHT)}
    program = tessera.compile_glsl(SHADER)
    floats = tessera.run_fragment(program, uniforms, size=(WIDTH, HEIGHT))
    with tessera.Context(WIDTH, HEIGHT) as context:
        with context.record() as recording:
            context.shade(SHADER, uniforms)
        picture = context.read()
    picture.save(sys.argv[1])
    print(tessera.diff(picture, floats))  # the same shader core, so the same picture
    print(tessera.cost(program, size=(32, 32), uniforms=uniforms))
    chip = tessera.model(recording)
    print(f"{chip.cycles} cycles, {chip.report['frames_per_second']:.0f} frames a second")
    lanes = tessera.Debugger(program, size=(WIDTH, HEIGHT), pixel=(80, 60), uniforms=uniforms)
    lanes.run()
    print("instructions of the pixel's group:", lanes.position.count)
    return 0 if numpy.asarray(picture).shape == (HEIGHT, WIDTH, 4) else 1


if __name__ == "__main__":
    sys.exit(main())
