#!/usr/bin/env python3
"""A disk that is full in the middle of a file: every verb that writes says so, with status 2, leaves what had the
name, and nothing beside it. What no process may write more of, RLIMIT_FSIZE bytes, stands for the disk: it is the same
failure of the same call, and needs no file system of its own.

Usage: full_disk_test.py BUILD_DIR
"""

import os
import pathlib
import resource
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import unittest

BUILD = pathlib.Path(sys.argv[1])
SOURCE = pathlib.Path(__file__).parents[2]
ROOM = 64  # bytes on the disk: less than any of the files has
GEARS = ["--headless", "--plain", "--quiet", "--frames", "2", "--size", "64x48"]


def fill_disk():
    resource.setrlimit(resource.RLIMIT_FSIZE, (ROOM, ROOM))
    # What is killed by it has no say; who ignores the signal gets the error.
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)


def run(program, *arguments, full=False, **variables):
    environment = {key: value for key, value in os.environ.items()
                   if not key.startswith("TESSERA_") and key not in ("DISPLAY", "WAYLAND_DISPLAY")}
    return subprocess.run([BUILD / "bin" / program, *map(str, arguments)], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, preexec_fn=fill_disk if full else None,
                          env={**environment, "LD_LIBRARY_PATH": str(BUILD / "lib"), "TESSERA_CACHE_DIR": "",
                               **variables})


