#!/usr/bin/env python3
"""The packages of what is built, taken apart: what is in them, what they say, that they work where they are unpacked.

`./run package --check` installs them in a clean Debian; this takes seconds and needs no root.

Usage: packages_test.py SOURCE_DIR BUILD_DIR C_COMPILER
"""

import importlib.util
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest
import zipfile

SOURCE, BUILD = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
COMPILER = sys.argv[3]
GRAPHICS = "Tessera|255 0 51 255|Tessera\n"
MULTIARCH = "usr/lib/x86_64-linux-gnu"
VERSION = re.search(r"project\(\w+ VERSION (\S+)", (SOURCE / "CMakeLists.txt").read_text())[1]
# What the program that packages bring draws, wherever it runs.
FIRST_PICTURE = SOURCE / "docs/images/first-picture.png"

# PEP 600's manylinux_2_36, as auditwheel has it: what a wheel of this tag may ask of the system, at most.
SYSTEM_LIBRARIES = {"libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1", "libgcc_s.so.1",
                    "libstdc++.so.6", "libz.so.1", "ld-linux-x86-64.so.2"}
NEWEST_SYMBOLS = {"GLIBC": (2, 36), "GLIBCXX": (3, 4, 30), "CXXABI": (1, 3, 13), "GCC": (12, 0, 0), "ZLIB": (1, 2, 9)}


def run(*command, **variables):
    environment = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY", "LD_LIBRARY_PATH")}
    result = subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=120,
                            env={**environment, **{k: str(v) for k, v in variables.items()}})
    if result.returncode != 0:
        raise AssertionError(f"{command} failed with {result.returncode}:\n{result.stdout}{result.stderr}")
    return result.stdout


def needed(library):
    return set(re.findall(r"\(NEEDED\).*\[(.*)\]", run("readelf", "-d", library)))


