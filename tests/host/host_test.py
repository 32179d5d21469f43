#!/usr/bin/env python3
"""What goldens, random scenes and kernels are made of does not depend on the processor (README.md).

  host_test.py --build DIR --other-libm LIBRARY

Exit status 77 (skipped) on anything but x86-64.
"""

import argparse
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "goldens"))
sys.dont_write_bytecode = True
import golden  # noqa: E402

# Instructions whose result is the processor's own, or that change how all others round.
CONTROL_WORD = re.compile(r"v?ldmxcsr")
OPEN_RESULTS = re.compile(r"v?rsqrt|v?rcp|vexp2|fsin|fcos|fptan|fpatan|fyl2x|f2xm1|v?ldmxcsr")
INSTRUCTION = re.compile(rf" *([0-9a-f]+): *\t((?:{OPEN_RESULTS.pattern})[a-z0-9]*)")
# Functions that contain such instructions and never run: Dear ImGui's lines and polygons (demos/host/overlay.cpp).
NEVER_RUN = {"_ZN10ImDrawList11AddPolylineEPK6ImVec2ijif", "_ZN10ImDrawList19AddConvexPolyFilledEPK6ImVec2ij"}
# Functions of libm that IEEE-754 leaves open.
OPEN_FUNCTIONS = re.compile(
    r"a?(sin|cos|tan)h?|sincos|exp(2|10|m1)?|log(2|10|1p)?|pow|atan2|cbrt|hypot|erfc?|[lt]gamma")

COMPUTE = ("kernels", "mandelbrot")  # have Tessera's executors in them
LIBRARIES = ["libtessera.so.0", "libEGL.so.1", "libGLESv2.so.2", "libGLESv1_CM.so.1", "libtessera_compute.so.0",
             "libtessera_tools.so.0"]
UD2 = b"\x0f\x0b"  # the shortest instruction that traps; no OPEN_RESULTS is shorter


def open_results(file):
    """(function, address, mnemonic) of the OPEN_RESULTS in a program or library."""
    text = subprocess.run(["llvm-objdump-19", "-d", "--no-show-raw-insn", str(file)], capture_output=True, text=True,
                          check=True).stdout
    function = ""
    for line in text.splitlines():
        if found := re.match(r"[0-9a-f]+ <(.*)>:$", line):
            function = found.group(1)
        elif found := INSTRUCTION.match(line):
            yield function, int(found.group(1), 16), found.group(2)


def check_code(file, may_set_control_word):
    """Complaints about a file's instructions, and the addresses of those in functions that never run."""
    complaints, excused = [], []
    for function, address, mnemonic in open_results(file):
        if function in NEVER_RUN:
            excused.append(address)
        elif not (may_set_control_word and CONTROL_WORD.fullmatch(mnemonic)):
            complaints.append(f"{file.name}: {mnemonic} in {function}")
    return complaints, excused


def check_imports(library):
    """The driver takes nothing from libm that IEEE-754 leaves open."""
    text = subprocess.run(["llvm-nm-19", "-D", "-u", str(library)], capture_output=True, text=True, check=True).stdout
    names = [line.split()[-1].split("@")[0] for line in text.splitlines() if line.strip()]
    return [f"{library.name}: takes {name} from libm" for name in names
            if OPEN_FUNCTIONS.fullmatch(name) or (name[-1] in "fl" and OPEN_FUNCTIONS.fullmatch(name[:-1]))]


def trap_at(program, addresses, copy):
    """A copy of a program that ends at once when it comes to one of the addresses."""
    image = bytearray(program.read_bytes())
    table, size, count = struct.unpack_from("<Q", image, 32)[0], *struct.unpack_from("<HH", image, 54)
    for header in range(table, table + size * count, size):
        kind, _, offset, start = struct.unpack_from("<IIQQ", image, header)
        length, = struct.unpack_from("<Q", image, header + 32)
        for address in addresses:
            if kind == 1 and start <= address < start + length:  # PT_LOAD
                image[address - start + offset:address - start + offset + len(UD2)] = UD2
    copy.write_bytes(image)
    copy.chmod(0o755)


