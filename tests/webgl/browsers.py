"""Pages in Debian's browsers, on Tessera or on Mesa's llvmpipe: what drives each with a job, and what it says."""

import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import server

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "programs"))
import session  # noqa: E402

#: What drives Chromium, from npm; fetched once, into the build tree.
PLAYWRIGHT = "playwright-core@1.49.1"

#: Chromium draws with the system's EGL by the first three (docs/webgl.md); the others are those of Chromium's own runs of the
#: suite: videos play without a click, a page that loses its context does not shut WebGL off for those after it.
SWITCHES = ["--use-gl=angle", "--use-angle=gles-egl", "--ignore-gpu-blocklist", "--autoplay-policy=no-user-gesture-required",
            "--disable-domain-blocking-for-3d-apis", "--disable-gpu-process-crash-limit", "--js-flags=--expose-gc",
            "--enable-features=SharedArrayBuffer", "--force-color-profile=srgb"]

#: What a driver's name in UNMASKED_RENDERER has to have.
RENDERERS = {"tessera": "Tessera", "mesa": "llvmpipe"}

#: Those that there are: a name for people.
NAMES = {"chromium": "Chromium", "webkit": "WebKitGTK"}


def node_modules(place, *packages):
    """The folder of npm's packages in `place`, where those named ("name@version") are."""
    missing = [name for name in ("chromium", "node", "npm") if shutil.which(name) is None]
    if missing:
        sys.exit(f"{', '.join(missing)} missing; Debian's packages chromium, nodejs and npm have them")
    folder = place / "node_modules"
    wanted = [package for package in packages if version(folder, package.rpartition("@")[0]) != package.rpartition("@")[2]]
    if wanted:
        place.mkdir(parents=True, exist_ok=True)
        # What is there stays only if it is named again; npm removes the rest.
        subprocess.run(["npm", "install", "--no-save", "--no-package-lock", "--silent", "--ignore-scripts", "--legacy-peer-deps",
                        "--prefix", str(place), *packages], check=True)
    return folder


def version(folder, name):
    try:
        return json.loads((folder / name / "package.json").read_text())["version"].removeprefix("v")
    except (OSError, ValueError, KeyError):
        return None


class Chromium:
    """Headless, by playwright-core."""

    def __init__(self, build):
        self.environment = {"NODE_PATH": str(node_modules(build / "webgl", PLAYWRIGHT))}
        self.command = ["node", str(HERE / "drive.mjs")]
        # It refuses its sandbox to root, and nobody else reads the files of a root's checkout.
        self.job = {"browser": shutil.which("chromium"), "sandbox": os.geteuid() != 0, "arguments": SWITCHES}

    def display(self):
        return contextlib.nullcontext()

    def wrong_driver(self, driver, answer, log):
        """What is wrong with who draws, by the page's UNMASKED_RENDERER."""
        return "" if RENDERERS[driver] in answer else answer


class WebKit:
    """WebKitGTK in a window of a virtual X display, by Debian's Python."""

    def __init__(self, build):
        check = subprocess.run([session.debian_python(), str(HERE / "webkit.py"), "--version"], capture_output=True, text=True)
        if check.returncode or shutil.which("Xvfb") is None:
            sys.exit("WebKitGTK is missing; Debian's packages gir1.2-webkit2-4.1, python3-gi and xvfb have it")
        self.environment = {"GDK_BACKEND": "x11", "NO_AT_BRIDGE": "1", "TESSERA_LOG": "3"}
        self.command = [session.debian_python(), str(HERE / "webkit.py")]
        self.job = {}

    def display(self):
        return session.Display()

    def wrong_driver(self, driver, answer, log):
        """The renderer is masked ("Apple GPU"), but Tessera says its name on standard error."""
        if answer == "no WebGL":
            return answer
        answers = session.ANSWERS in log
        return "" if answers == (driver == "tessera") else f"{'Tessera' if answers else 'not Tessera'} ({answer})"


BROWSERS = {"chromium": Chromium, "webkit": WebKit}


def results(build, browser, driver, pages, roots, quiet, patience, viewport=(1024, 768)):
    """Shows each page (page, version, path; picture) and yields what became of it, as drive.mjs and webkit.py say it."""
    by = BROWSERS[browser](build)
    with contextlib.ExitStack() as stack:
        environment = session.driver_environment(build, driver, by_name=True)
        environment.pop("TESSERA_LOG", None)
        environment.update(by.environment)
        if display := stack.enter_context(by.display()):
            environment["DISPLAY"] = display
        place = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="tessera-webgl-")))
        job = {**by.job, "address": stack.enter_context(server.serving(roots)), "quiet": quiet, "patience": patience,
               "viewport": {"width": viewport[0], "height": viewport[1]}, "pages": pages}
        file = place / "job.json"
        file.write_text(json.dumps(job))
        log = build / "webgl" / f"{browser}.{driver}.log"
        process = subprocess.Popen([*by.command, str(file)], env=environment, text=True, stdout=subprocess.PIPE,
                                   stderr=stack.enter_context(open(log, "w")))
        stack.callback(process.wait)
        stack.callback(process.terminate)
        for line in process.stdout:
            found = json.loads(line)
            if "renderer" in found and (wrong := by.wrong_driver(driver, found["renderer"], log.read_text(errors="replace"))):
                raise SystemExit(f"another driver answers: {wrong}, not {RENDERERS[driver]}")
            yield found
            if "done" in found:
                return
        raise SystemExit(f"what drives the browser ended with status {process.wait()}; {log} has its words")
