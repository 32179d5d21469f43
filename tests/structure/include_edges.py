#!/usr/bin/env python3
"""Checks who includes whom: the room plan of README.md, as a table. Any other edge fails, and so do folders that
include each other in a circle, unit tests and what supports them apart.

Usage: include_edges.py [ROOT]. Each run first checks that the checker itself notices bad edges and circles.
"""

import collections
import pathlib
import posixpath
import re
import subprocess
import sys

# Room -> rooms whose headers it may include (besides itself, the rooms around it, and base). "*" is anything.
EDGES = {
    "include": [],
    "base": [],
    "base/export": [],
    "cmake": [],
    "texture": ["texture/transfer"],
    "texture/transfer": [],
    "texture/sample": [],
    "texture/codec": ["texture/transfer"],
    "shader-core/isa": [],
    "shader-core/analysis": ["shader-core/isa"],
    "shader-core/asm": ["shader-core/isa"],
    "shader-core/asm/analysis": ["shader-core/isa"],
    "shader-core/interp": ["shader-core/isa"],
    "shader-core/jit": ["shader-core/analysis", "shader-core/isa", "shader-core/jit/run", "shader-core/jit/store"],
    # What it calls for is what the interpreter defines (ADR 36).
    "shader-core/jit/baseline": ["shader-core/analysis", "shader-core/isa", "shader-core/interp",
                                 "shader-core/jit/run"],
    "shader-core/jit/host": [],
    "shader-core/jit/lower": ["shader-core/analysis", "shader-core/isa", "shader-core/jit/host", "shader-core/jit/run"],
    "shader-core/jit/codegen": ["shader-core/analysis", "shader-core/isa", "shader-core/jit/host", "shader-core/jit/lower",
                                "shader-core/jit/run"],
    "shader-core/jit/run": ["shader-core/isa"],
    "shader-core/jit/store": ["shader-core/isa", "shader-core/jit/baseline", "shader-core/jit/run"],
    "shader-core/tier": ["shader-core/isa", "shader-core/interp"],
    "shader-core/debug": ["shader-core/isa", "shader-core/asm", "shader-core/interp", "shader-core/debug/replay",
                          "shader-core/debug/trace"],
    "shader-core/debug/replay": ["shader-core/isa", "shader-core/asm", "shader-core/interp"],
    "shader-core/debug/trace": ["shader-core/isa", "shader-core/asm", "shader-core/interp", "shader-core/debug/replay",
                                "base/export"],
    "shader-core/compute": ["shader-core/isa"],
    "shader-core/glsl": ["shader-core/isa"],
    "shader-core/glsl/front": ["shader-core/isa", "shader-core/glsl/ir", "shader-core/glsl/front/lower",
                               "shader-core/glsl/front/parse", "shader-core/glsl/front/preprocess"],
    "shader-core/glsl/front/preprocess": ["shader-core/isa"],
    "shader-core/glsl/front/parse": ["shader-core/isa", "shader-core/glsl/front/preprocess"],
    "shader-core/glsl/front/lower": ["shader-core/isa", "shader-core/glsl/ir", "shader-core/glsl/front/link",
                                     "shader-core/glsl/front/parse", "shader-core/glsl/front/preprocess"],
    "shader-core/glsl/front/link": ["shader-core/isa", "shader-core/glsl/ir", "shader-core/glsl/front/preprocess"],
    "shader-core/glsl/ir": ["shader-core/isa"],
    "shader-core/glsl/ir/optimize": ["shader-core/isa"],
    "shader-core/glsl/ir/emit": ["shader-core/isa"],
    "pipeline": ["shader-core/analysis", "shader-core/compute", "shader-core/isa", "texture"],
    "pipeline/command": ["shader-core/analysis", "shader-core/compute", "shader-core/isa", "texture", "pipeline/scene", "pipeline/probe"],
    "pipeline/scene": ["shader-core/analysis", "shader-core/isa", "texture", "pipeline/geometry", "pipeline/raster", "pipeline/probe"],
    "pipeline/recording": ["shader-core/analysis", "shader-core/isa", "texture", "pipeline/command", "pipeline/probe"],
    "pipeline/geometry": ["shader-core/analysis", "shader-core/isa", "texture", "pipeline/units", "pipeline/probe"],
    "pipeline/coverage": ["pipeline/geometry", "shader-core/isa", "texture"],
    "pipeline/raster": ["shader-core/analysis", "shader-core/isa", "texture", "pipeline/coverage", "pipeline/geometry", "pipeline/pixel",
                        "pipeline/units", "pipeline/probe"],
    "pipeline/pixel": ["shader-core/isa", "texture"],
    "pipeline/units": ["shader-core/isa", "texture", "pipeline/probe"],
    # Interfaces only; what they tell of are the headers of the stages.
    "pipeline/probe": ["texture", "pipeline/pixel"],
    # The chip model listens to the interpreter and to the pipeline, and asks what formats take in memory.
    "model": ["shader-core/isa", "shader-core/interp", "pipeline/probe", "base/export", "texture/codec"],
    "inspect": ["pipeline", "texture", "shader-core/isa", "shader-core/debug"],
    "present": ["texture"],
    "api/compute": ["pipeline", "shader-core/isa", "shader-core/asm", "shader-core/compute", "shader-core/interp",
                    "shader-core/tier"],
    "api/gles": ["pipeline", "texture", "shader-core/isa"],
    # A context has objects of all kinds, and a chapter's entry points act on the context. Every chapter may use those
    # above it.
    "api/gles/objects": ["pipeline", "texture", "shader-core/analysis", "shader-core/glsl", "shader-core/isa"],
    "api/gles/context": ["pipeline", "texture", "shader-core/glsl", "shader-core/isa", "api/gles/objects"],
    "api/gles/debug": ["pipeline", "api/gles/context"],
    "api/gles/state": ["pipeline", "api/gles/context"],
    "api/gles/sync": ["pipeline", "api/gles/context", "api/gles/state"],
    "api/gles/queries": ["pipeline", "api/gles/context", "api/gles/state"],
    "api/gles/buffers": ["pipeline", "api/gles/context", "api/gles/state"],
    "api/gles/programs": ["pipeline", "shader-core/glsl", "shader-core/isa", "api/gles/buffers", "api/gles/context",
                          "api/gles/objects", "api/gles/state"],
    "api/gles/framebuffers": ["pipeline", "texture", "api/gles/context"],
    "api/gles/pixels": ["pipeline", "texture", "shader-core/isa", "api/gles/context", "api/gles/framebuffers",
                        "api/gles/objects"],
    "api/gles/textures": ["pipeline", "texture", "api/gles/context", "api/gles/framebuffers", "api/gles/pixels",
                          "api/gles/state"],
    "api/gles/drawing": ["pipeline", "api/gles/context", "api/gles/framebuffers", "api/gles/state"],
    "api/gles1": ["api/gles", "pipeline", "shader-core/isa"],
    "api/egl": ["api/gles", "api/gles1", "present", "texture", "pipeline"],
    "api/icd": ["*"],
    "demos": [],
    "demos/kernels": ["demos", "shader-core/isa", "shader-core/compute", "shader-core/tier", "api/compute"],
    "demos/mandelbrot": ["demos", "demos/kernels", "shader-core/tier", "api/compute"],
    "tools": ["*"],
    "node": ["api/gles"],
    "examples": [],
    "tests": ["*"],
    "bench": ["*"],
}
# Rooms in which whoever may include the room may include all of it. Of the others the outside sees the rooms that EDGES
# names.
OPEN = ["pipeline", "texture", "shader-core/debug", "shader-core/glsl", "shader-core/asm", "api/gles"]

