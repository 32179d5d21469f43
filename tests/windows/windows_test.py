#!/usr/bin/env python3
"""Demos in windows: each is opened with ./run demo NAME on an X server of its own, looked at and used by mouse and keys.

  windows_test.py --build DIR --failing-swap LIBRARY [--only NAME]

A picture moves, stands still while paused, turns, comes nearer, becomes a wireframe, is saved; the panel of keys unfolds;
q ends the program with status 0. More
programs are opened in the other ways there are: directly, with ./run exec, with SDL drawing by EGL, under
`tessera explain`. Exit status 77 (skipped) where there is no Xvfb.
"""

import argparse
import concurrent.futures
import dataclasses
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
WIDTH, HEIGHT = 480, 400
# The panel's figures change all the time; below this row there is none of it. Above are its line when it is folded, its
# keys, and its count of fragments.
BELOW_OVERLAY, FOLDED_ROWS, KEY_ROWS, FRAGMENT_ROWS = 262, (10, 34), (135, 250), (88, 102)
FULL_SCREEN = "full screen"
SIXTEEN_BITS = "on a screen of 16 bits"
DEADLINE = 30  # seconds; for a machine that is busy with other tests


@dataclasses.dataclass
class Controls:
    """What a demo should answer to."""
    moves: bool = True
    turns: bool = True
    wireframe: bool = True
    overlay: bool = True


CONTROLS = {
    "fixed": Controls(wireframe=False, overlay=False),
    "formats": Controls(moves=False, wireframe=False),
    "mandelbrot": Controls(wireframe=False),
    "isa-mandelbrot": Controls(wireframe=False),
    "isa-plasma": Controls(turns=False, wireframe=False),
}


def demo_names():
    """The names that ./run demo takes, less the kernels, which open no window."""
    names = [line.split()[0] for line in (ROOT / "demos" / "list.txt").read_text().splitlines()]
    return [name for name in names if name != "kernels"]


class Failure(Exception):
    pass


class Screen:
    """An X server whose screen is as large as the demo's window, or larger. It keeps its pixels in a file."""

    def __init__(self, directory, depth=24, size=(WIDTH, HEIGHT)):
        self.directory, self.size = directory, size
        read, write = os.pipe()
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", "x".join(map(str, (*size, depth))), "-fbdir", directory, "-nolisten",
             "tcp", "-noreset", "-nocursor"], pass_fds=(write,), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as channel:
            self.name = ":" + channel.readline().strip()
        if self.name == ":":
            raise Failure("Xvfb does not start")

    def close(self):
        self.server.terminate()
        self.server.wait()

    def rows(self, first, last):
        """Pixels of some rows. The file is an X window dump: a header, whose first word is its length, a colour map of
        12 bytes an entry, and rows of pixels."""
        with open(pathlib.Path(self.directory) / "Xvfb_screen0", "rb") as dump:
            header = dump.read(100)
            word = lambda index: int.from_bytes(header[4 * index:4 * index + 4], "big")
            pitch, start = word(12), word(0) + 12 * word(19)
            dump.seek(start + first * pitch)
            return dump.read((last - first) * pitch)

    def picture(self):
        return self.rows(BELOW_OVERLAY, HEIGHT)

    def keys(self):
        return self.rows(*KEY_ROWS)

    def folded(self):
        return self.rows(*FOLDED_ROWS)

    def fragments(self):
        return self.rows(*FRAGMENT_ROWS)


