#!/usr/bin/env python3
"""What a user reads on standard error: of the environment, of shaders that are wrong, of options that are.

Usage: messages_test.py BUILD_DIR
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

BUILD = pathlib.Path(sys.argv[1])
SOURCE = pathlib.Path(__file__).parents[2]


def run(program, *arguments, cwd=None, **variables):
    environment = {key: value for key, value in os.environ.items()
                   if not key.startswith("TESSERA_") and key not in ("DISPLAY", "WAYLAND_DISPLAY")}
    return subprocess.run([BUILD / "bin" / program, *map(str, arguments)], capture_output=True, text=True, cwd=cwd,
                          env={**environment, "LD_LIBRARY_PATH": str(BUILD / "lib"), **variables})


class Messages(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def driver_lines(self, **variables):
        result = run("textured", "--headless", "--frames", 2, "--size", "32x32", "--out", self.folder / "x.png",
                     **variables)
        self.assertEqual(result.returncode, 0, result.stderr)
        return [line for line in result.stderr.splitlines() if line.startswith("tessera: ")]

    def test_the_driver_is_quiet(self):
        self.assertEqual(self.driver_lines(), [])
        self.assertEqual(self.driver_lines(TESSERA_THREADS="1", TESSERA_TIER="interp", TESSERA_SIMD="v2"), [])

    def test_the_driver_reports_each_wrong_value_once(self):
        self.assertEqual(
            sorted(self.driver_lines(TESSERA_THREADS="0", TESSERA_TIER="fast", TESSERA_SIMDS="v3")),
            ["tessera: TESSERA_SIMDS: there is no such variable; did you mean TESSERA_SIMD?",
             "tessera: TESSERA_THREADS: '0' is no number from 1 to 64; 1 is used",
             "tessera: TESSERA_TIER: 'fast' is none of interp, baseline, jit, tiered; the default is used: tiered (kernels: jit)"])
        self.assertEqual(self.driver_lines(TESSERA_THREADS="0", TESSERA_LOG="0"), [])
        self.assertEqual(self.driver_lines(TESSERA_TRACE="/nowhere/trace"),
                         ["tessera: TESSERA_TRACE: /nowhere/trace: cannot be written: No such file or directory"])
        self.assertEqual(self.driver_lines(TESSERA_TIER="jit", TESSERA_CACHE_DIR="/proc/cache"),
                         ["tessera: TESSERA_CACHE_DIR: /proc/cache is no folder of the user's own that can be written"])

    def test_tools_refuse_wrong_values(self):
        result = run("tessera", "info", TESSERA_STATS="maybe")
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertEqual(result.stderr,
                         "tessera: error: TESSERA_STATS: 'maybe' is neither 0 nor 1\n")
        self.assertEqual(run("tessera", "info", TESSERA_THREAD="2").returncode, 0)
        for arguments in (("--tier", "fast"), ("--lanes", "many")):
            self.assertEqual(run("tessera", "run", "x.frag", *arguments).returncode, 2)

    def test_each_build_that_run_can_use_is_one_for_the_variable(self):
        presets = json.loads((SOURCE / "CMakePresets.json").read_text())["configurePresets"]
        for name in [preset["name"] for preset in presets if not preset.get("hidden")]:
            self.assertEqual(run("tessera", "info", TESSERA_PRESET=name).stderr, "", name)

    def test_info_shows_the_variables(self):
        text = run("tessera", "info", TESSERA_THREADS="3").stdout
        self.assertIn("  TESSERA_THREADS         1 to 64; now 3; ", text)
        self.assertIn("  TESSERA_TIER            interp, baseline, jit, tiered; default tiered (kernels: jit); ", text)

    def test_a_wrong_shader_is_shown_with_a_caret(self):
        (self.folder / "x.vert").write_text("void main() {\n    gl_Position = vec4(a);\n    gl_PointSize = 1;\n}\n")
        result = run("tessera", "glslc", "x.vert", cwd=self.folder)
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertEqual(result.stderr,
                         "x.vert:2:24: error: 'a' : undeclared identifier\n"
                         "        gl_Position = vec4(a);\n"
                         "                           ^\n"
                         "x.vert:3:18: error: 'assign' : cannot convert from 'const int' to 'float'; nothing is "
                         "converted by itself: write 1.0 for 1, or float(...)\n"
                         "        gl_PointSize = 1;\n"
                         "                     ^\n")

    def test_a_wrong_program_is_shown_with_a_caret(self):
        (self.folder / "x.tsa").write_text(".compute\n.buffer b0 points\n    ld r0.x, pionts[r1.x]\n    ret\n")
        result = run("tessera", "as", "x.tsa", cwd=self.folder)
        self.assertEqual(result.returncode, 1)
        self.assertEqual(result.stderr,
                         "x.tsa:3:14: error: memory must stand here: shared[...], b0[...] to b15[...] or the name of a "
                         ".buffer; did you mean 'points'?\n"
                         "        ld r0.x, pionts[r1.x]\n"
                         "                 ^\n")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
