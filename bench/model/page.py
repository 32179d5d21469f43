#!/usr/bin/env python3
"""Measures how many cycles of the chip are modelled in a second, and writes that section of docs/performance.md.

  page.py --build DIR [--rounds N] [--filter REGEX] [--print] [--quick]

--print, and any --filter, writes no file; --quick takes few frames and one sample, to see that every row runs.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "bench"))
from page import machine  # noqa: E402

BEGIN, END = "<!-- model: written by ./run bench --model -->", "<!-- end of the model -->"
TARGET = 1e6  # cycles of the whole chip in a second on one thread

# name: frames and size of a demo, or size of a kernel; what it is
DEMOS = {"gears": (100, "800x600"), "textured": (30, "800x600"), "cube": (100, "800x600"), "water": (10, "160x120"),
         "mandelbrot": (30, "400x300")}
KERNELS = {"fft_256": "paper", "matrix_multiply_tiled": "small", "gaussian": "small", "kmeans_5": "small"}


def record(build, folder, quick, name_filter):
    """Workloads of all rows, by what they are called."""
    workloads = {}
    tessera = str(build / "bin" / "tessera")
    rows = [(f"{name}, {2 if quick else frames} frames, {size}", size, 2 if quick else frames, name)
            for name, (frames, size) in DEMOS.items()]
    rows += [(f"{name}, {size}", "small" if quick else size, 0, name) for name, size in KERNELS.items()]
    for title, size, frames, name in rows:
        if not re.search(name_filter, title):
            continue
        file = folder / f"{len(workloads)}.tsw"
        command = [tessera, "model", "--summary", "--save", str(file)]
        if frames:
            command += ["--frames", f"2..{frames + 1}", "--", str(build / "bin" / name), "--headless", "--plain", "--quiet",
                        "--frames", str(frames + 2), "--time", "0", "--size", size, "--out", str(folder / "picture.png")]
        else:
            command += ["--size", size, name]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        workloads[title] = file
    return workloads


def measure(build, workloads, rounds):
    command = [str(build / "bin" / "model_bench"), "--rounds", str(rounds), *map(str, workloads.values())]
    result = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)
    for title, row in zip(workloads, result["rows"]):
        row["title"] = title
    return result


def rate(row, which):
    return row["cycles"] / min(row["samples"][which]["seconds"]) / 1e6


def table(data):
    threads = data["rows"][0]["samples"][1]["threads"]
    lines = [f"| run | intervals | cycles | one thread, Mcycle/s | spread | {threads} threads, Mcycle/s | spread | ratio |",
             "|---|---:|---:|---:|---:|---:|---:|---:|"]
    for row in data["rows"]:
        cells = [row["title"], str(row["intervals"]), str(row["cycles"])]
        for which in (0, 1):
            slowest = row["cycles"] / max(row["samples"][which]["seconds"]) / 1e6
            text = f"{rate(row, which):.2f}"
            cells += [f"**{text}**" if rate(row, which) * 1e6 >= TARGET else text,
                      f"{slowest:.3g} to {rate(row, which):.3g}"]
        lines.append("| " + " | ".join([*cells, f"{rate(row, 1) / rate(row, 0):.2f}"]) + " |")
    return lines


def verdict(data):
    rows = data["rows"]
    good = sum(rate(row, 0) * 1e6 >= TARGET for row in rows)
    return f"On one thread {good} of {len(rows)} runs reach the required million cycles a second; bold: reached."


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--filter", default="")
    parser.add_argument("--print", action="store_true")
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        workloads = record(options.build.resolve(), pathlib.Path(folder), options.quick, options.filter)
        if not workloads:
            sys.exit("page.py: error: no run has such a name")
        rounds = 1 if options.quick else options.rounds
        data = measure(options.build.resolve(), workloads, rounds)
    text = "\n".join([BEGIN, "", f"The whole chip (preset {data['preset']}) on {machine()}; the fastest of "
                      f"{rounds} samples, threads in turn.", "", verdict(data), "", *table(data), "", END])
    print(text)
    if options.filter or options.print or options.quick:
        return
    path = ROOT / "docs" / "performance.md"
    old = path.read_text()
    path.write_text(old[:old.index(BEGIN)] + text + old[old.index(END) + len(END):])


main()
