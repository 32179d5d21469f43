#!/usr/bin/env python3
"""Runs the benchmark on Tessera at every level of this machine and on other drivers, row by row in turn, and writes
docs/performance.md. The other drivers are the system's Mesa (llvmpipe) and those that options name.

  peers.py --build DIR             all rows, glmark2-es2 when installed; writes the page and its plots
  peers.py --build DIR --quick     few samples, some glmark2 scenes; prints tables, writes nothing
  peers.py --build DIR --resume    goes on where a run for the page was ended, with the same options
  peers.py --build DIR --render    writes the page anew from the last run's figures (DIR/bench/peers.json)

A row is measured in rounds; a round runs the same binary once on each driver, one process after the other, in
alternating order. Medians are over all samples of all rounds; ratios are those to the best peer of the row. A peer whose
vectors are wider than a level's runs limited to these for that level.
"""

import argparse
import json
import os
import pathlib
import re
import statistics
import sys
import time

import drivers as drivers_
import glmark
import page
from drivers import Problem
from page import ratio

ROOT = pathlib.Path(__file__).resolve().parent.parent
CACHE = ROOT / "build/peers"
ONE_THREAD = page.ONE_THREAD
# Rows whose scaling from one thread to two is measured.
SCALING = re.compile(r"^(flat|gouraud|hidden|blend|nearest|bilinear|trilinear|multitexture|phong|arithmetic|loop"
                     r"|diverge|rectangles|nine_patches|glyphs|scissored|triangles_|indexed|strip|culled|lit_vertices)")


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

    def spent(self):
        """Ticks in all, of other programs, that the host took away."""
        total, idle, stolen, ours = (b - a for a, b in zip(self.start, self.read()))
        return total, max(total - idle - stolen - ours, 0), stolen


class Record:
    """The figures of a run. Those of a run for the page are on the disk after every row, so that --resume finds them."""

    def __init__(self, settings, path, resume):
        self.path, self.load = path, Load()
        self.run = {**settings, "settings": settings, "rows": [], "glmark": [], "ticks": [0, 0, 0]}
        if resume:
            if path is None or not path.exists():
                raise Problem("--resume: no run for the page was ended before its time")
            before = json.loads(path.read_text())
            if before["settings"] != json.loads(json.dumps(settings)):
                raise Problem("--resume: the run that was ended had other drivers or options")
            self.run = before

    def add(self, part, row):
        self.run[part].append(row)
        self.count()
        if self.path is not None:
            self.path.parent.mkdir(exist_ok=True)
            fresh = self.path.with_suffix(".new")
            fresh.write_text(json.dumps(self.run))
            fresh.replace(self.path)

    def count(self):
        """Adds what the processors did since the last time."""
        self.run["ticks"] = [sum(pair) for pair in zip(self.run["ticks"], self.load.spent())]
        self.load = Load()
        total, others, stolen = self.run["ticks"]
        self.run["others"], self.run["stolen"] = others / max(total, 1), stolen / max(total, 1)


class Progress:
    """A line every half minute: how far, and how much longer it takes."""

    def __init__(self, what, steps):
        self.what, self.steps, self.done = what, steps, 0
        self.began = self.said = time.monotonic()

    def step(self):
        self.done += 1
        now = time.monotonic()
        if now - self.said < 30 or self.done == self.steps:
            return
        self.said = now
        left = int((now - self.began) / self.done * (self.steps - self.done))
        print(f"bench: {self.done} of {self.steps} {self.what}, {left // 60} min {left % 60:02} s left", file=sys.stderr,
              flush=True)


def bench(build, driver, *arguments):
    run = driver.run([str(build / "bin/bench"), "--json", *arguments])
    try:
        return json.loads(run.stdout)
    except json.JSONDecodeError:
        return {"failure": f"exit status {run.returncode}: {run.stderr.strip()[-300:]}"}


def measure_row(build, row, every, options):
    """Driver -> {"samples", "status", "reason"}."""
    results = {}
    for turn in range(options.rounds):
        chosen = [driver for driver in every if driver.name != ONE_THREAD or SCALING.match(row["name"])]
        for driver in chosen if turn % 2 == 0 else reversed(chosen):
            output = bench(build, driver, "--filter", f"^{row['name']}$", "--size", options.size,
                           "--seconds", str(options.seconds), "--samples", str(options.samples))
            result = results.setdefault(driver.name, {"samples": [], "processor_samples": [], "status": "good", "reason": ""})
            if "failure" in output:  # a driver that dies of a row; others go on
                result.update(status="failed", reason=output["failure"])
                continue
            measured = output["rows"][0]
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