class Packages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.directory.cleanup)
        cls.work = pathlib.Path(cls.directory.name).resolve()
        spec = importlib.util.spec_from_file_location("package", SOURCE / "packaging/package.py")
        package = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(package)
        made = package.make(BUILD, cls.work / "made", fast=True)
        cls.made, cls.sums = made, cls.work / "made" / package.CHECKSUMS
        cls.debs = {path.name.split("_")[0]: path for path in made if path.suffix == ".deb"}
        cls.tarball, = (path for path in made if path.suffix == ".gz")
        cls.wheel, = (path for path in made if path.suffix == ".whl")
        cls.program = cls.work / "graphics"
        run(COMPILER, SOURCE / "tests/install/graphics.c", "-o", cls.program, f"-L{BUILD}/lib", "-lEGL", "-lGLESv2")

    def unpacked(self, name):
        folder = self.work / name
        if not folder.exists():
            run("dpkg-deb", "-R", self.debs[name], folder)
        return folder

    def test_one_version_is_everywhere(self):
        self.assertEqual({path.name for path in self.made}, {
            *(f"{name}_{VERSION}-1_amd64.deb" for name in
              ("libtessera0", "libtessera-dev", "tessera-tools", "libtessera0-dbgsym", "tessera-tools-dbgsym")),
            f"tessera-{VERSION}-linux-x86_64.tar.gz", f"tessera_gl-{VERSION}-py3-none-manylinux_2_36_x86_64.whl",
            *([f"tessera-gl-{VERSION}.tgz"] if (BUILD / "lib/tessera_gl.node").exists() else [])})
        for package in self.debs.values():
            self.assertEqual(run("dpkg-deb", "-f", package, "Version").strip(), f"{VERSION}-1")
        with tarfile.open(self.tarball) as archive:
            self.assertEqual({name.split("/")[0] for name in archive.getnames()}, {f"tessera-{VERSION}-linux-x86_64"})
        with zipfile.ZipFile(self.wheel) as archive:
            metadata = archive.read(f"tessera_gl-{VERSION}.dist-info/METADATA").decode()
            self.assertIn(f"\nVersion: {VERSION}\n", metadata)
            self.assertIn(f'\n__version__ = "{VERSION}"\n', archive.read("tessera_gl/__init__.py").decode())

    def test_checksums(self):
        said = subprocess.run(["sha256sum", "--strict", "-c", self.sums], cwd=self.sums.parent, capture_output=True,
                              text=True)
        self.assertEqual((said.returncode, said.stdout), (0, "".join(f"{path.name}: OK\n" for path in
                                                                     sorted(self.made, key=lambda path: path.name))))

    def test_debian_files_lie_where_no_other_package_has_them(self):
        files = {name: {str(path.relative_to(self.unpacked(name))) for path in self.unpacked(name).rglob("*")
                        if not path.is_dir()} for name in ("libtessera0", "libtessera-dev", "tessera-tools")}
        libraries = {f"{MULTIARCH}/lib{name}.so.0" for name in
                     ("tessera", "tessera_jit", "tessera_llvm", "tessera_compute", "tessera_tools", "EGL_tessera")}
        self.assertLessEqual(libraries | {"usr/share/tessera/egl_vendor.d/50_tessera.json"}, files["libtessera0"])
        self.assertLessEqual({"usr/include/EGL/egltessera.h", "usr/include/GLES2/gl2tessera.h",
                              "usr/include/tessera_compute.h", f"{MULTIARCH}/libtessera_compute.so",
                              f"{MULTIARCH}/pkgconfig/tessera-compute.pc",
                              "usr/include/tessera_tools.h", f"{MULTIARCH}/libtessera_tools.so",
                              f"{MULTIARCH}/pkgconfig/tessera-tools.pc",
                              f"{MULTIARCH}/cmake/Tessera/TesseraConfig.cmake"}, files["libtessera-dev"])
        self.assertLessEqual({"usr/bin/tessera", "usr/share/man/man1/tessera.1.gz",
                              "usr/share/man/man1/tessera-exec.1.gz", "usr/share/man/man7/tessera-environment.7.gz",
                              "usr/share/bash-completion/completions/tessera",
                              "usr/share/tessera/kernels/fft.tsb", "usr/share/tessera/python/tessera/lsp.py",
                              "usr/share/tessera/python/tessera/course/start/1-turn.tsa",
                              "usr/share/tessera/python/tessera/playground/page.html",
                              "usr/share/tessera/python/tessera_gl/lib",
                              "usr/share/doc/tessera-tools/examples/first_picture.py"}, files["tessera-tools"])
        for name, contents in files.items():
            self.assertIn(f"usr/share/doc/{name}/copyright", contents)
            for file in contents:
                # Every one is named for Tessera, or lies in a folder that is: libEGL.so.1 and egl.h are others'.
                self.assertTrue("tessera" in file.lower() or file.startswith("DEBIAN/"), file)
        # Not where libglvnd looks by itself.
        self.assertFalse([file for file in files["libtessera0"] if "glvnd" in file])

    def test_debian_control(self):
        def field(package, name):
            return run("dpkg-deb", "-f", self.debs[package], name).strip()
        version = field("libtessera0", "Version")
        depends = field("libtessera0", "Depends")
        for package in ("libegl1", "libgles1", "libgles2", "libc6 (>=", "libstdc++6 (>=", "libfmt9"):
            self.assertIn(package, depends)
        self.assertEqual(field("libtessera-dev", "Depends"), f"libtessera0 (= {version}), libegl-dev, libgles-dev")
        self.assertIn(f"libtessera0 (= {version})", field("tessera-tools", "Depends"))
        # Opened when they are used.
        for package in ("libtessera0", "tessera-tools"):
            self.assertNotRegex(field(package, "Depends"), "sdl|edit|x11|xcb|wayland")
        self.assertEqual(field("tessera-tools", "Recommends"), "libedit2, python3")
        self.assertEqual(field("tessera-tools", "Suggests"), "libsdl2-2.0-0")
        self.assertEqual(field("libtessera0", "Architecture"), "amd64")
        self.assertEqual(sorted(path.name for path in (self.unpacked("libtessera0") / "DEBIAN").iterdir()),
                         ["control", "md5sums", "shlibs", "triggers"])
        for library in ("libtessera_compute", "libtessera_tools"):
            self.assertIn(f"{library} 0 libtessera0", (self.unpacked("libtessera0") / "DEBIAN/shlibs").read_text())

    def test_libraries_are_stripped_and_their_symbols_apart(self):
        for package, pattern in (("libtessera0", "*.so.0"), ("tessera-tools", "usr/bin/tessera")):
            debug = self.unpacked(f"{package}-dbgsym")
            for file in self.unpacked(package).rglob(pattern):
                self.assertNotIn(".symtab", run("readelf", "-SW", file))
                build_id = re.search(r"Build ID: (\w\w)(\w+)", run("readelf", "-n", file))
                symbols = debug / f"usr/lib/debug/.build-id/{build_id.group(1)}/{build_id.group(2)}.debug"
                self.assertIn(".symtab", run("readelf", "-SW", symbols))
            sums = (debug / "DEBIAN/md5sums").read_text()
            self.assertFalse(re.search(r"  /", sums), sums)

    def test_an_unpacked_debian_package_works(self):
        # As if it were the root: tessera finds the multiarch folder and the description beside it.
        root = self.work / "root"
        for package in ("libtessera0", "tessera-tools"):
            shutil.copytree(self.unpacked(package), root, symlinks=True, dirs_exist_ok=True)
        print_it = "echo $LD_LIBRARY_PATH $__EGL_VENDOR_LIBRARY_FILENAMES"
        shown = run(root / "usr/bin/tessera", "exec", "sh", "-c", print_it)
        self.assertEqual(shown, f"{root}/{MULTIARCH}/ {root}/usr/share/tessera/egl_vendor.d/50_tessera.json\n")
        self.verbs_in_python_work(root / "usr/bin/tessera")
        # And the package itself, by whoever names its folder: libglvnd's libEGL is told of the driver.
        program = "import tessera; context = tessera.Context(4, 4); print(context.gl.glGetString(0x1F00).decode())"
        self.assertEqual(run(sys.executable, "-B", "-c", program, PYTHONPATH=root / "usr/share/tessera/python"), "Tessera\n")

    def verbs_in_python_work(self, tessera):
        """The language server, whose package and libraries lie beside the command; whatever lies in the folder."""
        folder = self.work / "others"
        folder.mkdir(exist_ok=True)
        (folder / "tessera.py").write_text("raise SystemExit('another module')\n")
        opened = {"uri": "file:///a.tsa", "languageId": "tsa", "version": 1, "text": ".fragment\n    nop\n"}
        told = [{"id": 1, "method": "initialize", "params": {}},
                {"method": "textDocument/didOpen", "params": {"textDocument": opened}},
                {"id": 2, "method": "textDocument/codeLens", "params": {"textDocument": {"uri": opened["uri"]}}}]
        sent = b"".join(b"Content-Length: %d\r\n\r\n" % len(body) + body for body in
                        (json.dumps({"jsonrpc": "2.0", **message}).encode() for message in told))
        said = subprocess.run([tessera, "lsp"], input=sent, capture_output=True, cwd=folder, timeout=120)
        self.assertEqual((said.returncode, said.stderr), (1, b""))  # the editor never said shutdown
        self.assertIn(VERSION.encode(), said.stdout)
        self.assertIn(b'"id": 2, "result": []', said.stdout)
        # A frame through EGL, whichever libEGL lies beside.
        shader = SOURCE / "docs/course/solutions/8-blur.frag"
        said = subprocess.run([tessera, "course", "check", "8", shader], capture_output=True, text=True, cwd=folder, timeout=120)
        self.assertEqual((said.returncode, said.stderr), (0, ""), said.stdout)
        self.assertIn("right in all", said.stdout)
        # Nothing is written where the package lies: it would stay when that is removed.
        self.assertEqual(list(pathlib.Path(tessera).parents[1].rglob("__pycache__")), [])

    def test_manual_pages(self):
        if not shutil.which("man"):
            self.skipTest("no man")
        pages = sorted(self.unpacked("tessera-tools").rglob("man[17]/*.gz"))
        listed = run(BUILD / "bin/tessera", "--help").split("Subcommands:")[1]
        verbs = set(re.findall(r"^  ([a-z-]+) {2,}", listed, re.M))
        self.assertEqual({page.name for page in pages}, {f"tessera-{verb}.1.gz" for verb in verbs} |
                         {"tessera.1.gz", "tessera-environment.7.gz"})
        for page in pages:
            result = subprocess.run(["man", "--warnings", "-l", page], capture_output=True, text=True,
                                    env={**os.environ, "LC_ALL": "C.UTF-8", "MANWIDTH": "80"})
            self.assertEqual((result.returncode, result.stderr), (0, ""), page)
            self.assertIn("NAME", result.stdout)

    def test_completions(self):
        script = self.unpacked("tessera-tools") / "usr/share/bash-completion/completions/tessera"

        def complete(*words):
            typed = " ".join(f"'{word}'" for word in words)
            return run("bash", "-c", f"source {script}; COMP_WORDS=({typed}); COMP_CWORD={len(words) - 1}; _tessera; "
                                     'echo "${COMPREPLY[@]}"').split()
        self.assertEqual(complete("tessera", "expl"), ["explain"])
        self.assertEqual(complete("tessera", "tex", "v"), ["view"])
        self.assertEqual(complete("tessera", "diff", "a.png", "--tol"), ["--tolerance"])

    def is_first_picture(self, picture):
        run(BUILD / "bin/tessera", "diff", FIRST_PICTURE, picture)  # 1 when a byte is another

    def test_the_tarball_works_where_it_is_unpacked(self):
        where = self.work / "any where"
        with tarfile.open(self.tarball) as archive:
            archive.extractall(where)
        prefix, = where.iterdir()
        self.assertEqual(run(prefix / "bin/tessera", "exec", self.program), GRAPHICS)
        self.assertEqual(run(self.program, LD_LIBRARY_PATH=prefix / "lib"), GRAPHICS)
        # Nothing of Debian's versions is asked for but what is there, or everywhere.
        for library in [prefix / "bin/tessera", *(prefix / "lib").glob("libtessera*.so.0")]:
            for name in needed(library) - SYSTEM_LIBRARIES:
                self.assertTrue((prefix / "lib" / name).exists(), f"{library} needs {name}")
        self.assertTrue((prefix / "include/EGL/egl.h").exists())
        self.verbs_in_python_work(prefix / "bin/tessera")
        picture = self.work / "tarball.png"
        run(prefix / "bin/tessera", "exec", sys.executable, prefix / "share/doc/tessera/examples/first_picture.py", picture)
        self.is_first_picture(picture)

    def test_the_wheel_works_and_is_what_its_tag_says(self):
        site = self.work / "site"
        with zipfile.ZipFile(self.wheel) as archive:
            archive.extractall(site)
            names = set(archive.namelist())
        record, = site.glob("*.dist-info/RECORD")
        self.assertEqual({line.split(",")[0] for line in record.read_text().splitlines()}, names)
        libraries = site / "tessera_gl/lib"
        for library in libraries.glob("*.so.*"):
            for name in needed(library) - SYSTEM_LIBRARIES:
                self.assertTrue((libraries / name).exists(), f"{library} needs {name}")
            for family, version in re.findall(r"Name: (\w+?)_(\d[\d.]*) ", run("readelf", "-V", library)):
                if family in NEWEST_SYMBOLS:
                    self.assertLessEqual(tuple(map(int, version.split("."))), NEWEST_SYMBOLS[family], library)
        program = (
            "import ctypes, ctypes.util, tessera_gl; tessera_gl.enable(); tessera_gl.enable()\n"
            "egl = ctypes.CDLL('libEGL.so.1'); print(ctypes.util.find_library('GLESv2'))\n"
            "query, egl.eglQueryString.restype = egl.eglQueryString, ctypes.c_char_p\n"
            "egl.eglGetDisplay.restype = ctypes.c_void_p\n"
            "display = ctypes.c_void_p(egl.eglGetDisplay(None))\n"
            "egl.eglInitialize(display, None, None); print(query(display, 0x3053).decode())\n")
        self.assertEqual(run(sys.executable, "-c", program, PYTHONPATH=site), f"{libraries}/libGLESv2.so.2\nTessera\n")
        self.assertEqual(run(sys.executable, "-m", "tessera_gl", self.program, PYTHONPATH=site), GRAPHICS)
        # The package tessera, its plugin's entry point, and its types.
        self.assertLessEqual({"tessera/__init__.py", "tessera/py.typed", "tessera_gl/py.typed"}, names)
        points, = site.glob("*.dist-info/entry_points.txt")
        self.assertEqual(points.read_text(), "[pytest11]\ntessera = tessera.pytest_plugin\n")
        program = (
            "import tessera\n"
            "data = bytearray(4)\n"
            "tessera.Device().run('.compute\\n.group 1\\n.buffer b0 d\\n    mov.u32 r0.x, 7\\n    st b0[0], r0.x\\n'\n"
            "                     '    ret\\n', 1, buffers={'d': data})\n"
            "with tessera.Context(4, 4) as context: picture = context.read()\n"
            "print(data[0], picture, tessera.__version__)\n")
        self.assertEqual(run(sys.executable, "-c", program, PYTHONPATH=site), f"7 <tessera.Image: 4 x 4> {VERSION}\n")
        picture = self.work / "wheel.png"
        said = run(sys.executable, "-m", "tessera_gl.first_picture", picture, PYTHONPATH=site)
        self.assertRegex(said, r"wheel\.png: 640 x 480, drawn by Tessera \(.*\)\n")
        self.is_first_picture(picture)
        late = "import ctypes; ctypes.CDLL(%r); import tessera_gl; tessera_gl.enable()" % str(BUILD / "lib/libEGL.so.1")
        with self.assertRaisesRegex(AssertionError, "is loaded already: call tessera_gl.enable"):
            run(sys.executable, "-c", late, PYTHONPATH=site)

    def test_npms_package_draws_by_itself(self):
        package = [path for path in self.made if path.name == f"tessera-gl-{VERSION}.tgz"]
        self.assertEqual(bool(package), (BUILD / "lib/tessera_gl.node").exists())
        if not package or not shutil.which("node"):
            self.skipTest("no Node.js, or no headers of it")
        folder = self.work / "node_modules"
        with tarfile.open(package[0]) as archive:
            archive.extractall(folder)
        (folder / "package").rename(folder / "tessera-gl")
        about = json.loads((folder / "tessera-gl/package.json").read_text())
        self.assertEqual((about["name"], about["version"]), ("tessera-gl", VERSION))
        libraries = folder / "tessera-gl/lib"
        self.assertEqual({path.name for path in libraries.glob("libtessera*")},
                         {"libtessera.so.0", "libtessera_jit.so.0", "libtessera_llvm.so.0"})
        for library in libraries.iterdir():
            for name in needed(library) - SYSTEM_LIBRARIES:
                self.assertTrue((libraries / name).exists(), f"{library} needs {name}")
        self.assertTrue((folder / "tessera-gl/licenses/NOTICE.md").exists())
        program = ("const gl = require('tessera-gl').createCanvas(2, 2).getContext('webgl2'), out = new Uint8Array(4);"
                   "gl.clearColor(1, 0, 0.2, 1); gl.clear(gl.COLOR_BUFFER_BIT); gl.readPixels(1, 1, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, out);"
                   "console.log(gl.getParameter(gl.RENDERER).split(' ')[0], ...out)")
        self.assertEqual(run("env", "-C", self.work, "node", "-e", program), "Tessera 255 0 51 255\n")



if __name__ == "__main__":
    for tool in ("dpkg-deb", "dpkg-shlibdeps", "file", "cpack"):
        if not shutil.which(tool):
            print(f"there is no {tool}: skipped")
            sys.exit(77)
    unittest.main(argv=sys.argv[:1])
