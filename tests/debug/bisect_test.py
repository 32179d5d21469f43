#!/usr/bin/env python3
"""`tessera bisect-tiers`: agreement where there is some, and the known mistake of a wrong build where it is.

The wrong build's JIT (tests/debug/wrong_jit.cpp) gets normals wrong in programs that have some, else the red of texture
lookups in lanes 5 and 21, the same pixel of every 4x4 block.

Usage: bisect_test.py SOURCE_DIR BUILD_DIR
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

SOURCE, BUILD = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
WRONG = BUILD / "tests" / "debug" / "wrong"


def bisect(*arguments):
    environment = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "TESSERA_TIER")}
    return subprocess.run([BUILD / "bin" / "tessera", "bisect-tiers", *map(str, arguments)], capture_output=True,
                          text=True, env=dict(environment, TESSERA_CACHE_DIR=""))


class Bisect(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.program = self.folder / "a.tsa"
        self.program.write_text(".fragment\n.input v0 v_at vec2\n.sampler t0 u_image 2d\nadd r0.xy, v0, 0.0\n"
                                "tex r1, r0, t0, 2d\nmul r2, r1, 0.5\nmov o0, r2\nret\n")
        self.inputs = ["--set", "v_at=0..1,0.5",
                       "--texture", f"u_image={SOURCE / 'demos' / 'assets' / 'bricks.png'}"]

    def frame(self, demo):
        return ["--", BUILD / "bin" / demo, "--headless", "--plain", "--frames", "1", "--time", "1.5", "--size", "160x120",
                "--out", self.folder / "x.png"]

    def test_the_tiers_agree(self):
        for shader, inputs in [("julia.frag", ["--set", "v_texCoord=0..1,0.4", "--uniform", "u_scale=3"]),
                               ("phong.vert", ["--set", "a_position=0..1,1,2"])]:
            result = bisect(SOURCE / "demos" / "shaders" / shader, "--lanes", 64, *inputs)
            self.assertEqual((result.returncode, result.stdout), (0, "interp and jit agree: 64 lanes\n"), result.stderr)
        result = bisect(*self.frame("textured"))
        self.assertEqual((result.returncode, result.stdout), (0, "frame 0, 160 x 120: interp and jit agree\n"),
                         result.stderr)

    def test_the_wrong_instruction_of_a_program(self):
        result = bisect(self.program, "--lanes", 8, *self.inputs, "--other-build", WRONG)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("first difference: lane 5, pixel 1,1, instruction @1, line 5: tex r1, r0, t0, 2d\n", result.stdout)
        self.assertIn("it is instruction #1 of the group's execution", result.stdout)
        values = re.search(r"component x: .* \(0x(.{8})\) on jit, .* \(0x(.{8})\) on jit of ", result.stdout)
        self.assertEqual(int(values[1], 16) ^ int(values[2], 16), 1 << 21)

    def test_lanes_without_the_mistake_agree(self):
        result = bisect(self.program, "--lanes", 4, *self.inputs, "--other-build", WRONG)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_the_wrong_instruction_of_a_frame(self):
        result = bisect("--other-build", WRONG, *self.frame("textured"))
        self.assertEqual(result.returncode, 1, result.stderr)
        first = re.search(r"frame 0, 160 x 120: \d+ pixels differ; the first is (\d+),(\d+): ", result.stdout)
        # Lanes 5 and 21 are the second pixel of the second row from the bottom of a block.
        self.assertEqual((int(first[1]) % 4, (119 - int(first[2])) % 4), (1, 1), result.stdout)
        self.assertRegex(result.stdout, r"it differs from \d+: glDrawElements\(.*, primitive \d+\n")
        self.assertRegex(result.stdout, rf"first difference: lane (5|21), pixel {first[1]},{first[2]}, "
                                        r"instruction @0, line \d+: tex r\d")

    def test_the_wrong_instruction_of_a_vertex_program(self):
        result = bisect("--other-build", WRONG, *self.frame("gears"))
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("the inputs of its fragments differ already, v", result.stdout)
        self.assertRegex(result.stdout, r"first difference: lane 0, vertex \d+, instruction @\d+, line \d+: nrm r\d")
        self.assertIn("component x: ", result.stdout)

    def test_another_build_without_a_driver(self):
        """Nothing is compared: the program would load the driver that it finds by itself."""
        for build in self.folder / "nowhere", self.folder, BUILD / "bin":
            result = bisect("--other-build", build, *self.frame("gears"))
            self.assertEqual((result.returncode, result.stdout), (2, ""), build)
            self.assertIn(f"{build}/lib/libtessera.so.0: error: no such file", result.stderr)
            result = bisect(self.program, "--other-build", build)
            self.assertEqual((result.returncode, result.stdout, result.stderr),
                             (2, "", f"{build}/bin/tessera: error: No such file or directory: --other-build takes a build "
                                     "tree, or a prefix\n"))

    def test_tiers_are_one_word_and_what_stands_behind_it_is_the_program(self):
        result = bisect("--tiers", "jit,interp", self.program)
        self.assertEqual((result.returncode, result.stdout), (0, "jit and interp agree: 1 lane\n"), result.stderr)
        for tiers in "interp", "interp,jit,jit", "jit,quick":
            self.assertIn(f"--tiers: write two of interp and jit, as interp,jit: not '{tiers}'",
                          bisect("--tiers", tiers, self.program).stderr)

    def test_options_that_would_do_nothing_are_refused(self):
        for option in ["--frame", "2"], ["--gl"], ["--let-finish"], ["--timeout", "2"]:
            result = bisect(self.program, *option)
            self.assertEqual((result.returncode, result.stderr),
                             (2, f"{self.program}: error: {option[0]} is for GLES programs\n"))

    def test_wrong_input(self):
        self.assertEqual(bisect().returncode, 2)
        self.assertEqual(bisect(self.program, "--tiers", "interp,quick").returncode, 2)
        self.assertEqual(bisect(self.program, "--other-build", self.folder).returncode, 2)
        self.assertEqual(bisect("--", "/no/such/program").returncode, 2)
        self.assertEqual(bisect("--frame", "-1", "--", "/no/such/program").returncode, 2)
        self.assertEqual(bisect("--answer", self.program, "--tier", "interp").returncode, 1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
