#!/usr/bin/env python3
"""What is compiled for a SIMD level shares no function with the rest. The linker keeps one of all copies of an inline
function: were it that of a level, every processor would run it, those without the level's instructions too.

Usage: levels.py BUILD. Each run first checks that the checker itself notices what is wrong.
"""

import pathlib
import re
import subprocess
import sys

LEVEL = re.compile(r"_(v2|v3|v4|neon)\.dir/")


def shared(symbols, level):
    """Of `nm --demangle`'s lines the weak functions that are not in the level's namespace."""
    lines = (re.fullmatch(r"[0-9a-f ]*\bW (.*)", line) for line in symbols.splitlines())
    return [line[1] for line in lines if line and f"::{level}::" not in line[1]]


def self_check():
    own, others = "00000000 W tessera::interp::v4::f(int)", "0000 W std::vector<int>::size() const"
    assert shared(f"{own}\n0000 T g()\n0000 V tessera::kTable\n                 U h()\n", "v4") == []
    assert shared(f"{own}\n{others}\n", "v4") == ["std::vector<int>::size() const"]
    assert shared(own, "v3") == ["tessera::interp::v4::f(int)"]


def main():
    self_check()
    objects = [path for path in pathlib.Path(sys.argv[1]).rglob("*.o") if LEVEL.search(str(path))]
    if not objects:
        sys.exit("no object of a SIMD level is there")
    found = 0
    for path in objects:
        symbols = subprocess.run(["llvm-nm-19", "--demangle", path], check=True, capture_output=True, text=True).stdout
        for name in shared(symbols, LEVEL.search(str(path))[1]):
            print(f"error: {path.parent.name}/{path.name} has {name}", file=sys.stderr)
            found += 1
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
