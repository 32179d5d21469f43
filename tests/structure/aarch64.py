#!/usr/bin/env python3
"""What differs by processor compiles for aarch64, too: sources of SIMD levels, as `neon`, and those that ask for the
architecture themselves. Only their meaning is looked at and no code made: seconds, where a cross-build and its emulator
(./run aarch64) take hours. Skipped where Debian's headers of that architecture are missing.

Usage: aarch64.py BUILD. Each run first checks that what compiles for x86-64 alone is noticed.
"""

import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
HEADERS = pathlib.Path("/usr/aarch64-linux-gnu/include/c++")
SKIPPED = 77
TARGET = ["--target=aarch64-linux-gnu", "-march=armv8-a", "-fsyntax-only"]
ARCHITECTURE = re.compile(r"__aarch64__|__ARM_NEON|__x86_64__")
LEAST = "v2"  # each source of the levels is taken once


def command_of(entry):
    """The compiler's words for aarch64; None: not a source of this test."""
    words, source = shlex.split(entry["command"]), pathlib.Path(entry["file"])
    level = next((word.split("=")[1] for word in words if word.startswith("-DTESSERA_SIMD=")), None)
    if level not in (None, LEAST) or source.name.endswith("_test.cpp"):
        return None
    if level is None and not ARCHITECTURE.search(source.read_text()):
        return None
    kept = []
    words = iter(words)
    for word in words:
        if word == "-o" or word == "-Xclang":  # precompiled headers are of the other architecture
            next(words)
        elif word not in ("-c", "-Winvalid-pch") and not word.startswith("-march="):
            kept.append("-DTESSERA_SIMD=neon" if word.startswith("-DTESSERA_SIMD=") else word)
    return [*kept, *TARGET]


def errors(command, folder):
    """What the compiler says, shortened; empty: it compiles."""
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    return "" if run.returncode == 0 else "\n".join(
        line for line in run.stderr.splitlines() if "error:" in line)[:2000] or run.stderr[:2000]


def self_check(compiler):
    with tempfile.TemporaryDirectory() as work:
        source = pathlib.Path(work) / "one.cpp"
        for text, compiles in ("#include <vector>\nint x = 1;\n", True), ("#ifdef __aarch64__\nint x = y;\n#endif\n", False):
            source.write_text(text)
            assert (errors([compiler, "-std=c++20", str(source), *TARGET], work) == "") == compiles, text


def main():
    build = pathlib.Path(sys.argv[1])
    if not HEADERS.is_dir():
        print("skipped: no headers of aarch64 (Debian's libstdc++-12-dev-arm64-cross)")
        return SKIPPED
    entries = json.loads((build / "compile_commands.json").read_text())
    chosen = {}
    for entry in entries:
        if (command := command_of(entry)) is not None:
            chosen.setdefault(entry["file"], (command, entry["directory"]))
    if not any("-DTESSERA_SIMD=neon" in command for command, _ in chosen.values()):
        sys.exit("no source of a SIMD level is there")
    self_check(next(iter(chosen.values()))[0][0])
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for file, said in zip(chosen, pool.map(lambda one: errors(*one), chosen.values())):
            if said:
                print(f"{pathlib.Path(file).relative_to(ROOT)} does not compile for aarch64:\n{said}", file=sys.stderr)
                failed += 1
    print(f"{len(chosen)} sources, {failed} that do not compile for aarch64")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