# What runs machine code and what keeps it is loaded without LLVM.
LLVM = ["shader-core/jit/host", "shader-core/jit/lower", "shader-core/jit/codegen"]
GLSLANG = ["shader-core/glsl/front/parse", "shader-core/glsl/front/lower", "shader-core/glsl/front/link"]

# External headers by prefix -> the only rooms that may include them.
EXTERNAL = {
    "llvm/": LLVM,
    "llvm-c/": LLVM,
    "glslang/": GLSLANG,
    "SPIRV/": GLSLANG,
    "GLES/": ["api/gles1", "demos", "tests"],
    "GLES2/": ["api/gles", "api/egl", "api/icd", "demos", "demos/mandelbrot", "examples", "node", "tests", "bench", "tools"],
    "GLES3/": ["api/gles", "demos", "examples", "node", "tests", "bench", "tools"],
    "EGL/": ["include", "api/egl", "api/icd", "demos", "examples", "node", "tests", "bench", "tools"],
    "tessera_compute.h": ["include", "api/compute", "examples", "tests"],
    "tessera_tools.h": ["tools", "examples", "tests"],
    "tessera/": ["tests"],
    "X11/": ["present", "tests"],
    "xcb/": ["present", "tests"],
    "wayland-": ["present", "tests"],
    "glvnd/": ["api/egl"],
    "SDL": ["present", "demos", "tests", "bench", "tools"],
    "imgui": ["demos", "tools"],
    "glm/": ["demos", "tests", "bench"],
    "histedit.h": ["tools"],
    "CLI/": ["cmake", "demos", "demos/kernels", "demos/mandelbrot", "tools", "bench", "tests"],
    "nlohmann/": ["base/export", "shader-core/debug", "shader-core/debug/replay", "shader-core/debug/trace", "inspect", "model", "tools",
                  "tests"],
    "toml++/": ["model"],
    "stb/": ["demos", "tools", "tests", "bench"],
}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)


def room_of(path):
    """The longest room that the path lies in, or None."""
    rooms = [room for room in EDGES if path == room or path.startswith(room + "/")]
    return max(rooms, key=len, default=None)


def is_test(path):
    return path.endswith("_test.cpp") or "/testing/" in path


