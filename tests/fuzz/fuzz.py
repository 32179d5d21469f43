#!/usr/bin/env python3
"""Runs fuzz targets (tests/fuzz/CMakeLists.txt makes them).

  fuzz.py --build DIR [TARGET ...] [--seconds N]   each target for N seconds (60), all targets without a name
  fuzz.py --build DIR [TARGET ...] [--hours N]     N hours of one processor in all, the same time for each target
  fuzz.py --build DIR TARGET ... --minimise        what the corpora have found, as few inputs as reach it all, into the seeds
  fuzz.py --build DIR --list

What a run finds new is kept in DIR/fuzz/<target>.corpus and is where the next run starts; --fresh starts from the
repository's seeds alone. An input that fails is left in DIR/fuzz/ and named; once fixed it belongs into
tests/fuzz/regressions/<target>/, which every run tries first.
"""

import argparse
import dataclasses
import os
import pathlib
import re
import shutil
import subprocess
import sys


@dataclasses.dataclass
class Result:
    name: str
    seconds: int
    inputs: int
    branches: int      # places in the program's flow that some input reached
    corpus: int        # inputs kept, each for something that no other reaches
    found: bool

    def __str__(self):
        return (f"{self.name}: {self.seconds} s, {self.inputs} inputs, {self.branches} branches, {self.corpus} kept, "
                f"{'FAILED' if self.found else 'nothing found'}")


def program(build, name):
    return str(build / "bin" / f"fuzz_{name}")


def seeds(build, name):
    listed = (build / "fuzz" / f"{name}.seeds").read_text().split("\n")
    return [line for line in listed if line and pathlib.Path(line).is_dir()]


def environment():
    # glslang keeps its tables for the life of the process. One worker thread: runs repeat, and leave the cores to others.
    return dict(os.environ, ASAN_OPTIONS="detect_leaks=0:allocator_may_return_null=1", TESSERA_THREADS="1")


def run(build, name, seconds, fresh):
    work = build / "fuzz"
    corpus = work / (f"{name}.fresh" if fresh else f"{name}.corpus")
    if fresh:
        shutil.rmtree(corpus, ignore_errors=True)
    corpus.mkdir(parents=True, exist_ok=True)
    command = [program(build, name), str(corpus), *seeds(build, name), f"-max_total_time={seconds}", "-timeout=60",
               "-rss_limit_mb=2048", "-max_len=4096", f"-artifact_prefix={work}/{name}-", "-print_final_stats=1"]
    if fresh:
        command.append("-seed=1")
    ended = subprocess.run(command, env=environment(), capture_output=True, text=True, errors="replace")
    inputs = re.findall(r"stat::number_of_executed_units:\s+(\d+)", ended.stderr) or re.findall(r"^#(\d+)\s", ended.stderr, re.M)
    branches = re.findall(r"cov: (\d+)", ended.stderr)
    result = Result(name, seconds, int(inputs[-1]) if inputs else 0, int(branches[-1]) if branches else 0,
                    len(list(corpus.iterdir())), ended.returncode != 0)
    print(result, flush=True)
    if result.found:
        told = [line for line in ended.stderr.split("\n") if not re.match(r"#\d+\s", line)]  # without the progress
        print("\n".join(told)[-6000:])
    return result


def minimise(build, name):
    """libFuzzer's merge: inputs of the corpus go to the seeds if they reach what the seeds do not."""
    into = pathlib.Path(__file__).resolve().parent / "seeds" / name
    into.mkdir(parents=True, exist_ok=True)
    before = len(list(into.iterdir()))
    subprocess.run([program(build, name), "-merge=1", "-timeout=60", str(into), *seeds(build, name), str(build / "fuzz" / f"{name}.corpus")],
                   env=environment(), capture_output=True, check=True)
    print(f"{name}: {before} seeds, now {len(list(into.iterdir()))}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("target", nargs="*")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--hours", type=float)
    parser.add_argument("--fresh", action="store_true")
    parser.add_argument("--minimise", action="store_true")
    parser.add_argument("--list", action="store_true")
    arguments = parser.parse_args()
    build = arguments.build.resolve()
    known = sorted(path.stem for path in (build / "fuzz").glob("*.seeds"))
    if arguments.list:
        print("\n".join(known))
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
    results = [run(build, name, seconds, arguments.fresh) for name in names]
    found = [result.name for result in results if result.found]
    print(f"{sum(result.seconds for result in results) / 3600:.2f} processor-hours, {sum(result.inputs for result in results)} inputs, "
          f"{'found something: ' + ', '.join(found) if found else 'nothing found'}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
