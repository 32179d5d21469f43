#!/usr/bin/env python3
"""What the tree says of itself: files that comments name are there (links.py has the pages), nothing is an empty file,
a section of a source begins with "// --- Title ---" (longer rulers are broken in two by clang-format), and the version is
the one of the top CMakeLists.txt wherever it has to be written again.

A name counts when it ends in .cpp, .h, .cmake or .def, and is there when the path of a file, or the argument of an
#include, ends in it.

Usage: references.py [ROOT]. Each run first checks that the checker itself notices what is missing.
"""

import os
import pathlib
import re
import sys

from links import repository

# Headers of other projects that are talked about and not included.
FOREIGN = {"drm_fourcc.h"}

NAME = re.compile(r"(?<![\w/.<>*$}~:-])((?:[a-zA-Z][\w-]*/)*[a-zA-Z][\w-]*\.(?:cpp|h|cmake|def))\b(?![\w/*<>(])")
INCLUDE = re.compile(r'^\s*#include [<"]([^>"]+)[>"]', re.M)
RULER = re.compile(r"^\s*//+ ?-{2,}(?: [A-Z].*| ?)$")
COMMENT = {".cpp": r"(?:^|\s)//(.*)", ".h": r"(?:^|\s)//(.*)", ".py": r"(?:^|\s)#(.*)", ".cmake": r"(?:^|\s)#(.*)",
           "CMakeLists.txt": r"(?:^|\s)#(.*)", "run": r"(?:^|\s)#(.*)"}


def check(tree):
    """Lines about what is wrong. tree: path from the root -> text."""
    wrong = []
    ends = set()  # every end of a path
    for path in [*tree, *(found for text in tree.values() for found in INCLUDE.findall(text))]:
        parts = path.split("/")
        ends.update("/".join(parts[at:]) for at in range(len(parts)))
    for path, text in tree.items():
        name = os.path.basename(path)
        comment = COMMENT.get(os.path.splitext(name)[1]) or COMMENT.get(name)
        for number, line in enumerate(text.split("\n") if comment else (), 1):
            said = re.search(comment, line)
            for found in NAME.findall(said[1]) if said else ():
                if found not in ends and found not in FOREIGN:
                    wrong.append(f"{path}:{number}: there is no {found}")
            if RULER.match(line) and path.endswith((".cpp", ".h")) and not re.fullmatch(r"\s*// --- \S.* ---", line):
                wrong.append(f"{path}:{number}: a section begins with // --- Title ---")
        if text == "":
            wrong.append(f"{path}: is empty")
    return wrong


def check_version(tree):
    version = re.search(r"project\(\w+ VERSION (\S+)", tree["CMakeLists.txt"])[1]
    # The first of each in the file; in a page every one.
    again = {"packaging/debian/changelog": r"^\w+ \((\d\S*)-\d+\)",
             "editors/vscode/package.json": r'"version": "(.*)"',
             "CHANGELOG.md": r"^## (\d\S*)",  # the newest release: above it is what is not released
             "docs/packages.md": r"(?:\bv|essera[\w-]*[-_ ])(\d+\.\d+\.\d+)"}
    wrong = []
    for path, said in again.items():
        found = re.findall(said, tree[path], re.M)
        for other in sorted(set(found if path.endswith("packages.md") else found[:1])) or ["none"]:
            if other != version:
                wrong.append(f"{path}: says version {other}, which is {version}")
    for path, text in tree.items():
        if path.endswith((".cpp", ".h")) and re.search(rf'"[^"\n]*\b{re.escape(version)}\b', text):
            wrong.append(f"{path}: the version is TESSERA_VERSION, from CMakeLists.txt")
    return wrong


def check_the_checker():
    found = check({"a/b.cpp": "// as in a/c.h and b.cpp\n#include <x/y.h>\n// y.h, z.cmake\nint e;  // d.h\n",
                   "e.cpp": ""})
    ruled = check({"a.h": "// --- Good ---\n    // --- Good, too ---\n// --fragment is an option\n",
                   "b.h": "// --- Broken\n// ----------\n", "c.h": "// ---- Long ----\n"})
    assert [line.split(": ")[0] for line in ruled] == ["b.h:1", "b.h:2", "c.h:1"], ruled
    assert found == ["a/b.cpp:1: there is no a/c.h", "a/b.cpp:3: there is no z.cmake", "a/b.cpp:4: there is no d.h",
                     "e.cpp: is empty"], found
    found = check_version({"CMakeLists.txt": "project(tessera VERSION 2.1.0 LANGUAGES C)", "CHANGELOG.md": "## Unreleased\n",
                           "packaging/debian/changelog": "tessera (2.1.0-1) a\n\ntessera (2.0.0-1) b\n",
                           "editors/vscode/package.json": '"version": "2.0.0"', "a.cpp": 'say("2.1.0")',
                           "docs/packages.md": "tessera-2.1.0-linux, libtessera0_2.0.0-1, git tag v1.0.0, glibc 2.36"})
    assert found == ["editors/vscode/package.json: says version 2.0.0, which is 2.1.0",
                     "CHANGELOG.md: says version none, which is 2.1.0",
                     "docs/packages.md: says version 1.0.0, which is 2.1.0",
                     "docs/packages.md: says version 2.0.0, which is 2.1.0",
                     "a.cpp: the version is TESSERA_VERSION, from CMakeLists.txt"], found


def main():
    check_the_checker()
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    tree = {name: (root / name).read_text(errors="replace") for name in repository(root)}
    wrong = check(tree) + check_version(tree)
    print("\n".join(wrong) if wrong else f"{len(tree)} files")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