def violations(path, text):
    """Bad includes of one file, as messages. Unit tests and what supports them may include anything."""
    room = room_of(path)
    if room is None:
        return [f"{path}: lies in no room"]
    if is_test(path):
        return []
    around = [other for other in EDGES if room.startswith(other + "/")]
    inside = lambda other: next((o for o in OPEN if other.startswith(o + "/") and not room.startswith(o + "/")), other)
    allowed = [room, "base", *around, *EDGES[room]]
    found = []
    for bracket, header in INCLUDE.findall(text):
        target = room_of(header)
        if bracket == '"' and target is not None:
            if "*" not in allowed and target not in allowed and inside(target) not in allowed:
                found.append(f"{path}: {room} may not include {target} ({header})")
        for prefix, rooms in EXTERNAL.items():
            if target is None and header.startswith(prefix) and room not in rooms:
                found.append(f"{path}: {room} may not include <{header}>")
    return found


def shortest_circle(start, edges):
    """The folders from `start` along the edges back to it, or None."""
    came_from = {}
    queue = collections.deque([start])
    while queue:
        folder = queue.popleft()
        for following in edges[folder]:
            if following == start:
                way = [start]
                while folder != start:
                    way.append(folder)
                    folder = came_from[folder]
                return [*way[:1], *reversed(way[1:]), start]
            if following not in came_from:
                came_from[following] = folder
                queue.append(following)
    return None


def circles(texts):
    """Folders that include each other in a circle, of {path: text}, as messages: for each the shortest circle that it
    is in, once, with an include of each of its edges."""
    edges = collections.defaultdict(lambda: collections.defaultdict(list))
    for path, text in texts.items():
        if is_test(path) or room_of(path) == "tests":
            continue
        for bracket, header in INCLUDE.findall(text):
            edge = posixpath.dirname(path), posixpath.dirname(header)
            if bracket == '"' and header in texts and edge[0] != edge[1]:
                edges[edge[0]][edge[1]].append((path, header))
    found = {}
    for folder in sorted(edges):
        way = shortest_circle(folder, edges)
        if way:
            found.setdefault(frozenset(way), way)
    messages = []
    for way in found.values():
        lines = [f"{' -> '.join(way)}: a circle of folders; move what one of them needs of the next to where it lies "
                 "below both"]
        for one, other in zip(way, way[1:]):
            (path, header), *more = edges[one][other]
            lines.append(f"    {path} includes {header}" + (f", and {len(more)} more like it" if more else ""))
        messages.append("\n".join(lines))
    return messages


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
    assert violations("pipeline/x.cpp", '#include <GLES3/gl3.h>\n')
    assert violations("shader-core/isa/x.h", '#include "texture/image.h"\n')
    assert violations("texture/x.cpp", '#include "api/gles/driver.h"\n')
    assert violations("shader-core/interp/x.cpp", '#  include <llvm/IR/IRBuilder.h>\n')
    assert violations("nowhere/x.cpp", "")
    assert violations("pipeline/pixel/x.h", '#include "pipeline/raster/raster.h"\n')
    assert violations("shader-core/tier/x.h", '#include "shader-core/jit/store/cache.h"\n')
    assert violations("shader-core/jit/run/x.cpp", '#include <llvm/IR/IRBuilder.h>\n')
    assert violations("shader-core/jit/jit.cpp", '#include "shader-core/jit/codegen/compiler.h"\n')
    assert not violations("model/x.h", '#include "pipeline/probe/texture_probe.h"\n')
    assert not violations("api/gles/x.h", '#include "pipeline/command/gpu.h"\n')
    assert violations("api/gles/buffers/x.h", '#include "api/gles/objects/texture_object.h"\n')
    assert not violations("pipeline/x.cpp", '#include "texture/image.h"\n#include "base/check.h"\n#include <vector>\n')
    assert not violations("texture/x_test.cpp", '#include "pipeline/command/gpu.h"\n')
    assert not violations("shader-core/glsl/front/x.cpp", '#include "shader-core/glsl/ir/ir.h"\n')
    below, above = {"texture/a.h": ""}, {"texture/codec/b.h": '#include "texture/a.h"\n'}
    assert not circles(below | above)
    (circle,) = circles({"texture/a.h": '#include "texture/codec/b.h"\n'} | above)
    assert "texture/a.h includes texture/codec/b.h" in circle and "texture/codec/b.h includes texture/a.h" in circle
    assert not circles(below | above | {"texture/a_test.cpp": '#include "texture/codec/b.h"\n'})
    (circle,) = circles({"a/x.h": '#include "b/x.h"\n', "b/x.h": '#include "c/x.h"\n', "c/x.h": '#include "a/x.h"\n'})
    assert circle.startswith("a -> b -> c -> a:")


def main():
    self_test()
    root = sys.argv[1] if len(sys.argv) > 1 else "."
    texts = {name: (pathlib.Path(root) / name).read_text(errors="replace") for name in sources(root)}
    found = [message for name, text in texts.items() for message in violations(name, text)]
    closed = circles(texts)
    for message in found + closed:
        print(message)
    print(f"{len(texts)} files, {len(found)} forbidden includes, {len(closed)} circles of folders")
    return 1 if found or closed or not texts else 0


if __name__ == "__main__":
    sys.exit(main())
