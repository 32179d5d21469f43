"""Runs glmark2-es2's scenes on several drivers, one process for each scene and driver, in turn.

glmark2-es2 (Debian's X11 flavour) wants a display even when it draws off screen: without DISPLAY a virtual one is
started (Xvfb).
"""

import os
import re
import shutil
import subprocess

# The benchmarks that glmark2-es2 runs by itself (glmark2 2023.01).
SCENES = [
    "build:use-vbo=false", "build:use-vbo=true",
    "texture:texture-filter=nearest", "texture:texture-filter=linear", "texture:texture-filter=mipmap",
    "shading:shading=gouraud", "shading:shading=blinn-phong-inf", "shading:shading=phong", "shading:shading=cel",
    "bump:bump-render=high-poly", "bump:bump-render=normals", "bump:bump-render=height",
    "effect2d:kernel=0,1,0;1,-4,1;0,1,0;", "effect2d:kernel=1,1,1,1,1;1,1,1,1,1;1,1,1,1,1;",
    "pulsar:light=false:quads=5:texture=false",
    "desktop:blur-radius=5:effect=blur:passes=1:separable=true:windows=4", "desktop:effect=shadow:windows=4",
    "buffer:columns=200:interleave=false:update-dispersion=0.9:update-fraction=0.5:update-method=map",
    "buffer:columns=200:interleave=false:update-dispersion=0.9:update-fraction=0.5:update-method=subdata",
    "buffer:columns=200:interleave=true:update-dispersion=0.9:update-fraction=0.5:update-method=map",
    "ideas:speed=duration", "jellyfish", "terrain", "shadow", "refract",
    "conditionals:fragment-steps=0:vertex-steps=0", "conditionals:fragment-steps=5:vertex-steps=0",
    "conditionals:fragment-steps=0:vertex-steps=5",
    "function:fragment-complexity=low:fragment-steps=5", "function:fragment-complexity=medium:fragment-steps=5",
    "loop:fragment-loop=false:fragment-steps=5:vertex-steps=5",
    "loop:fragment-steps=5:fragment-uniform=false:vertex-steps=5",
    "loop:fragment-steps=5:fragment-uniform=true:vertex-steps=5",
]
QUICK = [SCENES[i] for i in (1, 3, 7, 9, 12, 24, 26, 31)]
# Also drawn in a window, where presenting counts.
WINDOWED = ["build:use-vbo=true", "texture:texture-filter=linear"]


class Display:
    """DISPLAY for the block: the one there is, or a virtual one."""

    def __enter__(self):
        self.server = None
        self.name = os.environ.get("DISPLAY")
        if self.name is None and shutil.which("Xvfb"):
            read, write = os.pipe()
            self.server = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x1024x24", "-nolisten",
                                            "tcp", "-noreset"], pass_fds=[write], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            os.close(write)
            with os.fdopen(read) as numbers:
                number = numbers.readline().strip()
            self.name = f":{number}" if number else None
        return self

    def __exit__(self, *_):
        if self.server:
            self.server.terminate()
            self.server.wait()


def short_name(scene, windowed=False):
    name = scene.replace("update-dispersion=0.9:update-fraction=0.5:", "").replace("columns=200:", "")
    return ("window " if windowed else "") + name.rstrip(";")


def run_scene(scene, driver, display, seconds, windowed=False):
    """Frames for each second on a driver (drivers.py), or None with a reason."""
    command = [shutil.which("glmark2-es2"), "--frame-end", "finish", "--size", "800x600", "-b",
               scene + f":duration={seconds}"]
    if windowed:
        command = [part for part in command if part not in ("--frame-end", "finish")]
    else:
        command.insert(1, "--off-screen")
    try:
        run = driver.run(command, {"DISPLAY": display, "EGL_PLATFORM": "x11"}, timeout=60 + 10 * seconds)
    except subprocess.TimeoutExpired:
        return None, "no answer"
    found = re.search(r"FPS: \d+ FrameTime: ([0-9.]+) ms", run.stdout)
    if found and float(found.group(1)) > 0:
        return 1000 / float(found.group(1)), ""
    reason = re.search(r"(Unsupported|Set up failed|Error:[^\n]*)", run.stdout + run.stderr)
    return None, reason.group(1) if reason else f"exit status {run.returncode}"


def is_installed():
    return shutil.which("glmark2-es2") is not None
