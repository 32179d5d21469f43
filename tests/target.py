"""What a build tree is for, as its CMakeCache.txt says: the SIMD levels it has, and how its programs are run here."""

import re


def _cached(build, name):
    try:
        text = (build / "CMakeCache.txt").read_text()
    except FileNotFoundError:  # programs that were copied to elsewhere
        return []
    found = re.search(rf"^{name}:\w+=(.*)$", text, re.MULTILINE)
    return found.group(1).split(";") if found and found.group(1) else []


def levels(build):
    """From the least to the best; this machine may lack the better ones."""
    return _cached(build, "TESSERA_SIMD_LEVELS")


def emulator(build):
    """What stands before a program's path: nothing, or the emulator for a build for another architecture."""
    return _cached(build, "CMAKE_CROSSCOMPILING_EMULATOR")
