#!/usr/bin/env python3
"""Programs that never heard of Tessera, from Debian's packages, run on it unmodified and compared with Mesa's llvmpipe.

  programs.py --build DIR                 every program whose packages are installed, three times (glmark2's scenes once)
  programs.py --build DIR --quick         the ones that take seconds, once; exit status 77 (skipped) where none is installed
  programs.py --build DIR --only REGEX    some of them (--times N: that often)
  programs.py --build DIR --write         after that, the tables in docs/programs.md anew: the last results of every program
  programs.py --build DIR --shard K/N     every N-th program; ./run merge puts the parts together
  programs.py --list                      what there is, and the packages each comes from
  programs.py --packages                  only the names of these packages

A program (catalogue.py) is tried in one or two ways. `output`: it runs and its text is searched. `picture`: it writes a
picture, which is compared. `still`: it runs in a window on a virtual X display, on both drivers, until what it shows
stands; the screenshots are compared. `window`: it moves with the clock; the screenshot is looked at for an empty picture.
`frames`: its calls are recorded (apitrace) and replayed on both drivers (eglretrace, the same calls with the same data),
and frames are compared pixel by pixel. `refuses`: it says why it does not run.

Every other time Tessera's libraries are found by name, and the times between through libglvnd. DIR/programs/index.html
shows every pair of pictures with what differs.
"""

import argparse
import dataclasses
import html
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

import catalogue
import session

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent))
import shards  # noqa: E402

ROOT = HERE.parent.parent
PAGE = ROOT / "docs" / "programs.md"


@dataclasses.dataclass
class Result:
    good: bool
    said: str
    mean: float = 0.0                              # the largest of all compared pictures
    share: float = 0.0
    pictures: list = dataclasses.field(default_factory=list)   # (Tessera's, Mesa's, their difference)
    seconds: tuple = ()                            # until the picture stood: on Tessera, on Mesa


class Bench:
    """The build under test, what there is to compare with, and a place for pictures."""

    def __init__(self, build):
        self.build = build
        self.work = build / "programs"
        self.work.mkdir(exist_ok=True)
        self.mesa = session.MESA_VENDOR.exists()
        self.apitrace = shutil.which("apitrace") is not None and shutil.which("eglretrace") is not None
        self.by_name = True
        self.shown_by_mesa = {}   # name of a program: (picture or None, what was wrong, seconds); it is run there once

    def file(self, program, suffix):
        return self.work / (re.sub(r"[^A-Za-z0-9_.-]+", "-", program.name) + suffix)

    def session(self, program, driver, picture=None):
        log = self.file(program, f".{driver}.log")
        return session.Session(self.build, program, driver, self.by_name, log, picture)


def try_output(bench, program):
    with bench.session(program, "tessera") as attempt:
        if not attempt.wait(600):
            return Result(False, "did not end within 600 s")
        text, wrong = attempt.text(), attempt.wrong()
    if wrong:
        return Result(False, wrong)
    if program.expect and not re.search(program.expect, text):
        return Result(False, f"its output lacks {program.expect!r}")
    if program.refuse and re.search(program.refuse, text):
        return Result(False, f"its output has {re.search(program.refuse, text).group(0)!r}")
    validated = len(re.findall("Validation: Success", text))
    return Result(True, f"{validated} scenes validated, 0 failed" if validated else "output as expected")


def try_refuses(bench, program):
    """What a program says that Tessera cannot serve: reasons on the page are still true."""
    with bench.session(program, "tessera") as attempt:
        deadline = time.time() + session.PATIENCE
        while not re.search(program.expect, attempt.text()):
            if time.time() > deadline or attempt.process.poll() is not None and not re.search(program.expect, attempt.text()):
                return Result(False, f"its output lacks {program.expect!r}")
            time.sleep(0.2)
    return Result(True, "")


