#!/usr/bin/env python3
"""More of a unit never costs cycles beyond what docs/model.md states (More units), over recorded frames and kernels and
every preset; and on each preset every cycle of every unit has a cause, and counts are the same with any number of
threads and in any run.

Usage: more_units_test.py BUILD_DIR
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import tomllib
import unittest

BUILD = pathlib.Path(sys.argv[1])
PRESETS = pathlib.Path(__file__).parents[2] / "model" / "presets"

# What another order of the same work may cost; docs/model.md says why.
MOST = 0.01
# Beyond that: preset, parameter and workload, and what it may cost.
EXCEPTIONS = {
    # Groups of one block go ahead of each other by turns that a barrier takes back: greedy issue, not banks.
    ("opengpu", "shared.banks", "bitonic_sort"): 0.15,
}

GRAPHICS = ("block.processors", "block.groups", "block.registers", "texture.engines", "texture.cache_lines", "texture.fifo",
            "texture.misses", "texture.in_flight", "raster.rasterizers", "raster.fifo", "pixel.engines", "pixel.cache_lines",
            "pixel.fifo", "pixel.in_flight", "early.cache_lines", "early.misses", "sdram.channels", "sdram.bytes_per_cycle",
            "vertex.cache_lines", "vertex.misses", "vertex.fifo", "vertex.store", "geometry.fifo", "interpolation.fifo",
            "fragments.fifo", "fragments.store", "command.fifo", "command.lines", "block.lanes", "block.issue",
            "interpolation.fragments_per_cycle", "pixel.fragments_per_cycle")
KERNELS = ("block.processors", "block.groups", "block.registers", "block.issue", "block.lanes", "shared.banks",
           "shared.read_ports", "shared.write_ports", "global.requests", "global.cache_bytes", "second.cache_bytes",
           "second.slices", "sdram.channels", "sdram.bytes_per_cycle")


def run(*arguments):
    return subprocess.run([BUILD / "bin" / "tessera", "model", *map(str, arguments)], capture_output=True, text=True,
                          stdin=subprocess.DEVNULL)


def values(preset):
    """All numbers of a preset, by the parameters' names."""
    table = tomllib.loads((PRESETS / f"{preset}.toml").read_text())
    numbers = values(table["from"]) if "from" in table else {}
    if "memory" in table:
        numbers.update(values(f"../memories/{table['memory']}"))

    def enter(prefix, inner):
        for key, value in inner.items():
            if isinstance(value, dict):
                enter(f"{prefix}{key}.", value)
            elif isinstance(value, list) and value and isinstance(value[0], int):
                numbers[prefix + key] = value[0]
    enter("", table)
    return numbers


