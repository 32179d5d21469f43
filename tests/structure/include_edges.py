#!/usr/bin/env python3
"""Checks who includes whom: the room plan of README.md, as a table. Any other edge fails.

Usage: include_edges.py [ROOT]. Each run first checks that the checker itself notices bad edges.
"""

import pathlib
import re
import subprocess
import sys

# Room -> rooms whose headers it may include (besides itself and base). "*" is anything.
EDGES = {
    "include": [],
    "base": [],
    "texture": [],
    "shader-core/isa": [],
    "shader-core/asm": ["shader-core/isa"],
    "shader-core/interp": ["shader-core/isa"],
    "shader-core/jit": ["shader-core/isa"],
    "shader-core/tier": ["shader-core/isa"],
    "shader-core/debug": ["shader-core/isa", "shader-core/asm", "shader-core/interp"],
    "shader-core/compute": ["shader-core/isa"],
    "shader-core/glsl": ["shader-core/isa"],
    "pipeline": ["shader-core/isa", "texture"],
    "model": ["shader-core/isa", "pipeline"],
    "present": ["texture"],
    "api/compute": ["shader-core/isa", "shader-core/asm", "shader-core/compute", "shader-core/interp"],
    "api/gles": ["pipeline", "texture", "shader-core/glsl", "shader-core/isa"],
    "api/gles1": ["api/gles", "pipeline", "shader-core/isa"],
    "api/egl": ["api/gles", "api/gles1", "present", "texture", "pipeline"],
    "api/icd": ["*"],
    "demos": [],
    "demos/kernels": ["demos", "shader-core/isa", "shader-core/compute", "api/compute"],
    "demos/mandelbrot": ["demos", "demos/kernels", "shader-core/compute", "api/compute"],
    "tools": ["*"],
    "tests": ["*"],
    "bench": ["*"],
}

# External headers by prefix -> the only rooms that may include them.
EXTERNAL = {
    "llvm/": ["shader-core/jit"],
    "llvm-c/": ["shader-core/jit"],
    "glslang/": ["shader-core/glsl"],
    "SPIRV/": ["shader-core/glsl"],
    "GLES/": ["api/gles1", "demos", "tests"],
    "GLES2/": ["api/gles", "api/egl", "api/icd", "demos", "demos/mandelbrot", "tests", "bench", "tools"],
    "EGL/": ["api/egl", "api/icd", "demos", "tests", "bench", "tools"],
    "tessera_compute.h": ["include", "api/compute", "tests"],
    "tessera/": ["tests"],
    "X11/": ["present", "tests"],
    "xcb/": ["present", "tests"],
    "wayland-": ["present", "tests"],
    "glvnd/": ["api/egl"],
    "SDL": ["present", "demos", "tests", "bench", "tools"],
    "imgui": ["demos", "tools"],
    "glm/": ["demos", "tests", "bench"],
    "histedit.h": ["tools"],
    "CLI/": ["demos", "demos/kernels", "demos/mandelbrot", "tools", "bench", "tests"],
    "nlohmann/": ["shader-core/debug", "api/icd", "tools", "tests"],
    "stb/": ["demos", "tools", "tests", "bench"],
}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)


def room_of(path):
    """The longest room that the path lies in, or None."""
    rooms = [room for room in EDGES if path == room or path.startswith(room + "/")]
    return max(rooms, key=len, default=None)


def violations(path, text):
    """Bad includes of one file, as messages. Unit tests may include anything."""
    room = room_of(path)
    if room is None:
        return [f"{path}: lies in no room"]
    if path.endswith("_test.cpp"):
        return []
    allowed = EDGES[room]
    found = []
    for bracket, header in INCLUDE.findall(text):
        target = room_of(header)
        if bracket == '"' and target is not None:
            if target not in (room, "base") and "*" not in allowed and target not in allowed:
                found.append(f"{path}: {room} may not include {target} ({header})")
        for prefix, rooms in EXTERNAL.items():
            if target is None and header.startswith(prefix) and room not in rooms:
                found.append(f"{path}: {room} may not include <{header}>")
    return found


def sources(root):
    listed = subprocess.run(["git", "-C", root, "ls-files", "*.cpp", "*.h", "*.hpp", "*.inc", "*.def", "*.c"],
                            capture_output=True, text=True)
    if listed.returncode == 0 and listed.stdout:
        return [name for name in listed.stdout.split() if (pathlib.Path(root) / name).exists()]
    # Outside git (an unpacked archive): everything below the rooms.
    return [str(path.relative_to(root)) for room in {r.split("/")[0] for r in EDGES}
            for path in (pathlib.Path(root) / room).rglob("*")
            if path.suffix in (".cpp", ".h", ".hpp", ".inc", ".def", ".c")]


def self_test():
    assert violations("pipeline/x.cpp", '#include <GLES2/gl2.h>\n')
    assert violations("shader-core/isa/x.h", '#include "texture/image.h"\n')
    assert violations("texture/x.cpp", '#include "api/gles/driver.h"\n')
    assert violations("shader-core/interp/x.cpp", '#  include <llvm/IR/IRBuilder.h>\n')
    assert violations("nowhere/x.cpp", "")
    assert not violations("pipeline/x.cpp", '#include "texture/image.h"\n#include "base/check.h"\n#include <vector>\n')
    assert not violations("texture/x_test.cpp", '#include "pipeline/gpu.h"\n')
    assert not violations("shader-core/glsl/front/x.cpp", '#include "shader-core/glsl/ir/ir.h"\n')


def main():
    self_test()
    root = sys.argv[1] if len(sys.argv) > 1 else "."
    files = sources(root)
    found = [message for name in files
             for message in violations(name, (pathlib.Path(root) / name).read_text(errors="replace"))]
    for message in found:
        print(message)
    print(f"{len(files)} files, {len(found)} forbidden includes")
    return 1 if found or not files else 0


if __name__ == "__main__":
    sys.exit(main())
