#!/usr/bin/env python3
"""What a process may expect of a driver in it: privileged processes read no environment, and no code or file comes
from a folder that is not the driver's own."""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SKIPPED = 77
NOBODY = 65534

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--build", type=Path, required=True)
parser.add_argument("--guest", type=Path, required=True)
parser.add_argument("--planted", type=Path, required=True)
parser.add_argument("--other-dlopen", type=Path, required=True)
parser.add_argument("--glvnd", type=Path, required=True, help="libglvnd's libEGL.so")
options = parser.parse_args()


def run(command, environment, **arguments):
    """What the program says; the test ends when it fails."""
    done = subprocess.run([str(word) for word in command], env=environment, capture_output=True, text=True, timeout=60,
                          **arguments)
    if done.returncode != 0:
        sys.exit(f"{command}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def expect(condition, what, said=""):
    if not condition:
        sys.exit(f"{what}\n{said}")


def test_working_directory(folder):
    """The libraries are found by a relative path, then the program goes to a folder with others of their names."""
    (folder / "lib").mkdir()
    for name in ("jit", "llvm"):
        shutil.copy(options.planted, folder / f"lib/libtessera_{name}.so.0")
    environment = {"LD_LIBRARY_PATH": "lib", "TESSERA_TIER": "jit", "TESSERA_CACHE_DIR": "", "TESSERA_LOG": "2"}
    said = run([options.guest, folder], environment, cwd=options.build)
    expect("library lib/" in said, "libEGL was not found by the relative path", said)
    expect("planted" not in said, "code of the working directory ran", said)


def test_other_dlopen():
    """The driver is found beside libEGL where the loader cannot know who looks for it."""
    said = run([options.guest], {"LD_PRELOAD": str(options.other_dlopen), "TESSERA_TIER": "interp"})
    expect("pixel 255" in said, "no driver with another dlopen", said)


def test_privileged(folder):
    """Every variable that names a file, for a program of another user's rights."""
    folder.chmod(0o755)
    guest = folder / "guest"
    shutil.copy(options.guest, guest)
    places = folder / "places"
    places.mkdir()
    request = folder / "request.json"
    request.write_text(json.dumps({"frame": 0, "pixels": [[8, 8]], "report": f"{places}/written"}))

    def written(named):
        environment = {"TESSERA_CACHE_DIR": f"{places}/cache", "TESSERA_TIER": "jit",
                       named: str(request) if named == "TESSERA_PROBE" else f"{places}/written"}
        said = run([guest], environment, user=NOBODY if guest.stat().st_mode & 0o4000 else None, cwd="/")
        names = sorted(path.name for path in places.iterdir())
        shutil.rmtree(places)
        places.mkdir()
        return said, names

    for variable in ("TESSERA_TRACE", "TESSERA_TEXTURE_STREAM", "TESSERA_COMMANDS", "TESSERA_PROBE"):
        expect("written" in written(variable)[1], f"{variable} is not what makes a file")
    expect(written("HOME")[1] == ["cache"], "TESSERA_CACHE_DIR is not what makes a folder")

    guest.chmod(0o4755)
    for variable in ("TESSERA_TRACE", "TESSERA_TEXTURE_STREAM", "TESSERA_COMMANDS", "TESSERA_PROBE", "XDG_CACHE_HOME",
                     "HOME"):
        said, names = written(variable)
        if "privileged 1" not in said:
            return False
        expect(names == [], f"{variable}: a privileged process wrote {names}")
    return True


def test_old_processor():
    """The least x86-64 and one of the second level, as an emulator knows them. A program that can do without EGL goes
    on."""
    emulator = shutil.which("qemu-x86_64")
    if emulator is None or os.uname().machine != "x86_64":
        return False
    glvnd = {"LD_LIBRARY_PATH": str(options.glvnd.parent),
             "__EGL_VENDOR_LIBRARY_FILENAMES": f"{options.build}/share/glvnd/egl_vendor.d/50_tessera.json"}
    for processor, through, code, said, words in (
            ("qemu64", {}, 3, "display 1\nerror 3001\nname 0\ndevice 0: this processor is older than x86-64-v2",
             "older than x86-64-v2"),
            ("qemu64", glvnd, 3, "display 0\n", "older than x86-64-v2"),  # libglvnd has no vendor left
            ("Nehalem", {}, 0, "pixel 255\ndevice 1\n", "")):
        done = subprocess.run([emulator, "-cpu", processor, options.guest], env={"TESSERA_TIER": "interp", **through},
                              capture_output=True, text=True, timeout=100)
        expect(done.returncode == code and said in done.stdout and words in done.stderr,
               f"on {processor}: exit code {done.returncode}",
               done.stdout + done.stderr)
    return True


with tempfile.TemporaryDirectory(prefix="tessera-trust-") as temporary:
    (Path(temporary) / "directory").mkdir()
    test_working_directory(Path(temporary) / "directory")
test_other_dlopen()
emulated = test_old_processor()
if os.geteuid() != 0:
    print("set-user-id programs are made by root alone")
    sys.exit(SKIPPED)
with tempfile.TemporaryDirectory(prefix="tessera-trust-") as temporary:
    if not test_privileged(Path(temporary)):
        print("set-user-id has no effect here")
        sys.exit(SKIPPED)
if not emulated:
    print("there is no qemu-x86_64")
    sys.exit(SKIPPED)
