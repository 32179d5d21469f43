#!/usr/bin/env python3
"""Scripted sessions of `tessera dbg`: on shaders with inputs, and on pixels of running programs.

Usage: dbg_test.py SOURCE_DIR BUILD_DIR
"""

import contextlib
import os
import pathlib
import pty
import re
import select
import struct
import subprocess
import sys
import tempfile
import termios
import time
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


JULIA = SOURCE / "demos" / "shaders" / "julia.frag"
# Eight pixels of a row of the Julia set.
JULIA_INPUTS = [JULIA, "--set", "v_texCoord=0..1,0.3", "--uniform", "u_scale=3", "--uniform", "u_constant=0.3,-0.2",
                "--lanes", "8"]
LINES = {text: number for number, text in enumerate(JULIA.read_text().splitlines(), 1)}


def line_of(fragment):
    number, = [number for text, number in LINES.items() if fragment in text]
    return number


def single(x):
    """Rounded to a float, as each operation of a shader is."""
    return struct.unpack("f", struct.pack("f", x))[0]


def julia(lane):
    """z before each step, computed here; the last one has left the circle."""
    x, y = single(single(single(lane / 7) - 0.5) * 3), single(single(single(0.3) - 0.5) * 3)
    points = []
    for _ in range(64):
        points.append((x, y))
        if single(y * y + single(x * x)) > 4.0:
            break
        real, imaginary = single(single(x * x) - single(y * y)), single(single(2 * x) * y)
        x, y = single(real + single(0.3)), single(imaginary + single(-0.2))
    return points


def numbers(text):
    """What stands between = and the place."""
    return [float(one) for one in text.split(" = ")[1].split("   (")[0].split()]


