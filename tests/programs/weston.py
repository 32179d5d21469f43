#!/usr/bin/env python3
"""Runs the Wayland compositor Weston and a client in it, and ends with it.

  weston.py x11 [CLIENT ...]       nested in a window of the X display there is, drawn with its GL renderer (without a client:
                                   weston-eventdemo, which does not move)
  weston.py pixman [CLIENT ...]    the same, composited without GL: the client alone uses the driver
  weston.py kiosk [CLIENT ...]     as pixman, and the client's window fills the screen: it has a place of its own nowhere else
  weston.py headless               without a display: an EGL client draws in it for a while; the renderer's lines are printed
"""

import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

CONFIG = """[core]
idle-time=0
require-input=false
[shell]
panel-position=none
background-color=0xff305070
animation=none
startup-animation=none
close-animation=none
locking=false
cursor-theme=none
"""

BACKENDS = {
    "x11": ["--backend=x11-backend.so"],
    "pixman": ["--backend=x11-backend.so", "--use-pixman"],
    "kiosk": ["--backend=x11-backend.so", "--use-pixman", "--shell=kiosk-shell.so"],
    "headless": ["--backend=headless-backend.so", "--use-gl"],
}


def run(mode, place, client_command):
    place.chmod(0o700)
    configuration = place / "weston.ini"
    configuration.write_text(CONFIG)
    environment = dict(os.environ, XDG_RUNTIME_DIR=str(place))
    log = place / "log"
    server = subprocess.Popen(["weston", *BACKENDS[mode], "--width=640", "--height=480", f"--config={configuration}", "--socket=tessera-test",
                               f"--log={log}"], env=environment)
    signal.signal(signal.SIGTERM, lambda *_: server.terminate())
    deadline = time.time() + 10
    while not (place / "tessera-test").exists() and server.poll() is None and time.time() < deadline:
        time.sleep(0.05)
    environment["WAYLAND_DISPLAY"] = "tessera-test"
    if mode != "headless":
        client = subprocess.Popen(client_command or ["weston-eventdemo", "--title=still"], env=environment)
        server.wait()
        client.kill()
        status = server.returncode
    else:
        client = subprocess.Popen(["weston-simple-egl"], env=environment, stdout=subprocess.PIPE, text=True)
        time.sleep(12)
        client.send_signal(signal.SIGINT)
        print(client.communicate(timeout=10)[0])
        status = client.returncode or server.poll() or 0
        server.terminate()
        server.wait()
    for line in log.read_text().splitlines():
        if any(word in line for word in ("GL ", "EGL ", "failed", "rror")):
            print(line)
    return status


def main():
    with tempfile.TemporaryDirectory() as place:
        return run(sys.argv[1], pathlib.Path(place), sys.argv[2:])


if __name__ == "__main__":
    sys.exit(main())
