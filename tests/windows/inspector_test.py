#!/usr/bin/env python3
"""The inspector's window on an X server of its own, used by mouse and keys through every view.

  inspector_test.py --build DIR [--pictures FOLDER]   demos and a kernel
  inspector_test.py --build DIR --programs            Debian's programs that are installed (./run inspect-programs)
  inspector_test.py --packages                        which packages these come from

A recorded frame of a demo is opened: keys go from command to command and from view to view, the window's title says
where it is, and what it shows changes; a click in the target asks for the pixel's history, "debug" takes an
invocation, keys step it. The next frame of a program that is inspected is recorded by a key. A kernel is opened: blocks,
groups and lanes are chosen, the debugger goes forward and back, the chip is asked why. --pictures keeps a picture of each
view. Exit status 77 (skipped) where there is no Xvfb or xdotool, or none of the programs is installed.
"""

import argparse
import os
import pathlib
import re
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
KERNEL_VIEWS = ["memory", "barriers", "debugger", "chip"]
ROOT = pathlib.Path(__file__).resolve().parents[2]

# Programs from Debian: name, package, command, and the frame that is opened.
PROGRAMS = [
    ("es2gears", "mesa-utils-bin", ["es2gears_x11.x86_64-linux-gnu"], 5),
    ("glmark2", "glmark2-es2-x11", ["glmark2-es2", "--size", "512x384", "-b", "shading:shading=phong:duration=60"], 5),
    ("widget-factory", "gtk-4-examples", ["gtk4-widget-factory"], 3),
]


class Inspector:
    """The command with its window."""

    def __init__(self, screen, command, folder):
        self.screen = screen
        self.environment = {name: value for name, value in os.environ.items() if name != "WAYLAND_DISPLAY"}
        # A layout of its own, so that every window begins with the usual one.
        self.environment |= {"DISPLAY": screen.name, "SDL_VIDEODRIVER": "x11",
                             "XDG_CONFIG_HOME": tempfile.mkdtemp(dir=screen.directory)}
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

    def point(self, x, y):
        self.xdotool("mousemove", x, y)

    def click(self, x, y):
        self.point(x, y)
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


def go_through_views(inspector, pictures, prefix=""):
    """Every view by its key; each shows something of its own. Pictures of them by name."""
    seen = {}
    for number, view in enumerate(VIEWS, 1):
        inspector.press(str(number))
        inspector.wait_title(view)
        seen[view] = inspector.settled()
        if view not in ("pixel", "debugger"):
            keep(inspector, pictures, prefix + view)
    if len(set(seen.values())) != len(VIEWS):
        raise Failure("two views look the same")
    return seen


def choose_pixel(inspector, x, y):
    """By a click in the target: the view of the pixel follows."""
    inspector.press("1")
    inspector.wait_title("image")
    inspector.settled()
    inspector.click(x, y)
    inspector.wait_title("pixel")


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
    seen = go_through_views(inspector, pictures)
    # Views by clicks on their tabs.
    for x, view in ((572, "textures"), (498, "image")):
        inspector.click(x, 40)
        inspector.wait_title(view)
    # A pixel of the target, by a click, and its invocation.
    choose_pixel(inspector, 666, 245)
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
    # A shader is written anew, the frame drawn with it, and as recorded again.
    inspector.press("1")
    recorded = inspector.settled()
    inspector.press("e")
    inspector.wait_change(recorded, "the editor")
    inspector.click(600, 560)
    inspector.press("ctrl+a")
    inspector.xdotool("type", "void main() { gl_FragColor = vec4(1, 0, 1, 1); }")
    inspector.xdotool("key", *["Return"] * 40)
    before = inspector.settled()
    inspector.xdotool("type", "// seen however far down")
    inspector.wait_change(before, "what is typed")
    inspector.press("F9")
    magenta = re.compile(rb"(?:\xff\x00\xff.){20}", re.DOTALL)  # a color that nothing else in the window has
    inspector.wait("the frame with the shader that was typed", lambda: magenta.search(inspector.pixels()))
    inspector.settled()
    keep(inspector, pictures, "edit")
    inspector.press("shift+F9")
    inspector.wait("the frame with the recorded shader", lambda: not magenta.search(inspector.pixels()))
    inspector.press("Escape")  # leaves the text
    inspector.settled()
    inspector.press("e")
    # Search leaves what is found: letters are no keys meanwhile.
    before = inspector.settled()
    inspector.press("ctrl+f")
    time.sleep(0.3)
    inspector.xdotool("type", "clear")
    inspector.wait_change(before, "the commands that are found")
    keep(inspector, pictures, "search")


def use_views(inspector, pictures, name):
    """Every view of a frame, and the history of a pixel in the middle of its image."""
    inspector.settled()
    seen = go_through_views(inspector, pictures, f"{name}-")
    choose_pixel(inspector, 640, 240)
    inspector.wait_change(seen["pixel"], "the history of the pixel")
    keep(inspector, pictures, f"{name}-pixel")
    title = inspector.title()
    inspector.press("Home")
    inspector.wait("the first command", lambda: inspector.title() != title)
    inspector.settled()


