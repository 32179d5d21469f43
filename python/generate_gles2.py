#!/usr/bin/env python3
"""Writes tessera/_gles2.py, the signatures of OpenGL ES 2.0 and 3.0 for ctypes, from Khronos' header.

  generate_gles2.py [--check] [GLES3/gl3.h]
"""

import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
LETTERS = {"void": "v", "GLenum": "I", "GLuint": "I", "GLbitfield": "I", "GLint": "i", "GLsizei": "i", "GLfloat": "f",
           "GLclampf": "f", "GLboolean": "B", "GLintptr": "n", "GLsizeiptr": "n", "GLuint64": "Q", "GLsync": "a"}


def letter(declaration):
    return "p" if "*" in declaration else LETTERS[declaration.replace("const", "").split()[0]]


def generate(header):
    rows = []
    for result, name, arguments in re.findall(
            r"^GL_APICALL (.+?)\s*GL_APIENTRY (gl\w+) ?\((.*?)\);", header, re.M):
        inside = "" if arguments.strip() == "void" else "".join(map(letter, arguments.split(",")))
        # A text is bytes, other memory an address.
        given = "p" if "GLubyte" in result else letter(result).replace("p", "a")
        rows.append(f'    "{name}": "{given}{inside}",\n')
    return TEMPLATE.replace("ROWS", "".join(sorted(set(rows))))


TEMPLATE = '''"""The functions of OpenGL ES 2.0 and 3.0 for ctypes. Made by generate_gles2.py from Khronos' header."""

from __future__ import annotations

import ctypes
import os
from typing import Any, Union

#: Name -> letter of the result, then one for each argument: v nothing, I unsigned, i signed, f float, B boolean, n
#: pointer-sized, Q unsigned of 64 bits, p memory (a result: text), a an address as a number.
SIGNATURES = {
ROWS}


class _Memory:
    """An argument that points at memory: bytes, an array (numpy's, ctypes'), an offset into a buffer, or None."""

    @staticmethod
    def from_param(value: Any) -> Any:
        if value is None or isinstance(value, int):
            return ctypes.c_void_p(value)
        if isinstance(value, bytes):
            return ctypes.c_char_p(value)
        if isinstance(value, ctypes.Array) or hasattr(value, "_obj"):  # byref()
            return value
        if hasattr(value, "__array_interface__"):
            interface = value.__array_interface__
            if interface.get("strides") is not None:
                raise TypeError("the array must be contiguous")
            return ctypes.c_void_p(interface["data"][0])
        view = memoryview(value)
        if view.readonly or not view.c_contiguous:
            raise TypeError("the memory must be writable and contiguous; give bytes for what is read only")
        return (ctypes.c_char * view.nbytes).from_buffer(view)


_TYPES = {"v": None, "I": ctypes.c_uint, "i": ctypes.c_int, "f": ctypes.c_float, "B": ctypes.c_ubyte,
          "n": ctypes.c_ssize_t, "Q": ctypes.c_uint64, "p": _Memory, "a": ctypes.c_void_p}


class Functions:
    """Functions by name, with their arguments checked; glGetString() gives bytes. Functions of OpenGL ES 1.1 and of
    extensions have no signatures here."""

    def __init__(self, library: Union[str, "os.PathLike[str]"]):
        self._library = ctypes.CDLL(str(library))

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("gl"):
            raise AttributeError(name)
        function = getattr(self._library, name)
        signature = SIGNATURES.get(name)
        if signature is not None:
            function.restype = ctypes.c_char_p if signature[0] == "p" else _TYPES[signature[0]]
            function.argtypes = [_TYPES[one] for one in signature[1:]]
        setattr(self, name, function)
        return function
'''


def main():
    arguments = [one for one in sys.argv[1:] if one != "--check"]
    made = generate(pathlib.Path(arguments[0] if arguments else "/usr/include/GLES3/gl3.h").read_text())
    target = HERE / "tessera/_gles2.py"
    if "--check" not in sys.argv:
        target.write_text(made)
    elif target.read_text() != made:
        print(f"{target}: is not what generate_gles2.py writes")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
