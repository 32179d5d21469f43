#!/usr/bin/env python3
"""No two files define a type of the same name in the same namespace. C++ lets a program have but one, and no compiler sees
where it has two: the linker keeps the functions of either.

Usage: one_definition.py [ROOT]. Each run first checks that the checker itself notices what is wrong.
"""

import collections
import pathlib
import re
import subprocess
import sys

NAMESPACE = re.compile(r"(?:inline )?namespace\b\s*([\w:]*)\s*\{(?!.*\})")
TYPE = re.compile(r"(?:template <.*> )?(?:struct|class|enum(?: class)?|union)\s+(?:alignas\([^)]*\)\s*)?(\w+)"
                  r"(?: final)?\s*(?::(?!:)[^;()]*)?(?:\{|$)")


def types(text):
    """Names, with their namespaces, of the types that other files can see; formatted as all of the tree is."""
    found, spaces = set(), []
    for line in text.splitlines():
        if match := NAMESPACE.match(line):
            spaces.append(match[1])
        elif line.startswith("}  // namespace") and spaces:
            spaces.pop()
        elif (match := TYPE.match(line)) and "" not in spaces:
            found.add("::".join([*spaces, match[1]]))
    return found


def faults(files):
    """What is wrong, as messages. files: path -> text."""
    places = collections.defaultdict(list)
    for path, text in sorted(files.items()):
        for name in types(text):
            places[name].append(path)
    return [f"{name} is defined in {' and in '.join(paths)}" for name, paths in sorted(places.items()) if len(paths) > 1]


def self_check():
    one = "namespace a {\nstruct B {\n    int c;\n};\n}  // namespace a\n"
    hidden = "namespace a {\nnamespace {\nstruct B {\n};\n}  // namespace\n}  // namespace a\n"
    assert types(one) == {"a::B"} and types(hidden) == set()
    assert types("namespace a {\nclass B;\nstruct C::D {\nenum class E : int { F };\n") == {"a::E"}
    assert faults({"x.h": one, "y.cpp": one}) and not faults({"x.h": one, "y.cpp": hidden})


def main():
    self_check()
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    listed = subprocess.run(["git", "-C", root, "ls-files", "*.h", "*.cpp"], check=True, capture_output=True, text=True)
    found = faults({path: (root / path).read_text(encoding="utf-8") for path in listed.stdout.split()})
    for message in found:
        print(f"error: {message}", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
