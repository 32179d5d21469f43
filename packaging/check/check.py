#!/usr/bin/env python3
"""Tries the packages out in a clean Debian 12, beside Mesa. Called by `./run package --check`; as root.

Runs the tarball's `tessera diff` and `exec` in a Debian that has no more than it must. Installs the packages beside Mesa
and programs, and sees that nothing changes for programs that do not ask; runs es2gears, a Qt Quick and a WebKitGTK
program by `tessera exec` and keeps their pictures; compiles programs and the examples against libtessera-dev; removes the
packages, and sees that nothing is left. Unpacks the tarball where nobody expects it; installs the wheel for PyOpenGL and
vispy, types docs/python.md, executes the notebook, and keeps the page of a picture that differs.

Usage: check.py PACKAGES [--root FOLDER]
"""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
EXAMPLES = HERE.parent.parent / "examples"
INSTALL_TESTS = HERE.parent.parent / "tests/install"
PYTHON_PAGE = HERE.parent.parent / "docs/python.md"
PYTHON_COMMANDS = [line for line in PYTHON_PAGE.read_text().splitlines() if line.startswith("$ ")]

# What a user of Debian has: Mesa, a display, programs; and what the check needs.
PROGRAMS = """libegl1 libgles2 libgl1-mesa-dri mesa-utils-bin xvfb x11-apps imagemagick fonts-dejavu-core
    qmlscene qml-module-qtquick2 qml-module-qtquick-window2 libqt5gui5-gles libqt5quick5-gles
    python3-gi gir1.2-webkit2-4.1 python3-pil python3-venv python3-opengl python3-vispy gcc g++ libc6-dev pkg-config
    python3-numpy python3-pytest jupyter-nbconvert python3-ipykernel make cmake chromium man-db""".split()
# Name, colours that its picture has, variables, program. es2gears turns: its gears' colours in the light, nearly.
WINDOWS = (
    ("es2gears", ["200,25,0:2000", "0,200,50:500"], "", "es2gears_x11.x86_64-linux-gnu"),
    ("qt", ["32,64,96:70000", "224,160,32:20000"], "QT_XCB_GL_INTEGRATION=xcb_egl", "qmlscene /check/window.qml"),
    ("webkit", ["48,96,48:90000", "204,51,26:58000"], "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS=1",
     "python3 /check/web.py"),
)
GRAPHICS = "Tessera|255 0 51 255|Tessera\n"
COMPUTE = "2 128 254\n"
# What the program draws that packages bring.
FIRST_PICTURE = HERE.parent.parent / "docs/images/first-picture.png"
# Where files may come and go: of the kernel, of packages' own records, of caches.
ELSEWHERE = "proc sys dev tmp check run root var/log var/cache var/lib/apt var/lib/dpkg etc/ld.so.cache".split()


def say(text):
    print(f"tessera: check: {text}", file=sys.stderr, flush=True)


class Root:
    """A Debian in a folder. Commands in it see its own processes alone, and leave none."""

    def __init__(self, folder):
        self.folder = folder
        if not (folder / "etc/debian_version").exists():
            say(f"a new Debian 12 in {folder} (a minute)")
            self.must(["debootstrap", "--variant=minbase", "bookworm", str(folder)])

    @staticmethod
    def must(command, show=None):
        result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if result.returncode != 0:
            sys.exit(f"{result.stdout[-4000:]}\n{show or ' '.join(command)} failed with {result.returncode}")
        return result.stdout

    def run(self, script):
        """What a shell's commands print in it; they must succeed."""
        mounts = ('mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && mount -t sysfs sys "$0/sys" && '
                  'exec chroot "$0" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 '
                  'DEBIAN_FRONTEND=noninteractive XDG_RUNTIME_DIR=/tmp bash -ec "$1"')
        return self.must(["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-ec", mounts,
                          str(self.folder), script], script)

    def files(self):
        left_out = " -o ".join(f"-path /{path}" for path in ELSEWHERE)
        return set(self.run(f"find / -xdev \\( {left_out} \\) -prune -o -print").splitlines())


def expect(what, output, expected):
    if output != expected:
        sys.exit(f"{what}: expected {expected!r}, got {output!r}")
    say(f"{what}: {output.strip()}")


def windows(root, driver, pictures):
    for name, colours, variables, program in WINDOWS:
        how = "tessera exec" if driver == "tessera" else ""
        picture = f"{name}-{driver}.png"
        root.run(f"cd /tmp; {variables} "
                 f"python3 /check/window.py {driver} {picture} {' '.join(colours)} -- {how} {program}")
        shutil.copy(root.folder / "tmp" / picture, pictures / picture)
        say(f"{name} on {driver}: {pictures / picture}")


def default_driver(root):
    return root.run("EGL_PLATFORM=surfaceless eglinfo.x86_64-linux-gnu 2>/dev/null | grep 'EGL vendor string' | uniq")


