#!/usr/bin/env python3
"""Runs the kernels' benchmark and writes its section of docs/performance.md.

  page.py --build DIR [--rounds N] [--filter REGEX] [--print]

All kernels at the papers' sizes, and four of them at large ones. --print, and any --filter, writes no file.
"""

import argparse
import json
import math
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "bench"))
from page import machine  # noqa: E402

BEGIN, END = "<!-- kernels: written by ./run bench --kernels -->", "<!-- end of the kernels -->"
LARGE = "^(fft_256|fft_batch|mandelbrot|matrix_multiply)$"


def measure(build, rounds, size, name_filter):
    command = [str(build / "bin" / "kernels_bench"), "--rounds", str(rounds), "--size", size, "--filter", name_filter]
    result = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(result.stdout)


def seconds(row, name):
    return next((c["seconds"] for c in row["contenders"] if c["name"] == name), None)


def library(row):
    return next((c for c in row["contenders"] if c["name"] in ("FFTW", "OpenBLAS", "Eigen")), None)


def ratio(row, other, ours):
    if other is None:
        return ""
    text = f"{other / ours:.2f}"
    return f"**{text}**" if other >= ours else text


def table(data, rows):
    threads = data["threads"]
    ours_name, one, many = f"Tessera {threads}", "plain 1", f"plain {threads}"
    lines = [f"| kernel | seed | size | time | rate | of peak | over 1 thread | over plain C++ | over plain, {threads} threads | over the library | over PoCL | paper |",
             "|---|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---|"]
    for row in rows:
        ours = seconds(row, ours_name)
        rate = row["work"] / ours
        peak = {"GFLOP/s": data["peak_flops"], "GB/s": data["copy_bandwidth"]}.get(row["unit"])
        lib = library(row)
        lib_text = f"{ratio(row, lib['seconds'], ours)} {lib['name']}" if lib else ""
        wrong = [c["name"] for c in row["contenders"] if not c["ok"]]
        lines.append("| " + " | ".join([
            row["name"] + (f" (wrong: {', '.join(wrong)})" if wrong else ""), row["seed"], row["size"],
            f"{ours * 1e6:.1f} us" if ours < 1e-3 else f"{ours * 1e3:.2f} ms", f"{rate / 1e9:.2f} {row['unit']}",
            f"{100 * rate / peak:.0f} %" if peak else "", f"{seconds(row, 'Tessera 1') / ours:.2f}",
            ratio(row, seconds(row, one), ours), ratio(row, seconds(row, many), ours), lib_text,
            ratio(row, seconds(row, "PoCL"), ours), row["paper"]]) + " |")
    return lines


def targets(data, rows, large):
    ours = f"Tessera {data['threads']}"
    found = {row["name"]: row for row in rows}
    lines = []
    if "mandelbrot" in found:
        rate = 1 / seconds(found["mandelbrot"], ours)
        lines.append(f"- Mandelbrot, 320x320, 63 iterations: {rate:,.0f} frames/s (target 1,000; the FPGA: 3).")
    for row in large:
        if row["name"] == "fft_batch":
            each = seconds(row, ours) / (row["work"] / (5 * 256 * 8)) * 1e6
            lines.append(f"- 256-point FFTs in batches: {each:.2f} us each (target 1.56: the 1,200 cycles of the eGPU at 771 MHz).")
    for row in large:
        if row["name"] == "matrix_multiply":
            share = library(row)["seconds"] / seconds(row, ours)
            lines.append(f"- Matrix multiplication, {row['size']}: {share:.2f} of OpenBLAS' rate (target 0.5).")
    ratios = [seconds(row, "PoCL") / seconds(row, ours) for row in rows if seconds(row, "PoCL")]
    if ratios:
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        lines.append(f"- Geometric mean over PoCL, {len(ratios)} kernels: {mean:.2f} (target 1).")
    below = [row["name"] for row in rows if seconds(row, "PoCL") and seconds(row, "PoCL") < seconds(row, ours)]
    lines.append("- Slower than PoCL: " + (", ".join(below) or "none") + ".")
    below = [row["name"] for row in rows if seconds(row, f"plain {data['threads']}") < seconds(row, ours)]
    lines.append("- Slower than plain C++ on as many threads: " + (", ".join(below) or "none") + ".")
    return lines


def section(data, large):
    lines = [BEGIN, "",
             f"Tessera ({data['tier']}, {data['threads']} threads, {data['level']}); {machine()}. "
             f"Peak by registers alone: {data['peak_flops'] / 1e9:.0f} GFLOP/s; copying beyond the caches: "
             f"{data['copy_bandwidth'] / 1e9:.1f} GB/s (data that fits the caches goes above it).", ""]
    lines += targets(data, data["rows"], large["rows"]) + ["", "At the papers' sizes:", ""]
    lines += table(data, data["rows"]) + ["", "Larger:", ""] + table(large, large["rows"]) + ["", END]
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--rounds", type=int, default=25)
    parser.add_argument("--filter", default="")
    parser.add_argument("--print", action="store_true")
    options = parser.parse_args()
    data = measure(options.build, options.rounds, "paper", options.filter)
    if options.filter or options.print:
        print("\n".join(table(data, data["rows"])))
        return 0
    large = measure(options.build, options.rounds, "large", LARGE)
    for peak in ("peak_flops", "copy_bandwidth"):  # a moment's other program lowers one of the two
        data[peak] = large[peak] = max(data[peak], large[peak])
    text = section(data, large)
    print(text)
    page = ROOT / "docs" / "performance.md"
    old = page.read_text()
    pattern = re.compile(re.escape(BEGIN) + ".*?" + re.escape(END), re.DOTALL)
    page.write_text(pattern.sub(lambda _: text, old))
    return 0


sys.exit(main())
