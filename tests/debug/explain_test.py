#!/usr/bin/env python3
"""`tessera explain`: its account of 1,000 random pixels agrees with the framebuffer to the byte.

The framebuffer is the picture that the program itself reads back and writes. Each account must also hang together:
it begins with the frame's clear, every event begins with what the one before left, samples change only where they were
covered and passed, and what changes without blending is what the program computed. The checks are shown to fail for
accounts that were tampered with. And programs that never come to the frame end with a message, and with nothing left.

Usage: explain_test.py SOURCE_DIR BUILD_DIR
"""

import copy
import json
import operator
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import zlib

SOURCE, BUILD = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
SIZE = 400, 300
DEMOS = {
    "gears": ["--time", "1.5"],
    "textured": ["--time", "0.7"],
    "cube": ["--time", "2.5"],
    "isa-triangle": ["--time", "0.4"],
    "gears --wireframe": ["--time", "1.5"],
}
PIXELS = 200  # of each
DRAWN = {"gears": 40, "textured": 40, "cube": 10, "isa-triangle": 20, "gears --wireframe": 2}  # of them, at least
COMPARE = {"GL_NEVER": lambda a, b: False, "GL_LESS": operator.lt, "GL_LEQUAL": operator.le, "GL_EQUAL": operator.eq,
           "GL_GREATER": operator.gt, "GL_GEQUAL": operator.ge, "GL_NOTEQUAL": operator.ne,
           "GL_ALWAYS": lambda a, b: True}


def explain(arguments, program, expect=0):
    result = subprocess.run([BUILD / "bin" / "tessera", "explain", *map(str, arguments), "--", *map(str, program)],
                            capture_output=True, text=True,
                            env={key: value for key, value in os.environ.items() if key != "DISPLAY"})
    assert result.returncode == expect, result.stderr
    return result


