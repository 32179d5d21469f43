#!/usr/bin/env python3
"""`tessera explain --follow` and `tessera dbg` of a recording: from a pixel to the texels that its draw looked up, the
draws that made those, and their lines, instructions and lanes; with a surface and without one.

What is told is compared with what tests/debug/drawn_textures.cpp draws, which is computed here.

Usage: follow_test.py BUILD_DIR
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import zlib

BUILD = pathlib.Path(sys.argv[1])
PROGRAM = BUILD / "tests" / "debug" / "drawn_textures"
ENVIRONMENT = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "TESSERA_COMMANDS")}
SIZE, PIXELS = 32, [(0, 0), (5, 30), (17, 8), (31, 31)]  # y from the top


def run(verb, *arguments, status=0, commands=""):
    result = subprocess.run([BUILD / "bin" / "tessera", verb, *map(str, arguments)], capture_output=True, text=True,
                            input=commands, env=ENVIRONMENT, check=False)
    assert result.returncode == status, (result.returncode, result.stdout, result.stderr)
    return result


def texel_of(pixel, way):
    """The texel that a pixel of the picture looks up, and the one of the stripes that it has its colour from."""
    column, row = pixel[0], SIZE - 1 - pixel[1]
    read = row // 2, column // 2
    return read, (read[0], 15 - read[1]) if way == "blit" else read


def color_of(stripe):
    return [stripe[0] * 10, stripe[1] * 10, 255 - stripe[0] * 10, 255]


def write_png(path, width, height, rgba):
    def chunk(kind, data):
        return len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")
    rows = b"".join(b"\0" + rgba[y * width * 4:(y + 1) * width * 4] for y in range(height))
    header = width.to_bytes(4, "big") + height.to_bytes(4, "big") + b"\x08\x06\0\0\0"
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


class Follow(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def recorded(self, where, way):
        """A recording of the program that is kept, and the picture that it read back, rows from the first on."""
        kept, picture = self.folder / f"{where}-{way}.tsc", self.folder / f"{where}-{way}"
        run("explain", "--pixel", "0,0", "--keep", kept, "--", PROGRAM, where, way, picture)
        return kept, picture.read_bytes() if picture.exists() else b""

    def check_steps(self, steps, pixel, way):
        read, stripe = texel_of(pixel, way)
        first, last = steps[0], steps[-1]
        writer = first["events"][first["writer"]]
        self.assertEqual([int(value) for value in writer["after"][0]["color"]], color_of(stripe))
        lookup, = writer["origin"]["lookups"]
        self.assertEqual((lookup["x"], lookup["y"]), read)
        self.assertEqual([int(value) for value in lookup["value"]], color_of(stripe))
        self.assertEqual((lookup["sampler"], lookup["filtered"], lookup["width"]), ("u_stripes", True, 16))
        self.assertEqual(lookup["image"], steps[1]["image"])
        self.assertEqual((steps[1]["x"], steps[1]["y"]), read)
        place = {"layer": "vec3(-place, 2.0)", "repeat": "place + 3.0"}.get(way, "place")
        self.assertEqual([write["source"] for write in writer["origin"]["writes"]], [f"color = texture(u_stripes, {place});"])
        self.assertEqual(lookup.get("slice"), 2 if way == "layer" else None)
        self.assertEqual((last["x"], last["y"]), stripe)
        writer = last["events"][last["writer"]]
        for sample in writer["after"]:
            self.assertEqual([int(value) for value in sample["color"]], color_of(stripe))
        self.assertEqual(writer["origin"]["lane"] % 16, stripe[1] % 4 * 4 + stripe[0] % 4)
        self.assertGreater(len(writer["origin"]["writes"]), 0)
        for write in writer["origin"]["writes"]:
            self.assertEqual(write["source"], "color = vec4(column * 10.0, row * 10.0, 255.0 - column * 10.0, 255.0) / 255.0;")
            self.assertEqual(write["line"], 7)
            self.assertIn("o0", write["text"])
            self.assertRegex(write["word"], "^[0-9a-f]{32}$")
        self.assertEqual(writer["origin"]["lookups"], [])
        return steps[1:-1]

    def test_a_pixel_is_followed_through_textures(self):
        for where in "surface", "surfaceless":
            for way, between in ("plain", 0), ("repeat", 0), ("samples", 1), ("copy", 1), ("blit", 1), ("layer", 0):
                with self.subTest(where=where, way=way):
                    kept, _ = self.recorded(where, way)
                    pixels = [word for x, y in PIXELS for word in ("--pixel", f"{x},{y}")]
                    told = json.loads(run("explain", *pixels, "--follow", 9, "--json", kept).stdout)["pixels"]
                    self.assertEqual(len(told), len(PIXELS))
                    for pixel, one in zip(PIXELS, told):
                        copies = self.check_steps(one["steps"], pixel, way)
                        # The texture itself is drawn to, or it is copied from what is.
                        self.assertEqual(len(copies), between)
                        for copy in copies:
                            self.assertIn("copy", copy)
                            self.assertNotIn("writer", copy)

    def test_a_program_is_recorded_and_followed_at_once(self):
        for where in "surface", "surfaceless":
            text = run("explain", "--pixel", "5,30", "--follow", 1, "--", PROGRAM, where, "plain").stdout
            self.assertIn("pixel 5,30 of image ", text)
            self.assertIn("      line 8     color = texture(u_stripes, place);\n", text)
            self.assertRegex(text, r"      texel      0,2 of image \d+ \(u_stripes, unit 0, level 0\), with its neighbours: "
                                   r"0 20 255 255\n")
            self.assertRegex(text, r"\ntexel 0,2 of image \d+ \(16x16 Rgba8\), y from the bottom, which command \d+ looks up\n")
            self.assertRegex(text, r"                 @\d+ [0-9a-f]{32}  .*o0.*, lane \d+\n")
            self.assertTrue(text.endswith("  final value: 0 20 255 255\n"), text)
            self.assertNotIn("step through it", text)  # the recording is gone

    def test_pixels_of_the_picture_that_was_read_back(self):
        for where in "surface", "surfaceless":
            kept, raw = self.recorded(where, "plain")
            self.assertEqual(len(raw), SIZE * SIZE * 4)
            rows = [raw[y * SIZE * 4:(y + 1) * SIZE * 4] for y in range(SIZE)]
            picture = self.folder / "picture.png"
            # As GL programs keep pictures, and as those do whose first row is the topmost one.
            for turned in True, False:
                write_png(picture, SIZE, SIZE, b"".join(rows[::-1] if turned else rows))
                for x, y in PIXELS:
                    told = json.loads(run("explain", "--pixel", f"{x},{y}", "--picture", picture, "--follow", 1, "--json",
                                          kept).stdout)["pixels"][0]["steps"]
                    self.check_steps(told, (x, y if turned else SIZE - 1 - y), "plain")
            write_png(picture, SIZE, SIZE, bytes(raw[:-4] + b"\x01\x02\x03\xff"))
            errors = run("explain", "--pixel", "1,1", "--picture", picture, kept, status=1).stderr
            self.assertIn(f"{picture}: error: none of the 1 pictures of 32 x 32 pixels that the program read back has these "
                          "pixels\n", errors)
            self.assertIn("it has 32 x 32 pixels, and no pixel 32,0",
                          run("explain", "--pixel", "32,0", "--picture", picture, kept, status=1).stderr)

    def test_commands_and_images_name_a_pixel(self):
        kept, _ = self.recorded("surfaceless", "plain")
        steps = json.loads(run("explain", "--pixel", "5,30", "--follow", 1, "--json", kept).stdout)["pixels"][0]["steps"]
        image = steps[1]["image"]
        draw = steps[1]["commands"][steps[1]["events"][steps[1]["writer"]]["command"]]["number"]
        for chosen in (["--image", image], ["--command", draw], ["--image", image, "--command", draw]):
            one = json.loads(run("explain", "--pixel", "0,2", "--gl", "--json", *chosen, kept).stdout)["pixels"][0]["steps"]
            self.assertEqual(len(one), 1)
            for key in "image", "x", "y", "writer", "events":
                self.assertEqual(one[0][key], steps[1][key])
        # Before it is copied there nothing is in the texture.
        copied, _ = self.recorded("surfaceless", "copy")
        steps = json.loads(run("explain", "--pixel", "5,30", "--follow", 1, "--json", copied).stdout)["pixels"][0]["steps"]
        before = steps[1]["copy"]["number"] - 1
        text = run("explain", "--pixel", "0,2", "--image", steps[1]["image"], "--command", before, copied).stdout
        self.assertEqual(text, f"pixel 0,2 of image {steps[1]['image']} (16x16 Rgba8), y from the top\n"
                               "  nothing that is recorded writes it\n")
        for wrong, why in ((["--image", 99], "there is no image 99; it has "), (["--command", 999], "there is no command 999; "),
                           (["--frame", 7], "there is no frame 7; it has 1, counted from 0")):
            self.assertIn(why, run("explain", "--pixel", "0,0", *wrong, kept, status=1).stderr)
        for idle in "--let-finish", "--all-targets", "--timeout=3", "--keep=x.tsc":
            self.assertIn(f"{kept}: error: {idle.split('=')[0]} does nothing for a recording",
                          run("explain", "--pixel", "0,0", idle, kept, status=2).stderr)
        run("explain", "--pixel", "0,0", "--frame", 1, "--command", 1, kept, status=2)
        self.assertIn("has no pixel 16,0", run("explain", "--pixel", "16,0", "--image", image, kept, status=1).stderr)

    def test_the_debugger_goes_to_what_is_told(self):
        kept, _ = self.recorded("surfaceless", "samples")
        text = run("explain", "--pixel", "5,30", "--follow", 2, kept).stdout
        told = re.findall(r"^  step through it: tessera dbg (.*)$", text, re.M)
        self.assertEqual(len(told), 2, text)  # of the picture's draw and of the stripes'; a copy runs no program
        for arguments, output in zip(told, (("color.x", 0.0), ("color.y", 20 / 255))):
            out = run("dbg", *arguments.split(), commands=f"continue\nprint {output[0]}\n").stdout
            value = float(re.search(rf"^{output[0]} = (\S+)", out, re.M)[1])
            self.assertAlmostEqual(value, output[1], places=6)
            self.assertRegex(out, r"^pixel \d+,\d+ of image \d+ \(\d+x\d+ Rgba8\), y from the bottom: command \d+, primitive 0\n")
        self.assertIn("--follow 7: what the pixel comes from is followed 2 times and no more",
                      run("dbg", "--pixel", "5,30", "--follow", 7, kept, status=1).stderr)
        self.assertIn("no program was run for the pixel", run("dbg", "--pixel", "5,30", "--follow", 1, kept, status=1).stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
