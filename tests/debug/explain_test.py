#!/usr/bin/env python3
"""`tessera explain`: its account of 1,000 random pixels agrees with the framebuffer to the byte.

The framebuffer is the picture that the program itself reads back and writes. Each account must also hang together:
every event begins with what the one before left, samples change only where they were covered and passed, and what
changes without blending is what the program computed.

Usage: explain_test.py SOURCE_DIR BUILD_DIR
"""

import json
import operator
import os
import pathlib
import random
import subprocess
import sys
import tempfile
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
                compare = getattr(operator, {"GL_LESS": "lt", "GL_LEQUAL": "le", "GL_EQUAL": "eq", "GL_GREATER": "gt",
                                             "GL_GEQUAL": "ge", "GL_NOTEQUAL": "ne"}.get(state["depthFunc"], "is_"))
                expected = state["depthFunc"] == "GL_ALWAYS" or compare(sample["depth"], before["depth"])
                self.assertEqual(sample["depthPass"], expected)
        if event["shaded"]:
            self.assertGreater(event["instructions"], 0)

    def check_pixel(self, report, pixel):
        """The value that the account ends with."""
        histories = [history for history in pixel["histories"] if history["surface"]]
        self.assertLessEqual(len(histories), 1)
        if not histories:
            return pixel["framebuffer"]
        last = None
        for event in histories[0]["events"]:
            if last is not None:
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
        drawn = 0
        for name, options in DEMOS.items():
            picture = self.folder / "picture.png"
            demo, *flags = name.split()
            program = [BUILD / "bin" / demo, *flags, *options, "--headless", "--frames", "1",
                       "--size", "%dx%d" % SIZE, "--out", picture]
            pixels = [(choose.randrange(SIZE[0]), choose.randrange(SIZE[1])) for _ in range(PIXELS)]
            report = self.run_pixels(program, pixels)
            width, height, rows = read_png(picture)
            self.assertEqual((width, height), SIZE)
            for pixel in report["pixels"]:
                value = self.check_pixel(report, pixel)
                x, y = pixel["x"], pixel["y"]
                self.assertEqual(value[:3], list(rows[y][x * 4:x * 4 + 3]), (name, x, y))
                drawn += any("samples" in event for history in pixel["histories"] for event in history["events"])
        self.assertGreater(drawn, 200)  # not only the background

    def test_multisampling_blending_and_stencil(self):
        """The scenes that draw with all the state there is: their accounts hang together too."""
        choose = random.Random(2)
        for scene in "msaa", "extensions":
            program = [BUILD / "bin" / f"{scene}-scene", "--out", self.folder / "scene.png"]
            pixels = [(choose.randrange(256), choose.randrange(256)) for _ in range(60)]
            (self.folder / "pixels").write_text("".join(f"{x},{y}\n" for x, y in pixels))
            text = explain(["--pixels", self.folder / "pixels", "--json", "--let-finish"], program).stdout
            report = json.loads(text)
            events = 0
            for pixel in report["pixels"]:
                for history in pixel["histories"]:
                    last = None
                    for event in history["events"]:
                        events += 1
                        if last is not None:
                            self.assertEqual(event["before"], last)
                        last = event["after"]
                        if history.get("format") == "Rgba8" and "samples" in event:
                            self.check_event(event, report["commands"][event["command"]]["state"])
            self.assertGreater(events, 60, scene)

    def test_rows_count_from_the_top_or_as_in_gl(self):
        program = [BUILD / "bin" / "gears", "--headless", "--frames", "1", "--time", "1.5", "--size", "64x48",
                   "--out", self.folder / "x.png"]
        top = self.run_pixels(program, [(30, 10)])["pixels"][0]
        gl = self.run_pixels(program, [(30, 37)], ["--gl"])["pixels"][0]
        self.assertEqual(top["histories"], gl["histories"])
        self.assertEqual(top["framebuffer"], gl["framebuffer"])

    def test_text_names_the_draw_and_ends_with_the_value(self):
        program = [BUILD / "bin" / "gears", "--headless", "--frames", "3", "--time", "1.5", "--size", "64x48",
                   "--out", self.folder / "x.png"]
        text = explain(["--pixel", "32,24", "--frame", "1"], program).stdout
        self.assertIn("pixel 32,24 of frame 1, y from the top; the surface is 64 x 48", text)
        self.assertIn("glDrawElements(GL_TRIANGLES", text)
        self.assertRegex(text, r"program    \d+ instructions, color")
        report = json.loads(explain(["--pixel", "32,24", "--frame", "1", "--json"], program).stdout)
        value = " ".join(map(str, report["pixels"][0]["framebuffer"]))
        self.assertTrue(text.endswith(f"  final value: {value}\n"), text)

    def test_other_executors_and_threads_give_the_same_account(self):
        program = [BUILD / "bin" / "textured", "--headless", "--frames", "1", "--time", "0.7", "--size", "64x48",
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
        gears = [BUILD / "bin" / "gears", "--headless", "--frames", "1", "--size", "64x48",
                 "--out", self.folder / "x.png"]
        self.assertIn("before frame 7", explain(["--pixel", "1,1", "--frame", "7"], gears, 1).stderr)
        self.assertIn("cannot be started", explain(["--pixel", "1,1"], ["/no/such/program"], 1).stderr)
        self.assertIn("no pixel", explain([], gears, 2).stderr)
        self.assertIn("'1' is no pixel", explain(["--pixel", "1"], gears, 1).stderr)
        self.assertIn("the surface has no such pixel", explain(["--pixel", "64,0"], gears).stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
