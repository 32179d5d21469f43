#!/usr/bin/env python3
"""`tessera run`: results worked out here, traces in every form, and messages for wrong input.

Usage: run_test.py SOURCE_DIR BUILD_DIR
"""

import json
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib

SOURCE, BUILD = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])


def tessera(*arguments):
    return subprocess.run([BUILD / "bin" / "tessera", *map(str, arguments)], capture_output=True, text=True)


def floats(lane, output):
    return [struct.unpack("<f", struct.pack("<I", int(bits, 16)))[0] for bits in lane["outputs"][output]]


def png(path, width, height, pixels):
    """Rows from the top, four bytes a pixel."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = b"".join(b"\0" + bytes(pixels[y * width * 4:(y + 1) * width * 4]) for y in range(height))
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)) +
                     chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


class Run(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, text):
        (self.folder / name).write_text(text)
        return self.folder / name

    def outputs(self, *arguments):
        result = tessera("run", *arguments, "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        return [lane for group in json.loads(result.stdout)["groups"] for lane in group["lanes"]]

    def test_vertex_shader(self):
        shader = self.write("a.vert", "attribute vec4 a; uniform mat4 m; uniform int n; varying vec2 v;\n"
                                      "void main() { gl_Position = m * a; v = a.xy * float(n); }\n")
        lanes = self.outputs(shader, "--lanes", 40, "--set", "a=0..39,2", "--uniform", "n=3",
                             "--uniform", "m=" + ",".join("1,0,0,0, 0,2,0,0, 0,0,1,0, 5,0,0,1".split(",")))
        self.assertEqual(len(lanes), 40)
        for i, lane in enumerate(lanes):
            self.assertEqual(lane["name"], f"vertex {i}")
            self.assertEqual(floats(lane, "o0"), [i + 5, 4, 0, 1])
            self.assertEqual(floats(lane, "o2")[:2], [3 * i, 6])

    def test_fragment_program_with_texture_and_discard(self):
        program = self.write("a.tsa", ".fragment\n.input v0 v_at vec2\n.sampler t0 u_image 2d\n"
                                      ".uniform c0 u_lod float\ntxl r0, v0, c0.x, t0, 2d\nslt p1, r0.x, 0.5\n(p1) kil\nmov o0, r0\nret\n")
        png(self.folder / "a.png", 2, 2, [0, 0, 0, 255, 255, 51, 0, 255, 255, 0, 102, 255, 255, 255, 255, 0])
        lanes = self.outputs(program, "--lanes", 4, "--set", "v_at=0.25,0.25;0.75,0.25;0.25,0.75;0.75,0.75",
                             "--texture", f"u_image={self.folder / 'a.png'}", "--filter", "nearest")
        self.assertEqual([lane["discarded"] for lane in lanes], [True, False, False, False])
        at = [[round(v * 255) for v in floats(lane, "o0")] for lane in lanes]
        self.assertEqual(at[1:], [[255, 51, 0, 255], [255, 0, 102, 255], [255, 255, 255, 0]])

    def test_depths_range_from_0_to_1(self):
        shader = self.write("a.frag", "precision highp float;\n"
                                      "void main() { gl_FragColor = vec4(gl_DepthRange.near, gl_DepthRange.far, gl_DepthRange.diff, 1); }\n")
        lane, = self.outputs(shader)
        self.assertEqual(floats(lane, "o0"), [0, 1, 1, 1])

    def test_registers_by_number_and_bits(self):
        program = self.write("a.tsa", ".vertex\n.input v3 x vec4\n.uniform c1 k vec4\nadd.i32 o0, v3, c1\nret\n")
        lane, = self.outputs(program, "--set", "v3=0x7fffffff,0x1", "--uniform", "c1=0x1,0x2,0x3,0x4")
        self.assertEqual(lane["outputs"]["o0"], ["0x80000000", "0x00000003", "0x00000003", "0x3f800004"])

    def test_trace_in_every_form(self):
        program = self.write("a.tsa", ".vertex\n.input v0 x vec4\nmov r0, v0\nadd o0, r0, r0\nret\n")
        text = tessera("run", program, "--set", "v0=1..2", "--lanes", 2, "--trace", "text").stdout
        self.assertIn("add o0, r0, r0", text)
        self.assertIn("o0.x = [0] 2.0  [1] 4.0", text)
        trace = tessera("run", program, "--set", "v0=1..2", "--lanes", 2, "--trace", "json").stdout.splitlines()
        steps = [json.loads(line) for line in trace]
        self.assertEqual([step["pc"] for step in steps], [0, 1, 2])
        self.assertEqual(steps[1]["writes"][0]["x"], [2.0, 4.0])
        self.assertEqual([step["line"] for step in steps], [3, 4, 5])
        vcd, timeline = self.folder / "a.vcd", self.folder / "a.json"
        self.assertEqual(tessera("run", program, "--vcd", vcd, "--perfetto", timeline).returncode, 0)
        self.assertIn("$enddefinitions", vcd.read_text())
        names = [event["name"] for event in json.loads(timeline.read_text())["traceEvents"] if event["ph"] == "X"]
        self.assertEqual(names, ["mov r0, v0", "add o0, r0, r0", "ret"])

    def test_values_are_printed_as_they_were_written(self):
        """A comparison gives a float, whatever it compares; outputs say so without a trace."""
        program = self.write("a.tsa", ".vertex\n.input v0 x vec4\nf2i.i32 r0.x, x.x\nseq.i32 r0.y, r0.x, 3\n"
                                      "mov.u32 r0.z, -r0.x\nmov r0.w, r0.x\nmov o0, r0\nret\n")
        inputs = (program, "--set", "x=3;4", "--lanes", 2)
        self.assertIn("gl_Position      3 1.0 4294967293 3\n", tessera("run", *inputs).stdout)
        self.assertIn("gl_Position      3 1065353216 -3 3\n", tessera("run", *inputs, "--format", "i32").stdout)
        text = tessera("run", *inputs, "--trace", "text").stdout
        self.assertIn("o0.y = [0] 1.0  [1] 0.0\n", text)
        self.assertIn("o0.w = [0] 3  [1] 4\n", text)
        steps = [json.loads(line) for line in tessera("run", *inputs, "--trace", "json").stdout.splitlines()]
        writes = [step["writes"][0] for step in steps[:5]]
        self.assertEqual([write["type"] for write in writes], ["i32", "f32", "u32", "i32", "mixed"])
        self.assertEqual([repr(writes[4][c][0]) for c in "xyzw"], ["3", "1.0", "4294967293", "3"])

    def test_uniform_blocks_and_named_outputs(self):
        shader = self.write("block.frag", """#version 300 es