def programs(root):
    """Compiled against libtessera-dev, by the names that every driver has."""
    compile_c = "cd /check && gcc graphics.c -o /tmp/graphics $(pkg-config --cflags --libs egl glesv2)"
    expect("compiled, as it is started", root.run(f"{compile_c} && EGL_PLATFORM=surfaceless /tmp/graphics")[:4], "Mesa")
    expect("compiled, tessera exec", root.run("tessera exec /tmp/graphics"), GRAPHICS)
    link = "/etc/glvnd/egl_vendor.d/10_tessera.json"
    root.run(f"mkdir -p /etc/glvnd/egl_vendor.d; ln -s /usr/share/tessera/egl_vendor.d/50_tessera.json {link}")
    expect("compiled, Tessera as the machine's driver", root.run("EGL_PLATFORM=surfaceless /tmp/graphics"), GRAPHICS)
    root.run(f"rm {link}")
    expect("a compute kernel from C", root.run("cd /check && gcc compute.c -o /tmp/c $(pkg-config --cflags --libs "
                                               "tessera-compute) && /tmp/c"), COMPUTE)
    expect("from C++", root.run("cd /check && g++ -std=c++17 compute.cpp -o /tmp/c $(pkg-config --cflags --libs "
                                "tessera-compute) && tessera as scale.tsa -o /tmp/scale.tsb && /tmp/c /tmp/scale.tsb"),
           COMPUTE)
    said = root.run("cd /tmp && rm -f blur.frag && tessera course start 8 blur.frag >/dev/null && tessera course check 8 blur.frag | head -1")
    expect("a verb in Python, with a frame of libglvnd's", said.split(" lanes")[0], "blur.frag: right in all 12288")
    expect("a manual page", root.run("man tessera-exec | sed -n 1p | cut -d' ' -f1"), "TESSERA-EXEC(1)\n")


def examples(root, pictures):
    """Each folder by itself, as its README says."""
    root.run("rm -rf /tmp/examples && cp -r /check/examples /tmp/")
    expect("examples/c-triangle", root.run("cd /tmp/examples/c-triangle && make -s && tessera exec ./triangle triangle.ppm"),
           "triangle.ppm: 320 x 240, drawn by Tessera\n")
    expect("examples/c-kernel", root.run("cd /tmp/examples/c-kernel && make -s && ./kernel | sed -n 1p"), "1 3 12799\n")
    expect("examples/cpp-isa-shader", root.run("cd /tmp/examples/cpp-isa-shader && (cmake -S . -B build && cmake --build build) "
                                               ">/dev/null && tessera exec build/plasma plasma.png"), "plasma.png: 320 x 240\n")
    root.run("cd /tmp/examples/webgl && ./draw.sh /tmp/flower.png 2>/dev/null && test -s /tmp/flower.png")
    shutil.copy(root.folder / "tmp/flower.png", pictures / "webgl.png")
    say(f"examples/webgl: {pictures / 'webgl.png'}")


def python_examples(root, pictures):
    """On the wheel; what the notebook shows and what a picture that differs leaves are for somebody to look at."""
    said = root.run("cd /tmp/examples/python && /tmp/venv/bin/python julia.py julia.png | sed -n 1p")
    expect("examples/python", said, "19200 pixels, none differs\n")
    # As its README has it, so that Debian's Jupyter finds the venv's Python.
    root.run("/tmp/venv/bin/python -m ipykernel install --sys-prefix 2>/dev/null >&2")
    root.run("cd /tmp/examples/python && /tmp/venv/bin/python -m nbconvert --to html --execute notebook.ipynb 2>/dev/null")
    shutil.copy(root.folder / "tmp/examples/python/notebook.html", pictures / "notebook.html")
    say(f"examples/python, the notebook: {pictures / 'notebook.html'}")
    golden = "cd /tmp/examples/python-golden && /tmp/venv/bin/pytest -q -p no:cacheprovider"
    expect("examples/python-golden", root.run(f"{golden} | sed -n 's/ in .*//p'"), "2 passed\n")
    root.run(f"sed -i s/12.0/12.1/ /tmp/examples/python-golden/test_flag.py; ! {{ {golden}; }}")
    shutil.rmtree(pictures / "report", ignore_errors=True)
    shutil.copytree(root.folder / "tmp/examples/python-golden/tessera-report", pictures / "report")
    say(f"a picture that differs: {pictures / 'report/index.html'}")


def unpack_tarball(root):
    where = "'/srv/any where'"
    root.run(f"mkdir -p {where} && tar -C {where} --strip-components=1 -xf /check/packages/tessera-*.tar.gz")
    return where


def bare(root):
    """What continuous integration wants of it, beside nothing."""
    where = unpack_tarball(root)
    said = root.run(f"{where}/bin/tessera exec {where}/bin/tessera diff /check/cube.png /check/cube.png")
    expect("the tarball in a bare Debian", said.splitlines()[1], "differing: 0 of 480000 pixels (0.000 %)")
    root.run(f"rm -r {where}")


