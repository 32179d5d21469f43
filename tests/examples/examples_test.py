#!/usr/bin/env python3
"""Builds and runs each folder of examples/ as a user would: a copy of it alone, against an installed prefix that has been
moved, or with the wheel in PYTHONPATH as pip unpacks it.

Usage: examples_test.py SOURCE_DIR BUILD_DIR C_COMPILER CXX_COMPILER [--update]
"""

import importlib.util
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile

SOURCE, BUILD = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
C, CXX = sys.argv[3:5]
UPDATE = "--update" in sys.argv
EXAMPLES, PICTURES = SOURCE / "examples", SOURCE / "tests/examples"


def run(*command, folder, status=0, **variables):
    """What a command prints, standard error included."""
    environment = {name: value for name, value in os.environ.items()
                   if name not in ("DISPLAY", "WAYLAND_DISPLAY", "LD_LIBRARY_PATH", "PYTHONPATH", "MAKEFLAGS")}
    result = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                            timeout=300, cwd=folder, env={**environment, **{k: str(v) for k, v in variables.items()}})
    if result.returncode != status:
        raise AssertionError(f"{command} ended with {result.returncode}:\n{result.stdout}")
    return result.stdout


def python_with(*modules):
    for python in (sys.executable, "/usr/bin/python3"):
        if subprocess.run([python, "-c", "import " + ", ".join(modules)], capture_output=True).returncode == 0:
            return python
    raise unittest.SkipTest(f"no Python here has {' and '.join(modules)}")


