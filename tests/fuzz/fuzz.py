#!/usr/bin/env python3
"""Runs fuzz targets (tests/fuzz/CMakeLists.txt makes them).

  fuzz.py --build DIR [TARGET ...] [--seconds N]   each target for N seconds (60), all targets without a name
  fuzz.py --build DIR [TARGET ...] [--hours N]     N hours of one processor in all, the same time for each target
  fuzz.py --build DIR [TARGET ...] --minimise      of the corpora the fewest inputs that reach it all become seeds
  fuzz.py --build DIR --write                      adds the report to the repository's totals, writes docs/fuzzing.md
  fuzz.py --build DIR [TARGET ...] --shard K/N     every N-th target; ./run merge puts the parts together
  fuzz.py --build DIR --list

What a run finds new is kept in DIR/corpus/<target>/ and is where the next run starts. DIR/report.json adds up all runs
since the last --write. An input that fails is left in DIR/findings/ and named; once fixed it belongs into
tests/fuzz/regressions/<target>/, which every run tries first.
"""

import argparse
import collections
import dataclasses
import json
import os
import pathlib
import re
import resource
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import shards  # noqa: E402

TOTALS = HERE / "totals.json"
PAGE = HERE.parent.parent / "docs" / "fuzzing.md"
INTERRUPTED = 72  # how libFuzzer ends when the user interrupts it
MEMORY = 3072  # MB: the replay of a recording may take 2048 for images and buffers (kMaxRecordedMemory)
BEGIN, END = "<!-- totals: ./run fuzz --write -->\n", "<!-- end of totals -->\n"


@dataclasses.dataclass
class Figures:
    """Of one target, over one run or many."""
    seconds: float = 0     # of processors
    executions: int = 0
    edges: int = 0         # places in the program's flow that some input reached
    corpus: int = 0        # inputs kept, each for something that no other reaches
    findings: int = 0

    def then(self, later):
        return Figures(self.seconds + later.seconds, self.executions + later.executions, later.edges or self.edges,
                       later.corpus or self.corpus, self.findings + later.findings)

    def __str__(self):
        return (f"{self.seconds:.0f} s, {self.executions} executions, {self.edges} edges, {self.corpus} kept, "
                f"{'FAILED' if self.findings else 'nothing found'}")


def read(file):
    if not file.exists():
        return collections.defaultdict(Figures)
    figures = {name: Figures(**values) for name, values in json.loads(file.read_text()).items()}
    return collections.defaultdict(Figures, figures)


def write(file, figures):
    """A target a line; whole or not at all, a run may be interrupted."""
    lines = [f"  {json.dumps(name)}: {json.dumps(dataclasses.asdict(figures[name]))}" for name in sorted(figures)]
    text = "{\n" + ",\n".join(lines) + "\n}\n"
    new = file.with_suffix(".new")
    new.write_text(text)
    new.replace(file)


def table(figures):
    rows = ["| target | executions | edges | inputs kept | findings | processor hours |",
            "|---|---:|---:|---:|---:|---:|"]
    for name in sorted(figures):
        f = figures[name]
        rows.append(f"| `{name}` | {f.executions:,} | {f.edges:,} | {f.corpus:,} | {f.findings} | "
                    f"{f.seconds / 3600:.3f} |")
    executions, findings, seconds = (sum(getattr(f, what) for f in figures.values())
                                     for what in ("executions", "findings", "seconds"))
    rows.append(f"| all | {executions:,} | | | {findings} | {seconds / 3600:.3f} |")
    return "\n".join(rows) + "\n"


def publish(report):
    totals = read(TOTALS)
    for name, figures in read(report).items():
        figures.seconds = round(figures.seconds)
        totals[name] = totals[name].then(figures)
    write(TOTALS, totals)
    report.unlink(missing_ok=True)
    page = PAGE.read_text()
    before, rest = page.split(BEGIN)
    PAGE.write_text(before + BEGIN + "\n" + table(totals) + "\n" + END + rest.split(END)[1])


def program(build, name):
    return str(build / "bin" / f"fuzz_{name}")


def seeds(build, name):
    listed = (build / "seeds" / name).read_text().split("\n")
    return [line for line in listed if line and pathlib.Path(line).is_dir()]


