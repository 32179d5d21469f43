#!/usr/bin/env python3
"""What a library of somebody else's process owes it: no stack or segment is both written and run, the tables of
addresses are read-only before the first of its functions runs, and the code of its rooms notices when an array on the
stack was overrun.

Usage: hardened.py BUILD_DIR
"""
import subprocess
import sys
from pathlib import Path

build = Path(sys.argv[1])
wrong = []
files = [path for path in sorted((build / "lib").glob("lib*.so.*")) if not path.is_symlink()]
for path in files:
    said = subprocess.run(["readelf", "-W", "--segments", "--dynamic", path], capture_output=True, text=True,
                          check=True).stdout
    segments = {}
    for line in said.splitlines():
        words = line.split()
        if len(words) >= 7 and words[1].startswith("0x"):
            segments.setdefault(words[0], []).append("".join(words[6:-1]))
    if any("W" in flags and "E" in flags for of_kind in segments.values() for flags in of_kind):
        wrong.append(f"{path.name}: a segment is written and run: {segments}")
    if "GNU_STACK" not in segments:
        wrong.append(f"{path.name}: says nothing of its stack, which may then be run")
    if "GNU_RELRO" not in segments or "BIND_NOW" not in said:
        wrong.append(f"{path.name}: its tables of addresses stay writable (-z relro -z now)")
# The rooms one by one: what is linked to them statically was compiled elsewhere.
for room in ("base", "texture", "isa", "pipeline", "gles", "egl"):
    called = subprocess.run(["nm", "--undefined-only", build / "archive" / f"libtessera_{room}.a"], capture_output=True,
                            text=True, check=True).stdout
    if "__stack_chk_fail" not in called:
        wrong.append(f"tessera_{room}: its functions do not watch their stacks (-fstack-protector-strong)")
# Of C++ clang checks next to nothing; forwarding.c is C.
said = subprocess.run(["nm", "--dynamic", "--undefined-only", build / "lib/libEGL.so.1"], capture_output=True, text=True,
                      check=True).stdout
if "__snprintf_chk" not in said:
    wrong.append("libEGL.so.1: what the C library writes is not checked (_FORTIFY_SOURCE)")
print("\n".join(wrong) if wrong else f"{len(files)} libraries")
sys.exit(1 if wrong or not files else 0)