def difference(bench, a, b, program):
    """Compares two pictures: (good, mean of the worst channel, share of pixels off by more than 8, picture of it)."""
    shown = a.with_name(a.name.replace(".tessera.png", ".difference.png"))
    run = subprocess.run([str(bench.build / "bin/tessera"), "diff", str(a), str(b), "--tolerance", "8", "-o", str(shown)],
                         capture_output=True, text=True)
    mean = re.search(r"mean absolute difference[^\n]*", run.stdout)
    share = re.search(r"(\d+) of (\d+) pixels", run.stdout)
    if not mean or not share:
        return False, 255.0, 1.0, shown
    worst = max(float(value) for value in re.findall(r" (\d+\.\d+)", mean.group(0)))
    part = int(share.group(1)) / int(share.group(2))
    return worst <= program.mean and part <= program.share, worst, part, shown


def colours(picture):
    run = subprocess.run(["identify", "-format", "%k", str(picture)], capture_output=True, text=True)
    return int(run.stdout or 0)


def show_on_mesa(bench, program, picture):
    """What Mesa shows, made once: (what was wrong, seconds)."""
    if program.name not in bench.shown_by_mesa:
        with bench.session(program, "mesa", picture) as attempt:
            if "picture" in program.ways:
                wrong = "" if attempt.wait(120) else "did not end within 120 s"
            else:
                last = None
                for last, stands in attempt.screenshots():
                    if stands and session.to_png(last, picture) and colours(picture) >= program.colours:
                        break
                else:
                    session.to_png(last, picture)
                wrong = ""
            wrong = wrong or attempt.wrong() or ("" if picture.exists() and colours(picture) >= program.colours else "an empty picture")
            bench.shown_by_mesa[program.name] = wrong, time.time() - attempt.began
    return bench.shown_by_mesa[program.name]


def compared(bench, program, pictures, seconds=()):
    """The verdict over pairs of pictures of the two drivers."""
    results = [difference(bench, ours, theirs, program) for ours, theirs in pictures]
    mean, share = max(result[1] for result in results), max(result[2] for result in results)
    shown = [(*pair, result[3]) for pair, result in zip(pictures, results)]
    return Result(all(result[0] for result in results), f"mean {mean:.3f}, {100 * share:.3f} %", mean, share, shown, seconds)


def try_picture(bench, program):
    ours, theirs = bench.file(program, ".picture.tessera.png"), bench.file(program, ".picture.mesa.png")
    ours.unlink(missing_ok=True)
    with bench.session(program, "tessera", ours) as attempt:
        wrong = "" if attempt.wait(120) else "did not end within 120 s"
        wrong = wrong or attempt.wrong()
        took = time.time() - attempt.began
    if wrong or not ours.exists() or colours(ours) < program.colours:
        return Result(False, wrong or "no picture, or an empty one")
    if not bench.mesa:
        return Result(True, "picture made")
    wrong, theirs_took = show_on_mesa(bench, program, theirs)
    if wrong:
        return Result(False, f"Mesa's picture to compare with: {wrong}")
    return compared(bench, program, [(ours, theirs)], (took, theirs_took))


def try_window(bench, program, still):
    """A still window is looked at until it shows what Mesa shows, or stands at something else until the patience ends."""
    if not session.can_show():
        return None
    ours, theirs = bench.file(program, ".window.tessera.png"), bench.file(program, ".window.mesa.png")
    compare = still and bench.mesa
    if compare:
        wrong, theirs_took = show_on_mesa(bench, program, theirs)
        if wrong:
            return Result(False, f"Mesa's picture to compare with: {wrong}")
    ours.unlink(missing_ok=True)
    result, last, judged = None, None, None
    with bench.session(program, "tessera") as attempt:
        for last, stands in attempt.screenshots():
            if (stands or not still) and last != judged and session.to_png(last, ours) and colours(ours) >= program.colours:
                judged, took = last, time.time() - attempt.began
                result = compared(bench, program, [(ours, theirs)], (took, theirs_took)) if compare else Result(True, "drawn")
                if result.good:
                    break
        wrong = attempt.wrong()
    if wrong:
        return Result(False, wrong)
    if result is None and session.to_png(last, ours) and colours(ours) >= program.colours and compare:
        result = compared(bench, program, [(ours, theirs)])
        if not program.moves:
            result = dataclasses.replace(result, good=False, said="the picture does not stand still; " + result.said)
    return result or Result(False, f"the window is empty: {ours.name}")


