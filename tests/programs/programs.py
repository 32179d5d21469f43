#!/usr/bin/env python3
"""Programs that never heard of Tessera, from Debian's packages, run on it unmodified and compared with Mesa's llvmpipe.

  programs.py --build DIR                 every program whose package is installed
  programs.py --build DIR --quick         the ones that take seconds; exit status 77 (skipped) where none is installed
  programs.py --build DIR --only REGEX    some of them
  programs.py --build DIR --write         all of them, and the table in docs/programs.md written anew
  programs.py --list                      what there is, and the package each comes from

A program is tried in up to three ways. `output`: it runs and its text is searched. `window`: it runs in a window on a
virtual X display, on both drivers; the two screenshots are compared, or, where the program moves with the clock, looked
at for an empty picture. `frames`: its calls are recorded on Mesa (apitrace) and replayed on both drivers (eglretrace,
the same calls with the same data), and frames are compared pixel by pixel. Pictures stay in DIR/programs.
"""

import argparse
import dataclasses
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "bench"))
import glmark  # noqa: E402  (its list of scenes and its virtual display)

SDL_TESTS = "/usr/libexec/installed-tests/SDL2"
MESA_VENDOR = pathlib.Path("/usr/share/glvnd/egl_vendor.d/50_mesa.json")
PAGE = ROOT / "docs" / "programs.md"

# What the driver says on standard error when it starts: proof that it is the one that answers.
ANSWERS = "tessera: driver: Tessera"

# What two correct drivers may differ by: edges and lines fall on other pixels, filters round otherwise. Mean absolute
# difference of the worst channel in 1/255, and the share of pixels that differ by more than 8/255.
MEAN, SHARE = 1.0, 0.02


@dataclasses.dataclass
class Program:
    name: str
    package: str
    command: list
    ways: tuple                      # of "output", "window", "still", "frames"
    expect: str = ""                 # output: a regular expression that its text must match
    refuse: str = ""                 # output: one that it must not match
    seconds: float = 3.0             # window: how long it runs before the screenshot; frames: how long it is recorded
    frames: int = 6                  # frames: how many are compared, spread over the recording
    status: tuple = (0,)             # output: the exit statuses it may have
    quick: bool = False
    starts: bool = True              # output: it makes a context
    environment: dict = dataclasses.field(default_factory=dict)
    mean: float = MEAN
    share: float = SHARE
    note: str = ""


def weston(config):
    return [sys.executable, str(HERE / "weston.py"), config]


# Scenes that need more room than MEAN and SHARE, and why.
ROOM = {
    "texture:texture-filter=nearest": dict(share=0.05, note="in the first frame a face lies square to the pixels, texel edges on their centres"),
    "terrain": dict(mean=6.0, share=0.25, note="llvmpipe's glGenerateMipmap is too bright by half of 1/255 a level (Tessera's: within "
                    "0.5 of the average at each texel), and the far hills take their normals from high levels"),
    # Traced by giving Tessera llvmpipe's ways: of 3.7 % of the pixels 2.7 % are left with the derivatives of a quad taken
    # from its upper row (llvmpipe's rows of a window run from the top), 2.6 % with its linear log2 of the level of detail
    # too, 1.1 % when the two steps of its averages round up as well.
    "refract": dict(mean=1.2, share=0.045, note="refraction magnifies the normals it looks up: llvmpipe's levels are too bright, as "
                    "in terrain, and in windows it takes the level of detail from the other row of each quad, which is "
                    "another where triangles are as small as pixels; with both in Tessera 1.1 % are left"),
}


def glmark_scene(scene):
    # High precision: what scenes say with mediump llvmpipe computes in 16 bits, and some (terrain, refract, loop, function)
    # turn a difference of a last bit into another picture.
    options = ":nframes=12:fragment-precision=high,high,default,default:vertex-precision=high,high,default,default"
    return Program(f"glmark2-es2 {glmark.short_name(scene)}", "glmark2-es2-x11",
                   ["glmark2-es2", "--size", "512x384", "-b", scene.removesuffix(";") + options], ("frames",), seconds=60, frames=3,
                   **ROOM.get(scene, {}))