class Examples(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        directory = tempfile.TemporaryDirectory()
        cls.addClassCleanup(directory.cleanup)
        cls.work = pathlib.Path(directory.name).resolve()
        run("cmake", "--install", BUILD, "--prefix", cls.work / "first", folder=cls.work)
        cls.prefix = (cls.work / "first").rename(cls.work / "prefix")
        cls.packages = next(cls.prefix.rglob("pkgconfig"))
        spec = importlib.util.spec_from_file_location("package", SOURCE / "packaging/package.py")
        package = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(package)
        (cls.work / "made").mkdir()
        wheel, = package.wheel(BUILD, cls.work / "made", fast=True)
        cls.site = cls.work / "site"
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(cls.site)

    def copied(self, name):
        return pathlib.Path(shutil.copytree(EXAMPLES / name, self.work / self.id() / name))

    def same_picture(self, picture, name):
        if UPDATE:
            shutil.copyfile(picture, PICTURES / name)
        run(self.prefix / "bin/tessera", "diff", PICTURES / name, picture, folder=self.work)

    def test_every_folder_is_tried(self):
        there = {path.name for path in EXAMPLES.iterdir() if path.is_dir()}
        self.assertEqual(there, {"black-pixel", "c-triangle", "c-kernel", "cpp-isa-shader", "python", "python-golden", "webgl"})
        for name in there:
            self.assertIn(f"]({name})", (EXAMPLES / "README.md").read_text())

    def test_c_triangle(self):
        folder = self.copied("c-triangle")
        run("make", f"CC={C}", folder=folder, PKG_CONFIG_PATH=self.packages)
        self.assertEqual(run("./triangle", "t.ppm", folder=folder), "t.ppm: 320 x 240, drawn by Tessera\n")
        data = (folder / "t.ppm").read_bytes()
        self.assertTrue(data.startswith(b"P6\n320 240\n255\n"))
        pixels = data[-320 * 240 * 3:]
        at = lambda x, y: tuple(pixels[(y * 320 + x) * 3:][:3])
        self.assertEqual(at(2, 2), (26, 26, 38))
        self.assertTrue(at(40, 200)[0] > 200 and at(280, 200)[1] > 200 and at(160, 35)[2] > 200)

    def test_black_pixel(self):
        """Each mistake makes a pixel black that is not so otherwise, and the inspector says why."""
        folder, tessera = self.copied("black-pixel"), self.prefix / "bin/tessera"
        run("make", f"CC={C}", folder=folder, PKG_CONFIG_PATH=self.packages)

        def pixel(mistake, x, y):
            run("./black", mistake, "black.ppm", folder=folder)
            return tuple((folder / "black.ppm").read_bytes()[-320 * 240 * 3:][(y * 320 + x) * 3:][:3])

        def story(mistake, x, y):
            said = run(tessera, "inspect", "--json", "--no-costs", "--pixel", f"{x},{y}", "--", "./black", mistake, folder=folder)
            pixel = json.loads(said[said.index("{\n"):])["pixel"]
            return pixel["histories"][0]["events"], pixel["absent"], pixel["histories"][0].get("hint", "")

        for mistake, at in (("depth", (96, 144)), ("cull", (60, 110)), ("nan", (174, 144))):
            self.assertNotEqual(pixel("none", *at), (0, 0, 0))
            self.assertEqual(pixel(mistake, *at), (0, 0, 0))
        events, _, hint = story("depth", 96, 144)
        self.assertEqual((events[0]["fate"], events[0]["clears"]), ("cleared", "color"))
        self.assertEqual((events[-1]["fate"], events[-1]["depthTest"]), ("fails the depth test", "0.6 < 0"))
        self.assertEqual(hint, "no clear of the frame comes before that test and clears the depth")
        events, absent, _ = story("cull", 60, 110)
        self.assertEqual([event["clears"] for event in events], ["color, depth"])
        self.assertTrue(any(one.get("why", "").startswith("primitive 1 would cover it: culled") for one in absent))
        events, _, hint = story("nan", 174, 144)
        self.assertTrue(events[-1]["fate"].startswith("written"))
        self.assertEqual(hint, "")
        self.assertIn("nan", json.dumps(events[-1]["color"]).lower())

    def test_c_kernel(self):
        folder = self.copied("c-kernel")
        run("make", f"CC={C}", folder=folder, PKG_CONFIG_PATH=self.packages)
        self.assertEqual(run("./kernel", folder=folder).splitlines()[0], "1 3 12799")
        (folder / "wrong.tsa").write_text((folder / "saxpy.tsa").read_text().replace("    mad r1.y", "    madd r1.y"))
        self.assertRegex(run("./kernel", "wrong.tsa", folder=folder, status=1),
                         r"^wrong.tsa:12:5: error: unknown instruction 'madd'; did you mean 'mad'\?\n")

    def test_cpp_isa_shader(self):
        folder = self.copied("cpp-isa-shader")
        run("cmake", "-S", ".", "-B", "build", f"-DCMAKE_PREFIX_PATH={self.prefix}", f"-DCMAKE_CXX_COMPILER={CXX}",
            folder=folder)
        run("cmake", "--build", "build", folder=folder)
        self.assertEqual(run("build/plasma", "plasma.png", folder=folder), "plasma.png: 320 x 240\n")
        self.same_picture(folder / "plasma.png", "plasma.png")

    def test_python(self):
        python, folder = python_with("numpy"), self.copied("python")
        said = run(python, "julia.py", "julia.png", folder=folder, PYTHONPATH=self.site).splitlines()
        self.assertEqual(said[0], "19200 pixels, none differs")
        self.assertRegex(said[-2], r"^\d+ cycles, \d+ frames a second$")
        self.same_picture(folder / "julia.png", "julia.png")

    def test_python_golden(self):
        python = python_with("numpy", "pytest")
        # As pip installs it, pytest finds the plugin by the wheel's entry point.
        pytest = (python, "-m", "pytest", "-q", "-p", "no:cacheprovider")
        if UPDATE:
            run(*pytest, "--update-goldens", folder=EXAMPLES / "python-golden", PYTHONPATH=self.site,
                PYTHONDONTWRITEBYTECODE=1)
        folder = self.copied("python-golden")
        self.assertIn("2 passed", run(*pytest, folder=folder, PYTHONPATH=self.site))
        test = folder / "test_flag.py"
        test.write_text(test.read_text().replace("12.0", "12.1"))
        self.assertIn("flag.png: ", run(*pytest, folder=folder, status=1, PYTHONPATH=self.site))
        self.assertTrue((folder / "tessera-report/index.html").exists())

    def test_webgl(self):
        if shutil.which("chromium") is None:
            raise unittest.SkipTest("Debian's package chromium is not installed")
        folder, tessera = self.copied("webgl"), self.prefix / "bin/tessera"
        run("./draw.sh", "flower.png", folder=folder, TESSERA=tessera, HOME=self.work)
        places = ((200, 200), (200, 330), (60, 200), (75, 130))  # the middle, petals below, to the left, and between
        look = f"import tessera; picture = tessera.Image.open('flower.png'); print([picture.pixel(*at) for at in {places}])"
        middle, below, left, other = eval(run(sys.executable, "-c", look, folder=folder, PYTHONPATH=self.site))
        self.assertEqual(middle, (26, 26, 38, 255))
        self.assertTrue(below[0] > 150 and below[1] > 100 and below[2] < 60, below)
        self.assertTrue(left[0] > 150 and left[1] < 110 and left[2] < 60, left)
        self.assertTrue(other[0] > 100 and other[1] > 70 and other[2] < 60, other)
        # By Tessera, and not by a driver that the browser falls back to: the page says so.
        page = run(tessera, "exec", "chromium", "--no-sandbox", "--headless=new", "--virtual-time-budget=3000",
                   "--dump-dom", f"file://{folder}/index.html?turn=0", folder=folder, HOME=self.work)
        self.assertRegex(page, r'<div id="said"[^>]*>drawn by ANGLE \(Tessera, ')

    def test_notebook(self):
        python, folder = python_with("numpy", "nbconvert", "ipykernel"), self.copied("python")
        run(python, "-m", "nbconvert", "--to", "notebook", "--execute", "--output", "done.ipynb", "notebook.ipynb",
            folder=folder, PYTHONPATH=self.site, HOME=self.work)
        cells = [cell for cell in json.loads((folder / "done.ipynb").read_text())["cells"] if cell["cell_type"] == "code"]
        kinds = [{kind for output in cell["outputs"] for kind in output.get("data", {})} for cell in cells]
        self.assertEqual(sum("image/png" in kind for kind in kinds), 3)
        self.assertEqual(sum("text/html" in kind for kind in kinds), 4)
        shown = "".join("".join(output["data"]["text/html"]) for cell in cells for output in cell["outputs"]
                        if "text/html" in output.get("data", {}))
        self.assertTrue("<svg" in shown and "<table" in shown and "<span style" in shown)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
