#!/usr/bin/env python3
"""Runs Debian's piglit on Tessera and on Mesa's llvmpipe held to OpenGL ES 3.0, and names what only Mesa passes.

  piglit.py --build DIR                 every test that a driver of OpenGL ES can run, on both drivers
  piglit.py --build DIR --only REGEX    some of them
  piglit.py --build DIR --list          their names, and how many there are for other interfaces

Piglit's `quick` profile is 42,000 tests, most of them for desktop OpenGL. A test is run when its program uses EGL or
piglit's library for OpenGL ES. Nothing is skipped for what a driver says of itself: each test's own program decides. Both runs stay in
DIR/piglit, in piglit's own form (`piglit summary console DIR/piglit/mesa DIR/piglit/tessera`).
Exit status 0: each test and subtest that Mesa passes passes on Tessera, or its reason is in EXCEPTIONS.
"""

import argparse
import ast
import collections
import gzip
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time
import xml.etree.ElementTree

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "bench"))
import glmark  # noqa: E402  (its virtual display)

PROFILES = ("quick_gl", "quick_shader", "glslparser")
MESA_VENDOR = "/usr/share/glvnd/egl_vendor.d/50_mesa.json"

# What Mesa passes and Tessera does not: a regular expression of names, and why.
EXCEPTIONS = [
    (r"egl_khr_create_context@.*( gl$|core profile|invalid profile|pre-gl3)|egl 1.4@egl-invalid-attr$",
     "makes a context of desktop OpenGL"),
    (r"egl_ext_device_base@|egl_khr_surfaceless_context@viewport", "binds desktop OpenGL"),
    (r"egl 1.4@(eglcreatesurface|eglquerysurface .*)$|renderbuffer_image-clear-shared-image", "asks for configurations of desktop OpenGL"),
]


def home():
    for place in pathlib.Path("/usr/lib").glob("*/piglit"):
        return place
    sys.exit("piglit is not installed (Debian package: piglit)")


class Programs:
    """Which interfaces a program of piglit's is linked with."""

    def __init__(self, place):
        self.place = place
        self.known = {}

    def interface(self, name):
        if name not in self.known:
            self.known[name] = self.look(self.place / name)
        return self.known[name]

    @staticmethod
    def look(path):
        if not path.is_file():
            return "not built by Debian"
        names = path.read_bytes()
        gles = re.search(rb"libpiglitutil_(gles[123])\.so", names)
        if gles:
            return gles.group(1).decode()
        if b"libEGL.so" in names:
            return "desktop GL over EGL" if b"libpiglitutil_gl.so" in names else "EGL"
        if b"libpiglitglxutil.so" in names or b"libpiglitutil_gl.so" in names:
            return "desktop GL"
        return "other"


RUN = {"gles1", "gles2", "gles3", "EGL", "desktop GL over EGL"}


def tests(place):
    """name: interface of each test of the profiles."""
    programs, result = Programs(place / "bin"), {}
    for profile in PROFILES:
        with gzip.open(place / "tests" / f"{profile}.xml.gz") as file:
            for test in xml.etree.ElementTree.parse(file).getroot():
                options = {option.get("name"): ast.literal_eval(option.get("value")) for option in test.findall("option")}
                command = options.get("command") or ["asmparsertest"]
                result[test.get("name").lower()] = programs.interface(command[0])
    return result


def environment(driver, build, display):
    result = dict(os.environ, DISPLAY=display, PIGLIT_NO_FAST_SKIP="true", PIGLIT_COMPRESSION="none")
    # Both through libglvnd: piglit takes extensions' functions from its libGL, which knows contexts of its own libEGL.
    result.pop("LD_LIBRARY_PATH", None)
    if driver == "tessera":
        result["__EGL_VENDOR_LIBRARY_FILENAMES"] = str(build / "share/glvnd/egl_vendor.d/50_tessera.json")
    else:
        result["LIBGL_ALWAYS_SOFTWARE"] = "1"
        result["MESA_GLES_VERSION_OVERRIDE"] = "3.0"
        result["__EGL_VENDOR_LIBRARY_FILENAMES"] = MESA_VENDOR
    return result


