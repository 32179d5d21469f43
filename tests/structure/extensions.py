#!/usr/bin/env python3
"""Tessera's own extensions: each that is advertised has a text in docs/extensions and its name in a header of include/,
each token of a header stands with its value in the text of its extension, and no other file gives a token a value.

Usage: extensions.py [ROOT]. Each run first checks that the checker itself notices what is wrong.
"""

import pathlib
import re
import subprocess
import sys

ADVERTISED = {"GL": "api/gles/extensions.cpp", "EGL": "api/egl"}
HEADERS = {"GL": "include/GLES2/gl2tessera.h", "EGL": "include/EGL/egltessera.h"}
# What a text has, in Khronos' order.
SECTIONS = ("Name", "Name Strings", "Contributors", "Status", "Version", "Number", "Dependencies", "Overview",
            "New Procedures and Functions", "New Tokens", "Revision History")


def defined(header):
    """Extension -> its tokens with their values, from the blocks of a header."""
    found = {}
    for name, block in re.findall(r"#ifndef (E?GL_TESSERA_\w+)\n(.*?)#endif", header, re.S):
        found[name] = dict(re.findall(r"#define (\w+_TESSERA) (0x[0-9A-F]+)", block))
    return found


def faults(advertised, headers, texts):
    """What is wrong, as messages. texts: extension -> text, headers: extension -> {token: value}."""
    found = [f"{name} is advertised and has no text" for name in sorted(advertised - texts.keys())]
    found += [f"{name} is advertised and in no header" for name in sorted(advertised - headers.keys())]
    found += [f"{name} has a text and is not advertised" for name in sorted(texts.keys() - advertised)]
    found += [f"{name} is in a header and not advertised" for name in sorted(headers.keys() - advertised)]
    for name, text in sorted(texts.items()):
        lines = text.splitlines()
        places = [lines.index(section) if section in lines else -1 for section in SECTIONS]
        found += [f"{name}: no section '{s}'" for s, place in zip(SECTIONS, places) if place < 0]
        if -1 not in places and places != sorted(places):
            found.append(f"{name}: the sections are not in the order of the template")
        if f"    {name}" not in lines:
            found.append(f"{name}: the text gives another name string")
        tokens = headers.get(name, {})
        for token, value in tokens.items():
            # Texts of OpenGL ES leave the prefix out, those of EGL do not.
            if not re.search(rf"^ +(GL_)?{token.removeprefix('GL_')} +{value}$", text, re.M):
                found.append(f"{name}: {token} with the value {value} is not in the text")
        for token, value in re.findall(r"^ +(\w+_TESSERA) +(0x[0-9A-F]+)$", text, re.M):
            if value not in (tokens.get(token), tokens.get(f"GL_{token}")):
                found.append(f"{name}: {token} is {value} in the text and not in the header")
    values = [value for tokens in headers.values() for value in tokens.values()]
    found += [f"{value} stands for two tokens" for value in sorted(set(values)) if values.count(value) > 1]
    return found


def self_test():
    text = "\n\n".join(SECTIONS) + "\n    GL_TESSERA_x\n        ONE_TESSERA      0x9F00\n"
    good = {"GL_TESSERA_x"}, {"GL_TESSERA_x": {"GL_ONE_TESSERA": "0x9F00"}}, {"GL_TESSERA_x": text}
    assert not faults(*good), faults(*good)
    assert faults({*good[0], "GL_TESSERA_y"}, good[1], good[2])
    assert faults(good[0], good[1], {})
    assert faults(good[0], {"GL_TESSERA_x": {"GL_ONE_TESSERA": "0x9F01"}}, good[2])
    assert faults(good[0], {"GL_TESSERA_x": {}}, good[2])
    assert faults(good[0], good[1], {"GL_TESSERA_x": text.replace("Status", "")})
    assert defined("#ifndef EGL_TESSERA_z\n#define EGL_TESSERA_z 1\n#define EGL_Z_TESSERA 0x3F5D\n#endif\n") == {
        "EGL_TESSERA_z": {"EGL_Z_TESSERA": "0x3F5D"}}


def read(path):
    files = [path] if path.is_file() else [file for file in path.iterdir() if file.suffix in (".cpp", ".h", ".inc")]
    return "".join(file.read_text() for file in files if "_test" not in file.name)


def strays(root, headers):
    """Files of code that write a token's number instead of its name."""
    values = {value for tokens in headers.values() for value in tokens.values()}
    listed = subprocess.run(["git", "-C", root, "ls-files", "*.cpp", "*.h", "*.c", "*.inc"],
                            capture_output=True, text=True)
    files = [name for name in listed.stdout.split() if not name.startswith("include/") and (root / name).exists()]
    return [f"{name}: {value} has a name in include/" for name in files
            for value in values if value in (root / name).read_text(errors="replace")]


def main():
    self_test()
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    advertised, headers = set(), {}
    for api, place in ADVERTISED.items():
        strings = " ".join(re.findall(r'"([^"]*)"', read(root / place)))
        advertised |= set(re.findall(rf"\b{api}_TESSERA_\w+", strings))
        headers |= defined((root / HEADERS[api]).read_text())
    texts = {path.stem: path.read_text() for path in (root / "docs/extensions").glob("*_TESSERA_*.txt")}
    found = faults(advertised, headers, texts) + strays(root, headers)
    for message in found:
        print(message)
    print(f"{len(advertised)} extensions, {len(found)} faults")
    return 1 if found or not advertised else 0


if __name__ == "__main__":
    sys.exit(main())