def read_png(path):
    """Width, height and rows of four bytes a pixel, from the top; 8-bit RGBA without interlace."""
    data = path.read_bytes()
    at, packed, width, height = 8, b"", 0, 0
    while at < len(data):
        length, kind = int.from_bytes(data[at:at + 4], "big"), data[at + 4:at + 8]
        chunk = data[at + 8:at + 8 + length]
        if kind == b"IHDR":
            width, height = int.from_bytes(chunk[:4], "big"), int.from_bytes(chunk[4:8], "big")
            assert chunk[8:] == b"\x08\x06\0\0\0"
        if kind == b"IDAT":
            packed += chunk
        at += 12 + length
    raw, stride, rows = zlib.decompress(packed), width * 4, []
    above = bytearray(stride)
    for y in range(height):
        kind, row = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        for i in range(stride):
            left, up, corner = (row[i - 4] if i >= 4 else 0), above[i], (above[i - 4] if i >= 4 else 0)
            if kind == 4:
                paeth = left + up - corner
                distances = abs(paeth - left), abs(paeth - up), abs(paeth - corner)
                guess = (left, up, corner)[distances.index(min(distances))]
            else:
                guess = (0, left, up, (left + up) // 2)[kind]
            row[i] = (row[i] + guess) & 255
        rows.append(bytes(row))
        above = row
    return width, height, rows


def mean(samples):
    if len(samples) == 1:
        return [int(value) for value in samples[0]["color"]]
    return [int(sum(sample["color"][c] for sample in samples) + 2) // 4 for c in range(4)]


class Explain(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def check_event(self, event, state):
        """Against the rules of the specification, apart from the driver's own arithmetic."""
        for i, sample in enumerate(event["samples"]):
            before, after = event["before"][i], event["after"][i]
            passed = sample["covered"] and sample["stencilPass"] and sample["depthPass"] and not event["discarded"]
            if not passed:
                self.assertEqual(before["color"], after["color"])
                self.assertEqual(before.get("depth"), after.get("depth"))
            elif not state["blend"] and not state["alphaToCoverage"] and event["shaded"] and state["colorMask"] == 15:
                wanted = [min(max(value, 0.0), 1.0) * 255 for value in event["color"]]
                for c in range(3):
                    self.assertLessEqual(abs(wanted[c] - after["color"][c]), 0.5001)
            if passed and state.get("depthWrite"):
                self.assertEqual(after["depth"], sample["depth"])
            if state["depthTest"] and sample["covered"]:
                expected = COMPARE[state["depthFunc"]](sample["depth"], before["depth"])
                self.assertEqual(sample["depthPass"], expected)
        if event["shaded"]:
            self.assertGreater(event["instructions"], 0)

    def check_pixel(self, report, pixel):
        """The value that the account of a pixel of the surface ends with. The frame's clear is its first event."""
        histories = [history for history in pixel["histories"] if history["surface"]]
        self.assertEqual(len(histories), 1, "a pixel without history")
        self.assertGreater(len(histories[0]["events"]), 0, "a history without events")
        last = None
        for event in histories[0]["events"]:
            if last is None:
                self.assertNotIn("samples", event, "the history begins with a draw")
            else:
                self.assertEqual(event["before"], last)
            last = event["after"]
            if "samples" in event:
                self.check_event(event, report["commands"][event["command"]]["state"])
        self.assertEqual(mean(last), pixel["framebuffer"])
        return mean(last)

    def run_pixels(self, program, pixels, arguments=()):
        (self.folder / "pixels").write_text("".join(f"{x},{y}\n" for x, y in pixels))
        text = explain(["--pixels", self.folder / "pixels", "--json", "--let-finish", *arguments], program).stdout
        report = json.loads(text)
        self.assertTrue(report["complete"])
        self.assertEqual([(pixel["x"], pixel["y"]) for pixel in report["pixels"]], pixels)
        return report

    def test_a_thousand_pixels_of_the_demos(self):
        choose = random.Random(1)
        for name, options in DEMOS.items():
            picture = self.folder / "picture.png"
            demo, *flags = name.split()
            program = [BUILD / "bin" / demo, *flags, *options, "--headless", "--plain", "--frames", "1",
                       "--size", "%dx%d" % SIZE, "--out", picture]
            pixels = [(choose.randrange(SIZE[0]), choose.randrange(SIZE[1])) for _ in range(PIXELS)]
            report = self.run_pixels(program, pixels)
            width, height, rows = read_png(picture)
            self.assertEqual((width, height), SIZE)
            drawn = 0
            for pixel in report["pixels"]:
                value = self.check_pixel(report, pixel)
                x, y = pixel["x"], pixel["y"]
                self.assertEqual(value[:3], list(rows[y][x * 4:x * 4 + 3]), (name, x, y))
                drawn += any("samples" in event for history in pixel["histories"] for event in history["events"])
            self.assertGreater(drawn, DRAWN[name], name)  # not only the background

    def test_accounts_that_were_tampered_with_are_found(self):
        program = [BUILD / "bin" / "gears", "--headless", "--plain", "--frames", "1", "--time", "1.5", "--size", "400x300",
                   "--out", self.folder / "x.png"]
        report = self.run_pixels(program, [(x, y) for x in range(20, 400, 40) for y in range(20, 300, 40)])
        pixels = report["pixels"]
        for pixel in pixels:
            self.check_pixel(report, pixel)
        # A pixel where a second primitive covers a first one, and one of them fails the depth test.
        overdrawn = [pixel for pixel in pixels if len(pixel["histories"][0]["events"]) == 3
                     and not pixel["histories"][0]["events"][2]["samples"][0]["depthPass"]]
        self.assertGreater(len(overdrawn), 0)

        def history(pixel):
            return pixel["histories"][0]["events"]

        def differ(color):
            color[1] = (color[1] + 9) % 256

        for tamper in [lambda pixel: pixel["histories"].clear(),
                       lambda pixel: history(pixel).clear(),
                       lambda pixel: history(pixel).pop(0),
                       lambda pixel: history(pixel).pop(1),
                       lambda pixel: differ(pixel["framebuffer"]),
                       lambda pixel: differ(history(pixel)[1]["before"][0]["color"]),
                       lambda pixel: differ(history(pixel)[1]["after"][0]["color"]),
                       lambda pixel: [differ(history(pixel)[i][when][0]["color"]) for i, when in
                                      ((1, "after"), (2, "before"), (2, "after"))] + [differ(pixel["framebuffer"])],
                       lambda pixel: history(pixel)[1]["samples"][0].update(depth=0),
                       lambda pixel: history(pixel)[1]["samples"][0].update(depthPass=False),
                       lambda pixel: history(pixel)[2]["samples"][0].update(depthPass=True),
                       lambda pixel: history(pixel)[1]["samples"][0].update(covered=False),
                       lambda pixel: history(pixel)[1].update(discarded=True),
                       lambda pixel: history(pixel)[1].update(instructions=0)]:
            pixel = copy.deepcopy(overdrawn[0])
            tamper(pixel)
            with self.assertRaises(AssertionError):
                self.check_pixel(report, pixel)

    def test_multisampling_blending_and_stencil(self):
        """The scenes that draw with all the state there is: their accounts hang together too."""
        choose = random.Random(2)
        stencils = 0
        for scene in "msaa", "extensions":
            program = [BUILD / "bin" / f"{scene}-scene", "--out", self.folder / "scene.png"]
            pixels = [(choose.randrange(256), choose.randrange(256)) for _ in range(60)]
            (self.folder / "pixels").write_text("".join(f"{x},{y}\n" for x, y in pixels))
            text = explain(["--pixels", self.folder / "pixels", "--json", "--let-finish"], program).stdout
            report = json.loads(text)
            events = 0
            self.assertEqual(len(report["pixels"]), len(pixels))
            for pixel in report["pixels"]:
                self.assertTrue(any(history["events"] for history in pixel["histories"]), (scene, pixel["x"], pixel["y"]))
                for history in pixel["histories"]:
                    last = None
                    for event in history["events"]:
                        events += 1
                        if last is not None:
                            self.assertEqual(event["before"], last)
                        last = event["after"]
                        stencils += sum("stencil" in sample for sample in last)
                        if history.get("format") == "Rgba8" and "samples" in event:
                            self.check_event(event, report["commands"][event["command"]]["state"])
            self.assertGreater(events, 60, scene)
        self.assertGreater(stencils, 60)

    def test_what_is_the_same_in_several_samples_is_told_of_all_of_them(self):
        program = [BUILD / "bin" / "msaa-scene", "--out", self.folder / "scene.png"]
        choose = random.Random(3)
        (self.folder / "pixels").write_text("".join(f"{choose.randrange(256)},{choose.randrange(256)}\n" for _ in range(60)))
        text = explain(["--pixels", self.folder / "pixels", "--all-targets", "--let-finish"], program).stdout
        self.assertRegex(text, r"glClear\(.*\n      color of samples 0 to 3 0 0 0 0 -> ")
        told = 0
        for event in re.split(r"^  (?=\d+: gl)", text, flags=re.M)[1:]:
            for what in "color", "depth", "stencil":
                lists = re.findall(rf"^      {what} of samples? (\d to \d|\d(?:, \d)*) ", event, re.M)
                samples = [sample for words in lists for sample in
                           (range(int(words[0]), int(words[-1]) + 1) if " to " in words else map(int, words.split(", ")))]
                self.assertIn(sorted(samples), ([], [0, 1, 2, 3]), event)
                told += len(lists)
        self.assertGreater(told, 120)

    def test_rows_count_from_the_top_or_as_in_gl(self):
        program = [BUILD / "bin" / "gears", "--headless", "--plain", "--frames", "1", "--time", "1.5", "--size", "64x48",
                   "--out", self.folder / "x.png"]
        top = self.run_pixels(program, [(30, 10)])["pixels"][0]
        gl = self.run_pixels(program, [(30, 37)], ["--gl"])["pixels"][0]
        self.assertEqual(top["histories"], gl["histories"])
        self.assertEqual(top["framebuffer"], gl["framebuffer"])

    def test_text_names_the_draw_and_ends_with_the_value(self):
        program = [BUILD / "bin" / "gears", "--headless", "--plain", "--frames", "3", "--time", "1.5", "--size", "64x48",
                   "--out", self.folder / "x.png"]
        text = explain(["--pixel", "32,24", "--frame", "1"], program).stdout
        self.assertIn("pixel 32,24 of frame 1, y from the top; the surface is 64 x 48", text)
        self.assertIn("glDrawElements(GL_TRIANGLES", text)
        self.assertRegex(text, r"program    \d+ instructions, color")
        report = json.loads(explain(["--pixel", "32,24", "--frame", "1", "--json"], program).stdout)
        value = " ".join(map(str, report["pixels"][0]["framebuffer"]))
        self.assertTrue(text.endswith(f"  final value: {value}\n"), text)

    def test_the_way_of_a_draw_is_told_with_what_it_misses(self):
        """In JSON and in words: a copy of varyings, a picture, a loop, four samples."""
        def way_of(name, options, pixel, arguments=()):
            program = [BUILD / "bin" / name, *options, "--out", self.folder / "x.png"]
            arguments = ["--pixel", pixel, *arguments]
            report = json.loads(explain([*arguments, "--json"], program).stdout)
            ways = [command["way"] for command in report["commands"] if "way" in command]
            words = explain(arguments, program).stdout
            self.assertTrue(ways, name)
            return ways[0], re.findall(r"^      way        (.*(?:\n {17}.*)*)", words, re.M)[0]

        plain = ["--headless", "--plain", "--frames", "1", "--size", "64x48"]
        way, words = way_of("gears", [*plain, "--time", "1.5"], "32,24")
        self.assertEqual(way, {"kind": "blocks", "color": "copy", "finish": "short", "waits": True, "small": "shared",
                               "hidesSquares": True, "why": {}})
        self.assertIn("single blocks by machine code\n", words)
        self.assertNotIn(":", words)

        way, words = way_of("textured", [*plain, "--time", "0.7"], "32,24")
        self.assertEqual((way["kind"], way["color"], way["small"]), ("blocks", "picture", "together"))
        self.assertEqual(way["why"], {"small": "the program takes derivatives"})
        self.assertIn("small primitives together, without sharing blocks: the program takes derivatives\n", words)

        way, words = way_of("isa-mandelbrot", [*plain, "--time", "1.5"], "32,24")
        loop = "the program has a loop or a call whose end its text does not show"
        self.assertEqual((way["color"], way["waits"], way["why"]), ("program", False, {"small": loop, "waits": loop}))
        self.assertIn(f"all that passes is shaded: {loop}", words)

        way, words = way_of("msaa-scene", [], "200,200", ["--all-targets"])
        self.assertEqual((way["kind"], way["why"]), ("samples", {"kind": "a pixel has several samples"}))
        self.assertIn("general way, sample by sample: a pixel has several samples\n", words)

    def test_other_executors_and_threads_give_the_same_account(self):
        program = [BUILD / "bin" / "textured", "--headless", "--plain", "--frames", "1", "--time", "0.7", "--size", "64x48",
                   "--out", self.folder / "x.png"]
        pixels = [(x, y) for x in range(8, 64, 16) for y in range(8, 48, 16)]
        accounts = []
        for tier, threads in ("interp", "1"), ("jit", "2"):
            os.environ.update(TESSERA_TIER=tier, TESSERA_THREADS=threads)
            report = self.run_pixels(program, pixels)
            for pixel in report["pixels"]:
                for history in pixel["histories"]:
                    for event in history["events"]:
                        event.pop("instructions", None)  # a tier's own count
            accounts.append(report)
        del os.environ["TESSERA_TIER"], os.environ["TESSERA_THREADS"]
        self.assertEqual(*accounts)

    def test_what_cannot_be(self):
        gears = [BUILD / "bin" / "gears", "--headless", "--plain", "--frames", "1", "--size", "64x48",
                 "--out", self.folder / "x.png"]
        self.assertIn("before frame 7: it completed 1 frame;",
                      explain(["--pixel", "1,1", "--frame", "7"], gears, 2).stderr)
        self.assertEqual("/no/such/program: error: cannot be started: No such file or directory\n",
                         explain(["--pixel", "1,1"], ["/no/such/program"], 2).stderr)
        self.assertIn("no pixel", explain([], gears, 2).stderr)
        self.assertIn("--frame: Value -1 not in range 0 to ",
                      explain(["--pixel", "1,1", "--frame", "-1"], gears, 2).stderr)
        self.assertIn("--pixel: error: this is no pixel; write X,Y\n    1\n", explain(["--pixel", "1"], gears, 1).stderr)
        self.assertIn("the surface has no such pixel", explain(["--pixel", "64,0"], gears, expect=1).stdout)


class NeverComesToTheFrame(unittest.TestCase):
    """Programs that do not draw with Tessera, or not in time: a message, and no process or file is left."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.temporary = self.folder / "tmp"
        self.temporary.mkdir()

    def start(self, verb, arguments, program):
        environment = {key: value for key, value in os.environ.items() if key != "DISPLAY"}
        return subprocess.Popen([BUILD / "bin" / "tessera", verb, *map(str, arguments), "--", *map(str, program)],
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
                                env=dict(environment, TMPDIR=str(self.temporary)))

    def told(self, arguments, program, verb="explain", status=2):
        process = self.start(verb, arguments, program)
        try:
            _, errors = process.communicate(timeout=20)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            raise
        self.assertEqual(process.returncode, status, errors)
        self.assertEqual(list(self.temporary.iterdir()), [])
        return errors

    def script(self, text, name="program"):
        path = self.folder / name
        path.write_text("#!/bin/sh\n" + text)
        path.chmod(0o755)
        return path

    def test_it_ends_without_tessera(self):
        for program, how in [(["/bin/true"], "with status 0"), (["/bin/false"], "with status 1"),
                             (["/bin/cat"], "with status 0"), (["/sbin/ldconfig", "--version"], "with status 0"),
                             ([self.script("exit 3\n")], "with status 3"),
                             ([self.script("kill -9 $$\n", "killed")], "by signal 9")]:
            errors = self.told(["--pixel", "1,1"], program)
            self.assertIn(f"{program[0]}: error: it ended {how} without loading Tessera: ", errors)

    def test_it_never_loads_tessera(self):
        begin = time.monotonic()
        errors = self.told(["--pixel", "1,1", "--timeout", 1], ["/bin/sleep", "1000"])
        self.assertEqual(errors, "/bin/sleep: error: it has not loaded Tessera within 1 s (--timeout), and was ended: it "
                                 "draws nothing with EGL and OpenGL ES, or is linked with another driver\n")
        self.assertLess(time.monotonic() - begin, 15)

    def test_the_other_verbs_say_so_too(self):
        message = "without loading Tessera"
        self.assertIn(message, self.told(["--pixel", "1,1"], ["/bin/true"], "dbg"))
        self.assertIn(message, self.told([], ["/bin/true"], "bisect-tiers"))

    def test_what_gives_no_frame_ends_every_verb_alike(self):
        """With status 2, whatever keeps the program from it; exec has the status of its program."""
        verbs = {"explain": ["--pixel", "1,1"], "dbg": ["--pixel", "1,1"], "bisect-tiers": [], "model": [],
                 "tex": ["cache"]}
        gears = [BUILD / "bin" / "gears", "--headless", "--frames", "1", "--size", "32x32", "--out", self.folder / "x.png"]
        text = self.folder / "text"
        text.write_text("no program")
        text.chmod(0o644)
        for what, how, own in [
                (["/bin/true"], "ended with status 0", 0), (["/bin/false"], "ended with status 1", 1),
                ([self.script("exit 77\n")], "ended with status 77", 77),
                ([self.script("kill -9 $$\n", "killed")], "ended by signal 9", -9),
                ([self.folder / "missing"], "cannot be started: No such file", 127),
                ([text], "cannot be started: Permission denied", 126), (gears, "ended with status 0", 0)]:
            for verb, arguments in verbs.items():
                late = {"model": ["--frames", "9"]}.get(verb, ["--frame", "9"]) if what is gears else []
                with self.subTest(verb=verb, program=what):
                    errors = self.told(arguments + late, what, verb)
                    self.assertIn(f"{what[0]}: error: ", errors)
                    self.assertIn(how, errors)
            done = subprocess.run([BUILD / "bin" / "tessera", "exec", *what], capture_output=True, check=False)
            self.assertEqual(done.returncode, own)

    def test_how_the_program_ends_behind_the_frame_is_of_no_account(self):
        gears = " ".join(map(str, [BUILD / "bin" / "gears", "--headless", "--frames", "3", "--size", "32x32", "--out",
                                   self.folder / "x.png"]))
        script = self.script(f"{gears}\nexit 5\n")
        for verb, arguments in {"explain": ["--pixel", "1,1", "--let-finish"], "bisect-tiers": ["--let-finish"],
                                "model": []}.items():
            self.told(arguments, [script], verb, 0)

    def test_a_script_that_starts_the_program(self):
        gears = [BUILD / "bin" / "gears", "--headless", "--plain", "--frames", "1", "--size", "64x48", "--out",
                 self.folder / "x.png"]
        script = self.script(" ".join(map(str, gears)) + "\n")
        text = explain(["--pixel", "32,24"], [script]).stdout
        self.assertIn("pixel 32,24 of frame 0", text)

    def gone(self, process):
        for _ in range(200):
            state = pathlib.Path(f"/proc/{process}/stat")
            try:
                if state.read_text().rsplit(")", 1)[1].split()[0] == "Z":
                    return True  # ended; its parent has not asked yet
            except (FileNotFoundError, ProcessLookupError):
                return True
            time.sleep(0.02)
        return False

    def test_nothing_survives(self):
        """Neither what is interrupted, nor what takes too long and would not listen, nor what they started."""
        script = self.script(f"trap '' TERM INT\nsleep 1000 & echo $! > {self.folder}/sleeps\n"
                             f"echo $$ > {self.folder}/pid; mv {self.folder}/pid {self.folder}/runs\n"
                             "while true; do sleep 1; done\n")
        for end, status in [(signal.SIGINT, -signal.SIGINT), (signal.SIGTERM, -signal.SIGTERM), (None, 2)]:
            process = self.start("explain", ["--pixel", "1,1"] + ([] if end else ["--timeout", "1"]), [script])
            for _ in range(500):
                if (self.folder / "runs").exists():
                    break
                time.sleep(0.02)
            if end:
                process.send_signal(end)
            process.communicate(timeout=20)
            self.assertEqual(process.returncode, status)
            for name in "runs", "sleeps":
                self.assertTrue(self.gone(int((self.folder / name).read_text())), (end, name))
                (self.folder / name).unlink()
            self.assertEqual(list(self.temporary.iterdir()), [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