class FullDisk(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.inputs = pathlib.Path(cls.temporary.name) / "inputs"
        cls.inputs.mkdir()
        cls.stream = cls.inputs / "gears.tsc"
        cls.texels = cls.inputs / "texels.tstream"
        made = run("gears", *GEARS, "--out", cls.inputs / "gears.png", TESSERA_COMMANDS=str(cls.stream))
        assert made.returncode == 0 and cls.stream.exists(), made.stderr
        made = run("textured", *GEARS, "--out", cls.inputs / "textured.png", TESSERA_TEXTURE_STREAM=str(cls.texels))
        assert made.returncode == 0 and cls.texels.exists(), made.stderr

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def setUp(self):
        self.folder = pathlib.Path(self.temporary.name) / "outputs"
        self.folder.mkdir()
        self.addCleanup(shutil.rmtree, self.folder)

    def check(self, name, program, *arguments, status=2, **variables):
        """The command writes `name`: without room, without where nothing had the name, and with room."""
        file = self.folder / name
        with self.subTest(command=[program, *map(str, arguments)]):
            old = self.old
            file.write_text(old)
            file.chmod(0o640)
            result = run(program, *arguments, full=True, **variables)
            self.assertEqual(result.returncode, status, result.stderr)
            self.assertRegex(result.stderr, f"{name}.*cannot be written|cannot write .*{name}")
            self.assertEqual([each.name for each in self.folder.iterdir()], [name])
            self.assertEqual(file.read_text(errors="replace"), old)
            file.unlink()
            self.assertEqual(run(program, *arguments, full=True, **variables).returncode, status)
            self.assertEqual(list(self.folder.iterdir()), [])
            file.write_text(old)
            file.chmod(0o640)
            result = run(program, *arguments, **variables)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertGreater(file.stat().st_size, ROOM)
            if program == "tessera":
                self.assertEqual(stat.S_IMODE(file.stat().st_mode), 0o640)
            for each in self.folder.iterdir():
                self.assertFalse(each.name.endswith(".part"), each.name)
                each.unlink()

    old = "old"  # what the file has

    def verb(self, name, *arguments, **others):
        self.check(name, "tessera", *arguments, **others)

    def test_programs(self):
        program = SOURCE / "demos/isa/triangle.vert.tsa"
        self.verb("x.tsb", "as", program, "-o", self.folder / "x.tsb")
        self.verb("x.list", "as", program, "-o", "/dev/null", "--listing", self.folder / "x.list")
        self.assertEqual(run("tessera", "as", program, "-o", self.inputs / "triangle.tsb").returncode, 0)
        self.verb("x.tsa", "dis", self.inputs / "triangle.tsb", "-o", self.folder / "x.tsa")
        self.verb("x.tsb", "glslc", SOURCE / "demos/shaders/phong.frag", "-o", self.folder / "x.tsb")

    def test_pictures(self):
        bricks = SOURCE / "demos/assets/bricks.png"
        for ending in ("png", "jpg", "ktx", "dds"):
            self.verb(f"x.{ending}", "tex", "convert", bricks, "-o", self.folder / f"x.{ending}")
        self.verb("x.svg", "tex", "cache", "--svg", self.folder / "x.svg", "--stream", self.texels)
        self.verb("x.png", "tex", "cache", "--png", self.folder / "x.png", "--stream", self.texels)
        # The pictures differ, which is the status where the disk has room.
        pictures = SOURCE / "tests/goldens"
        name = self.folder / "x.png"
        name.write_text("old")
        differs = run("tessera", "diff", pictures / "gears.png", pictures / "gears-plain.png", "-o", name, full=True)
        self.assertEqual((differs.returncode, name.read_text(errors="replace")), (2, "old"), differs.stderr)
        self.assertEqual([each.name for each in self.folder.iterdir()], ["x.png"])

    def test_runs(self):
        program = SOURCE / "demos/shaders/julia.frag"
        inputs = ["--set", "v_texCoord=0..1,0.5", "--uniform", "u_scale=3", "--lanes", "4"]
        for option in ("--vcd", "--perfetto"):
            self.verb("x.trace", "run", program, *inputs, option, self.folder / "x.trace")

    def test_model(self):
        self.verb("x.tsw", "model", "--save", self.folder / "x.tsw", "--summary", self.stream)
        for option in ("--perfetto", "--vcd", "--konata"):
            self.verb("x.trace", "model", option, self.folder / "x.trace", self.stream)
        self.verb("x-use.svg", "model", "--plots", self.folder / "x", self.stream)
        self.verb("x.svg", "model", "--sweep", "sdram.channels=1,2", "--pareto", self.folder / "x.svg", self.stream)

    def test_results_of_a_sweep(self):
        # What is there has to be of the same sweep: a part of it.
        results = self.folder / "x.csv"
        arguments = ["model", "--sweep", "sdram.channels=1,2", "--results", results, self.stream]
        self.assertEqual(run("tessera", *arguments).returncode, 0)
        self.old = "".join(results.read_text().splitlines(True)[:3])
        self.verb("x.csv", *arguments)

    def test_trim(self):
        for option in ("-o", "--report", "--plot"):
            self.verb("x.toml", "trim", self.stream, option, self.folder / "x.toml")

    def test_recordings(self):
        self.verb("x.png", "commands", "--replay", self.stream, "-o", self.folder / "x.png")
        self.verb("frame-000001.png", "commands", "--replay", self.stream, "--pictures", self.folder)
        self.verb("x.json", "commands", "--replay", self.stream, "--shard", "1/1", "--shard-out", self.folder / "x.json")

    def test_demos(self):
        self.check("x.png", "gears", *GEARS, "--out", self.folder / "x.png", status=1)

    def test_the_driver(self):
        for variable, program in (("TESSERA_TEXTURE_STREAM", "textured"), ("TESSERA_COMMANDS", "gears")):
            self.check("x", program, *GEARS, "--out", "/dev/null", status=0, **{variable: str(self.folder / "x")})


class Places(unittest.TestCase):
    """Of what is no file nothing is renamed."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.program = SOURCE / "demos/isa/triangle.vert.tsa"
        self.assertEqual(run("tessera", "as", self.program, "-o", self.folder / "x.tsb").returncode, 0)
        self.bytes = (self.folder / "x.tsb").read_bytes()

    def shell(self, command):
        return subprocess.run(["bash", "-c", command, "bash", BUILD / "bin" / "tessera", self.program, self.folder],
                              capture_output=True)

    def test_standard_output_is_written_into(self):
        for name in ("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "-"):
            made = self.shell(f'"$1" as "$2" -o {name} | cat')
            self.assertEqual((made.stdout, made.stderr), (self.bytes, b""))
            # The file keeps its place on the disk, and what is written later comes behind.
            made = self.shell(f'(echo first; exec 3>&1; "$1" as "$2" -o {name}; stat -Lc %i /dev/fd/3 >&2) > "$3/y"; '
                              'stat -c %i "$3/y"')
            self.assertEqual(made.stdout, made.stderr)
        made = self.shell('"$1" as "$2" -o /dev/fd/3 3> "$3/y"; cat "$3/y"')
        self.assertEqual((made.stdout, made.stderr), (self.bytes, b""))

    def test_pipes_are_written_into(self):
        made = self.shell('mkfifo "$3/pipe"; cat "$3/pipe" & "$1" as "$2" -o "$3/pipe"; wait; test -p "$3/pipe"')
        self.assertEqual((made.returncode, made.stdout, made.stderr), (0, self.bytes, b""))

    def test_links_are_followed(self):
        (self.folder / "a").mkdir()
        (self.folder / "a" / "link").symlink_to("../to")
        (self.folder / "link").symlink_to("a/link")
        made = self.shell('"$1" as "$2" -o "$3/link"')
        self.assertEqual((made.returncode, (self.folder / "to").read_bytes()), (0, self.bytes))
        self.assertTrue((self.folder / "link").is_symlink() and (self.folder / "a/link").is_symlink())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