PROGRAMS = [
    Program("es2_info", "mesa-utils-bin", ["es2_info.x86_64-linux-gnu"], ("output",),
            r"(?s)GL_VERSION: OpenGL ES 2\.0 Tessera.*GL_RENDERER: Tessera", quick=True),
    Program("eglinfo", "mesa-utils-bin", ["eglinfo.x86_64-linux-gnu"], ("output",),
            r"EGL vendor string: Tessera", quick=True, status=(0, 1), starts=False, note="status 1 where a platform, such as Wayland, has no server"),
    Program("es2tri", "mesa-utils-bin", ["es2tri.x86_64-linux-gnu"], ("still", "frames"), seconds=1.5, quick=True),
    Program("es2gears_x11", "mesa-utils-bin", ["es2gears_x11.x86_64-linux-gnu"], ("window", "frames"), seconds=1.5, quick=True),
    Program("python3 (egl_triangle.py)", "python3", [sys.executable, str(HERE / "egl_triangle.py")], ("output",),
            r"(?s)Tessera.*corner 20 40 60 255.*centre 85 85 85 255", quick=True,
            note="EGL and GLES through ctypes: a surfaceless pbuffer, shaders, a triangle, the pixels checked"),
    Program("testgles2", "libsdl2-tests", [f"{SDL_TESTS}/testgles2"], ("window", "frames"), seconds=2),
    Program("testdraw2", "libsdl2-tests", [f"{SDL_TESTS}/testdraw2", "--renderer", "opengles2"], ("window", "frames"), seconds=2,
            environment={"SDL_RENDER_DRIVER": "opengles2"}, note="SDL's opengles2 renderer: points, lines, rectangles"),
    Program("testsprite2", "libsdl2-tests", [f"{SDL_TESTS}/testsprite2", "--renderer", "opengles2"], ("window", "frames"), seconds=2,
            environment={"SDL_RENDER_DRIVER": "opengles2"}, note="SDL's opengles2 renderer: blended textures"),
    Program("weston, nested in X11", "weston", weston("x11"), ("still",), seconds=6,
            note="GL renderer; a background and a client's window with its frame (weston-eventdemo)"),
    Program("weston, headless", "weston", weston("headless"), ("output",), r"(?s)GL renderer: Tessera", r"failed to initialize",
            note="GL renderer on the surfaceless platform, with a Wayland EGL client running in it"),
    Program("glmark2-es2 --validate", "glmark2-es2-x11", ["glmark2-es2", "--validate"], ("output",),
            r"(?s)GL_RENDERER: +Tessera.*Validation: Success", r"Validation: Failure|Error",
            note="every scene; glmark2 knows the answer for some and says Unknown for the others"),
] + [glmark_scene(scene) for scene in glmark.SCENES]


def installed(program):
    if program.package == "python3":
        return True
    first = program.command[0] if program.package != "weston" else "weston"
    return shutil.which(first) is not None or pathlib.Path(first).exists()


class Bench:
    """The two drivers, a display and a place for pictures."""

    def __init__(self, build, display):
        self.build = build
        self.work = build / "programs"
        self.work.mkdir(exist_ok=True)
        self.display = display
        self.mesa = MESA_VENDOR.exists()
        self.apitrace = shutil.which("apitrace") is not None and shutil.which("eglretrace") is not None

    def environment(self, driver, program=None):
        result = dict(os.environ, **(program.environment if program else {}))
        result["DISPLAY"] = self.display or ""
        if driver == "tessera":
            # Both ways in: found by name, and through libglvnd for programs that insist on its libEGL.
            result["LD_LIBRARY_PATH"] = str(self.build / "lib")
            result["TESSERA_LOG"] = "3"  # the driver says its name, see ANSWERS
            result["__EGL_VENDOR_LIBRARY_FILENAMES"] = str(self.build / "share/glvnd/egl_vendor.d/50_tessera.json")
        else:
            result.pop("LD_LIBRARY_PATH", None)
            result["LIBGL_ALWAYS_SOFTWARE"] = "1"
            result["GALLIVM_PERF"] = "no_brilinear,no_rho_approx,no_quad_lod"  # its exact filters, not its quick ones
            result["__EGL_VENDOR_LIBRARY_FILENAMES"] = str(MESA_VENDOR)
        result["WAFFLE_PLATFORM"] = "surfaceless_egl"  # eglretrace
        result["SDL_VIDEO_X11_FORCE_EGL"] = "1"  # SDL asks GLX, another driver's, for OpenGL ES first
        return result

    def file(self, program, suffix):
        return self.work / (re.sub(r"[^A-Za-z0-9_.-]+", "-", program.name) + suffix)


@dataclasses.dataclass
class Result:
    good: bool
    said: str


