#!/usr/bin/env python3
"""Runs the benchmark on Tessera and on Mesa's llvmpipe, row by row in turn, and writes docs/performance.md.

  peers.py --build DIR             all rows, glmark2-es2 when installed; writes the page and its plots
  peers.py --build DIR --quick     few samples, some glmark2 scenes; prints tables, writes nothing
  peers.py --build DIR --render    writes the page anew from the last run's figures (DIR/bench/peers.json)

A row is measured in rounds; a round runs the same binary once on each driver, one process after the other, in
alternating order. Medians are over all samples of all rounds.
"""

import argparse
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import time

import glmark
import page

ROOT = pathlib.Path(__file__).resolve().parent.parent
MESA_LIBRARY = pathlib.Path("/usr/lib") / f"{os.uname().machine}-linux-gnu" / "libEGL_mesa.so.0"
# Rows whose scaling from one thread to two is measured.
SCALING = re.compile(r"^(flat|gouraud|hidden|blend|nearest|bilinear|trilinear|multitexture|phong|arithmetic|loop"
                     r"|diverge|triangles_|indexed|strip|culled|lit_vertices)")


def environments(build):
    """Driver -> environment that makes a program run on it."""
    tessera = {"LD_LIBRARY_PATH": str(build / "lib")}
    return {
        "tessera": tessera,
        "llvmpipe": {"LD_LIBRARY_PATH": str(MESA_LIBRARY.parent), "LIBGL_ALWAYS_SOFTWARE": "1",
                     "EGL_PLATFORM": "surfaceless",
                     "__EGL_VENDOR_LIBRARY_FILENAMES": "/usr/share/glvnd/egl_vendor.d/50_mesa.json"},
        "tessera 1 thread": {**tessera, "TESSERA_THREADS": "1"},
    }


class Load:
    """How much of the processors' time went to others during the run."""

    def __init__(self):
        self.start = self.read()

    @staticmethod
    def read():
        fields = [int(field) for field in pathlib.Path("/proc/stat").read_text().split("\n")[0].split()[1:9]]
        idle, stolen = fields[3] + fields[4], fields[7]
        ours = sum(os.times()[:4]) * os.sysconf("SC_CLK_TCK")
        return sum(fields), idle, stolen, ours

    def share(self):
        """(share of other programs, share the host took away)"""
        total, idle, stolen, ours = (b - a for a, b in zip(self.start, self.read()))
        return max(total - idle - stolen - ours, 0) / max(total, 1), stolen / max(total, 1)


def bench(build, environment, *arguments):
    run = subprocess.run([str(build / "bin/bench"), "--json", *arguments], env={**os.environ, **environment},
                         capture_output=True, text=True)
    if not run.stdout.startswith(("{", "[")):
        raise SystemExit(f"bench {' '.join(arguments)}: exit status {run.returncode}\n{run.stdout}{run.stderr}")
    return json.loads(run.stdout)


def measure_row(build, row, drivers, options):
    """Driver -> {"samples", "status", "reason"}; the drivers' names are put into `drivers`."""
    results = {}
    for turn in range(options.rounds):
        names = [name for name in drivers if name != "tessera 1 thread" or SCALING.match(row["name"])]
        for name in names if turn % 2 == 0 else reversed(names):
            output = bench(build, drivers[name]["environment"], "--filter", f"^{row['name']}$", "--size", options.size,
                           "--seconds", str(options.seconds), "--samples", str(options.samples))
            drivers[name]["name"] = output["driver"]
            measured = output["rows"][0]
            result = results.setdefault(name, {"samples": [], "processor_samples": [], "status": "good", "reason": ""})
            result["samples"] += measured["samples"]
            result["processor_samples"] += measured["processor_samples"]
            if measured["status"] != "good":
                result.update(status=measured["status"], reason=measured["reason"])
    return results


def summarize(results):
    for result in results.values():
        if result["samples"]:
            result["median"] = statistics.median(result["samples"])
            result["min"], result["max"] = min(result["samples"]), max(result["samples"])
        if result.get("processor_samples"):
            result["processor_median"] = statistics.median(result["processor_samples"])


def ratio(row, ours="tessera", theirs="llvmpipe", key="median"):
    """How many times as fast we are, or None. key="processor_median": for the same processor time."""
    a, b = (row["results"].get(name, {}) for name in (ours, theirs))
    if not a.get(key) or not b.get(key) or a["status"] != "good" or b["status"] != "good":
        return None
    return a[key] / b[key] if row["better"] == "higher" else b[key] / a[key]


def print_row(row):
    cells = [f"{row['name']:<18}"]
    for name in ("tessera", "llvmpipe"):
        result = row["results"].get(name, {})
        good = result.get("status") == "good"
        cells.append(f"{result['median']:>11.5g}" if good else f"{result.get('status', '-'):>11}")
    value = ratio(row)
    cells.append(f"{value:>7.2f}x" if value else f"{'-':>8}")
    value = ratio(row, key="processor_median")
    cells.append(f"{value:>7.2f}x" if value else f"{'':>8}")
    one = ratio(row, theirs="tessera 1 thread")
    cells.append(f"{one:>6.2f}x" if one else f"{'':>7}")
    print(*cells, row["unit"], flush=True)
    for name, result in row["results"].items():
        if result["status"] == "wrong":
            print(f"  {name}: {result['reason']}", flush=True)