def environment():
    # One worker thread: runs repeat, and leave the processors to others.
    return dict(os.environ, TESSERA_THREADS="1")


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(build, name, seconds, timeout):
    corpus, findings = build / "corpus" / name, build / "findings"
    corpus.mkdir(parents=True, exist_ok=True)
    findings.mkdir(exist_ok=True)
    command = [program(build, name), str(corpus), *seeds(build, name), f"-max_total_time={seconds}",
               f"-timeout={timeout}", f"-rss_limit_mb={MEMORY}", "-max_len=4096", f"-artifact_prefix={findings}/{name}-",
               "-print_final_stats=1"]
    before = processor_seconds()
    ended = subprocess.run(command, env=environment(), capture_output=True, text=True, errors="replace")
    executions = (re.findall(r"stat::number_of_executed_units:\s+(\d+)", ended.stderr) or
                  re.findall(r"^#(\d+)\s", ended.stderr, re.M))
    edges = re.findall(r"cov: (\d+)", ended.stderr)
    figures = Figures(processor_seconds() - before, int(executions[-1]) if executions else 0,
                      int(edges[-1]) if edges else 0, len(list(corpus.iterdir())),
                      int(ended.returncode not in (0, INTERRUPTED)))
    print(f"{name}: {figures}", flush=True)
    if figures.findings:
        told = [line for line in ended.stderr.split("\n") if not re.match(r"#\d+\s", line)]  # without the progress
        print("\n".join(told)[-6000:])
    return figures


def minimise(build, name):
    """Of the corpus the fewest inputs that reach what the seeds do not, by libFuzzer's merge, become seeds."""
    into = HERE / "seeds" / name
    into.mkdir(parents=True, exist_ok=True)
    before = len(list(into.iterdir()))
    subprocess.run([program(build, name), "-set_cover_merge=1", "-use_counters=0", "-timeout=60", str(into),
                    *seeds(build, name), str(build / "corpus" / name)],
                   env=environment(), capture_output=True, check=True)
    print(f"{name}: {before} seeds, now {len(list(into.iterdir()))}", flush=True)


def add(report, name, figures):
    """The report of all runs since the last --write."""
    reported = read(report)
    reported[name] = reported[name].then(figures)
    write(report, reported)


def tell(report, found):
    reported = read(report)
    print(f"since the last --write, on {sum(f.seconds for f in reported.values()) / 3600:.2f} processor-hours:\n"
          f"{table(reported)}{'found something: ' + ', '.join(found) if found else 'nothing found'}")
    return 1 if found else 0


def merged(parts, build):
    """Adds what the shards ran to the report of this tree."""
    figures = {name: Figures(**values) for part in parts for name, values in part["outputs"].items()}
    report = build.parent / "fuzz" / "report.json"
    report.parent.mkdir(parents=True, exist_ok=True)
    names = [name for name in parts[0]["options"]["targets"] if name in figures]
    for name in names:
        print(f"{name}: {figures[name]}")
        add(report, name, figures[name])
    return tell(report, [name for name in names if figures[name].findings])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("target", nargs="*")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--hours", type=float)
    parser.add_argument("--timeout", type=int, default=60, help="seconds, after which an input hangs (60)")
    parser.add_argument("--minimise", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--list", action="store_true")
    shards.add_options(parser)
    arguments = parser.parse_args()
    shard = shards.chosen(arguments)
    if shard.is_given and (arguments.minimise or arguments.write):
        parser.error("--minimise and --write are not divisible: give them without --shard")
    build = arguments.build.resolve()
    report = build / "report.json"
    if arguments.list:  # without a build
        print("\n".join(re.findall(r"^tessera_fuzz_target\((\w+)", (HERE / "CMakeLists.txt").read_text(), re.M)))
        return 0
    known = sorted(path.name for path in (build / "seeds").glob("*"))
    if arguments.write:
        publish(report)
        return 0
    unknown = set(arguments.target) - set(known)
    if unknown or not known:
        parser.error(f"no fuzz target {' '.join(unknown)}; there are: {' '.join(known)}")
    names = arguments.target or known
    if arguments.minimise:
        for name in names:
            minimise(build, name)
        return 0
    seconds = round(arguments.hours * 3600 / len(names)) if arguments.hours is not None else arguments.seconds
    ran = {}
    for name in shard.part(names):
        ran[name] = run(build, name, seconds, arguments.timeout)
        if not shard.is_given:  # else the merge adds it, once
            add(report, name, ran[name])
    found = [name for name, figures in ran.items() if figures.findings]
    if not shard.is_given:
        return tell(report, found)
    shard.leave("fuzz", build, {"targets": names, "seconds": seconds, "timeout": arguments.timeout},
                {"targets": len(ran), "executions": sum(figures.executions for figures in ran.values())}, found,
                {name: dataclasses.asdict(figures) for name, figures in ran.items()})
    print("found something: " + ", ".join(found) if found else "nothing found")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
