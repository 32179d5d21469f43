#!/usr/bin/env python3
"""Writes constants.js, the numbers that contexts of WebGL 1 and 2 have, from Khronos' headers.

  constants.py [--check] [FOLDER]     FOLDER has GLES2/gl2.h and GLES3/gl3.h; default /usr/include
"""

import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
#: What OpenGL ES has and WebGL has not: programs as binaries, memory that is mapped, fixed point.
WITHOUT = re.compile(r"ES_VERSION|TRUE$|FALSE$|FIXED$|SHADER_COMPILER|BINARY|NUM_(EXT|COMP|SHADER|PROG)|MAP_|BUFFER_MAP|PRIMITIVE_RESTART|"
                     r"NUM_EXTENSIONS|TEXTURE_SWIZZLE|INFO_LOG_LENGTH|SHADER_SOURCE_LENGTH|MAX_LENGTH|NAME_LENGTH")
OWN = {"webgl": {"DEPTH_STENCIL": 0x84F9, "DEPTH_STENCIL_ATTACHMENT": 0x821A, "UNPACK_FLIP_Y_WEBGL": 0x9240,
                 "UNPACK_PREMULTIPLY_ALPHA_WEBGL": 0x9241, "CONTEXT_LOST_WEBGL": 0x9242,
                 "UNPACK_COLORSPACE_CONVERSION_WEBGL": 0x9243, "BROWSER_DEFAULT_WEBGL": 0x9244},
       "webgl2": {"TIMEOUT_IGNORED": -1, "MAX_CLIENT_WAIT_TIMEOUT_WEBGL": 0x9247}}


def numbers(header):
    found = re.findall(r"^#define GL_(\w+) +(0x[0-9A-Fa-f]+|\d+)(?:u|ull)?$", header, re.M)
    return {name: int(value, 0) for name, value in found if not WITHOUT.match(name) and not name.endswith("_MAX_LENGTH")}


def generate(folder):
    one = numbers((folder / "GLES2/gl2.h").read_text()) | OWN["webgl"]
    two = numbers((folder / "GLES3/gl3.h").read_text()) | OWN["webgl2"]
    two = {name: value for name, value in two.items() if name not in one}
    lines = ["// The numbers that contexts have. Made by constants.py from Khronos' headers.", '"use strict";', "", "module.exports = {"]
    for name, table in (("webgl", one), ("webgl2", two)):
        lines.append(f"    {name}: {{")
        lines += [f"        {key}: {value if value < 0 else hex(value)}," for key, value in sorted(table.items())]
        lines.append("    },")
    return "\n".join([*lines, "};", ""])


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--check"]
    text = generate(pathlib.Path(arguments[0] if arguments else "/usr/include"))
    file = HERE / "constants.js"
    if "--check" not in sys.argv:
        file.write_text(text)
    elif file.read_text() != text:
        sys.exit("node/constants.js does not follow from Khronos' headers; run node/constants.py")


if __name__ == "__main__":
    main()
