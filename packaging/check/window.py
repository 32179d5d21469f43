"""Runs a program with a window on a display of its own, until the picture shows what it should.

window.py DRIVER PICTURE R,G,B:COUNT... -- PROGRAM ARGUMENTS...

COUNT pixels at least must have each colour, nearly. The picture is kept; some process must have loaded the library
DRIVER, and none any of the other one. Inside the clean Debian that check.py makes.
"""

import glob
import os
import subprocess
import sys
import time

from PIL import Image

DRIVERS = {"tessera": "libtessera.so.0", "mesa": "libEGL_mesa.so.0"}
NEAR, PATIENCE = 12, 90


def display():
    """A display of its own: Xvfb writes its number."""
    read, write = os.pipe()
    server = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", "800x600x24"], pass_fds=[write],
                              stderr=subprocess.DEVNULL)
    number = os.read(read, 16).decode().strip()
    return server, f":{number}"


def screenshot(picture):
    with open("/tmp/screen.xwd", "wb") as file:
        subprocess.run(["xwd", "-root", "-silent"], stdout=file, check=True)
    subprocess.run(["convert", "xwd:/tmp/screen.xwd", picture], check=True)


def missing(picture, colours):
    pixels = list(Image.open(picture).convert("RGB").getdata())
    found = []
    for colour in colours:
        wanted, count = colour.split(":")
        red, green, blue = map(int, wanted.split(","))
        near = sum(abs(r - red) < NEAR and abs(g - green) < NEAR and abs(b - blue) < NEAR for r, g, b in pixels)
        if near < int(count):
            found.append(f"{near} pixels of {wanted}, not {count}")
    return found


def loaded():
    """The drivers that processes have loaded."""
    names = set()
    for maps in glob.glob("/proc/[0-9]*/maps"):
        try:
            text = open(maps).read()
        except OSError:
            continue
        names |= {name for name, library in DRIVERS.items() if library in text}
    return names


def main():
    at = sys.argv.index("--")
    driver, picture, colours, program = sys.argv[1], sys.argv[2], sys.argv[3:at], sys.argv[at + 1:]
    server, os.environ["DISPLAY"] = display()
    process = subprocess.Popen(program, stdin=subprocess.DEVNULL)
    problems, end = ["nothing"], time.monotonic() + PATIENCE
    while problems and time.monotonic() < end and process.poll() is None:
        time.sleep(1)
        screenshot(picture)
        problems = missing(picture, colours)
    drivers = loaded()
    if process.poll() is not None:
        problems.append(f"it ended with {process.returncode}")
    process.kill()
    server.kill()
    if drivers != {driver}:
        problems.append(f"loaded are the drivers of {sorted(drivers)}")
    sys.exit("; ".join(problems) or None)


main()
