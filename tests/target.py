"""What a build tree is for, as its CMakeCache.txt says: the SIMD levels it has, and how its programs are run here."""

import pathlib
import re

# Of the levels of x86-64, as /proc/cpuinfo has them: some flag of each set of instructions.
_NEEDS = {"v3": {"avx2", "bmi2", "fma"}, "v4": {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"}}


def _cached(build, name):
    try:
        text = (build / "CMakeCache.txt").read_text()
    except FileNotFoundError:  # programs that were copied to elsewhere
        return []
    found = re.search(rf"^{name}:\w+=(.*)$", text, re.MULTILINE)
    return found.group(1).split(";") if found and found.group(1) else []


def levels(build):
    """Those of this machine, from the least to the best: at others the driver would do the best it can."""
    found = re.search(r"^flags\s*:(.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    flags = set(found.group(1).split()) if found else set()
    return [level for level in _cached(build, "TESSERA_SIMD_LEVELS") if _NEEDS.get(level, set()) <= flags]


def emulator(build):
    """What stands before a program's path: nothing, or the emulator for a build for another architecture."""
    return _cached(build, "CMAKE_CROSSCOMPILING_EMULATOR")
