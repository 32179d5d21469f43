#!/usr/bin/env python3
"""`tessera model`: every file that it writes is there, can be read, and is the same in every run; and each thing that
is wrong is said in one line that names the file, or the option.

Usage: options_test.py BUILD_DIR
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

BUILD = pathlib.Path(sys.argv[1])
FILES = {"--perfetto": "timeline.json", "--vcd": "waves.vcd", "--konata": "pipeline.log", "--requests": "requests"}
PLOTS = ("plot-use.svg", "plot-draws.svg", "plot-lines.svg")


def model(*arguments):
    return subprocess.run([BUILD / "bin" / "tessera", "model", *map(str, arguments)], capture_output=True, text=True,
                          stdin=subprocess.DEVNULL)


class Options(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        cls.frame = cls.folder / "frame.tsw"
        made = model("--save", cls.frame, "--summary", "--", BUILD / "bin" / "gears", "--headless", "--plain", "--quiet", "--frames", 2,
                     "--time", 1, "--size", "96x64", "--out", cls.folder / "gears.png")
        assert made.returncode == 0, made.stderr

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def said(self, *arguments):
        result = model(*arguments)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return result.stdout

    def outputs(self, name, what):
        """All files of one run, by name, and the report."""
        folder = self.folder / name
        folder.mkdir()
        options = [part for option, file in FILES.items() for part in (option, folder / file)]
        report = self.said(*options, "--plots", folder / "plot", "--json", what)
        self.assertEqual(sorted(file.name for file in folder.iterdir()), sorted([*FILES.values(), *PLOTS]))
        return {"report": report, **{file.name: file.read_text() for file in folder.iterdir()}}

    def check_outputs(self, name, what):
        first = self.outputs(f"{name}-first", what)
        self.assertEqual(first, self.outputs(f"{name}-second", what))
        report = json.loads(first["report"])
        cycles = report["cycles"]
        # Every cycle of every unit has a cause.
        lanes = {"lanes of block processor"}
        for unit in report["units"]:
            if unit["unit"] not in lanes:
                self.assertEqual(sum(unit["cycles"].values()), cycles, unit["unit"])
        for plot in PLOTS:
            self.assertTrue(xml.etree.ElementTree.fromstring(first[plot]).tag.endswith("svg"))
        # Whatever has a time lies within the run, and slices of a track do not overlap.
        ends = {}
        for event in json.loads(first["timeline.json"])["traceEvents"]:
            if event["ph"] != "X":
                continue
            track = event["pid"], event["tid"]
            self.assertGreaterEqual(event["ts"], ends.get(track, 0))
            ends[track] = event["ts"] + event["dur"]
            self.assertLessEqual(ends[track], cycles)
        self.assertTrue(ends)
        times = [int(time) for time in re.findall(r"^#(\d+)$", first["waves.vcd"], re.MULTILINE)]
        self.assertEqual(times, sorted(times))
        self.assertLessEqual(times[-1], cycles)
        wires = set(re.findall(r"^\$var wire \d+ (\S+) ", first["waves.vcd"], re.MULTILINE))
        changed = set(re.findall(r"^b[01]+ (\S+)$", first["waves.vcd"], re.MULTILINE))
        self.assertEqual(changed, wires)
        for queue in ("setup_to_rasterizer_1", "group_former_to_dispatch", "block_processor_3_to_texture_engine_15"):
            self.assertIn(f" {queue} $end", first["waves.vcd"])
        log = first["pipeline.log"].splitlines()
        self.assertEqual(log[0], "Kanata\t0004")
        begun = sum(line.startswith("I\t") for line in log)
        self.assertEqual(begun, sum(line.startswith("R\t") for line in log))
        self.assertEqual(begun, report["instructions"])
        self.check_requests(first["requests"], report["sdram"])

    def check_requests(self, requests, sdram):
        """A line of 64 bytes each; and the memory alone goes through all of them, no faster than its bus."""
        lines = [line.split() for line in requests.splitlines()]
        for kind, key in (("READ", "read"), ("WRITE", "written")):
            self.assertEqual(64 * sum(line[1] == kind for line in lines), sdram[key])
        file = self.folder / "requests"
        file.write_text(requests)
        for at_once in ((), ("--at-once",)):
            said = subprocess.run([BUILD / "bin" / "model_memory", *at_once, file], capture_output=True, text=True)
            self.assertEqual((said.returncode, said.stderr), (0, ""))
            count, cycles, latency = map(float, said.stdout.split())
            self.assertEqual(count, len(lines))
            self.assertGreaterEqual(cycles, 4 * count / 2)  # a line takes four cycles of one of two channels
            self.assertGreaterEqual(latency, 13 + 4)  # CL, and the line
        file.write_text("0x40 READ\n")
        wrong = subprocess.run([BUILD / "bin" / "model_memory", file], capture_output=True, text=True)
        self.assertEqual((wrong.returncode, wrong.stdout), (1, ""))
        self.assertIn("error: line 1: no request", wrong.stderr)

    def test_sensitivity(self):
        plot = self.folder / "tornado.svg"
        found = json.loads(self.said("--sensitivity", "--tornado", plot, "--json", self.frame))
        cycles = found["cycles"]
        self.assertEqual(cycles, json.loads(self.said("--json", self.frame))["cycles"])
        spreads = []
        for row in found["parameters"]:
            all_cycles = [cycles, *(row[side]["cycles"] for side in ("half", "twice") if side in row)]
            spreads.append(max(all_cycles) - min(all_cycles))
        self.assertEqual(spreads, sorted(spreads, reverse=True))
        name = found["parameters"][0]["name"]
        half = found["parameters"][0]["half"]
        again = json.loads(self.said("--json", "--set", f"{name}={half['value']}", self.frame))
        self.assertEqual(again["cycles"], half["cycles"])
        self.assertIn(name, self.said("--sensitivity", self.frame).splitlines()[3])
        xml.etree.ElementTree.fromstring(plot.read_text())

    def test_outputs_of_a_frame(self):
        self.check_outputs("frame", self.frame)

    def test_outputs_of_a_kernel(self):
        self.check_outputs("kernel", "reduction_sum")

    def test_answers(self):
        report = self.said(self.frame)
        for part in ("Units (of a kind together)", "Memory", "Lines, by the cycles"):
            self.assertIn(part, report)
        cycles = int(re.search(r": (\d+) cycles", report).group(1))
        for question in ("top", "draw 1", str(cycles // 2), f"rasterizer 1:{cycles - 1}"):
            answer = self.said("--why", question, self.frame)
            self.assertEqual(answer, self.said("--why", question, self.frame))
        self.assertIn("Root: ", self.said("--why", "top", self.frame))

    def test_options_that_ask_for_two_answers(self):
        for options in (("--why", "top", "--json"), ("--why", "run", "--sweep", "block.processors=1..2"),
                        ("--plots", "x", "--sweep", "block.processors=1..2")):
            result = model(*options, self.frame)
            self.assertEqual((result.returncode, result.stdout), (2, ""))
            self.assertRegex(result.stderr, r"^--\w+ excludes --\w+\n")

    def test_a_sweep_goes_on(self):
        results, front = self.folder / "sweep.csv", self.folder / "front.svg"
        sweep = ("--sweep", "block.processors=1..4", "--results", results, "--pareto", front, "--json", self.frame)
        first = model(*sweep)
        self.assertEqual(first.returncode, 0, first.stderr)
        xml.etree.ElementTree.fromstring(front.read_text())
        rows = results.read_text()
        results.write_text(rows[:rows.rstrip("\n").rfind("\n") + 1])  # the last point is lost
        self.assertEqual(model(*sweep).stdout, first.stdout)
        self.assertEqual(sorted(results.read_text().split()), sorted(rows.split()))

    def test_a_run_by_some_of_its_frames(self):
        run, size = self.folder / "run.tsw", 8
        whole = json.loads(self.said("--frames", "2..25", "--json", "--save", run, "--", BUILD / "bin" / "gears", "--headless", "--plain",
                                     "--quiet", "--frames", 100000, "--time", 1, "--size", "96x64", "--out",
                                     self.folder / "run.png"))
        sampled = json.loads(self.said("--sample", size, "--sample-check", "--threads", 2, "--json", run))
        self.assertEqual((sampled["frames"], sampled["modelled"]), (24, size))
        self.assertEqual(sampled["check"]["cycles"], whole["cycles"])
        for seconds in ("seconds", "sampled_seconds"):
            self.assertGreater(sampled["check"][seconds], 0)
        self.assertEqual(sum("cycles" in frame for frame in sampled["each"]), size)
        self.assertLessEqual(sampled["from"], whole["cycles"])
        self.assertGreaterEqual(sampled["to"], whole["cycles"])
        self.assertEqual(self.said("--sample", "auto", run), self.said("--sample", "auto", "--threads", 1, run))
        self.assertIn("as fast", self.said("--sample", "24", "--sample-check", run))
        for size in ("0", "25", "1", "some", ""):
            self.wrong(r"^--sample:1:1: error: ", "--sample", size, run)
        self.wrong(r"^--sample:1:1: error: there are no frames", "--sample", "auto", "reduction_sum")
        self.wrong(r"^--sample:1:1: error: 2 frames cannot be chosen from 1", "--sample", "2", self.frame)
        for other in ("--why", "--vcd", "--sweep"):
            self.assertIn(other + " excludes --sample", model("--sample", "auto", other, "top", run).stderr)
        self.assertIn("--sample-check requires --sample", model("--sample-check", run).stderr)

    def wrong(self, message, *arguments):
        result = model(*arguments)
        self.assertIn(result.returncode, (1, 2))
        self.assertEqual(result.stdout, "")
        self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
        self.assertRegex(result.stderr, message)

    def write(self, name, text):
        (self.folder / name).write_text(text)
        return self.folder / name

    def test_machines_that_are_none(self):
        self.wrong(r"^nope:1:1: error: no preset has this name; there are tessera, ", "--preset", "nope", self.frame)
        self.wrong(r"missing\.toml:1:1: error: cannot be read", "--preset", self.folder / "missing.toml", self.frame)
        for line, message in (("procesors = [4, 'ours: x']", r"2:1: error: no parameter is called block\.procesors; did you"),
                              ("processors = [0, 'ours: x']", r"2:\d+: error: block\.processors = 0 is out of range"),
                              ("processors = [", r"\d+:\d+: error: ")):
            self.wrong(r"bad\.toml:" + message, "--preset", self.write("bad.toml", f"[block]\n{line}\n"), self.frame)
        for assignment, message in (("block.procesors=2", r"1:1: error: no parameter is called"),
                                    ("block.processors=0", r"1:18: error: block\.processors = 0 is out of range"),
                                    ("sdram.channels=3", r"1:16: error: .*power of two"),
                                    ("block.processors", r"1:1: error: give NAME=VALUE")):
            self.wrong(re.escape(f"--set {assignment}:") + message, "--set", assignment, self.frame)

    def test_work_that_a_machine_has_no_room_for(self):
        self.wrong(r"frame\.tsw, .*program 1:\d+:\d+: error: egpu draws no pictures", "--preset", "egpu", self.frame)
        self.wrong(r"frame\.tsw, .*:\d+:\d+: error: tessera has 32 registers", "--set", "block.registers=32", self.frame)
        self.wrong(r"^fft_4096: error: fft: a block has 64 groups and 28672 registers", "--size", "paper", "fft_4096")
        shared = self.write("shared.tsa", ".compute\n.group 32\n.shared 4096\n.buffer b0 to\nld r0.x, shared[0]\nst b0[0], "
                            "r0.x\nret\n")
        self.wrong(r"shared\.tsa:\d+:\d+: error: tessera has 1024 bytes of shared memory", "--set", "block.shared_bytes=1024",
                   shared, "--buffer", "to=f32[1]")

    def test_questions_and_files_that_are_none(self):
        self.wrong(r"--why .*no unit is called \"texture engin\"; did you mean", "--why", "texture engin 3:5", self.frame)
        self.wrong(r"--why .*cycles are 0 to \d+", "--why", "99999999999", self.frame)
        self.wrong(r"^--sweep:1:1: error: no parameter is called nonsense", "--sweep", "nonsense=1..2", self.frame)
        self.wrong(r"^--sweep:1:18: error: the range ends below", "--sweep", "block.processors=4..1", self.frame)
        nowhere = self.folder / "nowhere" / "file"
        for option in (*FILES, "--plots", "--save"):
            self.wrong(r"nowhere/file.*: error: cannot be written", option, nowhere, self.frame)
        self.wrong(r"nowhere/file\.tsw: error: cannot be read", f"{nowhere}.tsw")
        self.wrong(r"frame\.tsw: error: --frames is for programs that are run", "--frame", 2, self.frame)
        self.wrong(r"frame\.tsw: error: one is modelled at a time, and fft_32 is another", self.frame, "fft_32")
        self.wrong(r"^fft_265: error: no program and no kernel is called so; did you mean the kernel fft_256\?", "fft_265")
        self.wrong(r"broken\.tsw: error: byte 0", self.write("broken.tsw", "TSW"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
