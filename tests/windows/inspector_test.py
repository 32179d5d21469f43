#!/usr/bin/env python3
"""The inspector's window on an X server of its own, used by mouse and keys through every view.

  inspector_test.py --build DIR [--pictures FOLDER]

A recorded frame of a demo is opened: keys go from command to command and from view to view, the window's title says
where it is, and what it shows changes; a click in the target asks for the pixel's history, "debug" takes an
invocation, keys step it. The next frame of a program that is inspected is recorded by a key. --pictures keeps a picture
of each view. Exit status 77 (skipped) where there is no Xvfb or xdotool.
"""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from windows_test import Failure, Screen  # noqa: E402

SIZE = (1280, 800)
DEADLINE = 60  # seconds; for a machine that is busy with other tests
VIEWS = ["image", "textures", "mesh", "vertices", "pixel", "debugger", "chip"]


class Inspector:
    """The command with its window."""

    def __init__(self, screen, command, folder):
        self.screen = screen
        self.environment = {name: value for name, value in os.environ.items() if name != "WAYLAND_DISPLAY"}
        self.environment |= {"DISPLAY": screen.name, "SDL_VIDEODRIVER": "x11"}
        self.output = open(pathlib.Path(folder) / "output.txt", "w+")
        self.program = subprocess.Popen(command, env=self.environment, stdin=subprocess.DEVNULL, stdout=self.output,
                                        stderr=subprocess.STDOUT)

    def said(self):
        self.output.seek(0)
        return self.output.read()

    def xdotool(self, *arguments):
        return subprocess.run(["xdotool", *map(str, arguments)], env=self.environment, capture_output=True, text=True)

    def title(self):
        found = self.xdotool("search", "--name", "Tessera").stdout.split()
        return self.xdotool("getwindowname", found[0]).stdout.strip() if found else ""

    def wait(self, what, is_so):
        end = time.monotonic() + DEADLINE
        while time.monotonic() < end:
            if self.program.poll() is not None:
                raise Failure(f"the inspector ended with {self.program.returncode}: {self.said()}")
            value = is_so()
            if value:
                return value
            time.sleep(0.05)
        raise Failure(f"{what} does not come; the title is '{self.title()}'; {self.said()}")

    def wait_title(self, *words):
        return self.wait(f"a title with {words}", lambda: all(word in self.title() for word in words) and self.title())

    def press(self, key):
        self.xdotool("key", key)

    def click(self, x, y):
        self.xdotool("mousemove", x, y)
        time.sleep(0.1)  # the window draws once with the pointer there
        self.xdotool("mousedown", 1)
        time.sleep(0.1)
        self.xdotool("mouseup", 1)

    def pixels(self):
        return self.screen.rows(0, SIZE[1])

    def wait_change(self, before, what):
        """The window shows something else, and has come to rest."""
        self.wait(what, lambda: self.pixels() != before)
        return self.settled()

    def settled(self):
        def rest():
            one = self.pixels()
            time.sleep(0.4)
            return one if self.pixels() == one else None
        return self.wait("a picture at rest", rest)

    def close(self):
        self.program.terminate()
        self.program.wait()
        self.output.close()


def keep(inspector, folder, name):
    if folder:
        pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
        dump = pathlib.Path(inspector.screen.directory) / "Xvfb_screen0"
        subprocess.run(["convert", f"xwd:{dump}", str(pathlib.Path(folder) / f"{name}.png")], check=True)


def use(inspector, pictures):
    inspector.wait_title("textured.tsc", "draw", "image")
    first = inspector.settled()
    keep(inspector, pictures, "image")
    # Commands: the one before, and back.
    title = inspector.title()
    inspector.press("Up")
    inspector.wait("another command", lambda: inspector.title() != title)
    inspector.wait_change(first, "what the command before left")
    inspector.press("BackSpace")
    inspector.wait("the command that was chosen before", lambda: inspector.title() == title)
    # Every view by its key; each shows something of its own.
    seen = {}
    for number, view in enumerate(VIEWS, 1):
        inspector.press(str(number))
        inspector.wait_title(view)
        seen[view] = inspector.settled()
        if view not in ("pixel", "debugger"):
            keep(inspector, pictures, view)
    if len(set(seen.values())) != len(VIEWS):
        raise Failure("two views look the same")
    # A pixel of the target, by a click, and its invocation.
    inspector.press("1")
    inspector.wait_title("image")
    inspector.settled()
    inspector.click(666, 245)
    inspector.wait_title("pixel")
    inspector.wait_change(seen["pixel"], "the history of the pixel")
    keep(inspector, pictures, "pixel")
    # "debug" stands at the end of the row of the last draw.
    for y in range(100, 260, 12):
        inspector.click(1247, y)
        inspector.settled()  # a click that comes after the view has changed would go to something in it
        if "debugger" in inspector.title():
            break
    else:
        inspector.wait_title("debugger")
    before = inspector.settled()
    if before == seen["debugger"]:
        raise Failure("the debugger has no invocation")
    inspector.press("F11")
    inspector.wait_change(before, "a step")
    keep(inspector, pictures, "debugger")
    inspector.press("shift+F11")
    # Light, and the keys.
    before = inspector.settled()
    inspector.press("t")
    light = inspector.wait_change(before, "the light theme")
    keep(inspector, pictures, "light")
    inspector.press("F1")
    inspector.wait_change(light, "the keys")
    inspector.press("Escape")
    # Search leaves what is found: letters are no keys meanwhile.
    inspector.press("1")
    before = inspector.settled()
    inspector.press("ctrl+f")
    time.sleep(0.3)
    inspector.xdotool("type", "clear")
    inspector.wait_change(before, "the commands that are found")
    keep(inspector, pictures, "search")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--pictures")
    options = parser.parse_args()
    if not all(shutil.which(tool) for tool in ("Xvfb", "xdotool")):
        print("there is no Xvfb or no xdotool")
        return 77
    tessera, demos = str(options.build / "bin" / "tessera"), options.build / "bin"
    with tempfile.TemporaryDirectory() as folder:
        recording = str(pathlib.Path(folder) / "textured.tsc")
        subprocess.run([tessera, "exec", "env", f"TESSERA_COMMANDS={recording}", demos / "textured", "--headless", "--plain", "--frames", "2",
                        "--time", "1.5", "--size", "400x300", "--out", str(pathlib.Path(folder) / "textured.png")], check=True,
                       stdout=subprocess.DEVNULL)
        screen = Screen(folder, size=SIZE)
        try:
            runs = [([tessera, "inspect", recording, "--size", "1280,800"], lambda one: use(one, options.pictures)),
                    ([tessera, "inspect", "--frame", "2", "--size", "1280,800", "--", str(demos / "gears"), "--headless", "--plain", "--size",
                      "200x150", "--frames", "9", "--out", str(pathlib.Path(folder) / "gears.png")], next_frame)]
            for command, what in runs:
                inspector = Inspector(screen, command, folder)
                try:
                    what(inspector)
                except Failure:
                    keep(inspector, options.pictures, "failed")
                    raise
                finally:
                    inspector.close()
        except Failure as failure:
            print(failure)
            return 1
        finally:
            screen.close()
    print("the window answers to everything")
    return 0


def next_frame(inspector):
    inspector.wait_title("gears, frame 2")
    inspector.settled()
    inspector.press("f")
    inspector.wait_title("gears, frame 3")


if __name__ == "__main__":
    sys.exit(main())
