#!/usr/bin/env python3
"""What lines cost: `glslc --report`, `tessera run --cost` and the debugger's `cost` tell the same of the same line.

Usage: cost_test.py SOURCE_DIR BUILD_DIR
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

SOURCE, BUILD = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
SHADER = """precision highp float;
uniform sampler2D image;
varying vec2 at;
void main() {
    float sum = 0.0;
    for (int i = 0; i < 4; ++i)
        sum += at.x;
    gl_FragColor = texture2D(image, at) * sum;
}
"""
KERNEL = """.compute
.group 64
.buffer b0 from
.buffer b1 to
    mul.u32 r0.x, block.x, 64
    add.u32 r0.x, r0.x, thread.x
    shl.u32 r0.x, r0.x, 2
    ld r1.x, b0[r0.x]
    st b1[r0.x], r1.x
    ret
"""
BUFFERS = ("--grid", 4, "--buffer", "from=f32[256]", "--buffer", "to=f32[256]")


def tessera(*arguments):
    return subprocess.run([BUILD / "bin" / "tessera", *map(str, arguments)], capture_output=True, text=True,
                          stdin=subprocess.DEVNULL)


def by_line(cost):
    return {line["line"]: line for line in cost["lines"]}


class Cost(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.shader, self.kernel = self.write("a.frag", SHADER), self.write("copy.tsa", KERNEL)

    def write(self, name, text):
        (self.folder / name).write_text(text)
        return self.folder / name

    def said(self, *arguments):
        result = tessera(*arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def test_static_measured_and_modelled_of_a_shader(self):
        static = by_line(json.loads(self.said("glslc", "--report", "--json", self.shader))[0])
        self.assertNotIn("measured", static[7])
        group = ("--lanes", 8, "--set", "at=0.5,0.5", "--texture", f"image={SOURCE}/demos/assets/bricks.png")
        both = by_line(json.loads(self.said("run", self.shader, *group, "--cost", "--json"))["cost"])
        for number, line in static.items():
            self.assertEqual(both[number]["static"], line["static"])
        # Eight lanes add, four times.
        self.assertEqual(both[7]["measured"]["lanes"], 8 * 4)
        # A group's instruction takes four cycles of its port on the preset tessera.
        for line in both.values():
            self.assertEqual(line["modelled"]["issued"], 4 * line["measured"]["executed"])
        # The lookup misses a cold cache, so that the group waits for longer than the table says.
        self.assertGreater(both[8]["modelled"]["waited"]["texture"], both[8]["static"]["latency"])
        script = self.write("script", "cost json\nquit\n")
        out = self.said("dbg", self.shader, *group, "--script", script)
        shown = json.JSONDecoder().raw_decode(out[out.index("cost json") + len("cost json"):].lstrip())[0]
        self.assertEqual(by_line(shown), both)

    def test_static_cycles_are_the_presets(self):
        slow = self.write("slow.toml", "from = 'tessera'\n[instruction]\ntexture.latency = [100, 'ours: for this test']\n")
        usual, other = (json.loads(self.said("glslc", "--report", "--json", *preset, self.shader))[0]
                        for preset in ((), ("--preset", slow)))
        for path in ("shortest", "longest"):
            self.assertEqual(other[path] - usual[path], 100 - 32)
        self.assertEqual(by_line(other)[8]["static"]["latency"] - by_line(usual)[8]["static"]["latency"], 100 - 32)
        self.assertEqual(by_line(other)[7], by_line(usual)[7])

    def test_blocks_of_a_kernel(self):
        whole = by_line(json.loads(self.said("run", self.kernel, *BUFFERS, "--cost", "--json"))["cost"])
        self.assertEqual(whole[8]["measured"], {"executed": 8, "lanes": 256})
        self.assertEqual(whole[8]["modelled"]["issued"], 8 * 4)
        self.assertGreater(whole[8]["modelled"]["waited"]["sdram"], 60)
        script = self.write("script", "cost\nquit\n")
        out = self.said("dbg", self.kernel, *BUFFERS, "--at", 2, "--script", script)
        row = next(line for line in out.splitlines() if line.endswith("]") and "ld r1.x" in line)
        self.assertEqual(row.split()[:6], ["8", "1", "16", "2", "64", "8"])

    def test_the_kernel_runs_once_for_its_results(self):
        count = self.write("count.tsa", KERNEL.replace("ld r1.x, b0[r0.x]", "ld r1.x, b1[r0.x]")
                           .replace("st b1", "add r1.x, r1.x, 1.0\n    st b1"))
        counted = self.folder / "to.bin"
        self.said("run", count, *BUFFERS, "--out", f"to={counted}")
        once = counted.read_bytes()
        self.said("run", count, *BUFFERS, "--cost", "--out", f"to={counted}")
        self.assertEqual(counted.read_bytes(), once)

    def test_a_shader_in_a_frame(self):
        frame = self.folder / "frame.tsw"
        self.said("model", "--summary", "--save", frame, "--", BUILD / "bin" / "gears", "--headless", "--plain", "--quiet", "--frames", 2,
                  "--time", 1, "--size", "64x64", "--out", self.folder / "gears.png")
        report = json.loads(self.said("model", "--json", frame))
        modelled = next(program for program in report["programs"] if program["name"].startswith("vertex"))
        text = (SOURCE / "demos" / "gears.cpp").read_text().split('kVertexShader = R"(')[1].split(')"')[0]
        shader = self.write("gears.vert", text)
        shown = by_line(json.loads(self.said("glslc", "--report", "--json", "--workload", frame, shader))[0])
        for number, line in shown.items():
            issued = sum(one["cycles"] for one in modelled["instructions"] if one.get("line") == number)
            self.assertEqual(line["modelled"]["issued"], issued)
            self.assertEqual(line["measured"]["lanes"] % report["vertices"], 0)  # no branch: all vertices or none
        table = self.said("glslc", "--report", "--workload", frame, shader)
        self.assertIn("on the chip", table)
        self.assertIn("gl_Position = ", table)
        self.assertIn("Lines, by the cycles", self.said("model", frame))

    def test_what_is_wrong_is_said_in_a_line(self):
        for arguments, message in (
                (("glslc", "--report", "--workload", self.folder / "no.tsw", self.shader), "no.tsw: error: cannot be read"),
                (("glslc", "--report", "--workload", self.shader, self.shader), "a.frag: error: it is no workload"),
                (("glslc", "--report", "--preset", "no", self.shader), "no:1:1: error: no preset has this name"),
                (("run", self.kernel, *BUFFERS, "--cost", "--preset", "no"), "no:1:1: error: no preset has this name"),
                (("run", self.kernel, *BUFFERS, "--json"), "copy.tsa: error: --json does nothing")):
            result = tessera(*arguments)
            self.assertNotEqual(result.returncode, 0)
            self.assertIn(message, result.stderr)
            self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
        script = self.write("script", "cost all\nquit\n")
        self.assertEqual(tessera("dbg", self.shader, "--script", script).returncode, 1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
