#!/usr/bin/env python3
"""Texels of BPTC beside Mesa's: random blocks of every mode, fetched one by one on Tessera and on llvmpipe, and compared
to the bit. (Other compressed formats are defined to rounding alone, and are not rounded alike.)

    bptc_beside_mesa.py --build DIR    compare; 77 when Mesa is not there
    bptc_beside_mesa.py --texels FILE  write what the loader's libEGL makes of them"""

import argparse
import array
import ctypes
import os
import pathlib
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "errors"))
from errors_beside_mesa import E, MESA_VENDOR, Library, mesa_environment  # noqa: E402

FORMATS = {"RGBA_BPTC_UNORM": 0x8E8C, "RGB_BPTC_SIGNED_FLOAT": 0x8E8E, "RGB_BPTC_UNSIGNED_FLOAT": 0x8E8F}
SIDE = 256  # texels
VERTEX = b"""#version 300 es
void main() { gl_Position = vec4(gl_VertexID % 2 * 4 - 1, gl_VertexID / 2 * 4 - 1, 0, 1); }"""
FRAGMENT = b"""#version 300 es
precision highp float; uniform sampler2D image; out vec4 color;
void main() { color = texelFetch(image, ivec2(gl_FragCoord.xy), 0); }"""


def blocks(name):
    """As many of each mode, and of those that are none: BC7's is its lowest bit that is set, BC6H's its lowest five."""
    rolls, out = random.Random(name), bytearray()
    for i in range(SIDE * SIDE // 16):
        block = rolls.getrandbits(128)
        if "UNORM" in name:
            mode = i % 9
            block = block >> (mode + 1) << (mode + 1) | (1 << mode if mode < 8 else 0)
        else:
            block = block >> 5 << 5 | i % 32
        out += block.to_bytes(16, "little")
    return bytes(out)


class Drawing:
    """A context of OpenGL ES 3.0 that draws to floats."""

    def __init__(self):
        self.gl = gl = Library(3)
        version = (ctypes.c_int32 * 3)(0x3098, 3, 0x3038)
        context = ctypes.c_void_p(gl.egl.eglCreateContext(gl.display, gl.config, None, version))
        gl.egl.eglMakeCurrent(gl.display, gl.surface, gl.surface, context)
        for what, target in (("Framebuffers", "FRAMEBUFFER"), ("Renderbuffers", "RENDERBUFFER")):
            gl.call(f"glBind{what[:-1]}", "ii", E[target], self.generate(what))
        gl.call("glRenderbufferStorage", "iiii", E["RENDERBUFFER"], E["RGBA32F"], SIDE, SIDE)
        name = ctypes.c_int32()
        gl.call("glGetIntegerv", "ip", E["RENDERBUFFER_BINDING"], ctypes.addressof(name))
        gl.call("glFramebufferRenderbuffer", "iiii", E["FRAMEBUFFER"], E["COLOR_ATTACHMENT0"], E["RENDERBUFFER"], name.value)
        gl.call("glViewport", "iiii", 0, 0, SIDE, SIDE)
        program = gl.call("glCreateProgram", "")
        for kind, source in (("VERTEX_SHADER", VERTEX), ("FRAGMENT_SHADER", FRAGMENT)):
            shader, text = gl.call("glCreateShader", "i", E[kind]), (ctypes.c_char_p * 1)(source)
            gl.call("glShaderSource", "iipp", shader, 1, ctypes.addressof(text), 0)
            gl.call("glCompileShader", "i", shader)
            gl.call("glAttachShader", "ii", program, shader)
        gl.call("glLinkProgram", "i", program)
        gl.call("glUseProgram", "i", program)

    def generate(self, what):
        name = ctypes.c_uint32()
        self.gl.call(f"glGen{what}", "ip", 1, ctypes.addressof(name))
        return name.value

    def texels(self, name, internalformat):
        gl, data = self.gl, ctypes.create_string_buffer(blocks(name), SIDE * SIDE)
        gl.call("glBindTexture", "ii", E["TEXTURE_2D"], self.generate("Textures"))
        gl.call("glCompressedTexImage2D", "iiiiiiip", E["TEXTURE_2D"], 0, internalformat, SIDE, SIDE, 0, SIDE * SIDE,
                ctypes.addressof(data))
        for parameter in ("TEXTURE_MIN_FILTER", "TEXTURE_MAG_FILTER"):
            gl.call("glTexParameteri", "iii", E["TEXTURE_2D"], E[parameter], E["NEAREST"])
        gl.call("glDrawArrays", "iii", E["TRIANGLES"], 0, 3)
        out = (ctypes.c_float * (SIDE * SIDE * 4))()
        gl.call("glReadPixels", "iiiiiip", 0, 0, SIDE, SIDE, E["RGBA"], E["FLOAT"], ctypes.addressof(out))
        if (error := gl.get_error()) != 0:
            sys.exit(f"{name}: GL error {error:#x}")
        return out


def texels_of(environment):
    with tempfile.NamedTemporaryFile() as file:
        subprocess.run([sys.executable, __file__, "--texels", file.name], env={**os.environ, **environment}, check=True)
        values = array.array("f", pathlib.Path(file.name).read_bytes())
    count = len(values) // len(FORMATS)
    return {name: values[i * count:(i + 1) * count] for i, name in enumerate(FORMATS)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path)
    parser.add_argument("--texels", type=pathlib.Path, metavar="FILE")
    arguments = parser.parse_args()
    if arguments.texels:
        drawing = Drawing()
        arguments.texels.write_bytes(b"".join(bytes(drawing.texels(*row)) for row in FORMATS.items()))
        return 0
    if not MESA_VENDOR.exists():
        print("Mesa is not installed")
        return 77
    ours = texels_of(dict(LD_LIBRARY_PATH=str(arguments.build / "lib"), TESSERA_THREADS="1", TESSERA_TIER="interp"))
    theirs = texels_of(mesa_environment(3))
    wrong = 0
    for name in FORMATS:
        # Codes of eight bits are fractions, of which floats have no room for all bits.
        exact = (lambda value: round(value * 255)) if "UNORM" in name else (lambda value: value)
        different = [i for i, (a, b) in enumerate(zip(ours[name], theirs[name])) if exact(a) != exact(b)]
        wrong += len(different)
        for i in different[:5]:
            texel = i // 4
            print(f"{name}: texel {texel % SIDE}, {texel // SIDE}, {'RGBA'[i % 4]}: {ours[name][i]}, Mesa {theirs[name][i]}")
        print(f"{name}: {len(ours[name])} values, {len(different)} differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