def print_head(title, width, levels):
    print(f"{title:<{width}}", *(f"{'Tessera ' + level:>11} {'ratio':>7} {'by CPU':>7} {'best peer':<14}" for level in levels))


def print_row(run, row, title, width):
    cells = []
    for level in run["levels"]:
        result = row["results"].get(f"tessera {level}", {})
        cells.append(f"{result['median']:>11.5g}" if result.get("status") == "good" else f"{result.get('status', '-'):>11}")
        for key in ("median", "processor_median"):
            value = ratio(run, row, level, key)
            cells.append(f"{value:>6.2f}x" if value else f"{'-':>7}")
        cells.append(f"{page.best_peer(run, row, level) or '-':<14}")
    print(f"{title:<{width}}", *cells, row.get("unit", ""), flush=True)
    for name, result in row["results"].items():
        if result["status"] in ("wrong", "failed"):
            print(f"  {name}: {result['reason']}", flush=True)


def measure_rows(record, build, every, options):
    rows = bench(build, every[0], "--list", "--filter", options.filter)
    if "failure" in rows:
        raise Problem(f"no row matches '{options.filter}' (./run bench --list)")
    there = {row["name"] for row in record.run["rows"]}
    rows = [row for row in rows if row["name"] not in there]
    progress = Progress("rows", len(rows))
    print_head("row", 26, record.run["levels"])
    for row in rows:
        row["results"] = measure_row(build, row, every, options)
        summarize(row["results"])
        print_row(record.run, row, row["name"], 26)
        record.add("rows", row)
        progress.step()


def scene_jobs(options):
    """(scene, whether in a window)"""
    jobs = [(scene, False) for scene in (glmark.QUICK if options.quick and not options.scenes else glmark.SCENES)]
    jobs += [(scene, True) for scene in glmark.WINDOWED]
    return [job for job in jobs if re.search(options.scenes or "", glmark.short_name(*job))]


def measure_scene(scene, windowed, display, every, options):
    """Driver -> {"samples", "status", "reason"}."""
    results = {}
    chosen = [one for one in every if one.name != ONE_THREAD and (one.windows or not windowed)]
    for turn in range(options.glmark_rounds):
        for driver in chosen if turn % 2 == 0 else reversed(chosen):
            once = lambda: glmark.run_scene(scene, driver, display, options.glmark_seconds, windowed)
            value, reason = once()
            if value is None:  # a display that was slow to answer deserves a second try
                value, reason = once()
            result = results.setdefault(driver.name, {"samples": [], "status": "good", "reason": ""})
            result["samples"] += [value] if value else []
            if value is None:
                result.update(status="failed", reason=reason)
    summarize(results)
    return results


def measure_glmark(record, every, options):
    run = record.run
    there = {row["scene"] for row in run["glmark"]}
    jobs = [job for job in scene_jobs(options) if glmark.short_name(*job) not in there]
    print()
    print_head("glmark2-es2 800x600", 70, run["levels"])
    progress = Progress("scenes", len(jobs))
    with glmark.Display() as display:
        if display.name is None:
            print("skipped: no display and no Xvfb")
            return
        for scene, windowed in jobs:
            row = {"scene": glmark.short_name(scene, windowed), "windowed": windowed, "better": "higher",
                   "results": measure_scene(scene, windowed, display.name, every, options)}
            print_row(run, row, row["scene"], 70)
            record.add("glmark", row)
            progress.step()
    for level in run["levels"]:
        print(f"{level}: geometric mean of the scenes drawn off screen {page.glmark_mean(run, run['glmark'], level):.2f}")