def listed(text):
    """name -> value, of the command locals."""
    return {line.split()[0]: line.split(None, 1)[1].strip() for line in text.splitlines()}


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
        self.assertTrue(out[2].startswith("v_at = 1.0 0.0 "))
        self.assertNotIn("     8  ", out[3])
        self.assertEqual(out[4].split("\n", 1)[1], out[1].split("\n", 1)[1])
        self.assertIn("exec 0x00000005", out[5])  # lane 1 has left the loop
        self.assertEqual(out[6], out[1])
        self.assertIn("at the start", out[7])

    def test_values_at_the_end_are_those_of_run(self):
        _, out = session(self.inputs, ["continue", "print gl_FragColor", "lane 1", "print gl_FragColor.x",
                                       "print gl_FragColor.x/x", "lane 2", "lanes"])
        self.assertTrue(out[1].startswith("gl_FragColor = 3.0 1.0 0.0 1.0 "))
        self.assertTrue(out[3].startswith("gl_FragColor.x = 3.0 "))
        self.assertTrue(out[4].startswith("gl_FragColor.x/x = 0x40400000 "))
        self.assertIn("d2", out[6])

    def test_the_first_nan_is_found(self):
        with tempfile.TemporaryDirectory() as folder:
            shader = pathlib.Path(folder) / "nan.frag"
            shader.write_text("precision highp float;\nvarying vec2 v_at;\nvoid main() {\n"
                              "    float sum = v_at.x + v_at.y;\n    float root = sqrt(v_at.x);\n"
                              "    gl_FragColor = vec4(root + sum, v_at, 1.0);\n}\n")
            inputs = [shader, "--set", "v_at=-1..1,0.5", "--lanes", "4"]
            before, (found, stepped, value, other, none) = session(inputs, ["nan", "stepi", "print root", "lane 3", "nan"])
        self.assertRegex(found, r"=> @\d+ +sqt ")
        self.assertIn("     5      float root = sqrt(v_at.x);", found)
        self.assertIn("nan", value)
        self.assertEqual(none, "no register of the lane is ever NaN\n")

    def test_watchpoints_stop_after_each_change(self):
        program = self.folder / "a.tsa"
        program.write_text(".vertex\nmov r0.x, 1.0\nmov r1.x, 5.0\nmov r0.x, 2.0\nmov r0.x, 2.0\nadd o0, r0.x, r1.x\nret\n")
        _, out = session([program], ["watch r0.x lane 2 if r0.x > 1.0", "delete 1", "breakpoints"])
        self.assertEqual(out, ["breakpoint 1: watch r0.x lane 2 if r0.x > 1.0\n", "", "none\n"])
        _, out = session([program], ["watch r0.x", "continue", "continue", "continue", "reverse-continue",
                                     "print r0.x", "breakpoints", "delete 1", "continue"])
        self.assertIn("@1 ", out[1])
        self.assertIn("@3 ", out[2])
        self.assertIn("at the end", out[3])
        self.assertIn("@3 ", out[4])
        self.assertTrue(out[5].startswith("r0.x = 2.0 "))
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
        self.assertTrue(out[1].startswith("r0.y = 7.0 "))
        self.assertEqual(out[3].split(), ["o0", "1.0", "7.0", "1.0", "1.0"])
        self.assertTrue(out[6].startswith("o0.y = 7.0 "))
        self.assertTrue(out[8].startswith("r0.y = 0.0 "))

    def test_vertices_in_several_groups(self):
        program = self.folder / "a.tsa"
        program.write_text(".vertex\n.input v0 a vec4\nadd o0, v0, 1.0\nret\n")
        _, out = session([program, "--lanes", "40", "--set", "a=0..39"],
                         ["break vertex 37", "continue", "print a.x", "group 0", "group"])
        self.assertIn("group 1", out[1])
        self.assertIn("lane 5 (vertex 37)", out[1])
        self.assertTrue(out[2].startswith("a.x = 37.0 "))
        self.assertIn("group 0", out[4])

    def test_a_breakpoint_stops_where_its_lane_executes(self):
        """`steps = i` is guarded: each lane reaches it once, with the i at which its point left the circle."""
        for lane in 0, 1:
            _, out = session(JULIA_INPUTS, [f"break {line_of('steps = i')} lane {lane}", "continue", "print i",
                    "continue"])
            guard = re.search(r"(?:guard|exec) (0x[0-9a-f]+), lane", out[1]).group(1)
            self.assertTrue(int(guard, 16) >> lane & 1, out[1])
            self.assertIn(f"lane {lane} ", out[1])
            self.assertEqual(numbers(out[2]), [len(julia(lane)) - 1])
            self.assertIn("at the end", out[3])
        # For any lane: never where none executes.
        _, out = session(JULIA_INPUTS, [f"break {line_of('steps = i')}"] + ["continue"] * 9)
        stops = [text for text in out if text.startswith("breakpoint 1: instruction")]
        self.assertGreater(len(stops), 1)
        for text in stops:
            self.assertNotIn("guard 0x00000000", text)

    def test_registers_show_what_was_written_to_them(self):
        _, out = session(JULIA_INPUTS, [f"break {line_of('z = vec2')} if i == 48", "lane 3", "continue", "print i",
                "print steps"])
        place = re.search(r"\((r\d+\.\w)", out[3]).group(1)
        _, out = session(JULIA_INPUTS, [f"break {line_of('z = vec2')} if i == 5", "continue", f"print {place}",
                                        f"print {place}/f", f"print/x {place}", f"lanes {place}", "registers r"])
        self.assertTrue(out[2].startswith(f"{place} = 5 "), out[2])
        self.assertTrue(out[3].startswith(f"{place}/f = 7e-45 "), out[3])
        self.assertTrue(out[4].startswith(f"{place} = 0x00000005 "), out[4])
        self.assertIn("*5", out[5])
        self.assertIn(" 64 ", out[6])
        self.assertNotIn("e-4", out[6])

    def test_the_last_write_decides_how_a_register_is_printed(self):
        """An integer and a float that compares them, and what moves make of both."""
        program = self.folder / "types.tsa"
        program.write_text(".vertex\n.input v0 x vec4\n.input v1 n ivec4\n.uniform c0 k int\n.uniform c0.y f float\n"
                           ".uniform c1 b bool\n"
                           "f2i.i32 r0.x, x.x\nseq.i32 r0.y, r0.x, 3\nmov r0.z, r0.x\nmov.u32 r0.w, -r0.x\n"
                           "mov r1.x, k\nmov.i32 r1.y, r0.y\nseq.i32 p1, r0.x, 3\nmov.i32 r1.z, -p1\nmov r1.w, p1\n"
                           "mov o0, r0\nmov o2, r1\nret\n")
        _, out = session([program, "--set", "x=3", "--set", "n=7,8,9,10", "--uniform", "k=5", "--uniform", "f=2",
                          "--uniform", "b=true"],
                         ["print r0", "continue", "print r0", "print r1", "print o0", "print o2", "print p1",
                          "print v1", "print c0.xy", "print v0.x", "print c1.x", "print b", "print r0.y/i"])
        values = [text.split("   (")[0].split(" = ")[1] for text in out[:1] + out[2:]]
        self.assertEqual(values, ["0.0 0.0 0.0 0.0", "3 1.0 3 4294967293", "5 1.0 -1 1.0", "3 1.0 3 4294967293",
                                  "5 1.0 -1 1.0", "1", "7 8 9 10", "5 2.0", "3.0", "1.0", "true", "1065353216"])

    def test_locals_have_the_values_that_the_source_gives_them(self):
        """z and i before each test of the loop, against the iteration computed here."""
        for lane in 0, 3, 5:
            points = julia(lane)
            commands = [f"lane {lane}", f"break {line_of('if (dot')} lane {lane}"]
            for _ in points:
                commands += ["continue", "print z", "print i", "print steps"]
            _, out = session(JULIA_INPUTS, commands)
            for number, point in enumerate(points):
                at = 2 + 4 * number
                self.assertEqual([single(x) for x in numbers(out[at + 1])], list(point), (lane, number))
                self.assertEqual(numbers(out[at + 2]), [number])
                self.assertEqual(numbers(out[at + 3]), [64])
        _, out = session(JULIA_INPUTS, [f"break {line_of('gl_FragColor =')}", "continue", "locals", "lanes steps"])
        self.assertEqual(listed(out[2])["steps"], str(len(julia(0)) - 1 if len(julia(0)) < 64 else 64))
        self.assertNotIn("i", listed(out[2]))  # out of scope

    def test_variables_of_samples_are_there_by_their_names(self):
        self.shader.write_text("""#version 300 es
#extension GL_OES_sample_variables : require
precision highp float;
out vec4 color;
void main() {
    color = vec4(gl_SampleID, gl_SamplePosition, gl_NumSamples);
    color.x += float(gl_SampleMaskIn[0]);
    gl_SampleMask[0] = 3;
}
""")
        # z and w of point_coord: sample 2 of four, at 1/8 and 5/8 of the pixel, with the first three covered.
        sample, samples = 2 | 32 << 8 | 160 << 16, 7 | 4 << 8
        as_float = lambda word: repr(struct.unpack("f", struct.pack("I", word))[0])  # noqa: E731
        _, out = session([self.shader, "--set", f"gl_PointCoord=0,0,{as_float(sample)},{as_float(samples)}"],
                         ["break 7", "continue", "print gl_SampleID", "print gl_SamplePosition", "print gl_NumSamples",
                          "print gl_SampleMaskIn[0]", "locals", "break 8", "continue", "step", "print gl_SampleMask[0]"])
        self.assertTrue(out[2].startswith("gl_SampleID = 2 "), out[2])
        self.assertTrue(out[3].startswith("gl_SamplePosition = 0.125 0.625 "), out[3])
        self.assertTrue(out[4].startswith("gl_NumSamples = 4 "), out[4])
        self.assertTrue(out[5].startswith("gl_SampleMaskIn[0] = 4 "), out[5])
        self.assertLessEqual({"gl_SampleID", "gl_SamplePosition", "gl_NumSamples", "gl_SampleMaskIn", "gl_SampleMask"},
                             set(listed(out[6])))
        # Without any the target has one sample, in the middle of the pixel.
        _, out = session([self.shader], ["break 7", "continue", "print gl_SampleID", "print gl_SamplePosition",
                                         "print gl_NumSamples"])
        self.assertTrue(out[2].startswith("gl_SampleID = 0 "), out[2])
        self.assertTrue(out[3].startswith("gl_SamplePosition = 0.5 0.5 "), out[3])
        self.assertTrue(out[4].startswith("gl_NumSamples = 1 "), out[4])

    def test_what_was_optimised_away_says_so(self):
        shader = self.folder / "b.frag"
        shader.write_text("precision highp float;\nvarying vec2 v_at;\nvoid main() {\n    float never = v_at.x * 3.0;\n"
                          "    float folded = 2.0 * 4.0;\n    float used = v_at.y + folded;\n"
                          "    gl_FragColor = vec4(used * used);\n}\n")
        _, out = session([shader, "--set", "v_at=1,2"],
                         ["break 7", "continue", "print never", "print folded", "print used", "print never + used",
                          "set folded 3"], status=1)
        self.assertIn("<optimised away", out[2])
        self.assertEqual(numbers(out[3]), [8])
        self.assertEqual(numbers(out[4]), [10])
        self.assertTrue(out[5].startswith("error: <optimised away"))
        self.assertIn("constant", out[6])

    def test_scopes_types_and_inlined_functions(self):
        shader = self.folder / "c.vert"
        shader.write_text("""attribute vec4 a;
struct Light { vec3 colour; float range; };
float twice(float x) {
    float doubled = x + x;
    return doubled * a.w;
}
void main() {
    Light light;
    light.colour = a.xyz * 2.0;
    light.range = a.w + 1.0;
    mat2 m = mat2(a.x, a.y, a.z, a.w);
    bool big = a.x > 0.5;
    float sum = 0.0;
    float list[3];
    for (int i = 0; i < 3; ++i) {
        list[i] = a.x * float(i);
        sum += list[i];
    }
    float first = twice(a.y);
    float second = twice(a.z);
    vec2 product = m * light.colour.xy;
    if (big) product += first;
    gl_Position = vec4(product, sum + list[2] * light.range, second);
}
""")
        truth = {"light.colour": [[2, 4, 6]], "light.range": [[5]], "m": [[1, 2, 3, 4]], "sum": [[0], [1], [3]],
                 "x": [[2], [3]], "doubled": [[4], [6]], "first": [[16]], "second": [[24]], "i": [[0], [1], [2], [3]],
                 "list": [[0, 1, 2]], "product": [[14, 20], [30, 36]]}
        _, out = session([shader, "--set", "a=1,2,3,4"], ["locals", "stepi"] * 40)
        seen = set()
        for text in out[::2]:
            for name, value in ({} if "no variable" in text else listed(text)).items():
                if "<" in value:
                    continue
                got = [{"true": 1.0, "false": 0.0}.get(one) if one in ("true", "false") else float(one)
                       for one in re.findall(r"-?[\d.]+|true|false", value)]
                seen.add(name)
                self.assertIn(got, truth.get(name, [[1]]), (name, value))
        self.assertLessEqual({"x", "doubled", "first", "product"}, seen | {"x"})
        self.assertGreaterEqual(len(seen), 5, seen)

    def test_functions_that_are_called(self):
        shader = self.folder / "called.frag"
        statements = "\n".join(f"    step = x * {k}.0; total += step;" for k in range(100))
        calls = "\n".join(f"    sum += scale(v_at.x, {k}.0);" for k in range(100))
        shader.write_text("precision highp float;\nvarying vec2 v_at;\nfloat total = 0.0;\n"
                          f"float scale(float x, float y) {{\n    float step;\n{statements}\n"
                          "    float scaled = x * y;\n    return scaled + step;\n}\n"
                          f"void main() {{\n    float sum = 0.0;\n{calls}\n    gl_FragColor = vec4(sum + total);\n}}\n")
        source = shader.read_text().splitlines()
        inside = 1 + next(n for n, text in enumerate(source) if "x * 40.0" in text)
        behind = 1 + next(n for n, text in enumerate(source) if "(v_at.x, 2.0)" in text)
        _, out = session([shader, "--set", "v_at=2,0"],
                         [f"break {inside}", "continue", "continue", "locals", "stack", "finish", "locals", "delete",
                          f"break {behind}", "continue", "step", "locals"])
        self.assertIn(", in scale", out[1])
        values = listed(out[3])
        self.assertIn("2.0", values["x"])
        self.assertIn("1.0", values["y"])  # the second call
        self.assertIn("total", values)
        self.assertIn("call lanes that returned", out[4])
        self.assertNotIn(", in scale", out[5])
        self.assertIn("total", listed(out[6]))
        self.assertNotIn("x", listed(out[6]))
        self.assertIn("y", listed(out[-1]) | listed(out[3]))

    def test_aliases(self):
        program = self.folder / "a.tsa"
        program.write_text(".vertex\n.input v0 at vec4\n.alias r0.x count\n.alias r1.yz pair\n.alias p1 small\n"
                           "mov.i32 count, 48\nadd pair, at.xxy, 1.0\nslt small, at.x, 5.0\nadd.i32 count, count, 1\n"
                           "mov o0, pair\nret\n")
        for file in program, self.folder / "a.tsb":
            if file.suffix == ".tsb":
                subprocess.run([BUILD / "bin" / "tessera", "as", program, "-o", file], check=True)
            _, out = session([file, "--set", "at=1,2;7,8", "--lanes", "2"],
                             ["watch count", "stepi", "print count", "stepi 2", "print pair", "print small",
                                     "lanes pair",
                              "continue", "print count", "set count 3", "print count + 1", "locals", "lanes count/x"])
            self.assertTrue(out[2].startswith("count = 48   (r0.x, lane 0"), out[2])
            self.assertEqual(numbers(out[4]), [2, 3])
            self.assertIn("(r1.yz, ", out[4])
            self.assertEqual(numbers(out[5]), [1])
            self.assertIn("*2", out[6])
            self.assertIn("*8", out[6])
            self.assertIn("breakpoint 1: ", out[7])
            self.assertEqual(numbers(out[8]), [49])
            self.assertEqual(numbers(out[10]), [4])
            self.assertEqual(listed(out[11]), {"count": "3", "pair": "2.0 3.0", "small": "1"})
            self.assertIn("0x00000031", out[12])

    def test_expressions(self):
        truth = [("1 + 2 * 3", "7"), ("(1 + 2) * 3", "9"), ("7 / 2", "3"), ("7.0 / 2", "3.5"), ("-7 % 4", "-3"),
                 ("v_at.x * 2 + 1", "3.0"), ("v_at * vec2(2, 3)", "2.0 0.0"), ("v_at.yx", "0.0 1.0"), ("v_at[0]", "1.0"),
                 ("v_at == vec2(1, 0)", "true"), ("v_at.x > 0.5 && !(v_at.y > 0.5)", "true"), ("1 < 2 || 1 / 0 == 1",
                         "true"),
                 ("u_limit - 0.5", "1.5"), ("0.1 + 0.2", "0.3"), ("16777216.0 + 1.0", "16777216.0"), ("0x10", "16"),
                 ("float(3) / 2.0", "1.5"), ("int(2.9)", "2"), ("1.0 / 0.0", "inf")]
        _, out = session(self.inputs, ["print " + text for text, _ in truth])
        for (text, value), answer in zip(truth, out):
            expected = "0.3" if text == "0.1 + 0.2" else value
            self.assertTrue(answer.startswith(f"{text} = {expected} " if value == expected else f"{text} = {expected}"), answer)
        wrong = ["1 +", "(1", "1 / 0", "v_at + vec3(1)", "v_at.z", "v_at.xg", "v_at[5]", "1.5 % 2", "true + 1", "sin(1.0)", "1 2",
                 "v_at && true", "(" * 500, "-" * 900 + "1", "9" * 40, "vec2(1.0)[x]", "1.0 == 1u", "$"]
        _, out = session(self.inputs, ["print " + text for text in wrong], status=1)
        for text, answer in zip(wrong, out):
            self.assertTrue(answer.startswith("error: "), (text, answer))

    def test_conditions(self):
        _, out = session(self.inputs, ["break 8 if sum >= 1.0 && v_at.x < 2.0", "continue", "print sum", "continue",
                                       "print sum", "condition 1 sum == 0.0", "breakpoints", "restart", "continue",
                                       "print sum", "continue", "condition 1", "restart", "continue", "continue"])
        self.assertEqual(numbers(out[2]), [1])
        self.assertEqual(numbers(out[4]), [2])
        self.assertIn("line 8 if sum == 0.0", out[6])
        self.assertIn("at the start", out[7])
        self.assertEqual(numbers(out[9]), [0])
        self.assertIn("at the end", out[10])
        self.assertIn("breakpoint 1", out[14])
        _, out = session(self.inputs, ["break 8 if", "break 8 if 1 +", "condition 7 true", "break 8 lane 1 else"],
                status=1)
        for answer in out:
            self.assertTrue(answer.startswith("error: "), answer)

    def test_conditions_that_can_hold_nowhere_are_refused(self):
        wrong = [("break 8 if nope > 1", "'nope' is no variable"), ("break 8 if nope", "'nope' is no variable"),
                 ("break 8 if v_at", "a condition is a scalar"), ("break 8 if r700.x", "'r700' is no variable"),
                 ("break 8 if 1 / 0 == 1 || nope", "'nope' is no variable"), ("break @3 if c99.x", "no such register"),
                 ("break 8 if v_at && true", "&& and || take scalars"), ("watch sum if nope", "'nope' is no variable"),
                 ("break lane 1 if nope", "'nope' is no variable"), ("break 8 if thread.x", "'thread' is no variable"),
                 ("break 8 if v_at[5] > 0.0", "there is no element 5")]
        _, out = session(self.inputs, [command for command, _ in wrong] +
                         ["breakpoints", "break 8 if sum > 100.0", "condition 1 nope", "breakpoints"], status=1)
        for (command, words), answer in zip(wrong, out):
            self.assertTrue(answer.startswith("error: "), (command, answer))
            self.assertIn(words, answer)
        self.assertEqual(out[-4], "none\n")
        self.assertIn("'nope' is no variable", out[-2])
        self.assertEqual(out[-1], " 1  line 8 if sum > 100.0\n")  # what it was before

    def test_a_condition_that_fails_in_a_lane_stops_there_and_says_why(self):
        _, out = session(self.inputs, ["break 8 lane 1 if 1 / 0 == 1", "continue", "delete", "restart",
                                       "break 12 if i == 3", "continue", "reverse-continue", "reverse-stepi", "continue"])
        told, stop = out[1].split("\n", 1)
        self.assertEqual(told, "the condition 1 / 0 == 1 has no value in lane 1: division by zero")
        self.assertTrue(stop.startswith("breakpoint 1: instruction"), stop)
        self.assertIn("lane 1 ", stop)
        for text in out[5], out[8]:  # i is a variable, but not in that line
            self.assertIn("the condition i == 3 has no value in lane 1: 'i' is no variable", text)
            self.assertIn("\nbreakpoint 2: instruction", text)

    def test_registers_that_a_capture_does_not_have(self):
        program = [BUILD / "bin" / "gears", "--headless", "--plain", "--frames", "1", "--time", "1.5", "--size", "32x24", "--out",
                   self.folder / "x.png"]
        _, out = session(["--pixel", "16,12", "--", *program], ["print gl_FragCoord.x", "break @0 if gl_FragCoord.x > 1.0"],
                         status=1)
        self.assertIn("gl_FragCoord.x = <not available: the program does not read it>", out[0])
        self.assertEqual(out[1], "error: <not available: the program does not read it>\n")

    def test_elements_of_arrays_of_structures(self):
        shader = self.folder / "lights.frag"
        shader.write_text("precision highp float;\nstruct Light { vec3 color; float range; };\nuniform Light u_lights[2];\n"
                          "void main() {\n    gl_FragColor = vec4(u_lights[0].color + u_lights[1].color, 1.0);\n}\n")
        _, out = session([shader], ["print u_lights[1].color", "print u_lights[9].color", "print u_lamps[9].color"],
                         status=1)
        self.assertTrue(out[0].startswith("u_lights[1].color = 0.0 0.0 0.0 "), out[0])
        self.assertEqual(out[1], "error: index 9 is outside of the elements of 'u_lights' that the program has: 0 to 1\n")
        self.assertIn("'u_lamps' is no variable", out[2])

    def test_finish_until_restart_and_display(self):
        program = self.folder / "a.tsa"
        program.write_text(".vertex\n.input v0 at vec4\nmov r1, at\ncall outer\nmov o0, r1\nret\nouter:\nadd r1, r1, 1.0\n"
                           "call inner\nadd r1, r1, 100.0\nret\ninner:\nadd r1, r1, 10.0\nret\n")
        _, out = session([program, "--set", "at=1"], ["display r1.x", "until 13", "finish", "finish", "finish",
                                                    "restart", "print r1.x", "undisplay 1", "until 8"])
        self.assertIn(" 1: r1.x = 0.0 ", out[0])
        self.assertIn(" 1: r1.x = 2.0 ", out[1])
        self.assertIn("add r1, r1, 100.0", out[2])
        self.assertIn(" 1: r1.x = 12.0 ", out[2])
        self.assertIn("mov o0, r1", out[3])
        self.assertIn(" 1: r1.x = 112.0 ", out[3])
        self.assertIn("at the end", out[4])
        self.assertIn("at the start", out[5])
        self.assertTrue(out[6].startswith("r1.x = 0.0 "))
        self.assertNotIn("1: r1.x", out[8])

    def test_a_terminal_has_editing_completion_and_a_history(self):
        state = self.folder / "state"

        def type_into(*keys, arguments=self.inputs, interrupts_continue=False):
            pid, terminal = pty.fork()
            if pid == 0:
                os.environ.update(TERM="xterm", XDG_STATE_HOME=str(state), HOME=str(self.folder),
                                  ASAN_OPTIONS="detect_leaks=0")  # libedit does not free the names of functions
                os.execv(BUILD / "bin" / "tessera", ["tessera", "dbg", *map(str, arguments)])
            told = b""

            def read_until(pattern, since):
                nonlocal told
                end = time.monotonic() + 20
                while not re.search(pattern, told[since:], re.DOTALL):
                    self.assertLess(time.monotonic(), end, told)
                    if not select.select([terminal], [], [], 0.2)[0]:
                        continue
                    try:
                        told += os.read(terminal, 4096)
                    except OSError:
                        return

            def wait_for_editor():
                """The editor takes the keys a moment after it has shown its prompt; until then they are the terminal's."""
                end = time.monotonic() + 20
                while termios.tcgetattr(terminal)[3] & termios.ICANON:
                    self.assertLess(time.monotonic(), end, told)
                    time.sleep(0.01)

            def wait_for_command():
                end = time.monotonic() + 20
                while not termios.tcgetattr(terminal)[3] & termios.ICANON:
                    self.assertLess(time.monotonic(), end, told)
                    time.sleep(0.01)
                time.sleep(0.3)  # it is in its loop by then

            read_until(rb"\(tessera\) ", 0)
            for text, mark in keys:
                since = len(told)
                wait_for_editor()
                os.write(terminal, text)
                if interrupts_continue and text == b"continue\r":
                    wait_for_command()
                    os.write(terminal, b"\x03")
                read_until(re.escape(mark) + rb".*\(tessera\) ", since)
            wait_for_editor()
            os.write(terminal, b"quit\r")
            self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), 0)
            os.close(terminal)

        # "pri", tab, "u_l", tab; then the cursor goes back to change a digit: 11 becomes 21.
        type_into((b"pri\tu_l\t\r", b"u_limit = 2.0 "), (b"print 11\x02\x02\x042\r", b"21 = 21 "))
        self.assertIn("u_limit", (state / "tessera" / "history").read_text())
        # Up, up, up: quit, the second and the first line of the session before.
        type_into((b"\x10\x10\x10\r", b"u_limit = 2.0 "))

        # Ctrl-C: at the prompt it drops the line, and a move ends where it has come to.
        program = self.folder / "never.tsa"
        program.write_text(".compute\n.group 32\nloop\nendloop\nret\n")
        type_into((b"print 1\x03", b"^C"), (b"print 7 + 1\r", b"7 + 1 = 8 "), (b"continue\r", b"interrupted: instruction #"),
                  (b"print 5 + 5\r", b"5 + 5 = 10 "), (b"stepi 2\r", b"instruction #"), (b"\x03", b"^C"),
                  (b"restart\r", b"at the start: instruction #0"), (b"stepi 2\r", b"instruction #2,"),
                  arguments=[program], interrupts_continue=True)

    def test_a_terminal_without_libedit_has_plain_lines(self):
        (self.folder / "libedit.so.2").touch()  # the loader takes it for libedit, and cannot load it
        pid, terminal = pty.fork()
        if pid == 0:
            os.environ["LD_LIBRARY_PATH"] = str(self.folder)
            os.execv(BUILD / "bin" / "tessera", ["tessera", "dbg", *map(str, self.inputs)])
        os.write(terminal, b"print 1 + 1\nquit\n")
        told = b""
        with contextlib.suppress(OSError):  # the end of a terminal
            while more := os.read(terminal, 4096):
                told += more
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), 0)
        os.close(terminal)
        self.assertRegex(told.decode(), r"tessera dbg: lines have no editing, .*libedit\.so\.2: .*; Debian's package is "
                                        r"libedit2\r\n")
        self.assertIn("1 + 1 = 2 ", told.decode())

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
            program = [BUILD / "bin" / demo, "--headless", "--plain", "--frames", "1", "--time", "1.5", "--size", "320x240",
                       "--out", self.folder / "x.png"]
            told = subprocess.run([BUILD / "bin" / "tessera", "explain", "--pixel", pixel, "--", *program],
                                  capture_output=True, text=True).stdout
            color = re.findall(r"instructions, color (.*)", told)[-1]
            kept = self.folder / f"{demo}.capture"
            start, out = session(["--pixel", pixel, "--save", kept, "--", *program],
                                 ["continue", "print o0", "reverse-continue", "list"])
            self.assertIn(f"pixel {pixel} of frame 0", start)
            self.assertEqual(numbers(out[1]), [float(one) for one in color.split()], demo)
            self.assertIn("=> @0", out[3])
            _, again = session(["--capture", kept], ["continue", "print o0"])
            self.assertEqual(again[1], out[1])

    def test_the_vertices_of_a_pixels_primitive(self):
        """Three vertices, and the position that the debugger computes for each lies in the view volume or near it."""
        program = [BUILD / "bin" / "isa-triangle", "--headless", "--plain", "--frames", "1", "--time", "0.4", "--size", "320x240",
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
        program = [BUILD / "bin" / "textured", "--headless", "--plain", "--frames", "1", "--time", "1.5", "--size", "32x24",
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
        # Arrays in arrays without an end, and one of more elements than there is memory.
        for hostile in (b"\x81" * 2_000_000, b"\x9b" + b"\xff" * 7 + b"\xfe"):
            kept.write_bytes(hostile)
            result = subprocess.run([BUILD / "bin" / "tessera", "dbg", "--capture", kept], capture_output=True, text=True)
            self.assertEqual((result.returncode, "it is no capture of a group" in result.stderr), (1, True), result)

    def test_what_cannot_be_debugged(self):
        gears = [BUILD / "bin" / "gears", "--headless", "--plain", "--frames", "1", "--size", "32x24", "--out",
                 self.folder / "x.png"]
        for arguments, status, words in [
            (["--pixel", "0,0", "--", *gears], 1, "no program was run for pixel 0,0"),
            (["--pixel", "x", "--", *gears], 1, "is no pixel"),
            (["--pixel", "900,900", "--", *gears], 1, "the surface has no pixel 900,900; it is 32 x 24"),
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