def check_goldens(build, other_libm, traps, work):
    """Every golden with another libm, and with traps in the functions that never run."""
    complaints = []
    # A program with traps lies where its libraries are found, and with its own name, which some look at.
    (work / "lib").symlink_to(build / "lib")
    (work / "bin").mkdir()
    for program, addresses in traps.items():
        if addresses:
            trap_at(build / "bin" / program, addresses, work / "bin" / program)
        else:
            shutil.copy(build / "bin" / program, work / "bin" / program)
    for scene, command in golden.SCENES.items():
        for tier in ("interp", "jit"):
            environment = golden.tessera_environment(build, {"TESSERA_TIER": tier, "TESSERA_CACHE_DIR": "",
                                                             "LD_PRELOAD": str(other_libm)})
            try:
                golden.render(work, command, work / "actual.png", environment)
            except SystemExit as failure:
                complaints.append(f"{scene}, {tier}, with traps: {failure}")
                continue
            if golden.diff(build, golden.HERE / f"{scene}.png", work / "actual.png").returncode != 0:
                complaints.append(f"{scene}, {tier}: another picture with another libm")
    return complaints


def check_other_processors(build, work):
    """Some goldens, drawn by other processors as qemu imitates them: without fused multiply-add and AVX, and with."""
    complaints = []
    for processor in ("Nehalem", "EPYC"):
        for scene in ("gears-overlay", "textured", "mandelbrot"):
            environment = golden.tessera_environment(build, {"TESSERA_TIER": "interp"})
            golden.render(build, golden.SCENES[scene], work / "actual.png", environment,
                          under=("qemu-x86_64", "-cpu", processor))
            if golden.diff(build, golden.HERE / f"{scene}.png", work / "actual.png").returncode != 0:
                complaints.append(f"{scene}: another picture on {processor}")
    return complaints


def check_output(build, other_libm, command, tier_option=None):
    """Hashes that a program prints with another libm, interpreted and compiled, and those without, interpreted."""
    def hashes(tier, libm):
        environment = os.environ | {"TESSERA_TIER": tier, "TESSERA_CACHE_DIR": ""} | libm
        options = [tier_option, tier] if tier_option else []
        run = subprocess.run([str(build / "bin" / command[0]), *command[1:], *options], env=environment,
                             capture_output=True, text=True)
        # `kernels` compares with references too, made with libm: not of interest here.
        return [line.split()[:2] for line in run.stdout.splitlines()]
    expected = hashes("interp", {})
    if not expected:
        return [f"{' '.join(command)}: prints no hashes"]
    complaints = []
    for tier in ("interp", "jit"):
        found = hashes(tier, {"LD_PRELOAD": str(other_libm)})
        complaints += [f"{' '.join(command)}, {tier}: {' '.join(after)} with another libm"
                       for before, after in zip(expected, found) if before != after]
        if len(expected) != len(found):
            complaints.append(f"{' '.join(command)}, {tier}: another number of lines")
    return complaints


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--other-libm", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    if os.uname().machine != "x86_64":
        print("skipped: instructions of x86-64 only are known here")
        return 77
    build, other_libm = arguments.build.resolve(), arguments.other_libm.resolve()
    complaints, traps = [], {}
    scene_programs = sorted({command[0] for command in golden.SCENES.values()})
    for program in scene_programs + ["random_scenes", "kernels"]:
        found, addresses = check_code(build / "bin" / program, may_set_control_word=program in COMPUTE)
        complaints += found
        if program in scene_programs:
            traps[program] = addresses
    for library in LIBRARIES:
        complaints += check_code(build / "lib" / library, may_set_control_word=True)[0]
        complaints += check_imports(build / "lib" / library)
    with tempfile.TemporaryDirectory() as work:
        complaints += check_goldens(build, other_libm, traps, pathlib.Path(work))
        if shutil.which("qemu-x86_64"):
            complaints += check_other_processors(build, pathlib.Path(work))
        else:
            print("not tried on other processors: there is no qemu-x86_64 (Debian's qemu-user)")
    complaints += check_output(build, other_libm, ["random_scenes", "--first", "1", "--count", "60"])
    complaints += check_output(build, other_libm, ["kernels", "--hash", "--size", "small"], tier_option="--tier")
    for complaint in complaints:
        print(complaint)
    excused = sum(map(len, traps.values()))
    print(f"{len(scene_programs)} programs of {len(golden.SCENES)} scenes, {excused} instructions that never run; "
          f"{len(complaints)} complaints")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