def use_kernel(inspector, pictures):
    inspector.wait_title("sum_reduction.tsa", "block 0,0,0", "group 0", "lane 0", "memory")
    first = inspector.settled()
    keep(inspector, pictures, "kernel-memory")
    inspector.press("b")
    inspector.wait_change(first, "the memory before the launch")
    inspector.press("b")
    # Block, group and lane by keys.
    inspector.press("Down")
    inspector.wait_title("block 1,0,0")
    inspector.press("shift+Down")
    inspector.wait_title("group 1")
    inspector.press("Right")
    inspector.wait_title("group 1", "lane 1")
    seen = {}
    for number, view in enumerate(KERNEL_VIEWS, 1):
        inspector.press(str(number))
        inspector.wait_title(view)
        seen[view] = inspector.settled()
        if view != "debugger":
            keep(inspector, pictures, f"kernel-{view}")
    if len(set(seen.values())) != len(KERNEL_VIEWS):
        raise Failure("two views look the same")
    # The chip: nearer by the wheel, and why by a click.
    inspector.point(700, 200)
    inspector.xdotool("click", 4)
    nearer = inspector.wait_change(seen["chip"], "less of the time, larger")
    inspector.click(720, 200)
    inspector.wait_change(nearer, "why the unit was idle")
    keep(inspector, pictures, "kernel-why")
    # The debugger at that lane, forward and back.
    inspector.press("d")
    inspector.wait_title("debugger")
    start = inspector.settled()
    inspector.press("F11")
    step = inspector.wait_change(start, "a step")
    inspector.press("F11")
    inspector.wait_change(step, "another step")
    keep(inspector, pictures, "kernel-debugger")
    # A lane by a click in the strip of its group: the last of group 0.
    for x in range(444, 380, -4):
        inspector.click(x, 440)
        if "group 0, lane 31" in inspector.title():
            break
    inspector.wait_title("block 1,0,0", "group 0, lane 31")
    inspector.press("F1")
    time.sleep(0.3)
    inspector.press("Escape")
    inspector.settled()


def history(inspector):
    """What the panel of the pixel shows: beside it costs may still come."""
    rows = inspector.pixels()
    return b"".join(rows[(y * SIZE[0] + 520) * 4:(y * SIZE[0] + 1270) * 4] for y in range(80, 380))


def next_frame(inspector):
    inspector.wait_title("gears, frame 2")
    inspector.settled()
    choose_pixel(inspector, 666, 245)
    inspector.settled()
    inspector.press("f")
    inspector.wait_title("gears, frame 3")
    # The history is that of this frame, as if the pixel had been clicked again.
    inspector.settled()
    shown = history(inspector)
    choose_pixel(inspector, 666, 245)
    inspector.wait("the history of the pixel that was chosen", lambda: history(inspector) == shown)


def is_installed(package):
    return subprocess.run(["dpkg-query", "-W", "-f=${db:Status-Status}", package], capture_output=True, text=True).stdout == "installed"


def runs_of_demos(options, folder):
    tessera, demos = str(options.build / "bin" / "tessera"), options.build / "bin"
    window = ["--size", ",".join(map(str, SIZE))]

    def record(name):
        recording = str(pathlib.Path(folder) / f"{name}.tsc")
        subprocess.run([tessera, "exec", "env", f"TESSERA_COMMANDS={recording}", demos / name, "--headless", "--plain", "--frames", "2",
                        "--time", "1.5", "--size", "400x300", "--out", str(pathlib.Path(folder) / f"{name}.png")], check=True,
                       stdout=subprocess.DEVNULL)
        return recording

    values = pathlib.Path(folder) / "values.bin"
    values.write_bytes(b"".join(number.to_bytes(4, "little") for number in range(4096)))
    yield [tessera, "inspect", record("textured"), *window], lambda one: use(one, options.pictures)
    yield [tessera, "inspect", record("gears"), *window], lambda one: use_views(one, options.pictures, "gears")
    yield ([tessera, "inspect", "--frame", "2", *window, "--", str(demos / "gears"), "--headless", "--plain", "--size", "200x150", "--frames",
            "9", "--out", str(pathlib.Path(folder) / "gears.png")], next_frame)
    yield ([tessera, "inspect", *window, str(ROOT / "demos/kernels/programs/sum_reduction.tsa"), "--grid", "2", "--in", f"values={values}",
            "--buffer", "total=i32[1]"], lambda one: use_kernel(one, options.pictures))


def runs_of_programs(options, folder):
    tessera = str(options.build / "bin" / "tessera")
    for name, package, command, frame in PROGRAMS:
        if not is_installed(package):
            print(f"{name}: {package} is not installed")
            continue
        yield ([tessera, "inspect", "--frame", str(frame), "--size", ",".join(map(str, SIZE)), "--", *command],
               lambda one, name=name: use_views(one, options.pictures, name))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path)
    parser.add_argument("--pictures")
    parser.add_argument("--programs", action="store_true")
    parser.add_argument("--packages", action="store_true")
    options = parser.parse_args()
    if options.packages:
        print("\n".join(package for _, package, _, _ in PROGRAMS))
        return 0
    if options.build is None:
        parser.error("--build says where the build is")
    if not all(shutil.which(tool) for tool in ("Xvfb", "xdotool")):
        print("there is no Xvfb or no xdotool")
        return 77
    used = 0
    with tempfile.TemporaryDirectory() as folder:
        screen = Screen(folder, size=SIZE)
        try:
            for command, what in (runs_of_programs if options.programs else runs_of_demos)(options, folder):
                inspector = Inspector(screen, command, folder)
                try:
                    what(inspector)
                    used += 1
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
    if used == 0:
        print("none of the programs is installed")
        return 77
    print("the window answers to everything")
    return 0


if __name__ == "__main__":
    sys.exit(main())