class Window:
    """A program with a window."""

    def __init__(self, screen, command, environment, folder):
        self.screen, self.folder = screen, pathlib.Path(folder)
        self.command = command
        self.environment = environment | {"DISPLAY": screen.name}
        self.frame_time = 0  # seconds
        self.program = subprocess.Popen(command, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT, text=True, cwd=folder)

    def use(self, *arguments):
        subprocess.run(["xdotool", *map(str, arguments)], env=self.environment, check=True)

    def drag(self, x, y):
        """With the left button, from the middle of the window."""
        self.use("mousemove", WIDTH // 2, HEIGHT // 2 + 40, "mousedown", 1)
        self.use("mousemove_relative", "--", x, y)
        self.use("mouseup", 1)

    def wheel(self, button):
        """Up is button 4, down is 5."""
        self.use("mousemove", WIDTH // 2, HEIGHT // 2 + 40, "click", button)

    def press(self, *keys):
        subprocess.run(["xdotool", "key", *keys], env=self.environment, check=True)

    def wait_for(self, condition, what):
        end = time.monotonic() + DEADLINE
        while not condition():
            if self.program.poll() is not None:
                status, output = self.program.returncode, self.program.stdout.read()
                raise Failure(f"ended with status {status} and not: {what}\n{output}")
            if time.monotonic() > end:
                raise Failure(f"not in {DEADLINE} s: {what}")
            time.sleep(0.05)

    def wait_for_first_frame(self, overlay=True):
        shown = self.screen.folded if overlay else self.screen.picture
        self.wait_for(lambda: len(set(shown())) > 3, "the first frame is shown")

    def wait_for_change(self, before, what):
        """The picture differs from one before."""
        self.wait_for(lambda: self.screen.picture() != before, what)

    def watch_it_move(self):
        """Some frames are shown; learns how long one takes."""
        for _ in range(4):
            start = time.monotonic()
            self.wait_for_change(self.screen.picture(), "the picture moves")
            self.frame_time = max(self.frame_time, time.monotonic() - start)

    def wait_for_rest(self, what):
        """The picture stays the same for the time of several frames. Returns it."""
        last, since = None, 0

        def rests():
            nonlocal last, since
            now = self.screen.picture()
            if now != last:
                last, since = now, time.monotonic()
            return time.monotonic() - since > 0.4 + 4 * self.frame_time
        self.wait_for(rests, what)
        return last

    def finish(self):
        """Output of the program, which ended by itself with status 0."""
        try:
            output, _ = self.program.communicate(timeout=DEADLINE)
        except subprocess.TimeoutExpired:
            raise Failure("does not end") from None
        if self.program.returncode != 0:
            raise Failure(f"status {self.program.returncode}:\n{output}")
        if re.search("tessera:|error|cannot|fail", output, re.IGNORECASE):
            raise Failure(f"complains:\n{output}")
        return output

    def close(self):
        if self.program.poll() is None:
            self.program.terminate()
            self.program.wait()


def same_picture(screen, picture):
    """Nearly: nearer and back again is rounded."""
    now = screen.picture()
    return sum(abs(a - b) > 8 for a, b in zip(now, picture)) < len(now) // 200


def save_picture(window):
    """s writes a PNG of the window's size into the folder that the program was started in, and says where."""
    if list(window.folder.glob("*.png")):
        raise Failure("there is a picture before s is pressed")
    window.press("s")
    window.wait_for(lambda: list(window.folder.glob("*-1.png")), "s writes a picture")
    picture = next(window.folder.glob("*-1.png"))
    window.wait_for(lambda: picture.read_bytes().endswith(b"IEND\xaeB`\x82"), "it is whole")
    if [int.from_bytes(picture.read_bytes()[at:at + 4], "big") for at in (16, 20)] != [WIDTH, HEIGHT]:
        raise Failure("the picture has another size than the window")
    window.picture = picture


def use_full_screen(window):
    """f fills the screen, F11 ends that."""
    screen = window.screen
    below = lambda: len(set(screen.rows(screen.size[1] - 20, screen.size[1])))
    window.wait_for(lambda: len(set(screen.rows(screen.size[1] // 2, screen.size[1] // 2 + 20))) > 3, "the window is shown")
    window.wait_for(lambda: below() == 1, "the screen is not full")
    window.press("f")
    window.wait_for(lambda: below() > 1, "f fills the screen")
    window.press("F11")
    window.wait_for(lambda: below() == 1, "F11 ends that")
    window.press("q")
    window.finish()


def count_fragments(window):
    """The panel's own fragments are not counted: the count is the same with more lines in it."""
    window.wait_for_first_frame()
    window.press("space", "h")
    window.wait_for(lambda: len(set(window.screen.fragments())) > 8, "the panel is unfolded")
    window.wait_for_rest("the picture rests")
    fragments = window.screen.fragments()
    save_picture(window)  # the panel says for a while where it went
    window.wait_for(lambda: window.screen.fragments() == fragments, "the panel's own fragments are not counted")
    window.press("q")
    window.finish()


def use_demo(window, controls):
    """All that a demo's keys do."""
    screen = window.screen
    window.wait_for_first_frame(controls.overlay)
    if controls.moves:
        window.watch_it_move()
        window.press("space")
    paused = window.wait_for_rest("space pauses")
    if controls.overlay:
        folded = screen.folded()
        window.press("h")
        window.wait_for(lambda: screen.folded() != folded, "h unfolds the panel")
        window.wait_for(lambda: len(set(screen.keys())) > 8, "there are keys in it")
        window.press("F1")
        window.wait_for(lambda: screen.folded() == folded, "F1 folds it")
    window.press("w")
    if controls.wireframe:
        window.wait_for_change(paused, "w draws edges")
        window.press("w")
        window.wait_for(lambda: screen.picture() == paused, "w draws faces again")
    window.press("Right", "Down")
    if controls.turns:
        window.wait_for_change(paused, "arrow keys turn")
        turned = window.wait_for_rest("the turned picture rests")
        window.drag(40, 25)
        window.wait_for_change(turned, "the mouse turns")
    else:
        window.drag(40, 25)
        if window.wait_for_rest("the picture rests") != paused:
            raise Failure("moves by keys and a mouse that it does not answer to")
    paused = window.wait_for_rest("the turned picture rests")
    window.wheel(4)
    window.wait_for_change(paused, "the wheel zooms in")
    window.wait_for_rest("the nearer picture rests")
    window.wheel(5)
    window.wait_for(lambda: same_picture(screen, paused), "the wheel zooms out")
    paused = window.wait_for_rest("the picture rests")
    save_picture(window)
    if controls.moves:
        window.press("space")
        window.wait_for_change(paused, "space goes on")
    window.press("q")
    output = window.finish()
    if "frames/s on Tessera" not in output:
        raise Failure(f"does not say that it ran on Tessera:\n{output}")
    if f"wrote {window.picture}" not in output:
        raise Failure(f"does not say where the picture is:\n{output}")


def watch_and_quit(window):
    window.wait_for_first_frame()
    window.watch_it_move()
    window.press("q")
    window.finish()


def compare_explanation(window):
    """What tessera explain says of a pixel, in a window and without one."""
    account = lambda output: [line for line in output.splitlines() if not line.startswith("gears")]
    headless = subprocess.run([*window.command, "--headless", "--out", os.devnull], env=window.environment,
                              capture_output=True, text=True, check=True).stdout
    shown = window.finish()
    if "final value" not in shown or account(shown) != account(headless):
        raise Failure(f"in a window:\n{shown}\nheadless:\n{headless}")


def check_failing_swap(build, library, environment):
    """A frame that cannot be shown ends a demo, and the message names EGL's error. Needs no window."""
    run = subprocess.run([build / "bin/cube", "--headless", "--frames", "9", "--out", os.devnull],
                         env=environment | {"LD_PRELOAD": str(library)}, capture_output=True, text=True)
    if run.returncode != 1 or "frame 3 cannot be shown: eglSwapBuffers: EGL_BAD_SURFACE" not in run.stderr:
        raise Failure(f"a failing swap: status {run.returncode}\n{run.stdout}{run.stderr}")


def check_programs(build, environment):
    """isa-* with programs of the user's: what is wrong is said of the path that was given, and assembly is assembled. Needs no
    window."""
    with tempfile.TemporaryDirectory() as directory:
        folder = pathlib.Path(directory)

        def shown(fragment, out="x.png"):
            run = subprocess.run([build / "bin/isa-plasma", "--fragment", str(fragment), "--headless", "--quiet", "--size", "32x24",
                                  "--frames", "1", "--time", "1", "--out", out], env=environment, cwd=folder, capture_output=True,
                                 text=True)
            return run.returncode, run.stderr
        if (found := shown("nosuch.tsb")) != (1, "nosuch.tsb: cannot be read\n"):
            raise Failure(f"a program that is not there: {found}")
        (folder / "bad.tsa").write_text(".fragment\n  mov o40, 1.0\n  ret\n")
        status, said = shown("bad.tsa")
        if status != 1 or not said.startswith("bad.tsa:2:7: error: "):
            raise Failure(f"a mistake in assembly: status {status}\n{said}")
        for fragment, out in ((ROOT / "demos/isa/plasma.frag.tsa", "assembled.png"), ("plasma.frag.tsb", "built.png")):
            if (found := shown(fragment, out)) != (0, ""):
                raise Failure(f"{fragment}: {found}")
        if (folder / "assembled.png").read_bytes() != (folder / "built.png").read_bytes():
            raise Failure("a program in assembly draws another picture than its binary")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--failing-swap", type=pathlib.Path, required=True)
    parser.add_argument("--only", help="only this case")
    arguments = parser.parse_args()
    build = arguments.build.resolve()
    if shutil.which("Xvfb") is None:
        print("skipped: there is no Xvfb")
        return 77

    # What SDL and X11 libraries leak is theirs.
    plain = {name: value for name, value in os.environ.items() if not name.startswith("SDL_")}
    plain |= {"ASAN_OPTIONS": "detect_leaks=0", "TESSERA_BUILT": "1",
              "TESSERA_PRESET": os.path.relpath(build, ROOT / "build")}
    direct = plain | {"LD_LIBRARY_PATH": f"{build}/lib"}
    forced = direct | {"SDL_VIDEO_X11_FORCE_EGL": "1"}
    size = ["--size", f"{WIDTH}x{HEIGHT}"]
    run, gears = str(ROOT / "run"), [str(build / "bin/gears"), *size]

    cases = {f"./run demo {name}": ([run, "demo", name, *size], plain,
                                    lambda window, name=name: use_demo(window, CONTROLS.get(name, Controls())))
             for name in demo_names()}
    cases |= {
        "directly": (gears, direct, watch_and_quit),
        FULL_SCREEN: (gears, direct, use_full_screen),
        "fragments": (gears, direct, count_fragments),
        SIXTEEN_BITS: (gears, direct, watch_and_quit),
        "directly, SDL on EGL": (gears, forced, watch_and_quit),
        "SDL shows frames as textures": (gears, forced | {"SDL_FRAMEBUFFER_ACCELERATION": "opengles2"}, watch_and_quit),
        "./run exec": ([run, "exec", "--", *gears], plain, watch_and_quit),
        "tessera explain": ([str(build / "bin/tessera"), "explain", "--pixel", "240,250", "--frame", "2", "--", *gears, "--plain",
                             "--time", "1.5", "--frames", "3"], forced, compare_explanation),
    }

    def result(case):
        command, environment, use = cases[case]
        with tempfile.TemporaryDirectory() as directory:
            screen = window = None
            try:
                screen = Screen(directory, 16 if case == SIXTEEN_BITS else 24,
                                (WIDTH + 200, HEIGHT + 160) if case == FULL_SCREEN else (WIDTH, HEIGHT))
                folder = pathlib.Path(directory) / "cwd"
                folder.mkdir()
                window = Window(screen, command, environment, folder)
                use(window)
            except Failure as failure:
                return str(failure)
            finally:
                for opened in (window, screen):
                    if opened is not None:
                        opened.close()
        return None

    failures = 0
    selected = [case for case in cases if arguments.only in (None, case)]
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        for case, failure in zip(selected, pool.map(result, selected)):
            print(f"{case}: {failure or 'ok'}", flush=True)
            failures += failure is not None
    if arguments.only is None:
        for check in (lambda: check_failing_swap(build, arguments.failing_swap, direct), lambda: check_programs(build, direct)):
            try:
                check()
            except Failure as failure:
                print(failure)
                failures += 1
    print(f"{failures} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