def follow(driver, process):
    """A line for each tenth of what piglit does: it says "[done/all]" after each test."""
    said, text, began = -1, b"", time.monotonic()
    while data := os.read(process.stdout.fileno(), 1 << 16):
        text = (text + data)[-(1 << 16):]
        if counts := re.findall(rb"\[(\d+)/(\d+)\]", text):
            done, total = map(int, counts[-1])
            if 10 * done // total > said:
                said = 10 * done // total
                print(f"piglit: {driver}: {done} of {total} tests, {time.monotonic() - began:.0f} s", flush=True)
    if process.wait() != 0:
        sys.exit(f"piglit ended with {process.returncode}: {text.decode(errors='replace')[-2000:]}")


def run(driver, names, arguments, display):
    """Runs the tests; name: result, a subtest's name behind its test's."""
    out = arguments.build / "piglit" / driver
    listed = out.parent / "tests.txt"
    out.parent.mkdir(exist_ok=True)
    listed.write_text("\n".join(names) + "\n")
    shutil.rmtree(out, ignore_errors=True)
    follow(driver, subprocess.Popen(
        ["piglit", "run", "--platform", arguments.platform, "--jobs", str(arguments.jobs), "--timeout", "120", "--test-list", str(listed),
         "quick", str(out)],
        env=environment(driver, arguments.build, display), stdout=subprocess.PIPE, stderr=subprocess.STDOUT))
    results = {}
    for name, test in json.loads((out / "results.json").read_text())["tests"].items():
        results[name] = test["result"]
        for subtest, result in test.get("subtests", {}).items():
            if subtest != "__type__":
                results[f"{name} {subtest}"] = result
    return results


def compare(mesa, tessera):
    """Prints what only Mesa passes; how many of it without a reason."""
    print(f"mesa:    {count(mesa)}\ntessera: {count(tessera)}")
    bad, excused = [], collections.Counter()
    for name, result in sorted(mesa.items()):
        ours = tessera.get(name, "notrun")
        if result != "pass" or ours == "pass":
            continue
        reason = next((reason for pattern, reason in EXCEPTIONS if re.search(pattern, name)), None)
        if reason:
            excused[reason] += 1
        else:
            bad.append(f"{ours}: {name}")
    for reason, n in excused.most_common():
        print(f"  {n:5} passed by Mesa alone: {reason}")
    crashes = [f"{result}: {name}" for name, result in sorted(tessera.items()) if result in ("crash", "timeout")]
    for line in dict.fromkeys(bad + crashes):
        print(line)
    gained = sum(mesa.get(name) != "pass" for name, result in tessera.items() if result == "pass")
    print(f"{len(bad)} tests that Mesa passes do not pass on Tessera; {len(crashes)} crash or do not end; "
          f"{gained} pass on Tessera alone")
    return len(bad) + len(crashes)


def count(results):
    return ", ".join(f"{n} {result}" for result, n in collections.Counter(results.values()).most_common())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True, help="Tessera's build tree")
    parser.add_argument("--only", metavar="REGEX", default="", help="of the tests, the ones whose names match")
    parser.add_argument("--list", action="store_true", help="name the tests, run none")
    parser.add_argument("--platform", default="x11_egl", choices=("x11_egl", "surfaceless_egl"))
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes at a time")
    arguments = parser.parse_args()
    arguments.build = arguments.build.resolve()
    interfaces = tests(home())
    names = [name for name, interface in interfaces.items() if interface in RUN and re.search(arguments.only, name, re.IGNORECASE)]
    if arguments.list:
        for name in names:
            print(f"{interfaces[name]:20} {name}")
        for interface, n in collections.Counter(interfaces.values()).most_common():
            print(f"{n:6} {interface}" + ("" if interface in RUN else ": not run"))
        return 0
    with glmark.Display() as display:
        if display.name is None:
            sys.exit("there is no display, and no Xvfb to make one (Debian package: xvfb)")
        mesa = run("mesa", names, arguments, display.name)
        tessera = run("tessera", names, arguments, display.name)
    return 1 if compare(mesa, tessera) else 0


if __name__ == "__main__":
    sys.exit(main())
