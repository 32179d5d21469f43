#!/usr/bin/env python3
"""Scripted sessions of `tessera dbg`: on shaders with inputs, and on pixels of running programs.

Usage: dbg_test.py SOURCE_DIR BUILD_DIR
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

SOURCE, BUILD = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])

SHADER = """precision highp float;
varying vec2 v_at;
uniform float u_limit;
void main() {
    float sum = 0.0;
    for (int i = 0; i < 8; ++i) {
        if (sum > u_limit) break;
        sum += v_at.x;
    }
    if (v_at.y > 0.5)
        discard;
    gl_FragColor = vec4(sum, v_at, 1.0);
}
"""


def session(arguments, commands, status=0):
    """What each command printed, and what stood before the first."""
    result = subprocess.run([BUILD / "bin" / "tessera", "dbg", *map(str, arguments)], capture_output=True, text=True,
                            input="".join(command + "\n" for command in commands),
                            env={key: value for key, value in os.environ.items() if key != "DISPLAY"})
    assert result.returncode == status, (result.returncode, result.stdout, result.stderr)
    parts = result.stdout.split("(tessera) ")
    assert len(parts) == len(commands) + 2, result.stdout
    return parts[0], [part.split("\n", 1)[1] for part in parts[1:-1]]


class Debugger(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.shader = self.folder / "a.frag"
        self.shader.write_text(SHADER)
        # Lane 0 adds 1 at a time and stops above 2; lane 1 adds 3; lane 2 is discarded.
        self.inputs = [self.shader, "--set", "v_at=1,0;3,0.25;1,1", "--lanes", "3", "--uniform", "u_limit=2"]

    def test_lines_steps_and_back(self):
        start, out = session(self.inputs, ["break 8", "continue", "print v_at", "step", "reverse-step", "continue",
                                           "reverse-continue", "reverse-continue"])
        self.assertIn("pixel 0,0", start)
        self.assertEqual(out[0], "breakpoint 1: line 8\n")
        self.assertIn("breakpoint 1: instruction", out[1])
        self.assertIn("    8          sum += v_at.x;\n", out[1])
        self.assertIn("exec 0x00000007", out[1])
        self.assertTrue(out[2].startswith("v_at = 1 0 "))
        self.assertNotIn("     8  ", out[3])
        self.assertEqual(out[4].split("\n", 1)[1], out[1].split("\n", 1)[1])
        self.assertIn("exec 0x00000005", out[5])  # lane 1 has left the loop
        self.assertEqual(out[6], out[1])
        self.assertIn("at the start", out[7])

    def test_values_at_the_end_are_those_of_run(self):
        _, out = session(self.inputs, ["continue", "print gl_FragColor", "lane 1", "print gl_FragColor.x",
                                       "print gl_FragColor.x/x", "lane 2", "lanes"])
        self.assertTrue(out[1].startswith("gl_FragColor = 3 1 0 1 "))
        self.assertTrue(out[3].startswith("gl_FragColor.x = 3 "))
        self.assertTrue(out[4].startswith("gl_FragColor.x/x = 0x40400000 "))
        self.assertIn("d2", out[6])

    def test_watchpoints_stop_after_each_change(self):
        program = self.folder / "a.tsa"
        program.write_text(".vertex\nmov r0.x, 1.0\nmov r1.x, 5.0\nmov r0.x, 2.0\nmov r0.x, 2.0\nadd o0, r0.x, r1.x\nret\n")
        _, out = session([program], ["watch r0.x", "continue", "continue", "continue", "reverse-continue",
                                     "print r0.x", "breakpoints", "delete 1", "continue"])
        self.assertIn("@1 ", out[1])
        self.assertIn("@3 ", out[2])
        self.assertIn("at the end", out[3])
        self.assertIn("@3 ", out[4])
        self.assertTrue(out[5].startswith("r0.x = 2 "))
        self.assertIn("watch r0.x", out[6])
        self.assertIn("at the end", out[8])

    def test_calls_and_the_reconvergence_stack(self):
        example = SOURCE / "shader-core" / "asm" / "examples" / "subroutine.tsa"
        listing = subprocess.run([BUILD / "bin" / "tessera", "dis", example], capture_output=True, text=True).stdout
        self.assertIn("call", listing)
        program = self.folder / "a.tsa"
        program.write_text(".vertex\n.input v0 a vec4\ncall twice\nslt p1, v0.x, 1.0\n(p1) if\nmov o0, r0\nelse\n"
                           "mov o0, -r0\nendif\nret\ntwice:\nadd r0, v0, v0\nret\n")
        arguments = [program, "--set", "a=0;1", "--lanes", "2"]
        _, out = session(arguments, ["next", "reverse-next", "step", "stack", "break @3", "continue", "stack"])
        self.assertIn("slt p1", out[0])
        self.assertIn("call", out[1])
        self.assertIn("add r0, v0, v0", out[2])
        self.assertIn("call lanes that returned 0x00000000 wait at @1", out[3])
        self.assertIn("exec 0x00000001", out[5])
        self.assertIn("if   lanes of the other side 0x00000002 wait at", out[6])

    def test_edits_stay_and_take_part(self):
        program = self.folder / "a.tsa"
        program.write_text(".vertex\nmov r0, 1.0\nmov o0, r0\nret\n")
        _, out = session([program], ["stepi", "set r0.y 7", "continue", "registers o", "reverse-stepi", "stepi",
                                     "print o0.y", "goto 0", "print r0.y"])
        self.assertTrue(out[1].startswith("r0.y = 7 "))
        self.assertEqual(out[3].split(), ["o0", "1", "7", "1", "1"])
        self.assertTrue(out[6].startswith("o0.y = 7 "))
        self.assertTrue(out[8].startswith("r0.y = 0 "))

    def test_vertices_in_several_groups(self):
        program = self.folder / "a.tsa"
        program.write_text(".vertex\n.input v0 a vec4\nadd o0, v0, 1.0\nret\n")
        _, out = session([program, "--lanes", "40", "--set", "a=0..39"],
                         ["break vertex 37", "continue", "print a.x", "group 0", "group"])
        self.assertIn("group 1", out[1])
        self.assertIn("lane 5 (vertex 37)", out[1])
        self.assertTrue(out[2].startswith("a.x = 37 "))
        self.assertIn("group 0", out[4])

    def test_wrong_commands_are_answered(self):
        commands = ["nonsense", "break", "break 99", "break @99", "print q9", "print r99", "lane 7", "watch v_at",
                    "set v_at 1", "set r0 x", "goto", "delete 9", "list 4000000000000000000000", "break pixel 9,9",
                    "print r0/q", "lanes q", "registers z", "stepi x", "break 8 lane 40"]
        _, out = session(self.inputs, commands, status=1)
        for command, answer in zip(commands, out):
            self.assertTrue(answer.startswith("error: "), (command, answer))

    def test_a_pixel_of_a_program_computes_what_was_drawn(self):
        """The group that the driver captured, with its textures, gives the colour that explain saw."""
        for demo, pixel in ("textured", "160,120"), ("gears", "160,120"), ("isa-triangle", "160,130"):
            program = [BUILD / "bin" / demo, "--headless", "--frames", "1", "--time", "1.5", "--size", "320x240",
                       "--out", self.folder / "x.png"]
            told = subprocess.run([BUILD / "bin" / "tessera", "explain", "--pixel", pixel, "--", *program],
                                  capture_output=True, text=True).stdout
            color = re.findall(r"instructions, color (.*)", told)[-1]
            kept = self.folder / f"{demo}.capture"
            start, out = session(["--pixel", pixel, "--save", kept, "--", *program],
                                 ["continue", "print o0", "reverse-continue", "list"])
            self.assertIn(f"pixel {pixel} of frame 0", start)
            self.assertTrue(out[1].startswith(f"o0 = {color} "), (demo, out[1], color))
            self.assertIn("=> @0", out[3])
            _, again = session(["--capture", kept], ["continue", "print o0"])
            self.assertEqual(again[1], out[1])

    def test_the_vertices_of_a_pixels_primitive(self):
        """Three vertices, and the position that the debugger computes for each lies in the view volume or near it."""
        program = [BUILD / "bin" / "isa-triangle", "--headless", "--frames", "1", "--time", "0.4", "--size", "320x240",
                   "--out", self.folder / "x.png"]
        start, out = session(["--pixel", "160,130", "--vertices", "--", *program],
                             ["lanes", "continue", "print gl_Position", "lane 1", "print gl_Position"])
        self.assertIn("vertices of frame 0: draw ", start)
        self.assertIn("vertex 0", start)
        self.assertIn("*0  *1  *2\n", out[0])
        positions = [[float(x) for x in line.split("=")[1].split("(")[0].split()] for line in (out[2], out[4])]
        self.assertNotEqual(*positions)
        for x, y, _, w in positions:
            self.assertLessEqual(max(abs(x), abs(y)), 1.5 * w)

    def test_damaged_captures_are_refused(self):
        kept = self.folder / "a.capture"
        program = [BUILD / "bin" / "textured", "--headless", "--frames", "1", "--time", "1.5", "--size", "32x24",
                   "--out", self.folder / "x.png"]
        session(["--pixel", "16,12", "--save", kept, "--", *program], [])
        whole = kept.read_bytes()
        for at in range(0, 4000, 97):
            broken = bytearray(whole)
            broken[at] ^= 0x5A
            kept.write_bytes(broken if at % 2 else broken[:at])
            result = subprocess.run([BUILD / "bin" / "tessera", "dbg", "--capture", kept], input="continue\n",
                                    capture_output=True, text=True)
            self.assertIn(result.returncode, (0, 1), (at, result.stderr))

    def test_what_cannot_be_debugged(self):
        gears = [BUILD / "bin" / "gears", "--headless", "--frames", "1", "--size", "32x24", "--out",
                 self.folder / "x.png"]
        for arguments, status, words in [
            (["--pixel", "0,0", "--", *gears], 1, "no program was run for pixel 0,0"),
            (["--pixel", "x", "--", *gears], 1, "is no pixel"),
            ([], 2, "no program"),
            ([self.shader, self.shader], 2, "one shader at a time"),
            (["--capture", self.shader], 1, "no capture of a group"),
            ([self.folder / "none.tsa"], 2, "cannot be read"),
        ]:
            result = subprocess.run([BUILD / "bin" / "tessera", "dbg", *map(str, arguments)], capture_output=True,
                                    text=True, input="")
            self.assertEqual(result.returncode, status, (arguments, result.stderr))
            self.assertIn(words, result.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
