#!/usr/bin/env python3
"""Checks that the shared libraries export exactly their lists, and that nothing else of ours is visible.

Usage: exports.py SOURCE_DIR LIBRARY_DIR
"""

import pathlib
import re
import subprocess
import sys


def exported(library):
    """Names of defined dynamic symbols, without versions."""
    output = subprocess.run(["nm", "-D", "--defined-only", str(library)], check=True, capture_output=True, text=True).stdout
    return {line.split()[-1].split("@")[0] for line in output.splitlines() if line.split()}


def expected_egl(source):
    core = (source / "api/egl/functions.inc").read_text().split("// Extensions")[0]
    return set(re.findall(r"EGL_FUNCTION\((\w+)\)", core))


def expected_gles(source):
    """The core rows of the table of entry points."""
    rows = re.findall(r'^ENTRY_POINT\([^,]+, (\w+),[^"]+"([^"]+)"\)$', (source / "api/gles/entry_points.inc").read_text(), re.M)
    return {name for name, since in rows if since in ("OpenGL ES 2.0", "OpenGL ES 3.0")}


def expected_gles1(source):
    return {line for line in (source / "api/gles1/exports.txt").read_text().splitlines() if line.startswith("gl")}


def main():
    source, libraries = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    egl, gles, gles1 = expected_egl(source), expected_gles(source), expected_gles1(source)
    # EGL 1.5, the cores of OpenGL ES 3.0 and 1.1, the latter with glPointSizePointerOES
    assert (len(egl), len(gles1)) == (44, 145) and 142 <= len(gles) <= 246, (len(egl), len(gles), len(gles1))
    failures = 0
    vendor = {"__egl_Main"}  # libglvnd's entrance (glvnd/libeglabi.h)
    compute, tools = (set(re.findall(r"^\w[\w\s*]*\b(tessera\w+)\(", (source / "include" / header).read_text(), re.M))
                      for header in ("tessera_compute.h", "tessera_tools.h"))
    for name, want in {"libtessera_compute.so.0": compute, "libtessera_tools.so.0": tools, "libEGL.so.1": egl, "libGLESv2.so.2": gles,
                       "libGLESv1_CM.so.1": gles1, "libEGL_tessera.so.0": vendor,
                       "libtessera.so.0": {f"tessera_{n}" for n in egl | gles | gles1 | vendor | compute}}.items():
        have = exported(libraries / name)
        for symbol in sorted(want - have):
            print(f"{name}: {symbol} is missing")
        for symbol in sorted(have - want):
            print(f"{name}: {symbol} should not be visible")
        failures += have != want
        print(f"{name}: {len(have)} exports")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