def parse(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--render", action="store_true")
    parser.add_argument("--driver", action="append", default=[], metavar="NAME=FOLDER",
                        help="compare with the driver in FOLDER too, which has libEGL and libGLESv2 (repeatable)")
    parser.add_argument("--mesa-sid", nargs="?", const="", metavar="MIRROR",
                        help=f"compare with Mesa of Debian's sid too, which debootstrap downloads once into {CACHE.relative_to(ROOT)}")
    parser.add_argument("--angle", action="store_true",
                        help=f"compare with ANGLE on SwiftShader too, which npm downloads once ({drivers_.ANGLE_PACKAGE})")
    parser.add_argument("--no-mesa", action="store_true", help="not with the system's Mesa")
    parser.add_argument("--levels", help="of this machine's, with commas between (all)")
    parser.add_argument("--filter", default="", help="only rows that match; the page is not written")
    parser.add_argument("--scenes", help="only scenes of glmark2 that match; the page is not written")
    parser.add_argument("--size", default="1024x1024")
    parser.add_argument("--seconds", type=float, help="for each row, driver and round (0.5; quick 0.15)")
    parser.add_argument("--samples", type=int, default=3, help="in that time")
    parser.add_argument("--rounds", type=int, help="3; quick 1")
    parser.add_argument("--no-rows", action="store_true", help="glmark2 only; the page is not written")
    parser.add_argument("--no-glmark", action="store_true")
    parser.add_argument("--glmark-seconds", type=float, help="for each scene, driver and round (2; quick 1)")
    parser.add_argument("--glmark-rounds", type=int, default=1)
    options = parser.parse_args(arguments)
    options.seconds = options.seconds or (0.15 if options.quick else 0.5)
    options.rounds = options.rounds or (1 if options.quick else 3)
    options.glmark_seconds = options.glmark_seconds or (1 if options.quick else 2)
    return options


def chosen_levels(text):
    there = drivers_.host_levels()
    if not there:
        raise Problem(f"no SIMD level is known for this machine ({drivers_.MACHINE})")
    levels = text.split(",") if text else there
    for level in levels:
        if level not in there:
            raise Problem(f"--levels {text}: this machine has {', '.join(there)}")
    return [level for level in there if level in levels]


def chosen_peers(options, build):
    """The peers, each having drawn."""
    folders = [drivers_.parse_folder(text) for text in options.driver]
    names = [name for name, _ in folders]
    for name in names:
        if names.count(name) > 1:
            raise Problem(f"--driver {name}: named twice")
    peers = [] if options.no_mesa else [drivers_.system_mesa()]
    peers += [drivers_.folder_driver(name, folder, build) for name, folder in folders]
    if options.mesa_sid is not None:
        peers.append(drivers_.mesa_sid(CACHE, options.mesa_sid))
    if options.angle:
        peers.append(drivers_.angle(CACHE, build))
    if not peers:
        raise Problem("--no-mesa leaves nothing to compare with: add --driver, --mesa-sid or --angle")
    return [drivers_.start(peer, build) for peer in peers]


def measure(options, build, path):
    """The figures of a run; on the disk meanwhile, if there is a path."""
    levels = chosen_levels(options.levels)
    peers, of_level = drivers_.level_drivers(chosen_peers(options, build), levels)
    ours = [drivers_.start(drivers_.tessera(build, level), build) for level in reversed(levels)]
    ours.append(drivers_.start(drivers_.tessera(build, levels[-1], threads=1), build))
    every = ours + [peer if peer.version else drivers_.start(peer, build) for peer in peers]
    settings = {"levels": levels, "peers": of_level, "drivers": {driver.name: driver.version for driver in every},
                "machine": page.machine(), "size": options.size, "rounds": options.rounds, "samples": options.samples,
                "seconds": options.seconds, "glmark_rounds": options.glmark_rounds, "glmark_seconds": options.glmark_seconds}
    for driver in every:
        print(f"{driver.name}: {driver.version}")
    print()
    began, record = time.monotonic(), Record(settings, path, options.resume)
    if not options.no_rows:
        measure_rows(record, build, every, options)
    if glmark.is_installed() and not options.no_glmark and (options.scenes or not options.filter):
        measure_glmark(record, every, options)
    record.count()
    run = record.run
    print(f"\n{time.monotonic() - began:.0f} s; other programs took {100 * run['others']:.0f} % of the processors' time, "
          f"the host {100 * run['stolen']:.0f} %")
    return run


def is_wrong(name, result):
    """A wrong picture of any driver; of ours also none."""
    return result["status"] == "wrong" or result["status"] == "failed" and name.startswith("tessera")


def main():
    options = parse()
    build = options.build.resolve()
    figures, part = build / "bench/peers.json", build / "bench/peers.part.json"
    try:
        if options.render:
            if not figures.exists():
                raise Problem(f"--render: there is no {figures}; measure first")
            page.write(ROOT, json.loads(figures.read_text()))
            return 0
        is_for_page = not (options.quick or options.filter or options.scenes or options.no_rows or options.levels)
        run = measure(options, build, part if is_for_page else None)
        if is_for_page:
            part.replace(figures)
            page.write(ROOT, run)
    except Problem as problem:
        print(f"bench: {problem}", file=sys.stderr)
        return 1
    wrong = [row["name"] for row in run["rows"] if any(is_wrong(*one) for one in row["results"].items())]
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