def stop(process):
    """Ends a process and what it started."""
    try:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(timeout=5)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    except ProcessLookupError:
        process.wait()


def try_output(bench, program):
    try:
        run = subprocess.run(program.command, env=bench.environment("tessera", program), capture_output=True, text=True, errors="replace",
                             timeout=600)
    except subprocess.TimeoutExpired:
        return Result(False, "did not end within 600 s")
    text = run.stdout + run.stderr
    bench.file(program, ".txt").write_text(text)
    if run.returncode not in program.status:
        return Result(False, f"exit status {run.returncode}: {text[-300:]}")
    if program.starts and ANSWERS not in text:
        return Result(False, "another driver answered")
    if program.expect and not re.search(program.expect, text):
        return Result(False, f"its output lacks {program.expect!r}")
    if program.refuse and re.search(program.refuse, text):
        return Result(False, f"its output has {re.search(program.refuse, text).group(0)!r}")
    validated = len(re.findall("Validation: Success", text))
    return Result(True, f"{validated} scenes validated, 0 failed" if validated else "ran, output as expected")


def screenshot(bench, program, driver, out):
    log = bench.file(program, f".{driver}.log")
    with open(log, "w") as sink:
        process = subprocess.Popen(program.command, env=bench.environment(driver, program), stdout=sink, stderr=sink, start_new_session=True)
        time.sleep(program.seconds)
        status = process.poll()
        dump = subprocess.run(["xwd", "-root", "-silent"], env=bench.environment("mesa"), capture_output=True)
        stop(process)
    if driver == "tessera" and ANSWERS not in log.read_text():
        return "another driver answered"
    if status not in (None, 0):
        return f"on {driver}: exit status {status}: {log.read_text()[-300:]}"
    convert = subprocess.run(["convert", "xwd:-", str(out)], input=dump.stdout, capture_output=True)
    return "" if convert.returncode == 0 else "no screenshot: xwd or convert failed"


def difference(bench, a, b, program):
    """Compares two pictures: (good, mean of the worst channel, share of pixels off by more than 8)."""
    run = subprocess.run([str(bench.build / "bin/tessera"), "diff", str(a), str(b), "--tolerance", "8"], capture_output=True, text=True)
    mean = re.search(r"mean absolute difference[^\n]*", run.stdout)
    share = re.search(r"(\d+) of (\d+) pixels", run.stdout)
    if not mean or not share:
        return False, 255.0, 1.0
    worst = max(float(value) for value in re.findall(r" (\d+\.\d+)", mean.group(0)))
    part = int(share.group(1)) / int(share.group(2))
    return worst <= program.mean and part <= program.share, worst, part


def colours(picture):
    run = subprocess.run(["identify", "-format", "%k", str(picture)], capture_output=True, text=True)
    return int(run.stdout or 0)


def try_window(bench, program, still):
    if not bench.display or not shutil.which("xwd") or not shutil.which("convert"):
        return None
    ours, theirs = bench.file(program, ".window.tessera.png"), bench.file(program, ".window.mesa.png")
    wrong = screenshot(bench, program, "tessera", ours)
    if wrong:
        return Result(False, wrong)
    if colours(ours) < 3:
        return Result(False, f"the window is empty: {ours}")
    if not still or not bench.mesa:
        return Result(True, "window drawn")
    wrong = screenshot(bench, program, "mesa", theirs)
    if wrong:
        return Result(False, wrong)
    good, mean, share = difference(bench, ours, theirs, program)
    return Result(good, f"window: mean {mean:.3f}, {100 * share:.3f} % by more than 8")


def record(bench, program, trace, seconds):
    """Records the program's calls on Mesa; the calls that end a frame."""
    trace.unlink(missing_ok=True)
    process = subprocess.Popen(["apitrace", "trace", "--api", "egl", "-o", str(trace), *program.command],
                               env=bench.environment("mesa", program), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               start_new_session=True)
    try:
        process.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        stop(process)
    dump = subprocess.run(["apitrace", "dump", "--calls=frame", "--color=never", str(trace)], capture_output=True, text=True, errors="replace")
    return [int(number) for number in re.findall(r"^(\d+) eglSwapBuffers", dump.stdout, re.MULTILINE)]


