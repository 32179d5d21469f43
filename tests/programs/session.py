"""One attempt of one program: a display, a home (with media.py's files) and a runtime folder of its own, one driver under it.

Nothing of an attempt outlives it: the process group is ended, and so are descendants that left it (a bus, a browser's
helpers), which fall to this process (PR_SET_CHILD_SUBREAPER).
"""

import contextlib
import ctypes
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import media

MESA_VENDOR = pathlib.Path("/usr/share/glvnd/egl_vendor.d/50_mesa.json")
SUBREAPER = 36  # PR_SET_CHILD_SUBREAPER
NOBODY = 65534
SCREEN = "800x600x24"

# What the driver says on standard error when it starts: proof that it is the one that answers.
ANSWERS = "tessera: driver: Tessera"

# A picture stands once this many screenshots in a row are the same; how long it is waited for, in seconds.
SAME, PAUSE, PATIENCE = 3, 0.4, 45

# GTK's settings of a session: nothing moves of itself.
STILL = "[Settings]\ngtk-enable-animations=false\ngtk-cursor-blink=false\ngtk-font-name=DejaVu Sans 10\n"


def adopt_orphans():
    ctypes.CDLL(None).prctl(SUBREAPER, 1, 0, 0, 0)


def orphans():
    """Children of this process that it did not start: descendants of programs whose own parents have ended."""
    me = os.getpid()
    children = pathlib.Path(f"/proc/{me}/task/{me}/children").read_text().split()
    return [int(child) for child in children if int(child) not in STARTED]


STARTED = set()


def start(command, **options):
    process = subprocess.Popen(command, **options)
    STARTED.add(process.pid)
    return process


def stop(process):
    """Ends a process and what it started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGTERM)
    try:
        process.wait(timeout=5)
    except subprocess.TimeoutExpired:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    deadline = time.time() + 5
    while left := orphans():
        for child in left:
            with contextlib.suppress(ProcessLookupError, ChildProcessError):
                os.kill(child, signal.SIGTERM if time.time() < deadline else signal.SIGKILL)
                os.waitpid(child, os.WNOHANG)
        time.sleep(0.05)
    STARTED.discard(process.pid)


class Display:
    """A virtual X display for the block, its name as value."""

    def __enter__(self):
        read, write = os.pipe()
        # Without GLX, another driver's. Access control off: a program that refuses to be root runs as nobody.
        self.server = start(["Xvfb", "-displayfd", str(write), "-screen", "0", SCREEN, "-nolisten", "tcp", "-ac", "-extension", "GLX"],
                            pass_fds=[write], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        os.close(write)
        with os.fdopen(read) as numbers:
            return f":{numbers.readline().strip()}"

    def __exit__(self, *_):
        self.server.terminate()
        self.server.wait()
        STARTED.discard(self.server.pid)


def driver_environment(build, driver, by_name):
    """What puts `driver` under a program. Tessera is found `by_name` (its libEGL.so.1 comes first) or as libglvnd's vendor."""
    result = dict(os.environ, SDL_VIDEO_X11_FORCE_EGL="1")  # SDL asks GLX, another driver's, for OpenGL ES first
    result.pop("LD_LIBRARY_PATH", None)
    if driver == "tessera":
        result.update(GST_GL_API="gles2", GST_GL_PLATFORM="egl")  # GStreamer asks for desktop OpenGL first
        result["TESSERA_LOG"] = "3"  # the driver says its name, see ANSWERS
        result["__EGL_VENDOR_LIBRARY_FILENAMES"] = str(build / "share/glvnd/egl_vendor.d/50_tessera.json")
        if by_name:
            result["LD_LIBRARY_PATH"] = str(build / "lib")
    else:
        result["LIBGL_ALWAYS_SOFTWARE"] = "1"
        result["GALLIVM_PERF"] = "no_brilinear,no_rho_approx,no_quad_lod"  # its exact filters, not its quick ones
        result["__EGL_VENDOR_LIBRARY_FILENAMES"] = str(MESA_VENDOR)
    return result