def tarball(root):
    where = unpack_tarball(root)
    expect("the tarball, LD_LIBRARY_PATH", root.run(f"LD_LIBRARY_PATH={where}/lib /tmp/graphics"), GRAPHICS)
    expect("the tarball, tessera exec", root.run(f"{where}/bin/tessera exec /tmp/graphics"), GRAPHICS)
    first = f"{where}/share/doc/tessera/examples/first_picture.py /tmp/tarball.png"
    root.run(f"{where}/bin/tessera exec python3 {first}")
    equal = f"{where}/bin/tessera diff /check/first-picture.png /tmp/tarball.png | sed -n 2p"
    expect("the tarball, a first picture", root.run(equal), "differing: 0 of 307200 pixels (0.000 %)\n")
    root.run(f"rm -r {where}")


def wheel(root, pictures):
    root.run("python3 -m venv --system-site-packages /tmp/venv && "
             "/tmp/venv/bin/pip install -q --no-index /check/packages/tessera_gl-*.whl")
    said = root.run("cd /tmp && /tmp/venv/bin/python -m tessera_gl.first_picture wheel.png && cmp wheel.png tarball.png")
    expect("the wheel, a first picture", said.split(" (")[0], "wheel.png: 640 x 480, drawn by Tessera")
    expect("the wheel, PyOpenGL", root.run("/tmp/venv/bin/python /check/pyopengl_frame.py"), "Tessera 255 0 51 255\n")
    drawn = root.run("/tmp/venv/bin/python /check/vispy_picture.py /tmp/vispy.png 2>/dev/null")
    expect("the wheel, vispy", drawn, "Tessera 128 127 128 255\n")
    shutil.copy(root.folder / "tmp/vispy.png", pictures / "vispy.png")
    expect("the wheel, any program", root.run("/tmp/venv/bin/python -m tessera_gl /tmp/graphics"), GRAPHICS)
    # pytest's command, with the system's packages, is the venv's.
    root.run("printf '#!/bin/sh\\nexec /tmp/venv/bin/python -m pytest \"$@\"\\n' > /tmp/venv/bin/pytest && "
             "chmod +x /tmp/venv/bin/pytest")
    commands = root.run("/tmp/venv/bin/python /check/python_page.py")
    expect("the wheel, docs/python.md", commands, f"{len(PYTHON_COMMANDS)} commands as printed\n")
    python_examples(root, pictures)
    # pytest keeps what it made of a plugin's modules, of every plugin; pip takes what it brought and what Python made of it.
    left = root.run("/tmp/venv/bin/pip uninstall -q -y tessera-gl; cd /tmp/venv/lib/python*/site-packages; "
                    "find . -path './tessera*' -type f ! -name '*-pytest-*.pyc'")
    expect("the wheel is taken away", left, "")


def check(root, packages, pictures):
    shutil.rmtree(root.folder / "check", ignore_errors=True)
    shutil.copytree(HERE, root.folder / "check")
    for file in [*INSTALL_TESTS.iterdir(), INSTALL_TESTS.parent / "goldens/cube.png", FIRST_PICTURE, PYTHON_PAGE,
                 PYTHON_PAGE.parent / "images/python-rings.png", INSTALL_TESTS.parent / "tutorial/tutorial.py"]:
        shutil.copy(file, root.folder / "check")
    shutil.copytree(EXAMPLES, root.folder / "check/examples")
    shutil.copytree(packages, root.folder / "check/packages", ignore=shutil.ignore_patterns("pictures"))
    bare(root)
    say("Mesa and programs (a few minutes)")
    root.run(f"apt-get update -q && apt-get install -qy --no-install-recommends {' '.join(PROGRAMS)}")
    before, driver = root.files(), default_driver(root)
    if shutil.which("lintian"):
        Root.must(["lintian", *map(str, packages.glob("*.deb"))])
        say("lintian finds no error")
    root.run("apt-get install -qy --no-install-recommends /check/packages/*.deb")
    say("installed")
    expect("the driver of programs that do not ask", default_driver(root), driver)
    windows(root, "mesa", pictures)
    windows(root, "tessera", pictures)
    programs(root)
    examples(root, pictures)
    root.run("apt-get purge -qy libtessera0 && apt-get autoremove -qy --purge")
    left = sorted(root.files() - before)
    if left:
        sys.exit(f"left behind: {left}")
    say("removed: nothing is left")
    tarball(root)
    wheel(root, pictures)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("packages", type=pathlib.Path)
    parser.add_argument("--root", type=pathlib.Path)
    options = parser.parse_args()
    if os.geteuid() != 0:
        sys.exit("--check makes a Debian of its own, and needs root for that")
    pictures = options.packages / "pictures"
    pictures.mkdir(exist_ok=True)
    if options.root:
        check(Root(options.root.resolve()), options.packages, pictures)
        return
    with tempfile.TemporaryDirectory() as folder:
        check(Root(pathlib.Path(folder) / "root"), options.packages, pictures)


if __name__ == "__main__":
    main()