def try_frames(bench, program):
    if not (bench.apitrace and bench.mesa and bench.display):
        return None
    trace = bench.file(program, ".trace")
    for patience in (1, 4, 12):  # on a busy machine the first frame may be late
        if calls := record(bench, program, trace, patience * program.seconds):
            break
    else:
        return Result(False, "no frame was recorded on Mesa")
    chosen = sorted({calls[i * (len(calls) - 1) // max(1, program.frames - 1)] for i in range(program.frames)})
    pictures = {}
    for driver in ("tessera", "mesa"):
        with tempfile.TemporaryDirectory(dir=bench.work) as place:
            run = subprocess.run(["eglretrace", "--headless", f"--snapshot-prefix={place}/", "-S", ",".join(map(str, chosen)), str(trace)],
                                 env=bench.environment(driver, program), capture_output=True, text=True, errors="replace")
            if run.returncode != 0:
                return Result(False, f"the replay on {driver} ended with {run.returncode}: {(run.stdout + run.stderr)[-300:]}")
            if driver == "tessera" and ANSWERS not in run.stderr:
                return Result(False, "the replay got another driver")
            errors = re.findall(r"\d+: warning: glGetError[^\n]*|\d+: error:[^\n]*", run.stderr)
            if errors and driver == "tessera":
                return Result(False, f"the replay had errors: {errors[0]}")
            pictures[driver] = {}
            for picture in sorted(pathlib.Path(place).glob("*.png")):
                kept = bench.file(program, f".{picture.stem}.{driver}.png")
                shutil.move(picture, kept)
                pictures[driver][picture.stem] = kept
    trace.unlink()
    if not pictures["tessera"] or pictures["tessera"].keys() != pictures["mesa"].keys():
        return Result(False, "the drivers gave different numbers of frames")
    results = [difference(bench, pictures["tessera"][name], pictures["mesa"][name], program) for name in pictures["mesa"]]
    good = all(result[0] for result in results)
    worst = max(result[1] for result in results), max(result[2] for result in results)
    return Result(good, f"{len(results)} of {len(calls)} frames: mean {worst[0]:.3f}, {100 * worst[1]:.3f} % by more than 8")


def run(bench, program):
    """Tries the program in its ways. (good, what was seen); good is None where nothing could be tried."""
    said, good = [], None
    for way in program.ways:
        result = (try_output(bench, program) if way == "output" else try_frames(bench, program) if way == "frames"
                  else try_window(bench, program, way == "still"))
        if result is None:
            continue
        said.append(result.said)
        good = result.good and good is not False
    return good, "; ".join(said) or "no display, apitrace or Mesa to try it with"


def version(package):
    run = subprocess.run(["dpkg-query", "-W", "-f=${Version}", package], capture_output=True, text=True)
    return run.stdout.strip() or "?"


def write_page(rows):
    lines = ["| program | package | result | seen and compared |", "|---|---|---|---|"]
    for program, good, said in rows:
        note = f"; {program.note}" if program.note else ""
        verdict = "not installed" if good is None else "runs" if good else "**differs**"
        lines.append(f"| {program.name} | {program.package} {version(program.package)} | {verdict} | {said}{note} |")
    text = PAGE.read_text()
    begin, end = "<!-- table: written by ./run programs --write -->\n", "<!-- end of the table -->"
    head, rest = text.split(begin)
    PAGE.write_text(head + begin + "\n" + "\n".join(lines) + "\n\n" + end + rest.split(end)[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", metavar="REGEX", default="")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    chosen = [program for program in PROGRAMS if (program.quick or not arguments.quick) and re.search(arguments.only, program.name)]
    if arguments.list:
        for program in chosen:
            print(f"{program.name:50} {program.package:20} {', '.join(program.ways)}{'  (quick)' if program.quick else ''}")
        return 0
    if arguments.build is None:
        parser.error("--build is needed")
    if arguments.quick and not any(installed(program) and program.package != "python3" for program in chosen):
        print("skipped: none of the programs is installed (Debian packages: mesa-utils-bin)")
        return 77
    rows = []
    with glmark.Display() as display:
        bench = Bench(arguments.build.resolve(), display.name)
        for count, program in enumerate(chosen, 1):
            good, said = run(bench, program) if installed(program) else (None, f"package {program.package} is not installed")
            rows.append((program, good, said))
            print(f"[{count}/{len(chosen)}] {program.name}: {'skipped' if good is None else 'good' if good else 'BAD'}: {said}", flush=True)
    if arguments.write:
        write_page(rows)
    bad = sum(good is False for _, good, _ in rows)
    print(f"{sum(good is True for _, good, _ in rows)} good, {bad} bad, {sum(good is None for _, good, _ in rows)} not tried")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