precision highp float;
precision highp int;
struct Lamp { vec3 color; float power; };
uniform Lights { uint count; Lamp lamp[2]; } lights;
uniform Eye { vec2 eye[2]; };
uniform uint u_big;
layout(location = 0) out vec4 color;
layout(location = 2) out uvec2 bits;
void main() {
    color = vec4(lights.lamp[1].color * lights.lamp[1].power, eye[1].y);
    bits = uvec2(u_big, lights.count);
}
""")
        given = ["--uniform", "lights.lamp[1].color=1,2,3", "--uniform", "Lights.lamp[1].power=2", "--uniform", "lights.count=7",
                 "--uniform", "eye[1]=5,6", "--uniform", "u_big=4000000000"]
        self.assertRegex(tessera("run", shader, *given).stdout,
                         r"o0 +color +2.0 4.0 6.0 6.0\n +o2 +bits +4000000000 7 0.0 0.0\n")
        wrong = tessera("run", shader, "--uniform", "lights.lamp[2].color=1,2,3")
        self.assertEqual(wrong.returncode, 1)
        self.assertRegex(wrong.stderr, r"no uniform 'lights.lamp\[2\].color'; its uniforms are u_big, lights.count, "
                                       r"lights.lamp\[0\].color, .*, eye, and registers below c\d+")
        self.assertIn("it takes 4", tessera("run", shader, "--uniform", "eye=1,2").stderr)
        said = subprocess.run([BUILD / "bin/tessera", "dbg", shader, *given], capture_output=True, text=True,
                              input="print lights.lamp[1].color\nprint eye\nprint u_big\ncontinue\nprint bits\nprint color.w\n").stdout
        for text in ("lights.lamp[1].color = 1.0 2.0 3.0 ", "eye = [0.0 0.0, 5.0 6.0] ", "u_big = 4000000000 ",
                     "bits = 4000000000 7 ", "color.w = 6.0 "):
            self.assertIn(text, said)

    def test_trace_limit_is_announced(self):
        program = self.write("a.tsa", ".vertex\nmov o0, 1.0\nmov o0, 2.0\nret\n")
        result = tessera("run", program, "--trace", "text", "--limit", 1)
        self.assertIn("the trace ends after 1 instructions", result.stderr)
        whole = tessera("run", program, "--trace", "text").stdout
        total = re.search(r"group 0: 3 instructions executed, \d+ cycles by the table", whole)[0]
        self.assertIn(total + "; the rest is not listed (--limit)\n", result.stdout)
        result = tessera("run", program, "--trace", "text", "--limit", -1)
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn("--limit: Value -1 not in range 0 to ", result.stderr)

    def test_wrong_input(self):
        program = self.write("a.tsa", ".vertex\n.input v0 a_where vec4\n.uniform c0 u_m mat2\n"
                                      "mul o0, v0, c0\nret\n")
        loop = self.write("loop.tsa", ".fragment\nloop\nendloop\nret\n")
        bad = self.write("bad.frag", "void main() { gl_FragColor = vec4(x); }\n")
        for arguments, status, words in [
            ((program, "--set", "a_wher=1"), 1, "its inputs are a_where"),
            ((program, "--set", "a_where=1,2,z"), 1, "column 5 of the value"),
            ((program, "--set", "a_where=1,2,3,4,5"), 1, "5 values given, it takes 4"),
            ((program, "--set", "a_where"), 1, "NAME=VALUE"),
            ((program, "--set", "a_where=1;2"), 1, "--lanes 2"),
            ((program, "--uniform", "u_m=1,2,3"), 1, "it takes 4 (column by column)"),
            ((program, "--uniform", "u_x=1"), 1, "its uniforms are u_m"),
            ((program, "--texture", "u=x.png"), 1, "its samplers are none"),
            ((program, "--lanes", 0), 2, "--lanes"),
            ((loop,), 1, "a loop does not end"),
            ((bad,), 1, "bad.frag:1:"),
            ((self.folder / "none.tsa",), 2, "cannot be read"),
            ((program, "--vcd", self.folder / "no" / "x.vcd"), 2, "cannot be written"),
        ]:
            result = tessera("run", *arguments)
            self.assertEqual(result.returncode, status, arguments)
            self.assertIn(words, result.stderr + result.stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