def written_at_the_end(numbers, parameter):
    """Cycles that changed lines may take at the end of a frame which a smaller cache would have written before: each a
    turn of its channel in a row of its own."""
    lines = {"pixel.engines": numbers["pixel.engines"] * numbers["pixel.cache_lines"],
             "pixel.cache_lines": numbers["pixel.engines"] * numbers["pixel.cache_lines"],
             "early.cache_lines": numbers["early.cache_lines"],
             "second.cache_bytes": numbers["second.cache_bytes"] // numbers["global.line_bytes"]}.get(parameter, 0)
    turn = 64 / numbers["sdram.bytes_per_cycle"] + numbers["sdram.activate_cycles"] + numbers["sdram.precharge_cycles"]
    memory = numbers["clock.memory_khz"] or numbers["clock.khz"]
    return lines * turn / numbers["sdram.channels"] * numbers["clock.khz"] / memory


class MoreUnits(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        folder = pathlib.Path(cls.temporary.name)
        cls.frames, cls.kernels = {}, {}
        for demo, size in (("gears", "160x120"), ("textured", "160x120"), ("mandelbrot", "100x75"), ("water", "64x48")):
            cls.frames[demo] = cls.record(folder / f"{demo}.tsw", "--frame", 3, "--", BUILD / "bin" / demo, "--headless", "--plain",
                                          "--quiet", "--frames", 4, "--time", 1, "--size", size, "--out",
                                          folder / "picture.png")
        for kernel in ("fft_256", "transpose", "gaussian", "kmeans_5", "bitonic_sort", "matrix_multiply_tiled", "reduction_sum"):
            cls.kernels[kernel] = cls.record(folder / f"{kernel}.tsw", kernel)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    @staticmethod
    def record(file, *arguments):
        made = run("--summary", "--save", file, *arguments)
        assert made.returncode == 0, made.stderr
        return file

    def check_more(self, preset, parameters, workloads):
        """Returns how many machines were compared."""
        numbers, compared = values(preset), 0
        for parameter in parameters:
            fewer = numbers.get(parameter, 0)
            if fewer == 0:
                continue
            for name, file in workloads.items():
                result = run("--json", "--preset", preset, "--sweep", f"{parameter}={fewer}/{2 * fewer}", file)
                if result.returncode != 0:
                    self.assertRegex(result.stderr, "error: ")  # 2 * fewer is out of range, or the machine takes it not
                    continue
                points = json.loads(result.stdout)["points"]
                if not all("cycles" in point for point in points):
                    continue
                before, after = (point["cycles"] for point in points)
                most = EXCEPTIONS.get((preset, parameter, name), MOST)
                with self.subTest(preset=preset, parameter=parameter, workload=name):
                    self.assertLessEqual(after, before * (1 + most) + written_at_the_end(numbers, parameter))
                compared += 1
        return compared

    def test_frames(self):
        self.assertGreater(self.check_more("tessera", GRAPHICS, self.frames), 100)

    def test_kernels(self):
        compared = {preset: self.check_more(preset, KERNELS, self.kernels)
                    for preset in ("tessera", "opengpu", "miaow2", "egpu", "minimalist")}
        self.assertGreater(compared["tessera"], 40)
        self.assertGreater(compared["opengpu"], 40)
        self.assertGreater(compared["miaow2"], 20)

    def test_twice_as_much_of_all_is_faster(self):
        numbers = values("tessera")
        twice = ("block.processors", "texture.engines", "raster.rasterizers", "pixel.engines", "sdram.channels", "vertex.store",
                 "fragments.store", "geometry.fifo", "raster.fifo", "pixel.fifo", "texture.fifo", "early.misses")
        more = [part for name in twice for part in ("--set", f"{name}={2 * numbers[name]}")]
        for name, file in {**self.frames, **self.kernels}.items():
            with self.subTest(workload=name):
                before, after = (json.loads(run("--json", *options, file).stdout)["cycles"] for options in ((), more))
                most = 1 if name in self.frames else 1 + MOST
                self.assertLess(after, before * most + written_at_the_end(numbers, "pixel.engines"))

    def test_causes_and_counts_on_every_preset(self):
        ran = set()
        for preset in ("tessera", "opengpu", "miaow2", "egpu", "minimalist"):
            for name, file in {**self.frames, **self.kernels}.items():
                one = run("--json", "--preset", preset, "--threads", 1, file)
                if one.returncode != 0:
                    self.assertRegex(one.stderr, r"error: ")
                    continue
                ran.add(preset)
                numbers, report = values(preset), json.loads(one.stdout)
                lanes = numbers["block.lanes"] * numbers["block.issue"]
                for unit in report["units"]:
                    whole = report["cycles"] * (lanes if unit["unit"] == "lanes of block processor" else 1)
                    with self.subTest(preset=preset, workload=name, unit=unit["unit"], number=unit["number"]):
                        self.assertEqual(sum(unit["cycles"].values()), whole)
                self.assertEqual(sum(item["alone"] for item in report["items"]), report["cycles"])
                for threads in (1, 3):
                    self.assertEqual(run("--json", "--preset", preset, "--threads", threads, file).stdout, one.stdout)
        self.assertLessEqual({"tessera", "opengpu", "miaow2", "egpu"}, ran)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
