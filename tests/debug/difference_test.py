#!/usr/bin/env python3
"""`tessera explain --difference`: two pictures, and from where on they differ.

A good picture and one of the wrong build, whose JIT gets texture lookups or normals wrong (tests/debug/wrong_jit.cpp); a
picture in which a draw is missing; what is no pair of pictures.

Usage: difference_test.py SOURCE_DIR BUILD_DIR
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


def run(*command, **variables):
    environment = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "TESSERA_TIER")}
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, env=environment | {"TESSERA_CACHE_DIR": ""} | variables)


class Difference(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def demo(self, name, picture):
        return [BUILD / "bin" / name, "--headless", "--plain", "--frames", "1", "--time", "1.5", "--size", "160x120", "--out",
                self.folder / picture]

    def draw(self, name, picture, build=BUILD, **variables):
        """By the JIT of a build."""
        result = run(build / "bin" / "tessera", "exec", *self.demo(name, picture), TESSERA_TIER="jit", **variables)
        self.assertEqual(result.returncode, 0, result.stderr)
        return self.folder / picture

    def explain(self, first, second, demo, *options):
        return run(BUILD / "bin" / "tessera", "explain", "--difference", first, second, *options, "--", *self.demo(demo, "x.png"))

    def test_a_wrong_texel_is_named(self):
        good, bad = self.draw("textured", "good.png"), self.draw("textured", "bad.png", WRONG)
        result = self.explain(good, bad, "textured", "--other-build", WRONG)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn(f"{good} is what interp draws there\n", result.stdout)
        self.assertIn(f"{bad} is what jit of {WRONG} draws there\n", result.stdout)
        self.assertIn("glDrawElements(GL_TRIANGLES, 6), program 1 on, primitive ", result.stdout)
        self.assertIn("instruction @0, line 6: tex r0.xyz, v0.xy, t0, 2d\n", result.stdout)
        values = re.search(r"component x: .* \(0x(.{8})\) on interp, .* \(0x(.{8})\) on jit of ", result.stdout)
        self.assertEqual(int(values[1], 16) ^ int(values[2], 16), 1 << 21)

    def test_a_wrong_instruction_of_a_vertex_program_is_named(self):
        good, bad = self.draw("gears", "good.png"), self.draw("gears", "bad.png", WRONG)
        result = self.explain(bad, good, "gears", "--other-build", WRONG)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertRegex(result.stdout, r"first difference: lane \d, vertex \d+, instruction @4, line 10: nrm r0.xyz, r0.xyz\n")

    def test_a_draw_that_is_missing_is_named(self):
        recording = self.folder / "gears.tsc"
        good = self.draw("gears", "good.png", TESSERA_COMMANDS=str(recording))
        listing = run(BUILD / "bin" / "tessera", "commands", recording).stdout
        draws = re.findall(r"^ *(\d+)  draw ", listing, re.MULTILINE)
        self.assertEqual(len(draws), 3)
        without = self.folder / "without.png"
        result = run(BUILD / "bin" / "tessera", "inspect", recording, "--command", draws[1], "--png", "color", "-o", without)
        self.assertEqual(result.returncode, 0, result.stderr)
        result = self.explain(good, without, "gears")
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn(f"{without} is what none of them draws there\n", result.stdout)
        self.assertRegex(result.stdout, r"has what was there before 3: glDrawElements\(GL_TRIANGLES, \d+\), program 1, primitive \d+: "
                                        r"as if that had not drawn to the pixel\n")

    def blended(self, picture, *arguments):
        """A picture of the frame with that state, by its recording."""
        recording = self.folder / "blended.tsc"
        drawn = run(BUILD / "bin/tessera", "exec", BUILD / "tests/debug/blended_frame", *arguments, TESSERA_COMMANDS=str(recording))
        self.assertEqual(drawn.returncode, 0, drawn.stderr)
        result = run(BUILD / "bin/tessera", "inspect", recording, "--png", "color", "-o", self.folder / picture)
        self.assertEqual(result.returncode, 0, result.stderr)
        return self.folder / picture

    def test_a_wrong_blend_state_is_named(self):
        # What the program has now, what it had when the other picture was made, what is said of that.
        zero, one, source_alpha, rest, destination_color, subtract = 0, 1, 0x302, 0x303, 0x306, 0x800A
        for now, then, said in (((source_alpha, rest), (), "with blending off, where it has GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA"),
                                ((), (source_alpha, rest), "with GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, where it has blending off"),
                                ((source_alpha, rest), (one, rest), "with GL_ONE, GL_ONE_MINUS_SRC_ALPHA, where it has GL_SRC_ALPHA, "),
                                ((one, rest), (source_alpha, one), "with GL_SRC_ALPHA, GL_ONE, where it has GL_ONE, "),
                                ((one, one), (destination_color, zero), "with GL_DST_COLOR, GL_ZERO, where it has GL_ONE, GL_ONE"),
                                ((one, one, 15, subtract), (one, one),
                                 "with GL_ONE, GL_ONE, where it has GL_FUNC_SUBTRACT, GL_ONE, GL_ONE"),
                                ((source_alpha, rest), (source_alpha, rest, 9), "with a color mask that writes r alone")):
            with self.subTest(said):
                good, bad = self.blended("good.png", *now), self.blended("bad.png", *then)
                result = run(BUILD / "bin/tessera", "explain", "--difference", good, bad, "--", BUILD / "tests/debug/blended_frame", *now)
                self.assertEqual(result.returncode, 1, result.stderr)
                self.assertIn(f"{good} is what interp draws there\n", result.stdout)
                self.assertIn(f"{bad} has what that draw gives {said}", result.stdout)

    def test_what_cannot_be_compared_is_told(self):
        good = self.draw("gears", "good.png")
        same = self.explain(good, good, "gears")
        self.assertEqual((same.returncode, same.stdout), (0, f"{good} and {good} are the same\n"))
        small = self.folder / "small.png"
        run(BUILD / "bin" / "gears", "--headless", "--plain", "--frames", "1", "--size", "16x16", "--out", small)
        other = self.explain(good, small, "gears")
        self.assertEqual(other.returncode, 1)
        self.assertIn(f"{small}: error: it is 16 x 16, and {good} is 160 x 120", other.stderr)
        self.assertEqual(self.explain(good, self.folder / "none.png", "gears").returncode, 2)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