def measure_rows(build, drivers, options):
    rows = bench(build, drivers["tessera"]["environment"], "--list", "--filter", options.filter)
    print(f"{'row':<18} {'Tessera':>11} {'llvmpipe':>11} {'ratio':>8} {'by CPU':>8} {'2/1 thr':>7}")
    for row in rows:
        row["results"] = measure_row(build, row, drivers, options)
        summarize(row["results"])
        print_row(row)
    return rows


def measure_glmark(drivers, options):
    """List of {"scene", "results": driver -> {"samples", "median"} or {"reason"}}."""
    scenes = glmark.QUICK if options.quick else glmark.SCENES
    jobs = [(scene, False) for scene in scenes] + [(scene, True) for scene in glmark.WINDOWED]
    rows = []
    print(f"\n{'glmark2-es2 800x600':<70} {'Tessera':>8} {'llvmpipe':>8} {'ratio':>8}")
    with glmark.Display() as display:
        if display.name is None:
            print("skipped: no display and no Xvfb")
            return []
        for scene, windowed in jobs:
            row = {"scene": glmark.short_name(scene, windowed), "windowed": windowed, "better": "higher", "results": {}}
            for turn in range(options.glmark_rounds):
                for name in ("tessera", "llvmpipe") if turn % 2 == 0 else ("llvmpipe", "tessera"):
                    run = lambda: glmark.run_scene(scene, drivers[name]["environment"], display.name,
                                                   options.glmark_seconds, windowed)
                    value, reason = run()
                    if value is None:  # a display that was slow to answer deserves a second try
                        value, reason = run()
                    result = row["results"].setdefault(name, {"samples": [], "status": "good", "reason": ""})
                    result["samples"] += [value] if value else []
                    if value is None:
                        result.update(status="failed", reason=reason)
            summarize(row["results"])
            rows.append(row)
            cells = [f"{row['results'][name].get('median', 0):>8.0f}" for name in ("tessera", "llvmpipe")]
            value = ratio(row)
            print(f"{row['scene']:<70}", *cells, f"{value:>7.2f}x" if value else f"{'-':>8}", flush=True)
    print(f"{'geometric mean of the scenes drawn off screen':<88} {page.glmark_mean(rows):>7.2f}x")
    return rows


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--render", action="store_true")
    parser.add_argument("--filter", default="", help="only rows that match; the page is not written")
    parser.add_argument("--size", default="1024x1024")
    parser.add_argument("--seconds", type=float, help="for each row, driver and round (0.5; quick 0.15)")
    parser.add_argument("--samples", type=int, default=3, help="in that time")
    parser.add_argument("--rounds", type=int, help="3; quick 1")
    parser.add_argument("--no-glmark", action="store_true")
    parser.add_argument("--glmark-seconds", type=float, help="for each scene, driver and round (2; quick 1)")
    parser.add_argument("--glmark-rounds", type=int, default=1)
    options = parser.parse_args()
    options.seconds = options.seconds or (0.15 if options.quick else 0.5)
    options.rounds = options.rounds or (1 if options.quick else 3)
    options.glmark_seconds = options.glmark_seconds or (1 if options.quick else 2)
    return options


def main():
    options = parse()
    build = options.build.resolve()
    figures = build / "bench/peers.json"
    if options.render:
        page.write(ROOT, json.loads(figures.read_text()), ratio)
        return 0
    if not MESA_LIBRARY.exists():
        print(f"Mesa is not installed ({MESA_LIBRARY.name} not found): apt-get install libegl-mesa0 libgl1-mesa-dri")
        return 1
    drivers = {name: {"environment": environment, "name": ""} for name, environment in environments(build).items()}
    load, start = Load(), time.monotonic()
    rows = measure_rows(build, drivers, options)
    scenes = []
    if glmark.is_installed() and not options.no_glmark and not options.filter:
        scenes = measure_glmark(drivers, options)
    others, stolen = load.share()
    print(f"\n{time.monotonic() - start:.0f} s; other programs took {100 * others:.0f} % of the processors' time, "
          f"the host {100 * stolen:.0f} %")
    if not options.quick and not options.filter:
        run = {"drivers": {name: driver["name"] for name, driver in drivers.items()}, "rows": rows, "glmark": scenes,
               "others": others, "stolen": stolen, "machine": page.machine(), "size": options.size,
               "rounds": options.rounds, "samples": options.samples, "glmark_seconds": options.glmark_seconds}
        figures.parent.mkdir(exist_ok=True)
        figures.write_text(json.dumps(run, indent=1))
        page.write(ROOT, run, ratio)
    wrong = [row["name"] for row in rows if any(r["status"] == "wrong" for r in row["results"].values())]
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