def record(bench, program, trace, seconds):
    """Records the program's calls; the calls that end a frame."""
    trace.unlink(missing_ok=True)
    traced = dataclasses.replace(program, command=["apitrace", "trace", "--api", "egl", "-o", str(trace), *program.command])
    with bench.session(traced, program.record_on) as attempt:
        attempt.wait(seconds)
    dump = subprocess.run(["apitrace", "dump", "--calls=frame", "--color=never", str(trace)], capture_output=True, text=True, errors="replace")
    return [int(number) for number in re.findall(r"^(\d+) eglSwapBuffers", dump.stdout, re.MULTILINE)]


def try_frames(bench, program):
    if not (bench.apitrace and bench.mesa and session.can_show()):
        return None
    trace = bench.file(program, ".trace")
    for patience in (1, 4, 12):  # on a busy machine the first frame may be late
        if calls := record(bench, program, trace, patience * program.seconds):
            break
    else:
        return Result(False, f"no frame was recorded on {program.record_on}")
    skipped = calls[min(program.skip, len(calls) - 1):]
    chosen = sorted({skipped[i * (len(skipped) - 1) // max(1, program.frames - 1)] for i in range(program.frames)})
    pictures = {}
    for driver in ("tessera", "mesa"):
        with tempfile.TemporaryDirectory(dir=bench.work) as place:
            replay = ["eglretrace", "--headless", f"--snapshot-prefix={place}/", "-S", ",".join(map(str, chosen)), str(trace)]
            # What a program sees when it runs differs from what it is replayed with: llvmpipe is not held to ES 3.0 here.
            retraced = dataclasses.replace(program, command=replay, bus=False, unprivileged=False, environment={}, status=(0,), held=False)
            with bench.session(retraced, driver) as attempt:
                ended, text, wrong = attempt.wait(600), attempt.text(), attempt.wrong()
            if not ended or wrong:
                return Result(False, f"the replay: {wrong or 'did not end within 600 s'}")
            errors = re.findall(r"\d+: warning: glGetError[^\n]*|\d+: error:[^\n]*", text)
            if errors and driver == "tessera":
                return Result(False, f"the replay had errors: {errors[0]}")
            pictures[driver] = {}
            for picture in sorted(pathlib.Path(place).glob("*.png")):
                kept = bench.file(program, f".{picture.stem}.{driver}.png")
                shutil.move(picture, kept)
                pictures[driver][picture.stem] = kept
    trace.unlink()
    if not pictures["tessera"] or pictures["tessera"].keys() != pictures["mesa"].keys():
        return Result(False, "the drivers gave different numbers of frames")
    result = compared(bench, program, [(pictures["tessera"][name], pictures["mesa"][name]) for name in pictures["mesa"]])
    return dataclasses.replace(result, said=f"{len(result.pictures)} of {len(calls)} frames: {result.said}")


WAYS = {
    "output": try_output, "refuses": try_refuses, "picture": try_picture, "frames": try_frames,
    "window": lambda bench, program: try_window(bench, program, still=False),
    "still": lambda bench, program: try_window(bench, program, still=True),
}


def installed(program):
    run = subprocess.run(["dpkg-query", "-W", "-f=${db:Status-Status}\n", *program.packages], capture_output=True, text=True)
    return run.stdout.split() == ["installed"] * len(program.packages)


@dataclasses.dataclass
class Row:
    """A program with the results of every time, each a list with one for each way that could be tried."""

    program: catalogue.Program
    times: list
    said: str = ""

    def good(self):
        """How many times it was good; None where nothing could be tried."""
        return sum(all(result.good for result in results) for results in self.times) if self.times else None

    def verdict(self):
        if self.good() is None:
            return "not tried"
        if "refuses" in self.program.ways:
            return "refuses" if self.good() == len(self.times) else "**runs now?**"
        return f"{self.good()} of {len(self.times)}" if self.good() == len(self.times) else f"**{self.good()} of {len(self.times)}**"

    def seen(self):
        """What to say of all times: of the worst one."""
        if not self.times:
            return self.said
        worst = min(self.times, key=lambda results: (all(result.good for result in results), -max(result.share for result in results)))
        return "; ".join(result.said for result in worst)


def plain(row):
    """The results of every time, without their pictures, as data that is written to a file."""
    return [[dataclasses.asdict(dataclasses.replace(result, pictures=[])) for result in results] for results in row.times]


def row_of(program, times, said):
    return Row(program, [[Result(**result) for result in results] for results in times], said)


def keep(bench, row):
    """Results outlast this process: a page of all programs can be made in several runs."""
    bench.file(row.program, ".json").write_text(json.dumps(plain(row)))


def kept(bench, program):
    file = bench.file(program, ".json")
    return row_of(program, json.loads(file.read_text()) if file.exists() else [], "not tried")


def run(bench, program, times):
    if not installed(program):
        return Row(program, [], f"not installed: {' '.join(program.packages)}")
    row = Row(program, [], "no display, apitrace or Mesa to try it with")
    for count in range(times):
        # Once by name, once through libglvnd, and so on.
        bench.by_name = count % 2 == 0 if program.by_name else False
        results = [result for way in program.ways if (result := WAYS[way](bench, program)) is not None]
        if results:
            row.times.append(results)
    return row


def version(package):
    result = subprocess.run(["dpkg-query", "-W", "-f=${Version}", package], capture_output=True, text=True)
    return re.sub(r"^\d+:|[-+].*", "", result.stdout.strip()) or "?"


def fold(rows, folded):
    """One row for many like ones: the worst of them, in brackets what is not within the usual tolerance."""
    there = [row for row in rows if row.times]
    results = [result for row in there for results in row.times for result in results]
    usual = [result for row in there if not row.program.note for results in row.times for result in results]
    good, times = min((row.good() for row in there), default=0), max((len(row.times) for row in there), default=0)
    worst = f"mean {max((r.mean for r in usual), default=0):.3f}, {100 * max((r.share for r in usual), default=0):.3f} %"
    notes = [f"{row.program.name.removeprefix(folded + ' ')}: {row.seen()}: {row.program.note}" for row in there if row.program.note]
    return (f"| {folded}: {len(there)} scenes | {version(rows[0].program.packages[0])} | {good} of {times} | "
            f"{len(results)} comparisons: {worst}. {'. '.join(notes)} |")


def write_page(rows):
    """The tables anew. Programs that were not tried in this build tree keep the line that the page has."""
    text = PAGE.read_text()
    begin, end = "<!-- tables: written by ./run programs --write -->\n", "<!-- end of the tables -->"
    head, rest = text.split(begin)
    tables, tail = rest.split(end)
    there = {line.split(" | ")[0].removeprefix("| "): line for line in tables.splitlines() if line.startswith("| ")}
    lines = []
    for group in catalogue.GROUPS:
        chosen = [row for row in rows if row.program.group == group]
        lines += ["", f"## {group}", "", "| program | version | result | seen and compared |", "|---|---|---|---|"]
        for row in chosen:
            if not row.program.fold:
                told = "; ".join(part for part in (row.seen(), row.program.note) if part)
                line = f"| {row.program.name} | {version(row.program.packages[0])} | {row.verdict()} | {told} |"
                lines.append(line if row.times else there.get(row.program.name, line))
        for folded in sorted({row.program.fold for row in chosen if row.program.fold}):
            its = [row for row in chosen if row.program.fold == folded]
            before = next((line for name, line in there.items() if name.startswith(f"{folded}: ")), None)
            lines.append(before if before and not any(row.times for row in its) else fold(its, folded))
    PAGE.write_text(head + begin + "\n".join(lines) + "\n\n" + end + tail)


def write_sheet(file, rows):
    """Every pair of pictures of the last time, with what differs."""
    parts = ["<!DOCTYPE html><meta charset=utf-8><title>Programs on Tessera and on llvmpipe</title><style>body{font:15px sans-serif;"
             "background:#222;color:#ddd;margin:24px}img{max-width:31vw;background:#000}.bad{color:#f66}td{padding:2px 8px 2px 0}</style>"
             "<h1>Programs on Tessera and on llvmpipe</h1><p>From left to right: Tessera, llvmpipe, where they differ by more than 8/255."]
    for row in rows:
        name = html.escape(row.program.name)
        bad = row.good() is not None and row.good() < len(row.times)
        parts.append(f"<h2 class={'bad' if bad else 'good'}>{name}: {html.escape(row.verdict())}</h2><p>{html.escape(row.seen())}")
        for result in row.times[-1] if row.times else []:
            if result.seconds:
                parts.append(f"<p>stood after {result.seconds[0]:.1f} s, on llvmpipe after {result.seconds[1]:.1f} s")
            for pictures in result.pictures:
                parts.append("<div>" + " ".join(f'<img src="{picture.name}">' for picture in pictures if picture.exists()) + "</div>")
    file.write_text("\n".join(parts) + "\n")


# --- What is told, of a run and of all shards of one ---

def tell(row, number, count):
    print(f"[{number}/{count}] {row.program.name}: {row.verdict().replace('*', '')}: {row.seen()}", flush=True)


def conclude(rows, pictures):
    bad = bad_ones(rows)
    print(f"{sum(row.good() is not None for row in rows) - len(bad)} good, {len(bad)} bad, "
          f"{sum(row.good() is None for row in rows)} not tried; pictures: {pictures}")
    return 1 if bad else 0


def bad_ones(rows):
    return [row.program.name for row in rows if row.times and row.good() < len(row.times)]


def merged(parts, build):
    programs = {program.name: program for program in catalogue.PROGRAMS}
    rows = [row_of(programs[name], times, said)
            for name, times, said in shards.interleaved([part["outputs"]["rows"] for part in parts])]
    bench = Bench(build)
    for number, row in enumerate(rows, 1):
        tell(row, number, len(rows))
        keep(bench, row)
    if parts[0]["options"]["write"]:
        write_page([kept(bench, program) for program in catalogue.PROGRAMS])
    return conclude(rows, "where each shard ran")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", metavar="REGEX", default="")
    parser.add_argument("--times", type=int, default=0, metavar="N")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--packages", action="store_true")
    parser.add_argument("--write", action="store_true")
    shards.add_options(parser)
    arguments = parser.parse_args()
    shard = shards.chosen(arguments)
    chosen = [program for program in catalogue.PROGRAMS
              if (program.quick or not arguments.quick) and re.search(arguments.only, program.name, re.IGNORECASE)]
    if arguments.packages:
        print("\n".join(sorted({package for program in chosen for package in program.packages})))
        return 0
    if arguments.list:
        for program in chosen:
            print(f"{program.name:50} {program.packages[0]:24} {', '.join(program.ways)}{'  (quick)' if program.quick else ''}")
        return 0
    if arguments.build is None:
        parser.error("--build is needed")
    if not chosen:
        parser.error(f"no program's name matches {arguments.only!r}; --list says what there is")
    if arguments.quick and not any(installed(program) and program.packages != ("python3",) for program in chosen):
        print("skipped: none of the programs is installed (Debian packages: mesa-utils-bin)")
        return 77
    session.adopt_orphans()
    os.umask(0o022)
    bench, rows, mine = Bench(arguments.build.resolve()), [], shard.part(chosen)
    sheet = bench.work / (f"index-{shard.number}-of-{shard.of}.html" if shard.is_given else "index.html")
    for number, program in enumerate(mine, 1):
        # A scene among many like it is replayed calls: once will do.
        row = run(bench, program, arguments.times or (1 if arguments.quick or program.fold else 3))
        rows.append(row)
        keep(bench, row)
        tell(row, number, len(mine))
        write_sheet(sheet, rows)
    shard.leave("programs", arguments.build,
                {"programs": [program.name for program in chosen], "times": arguments.times, "quick": arguments.quick,
                 "write": arguments.write},
                {"tried": sum(row.good() is not None for row in rows), "not tried": sum(row.good() is None for row in rows)},
                bad_ones(rows), {"rows": [[row.program.name, plain(row), row.said] for row in rows]})
    if arguments.write and not shard.is_given:
        write_page([kept(bench, program) for program in catalogue.PROGRAMS])
    return conclude(rows, sheet)


if __name__ == "__main__":
    sys.exit(main())