class Session:
    """A program running on one driver: `with Session(...) as session`. Its text goes to session.log."""

    def __init__(self, build, program, driver, by_name, log, picture=None):
        self.build, self.program, self.driver, self.by_name, self.log, self.picture = build, program, driver, by_name, log, picture

    def __enter__(self):
        with contextlib.ExitStack() as stack:
            self.home = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="tessera-home-", ignore_cleanup_errors=True)))
            (self.home / "run").mkdir(0o700)
            for version in ("gtk-3.0", "gtk-4.0"):
                (self.home / ".config" / version).mkdir(parents=True)
                (self.home / ".config" / version / "settings.ini").write_text(STILL)
            media.bars(self.home / "bars.y4m")
            media.cartridge(self.home / "cartridge.a26")
            display = stack.enter_context(Display())
            environment = driver_environment(self.build, self.driver, self.by_name)
            for inherited in ("WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"):
                environment.pop(inherited, None)
            environment.update(DISPLAY=display, HOME=str(self.home), XDG_RUNTIME_DIR=str(self.home / "run"), LANG="C.UTF-8",
                               XDG_SESSION_TYPE="x11", WAFFLE_PLATFORM="surfaceless_egl", NO_AT_BRIDGE="1", GTK_A11Y="none",
                               PATH=os.environ["PATH"] + ":/usr/games", PICTURE=str(self.picture or ""))
            if self.driver == "mesa" and self.program.held:
                environment["MESA_GLES_VERSION_OVERRIDE"] = "3.0"
            environment.update(self.program.environment)
            self.environment = environment
            command = list(self.program.command)
            if self.program.bus:
                command = ["dbus-run-session", "--", *command]
            if self.program.unprivileged and os.geteuid() == 0:
                command = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "--", *command]
                for place in (self.home, *self.home.rglob("*")):
                    os.chown(place, NOBODY, NOBODY)
            sink = stack.enter_context(open(self.log, "w"))
            self.began = time.time()
            self.process = start(command, env=environment, stdin=subprocess.DEVNULL, stdout=sink, stderr=sink, cwd=self.home,
                                 start_new_session=True)
            stack.callback(stop, self.process)
            self.stack = stack.pop_all()
        return self

    def __exit__(self, *_):
        self.stack.close()

    def text(self):
        return pathlib.Path(self.log).read_text(errors="replace")

    def wrong(self):
        """Why this attempt has failed by now, if it has."""
        status = self.process.poll()
        if status not in (None, *self.program.status):
            return f"on {self.driver}: exit status {status}: {self.text()[-300:]}"
        if self.driver == "tessera" and self.program.starts and ANSWERS not in self.text():
            return "another driver answered"
        return ""

    def wait(self, seconds):
        """Waits for the program's end; whether it came."""
        try:
            self.process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def dump(self):
        return subprocess.run(["xwd", "-root", "-silent"], env=self.environment, capture_output=True).stdout

    def screenshots(self):
        """Screenshots as they come, each with whether the picture stands, until the patience is at its end."""
        time.sleep(max(0.0, self.program.seconds - (time.time() - self.began)))
        last, same = None, 0
        while time.time() - self.began < PATIENCE and not (self.process.poll() or 0):
            shot = self.dump()
            same = same + 1 if shot and shot == last else 1
            last = shot
            yield shot, same >= SAME
            time.sleep(PAUSE)


def to_png(shot, picture):
    return bool(shot) and subprocess.run(["convert", "xwd:-", str(picture)], input=shot, capture_output=True).returncode == 0


def debian_python():
    """The interpreter that Debian's Python packages are for."""
    return "/usr/bin/python3" if pathlib.Path("/usr/bin/python3").exists() else sys.executable


def can_show():
    return all(shutil.which(tool) for tool in ("Xvfb", "xwd", "convert"))
