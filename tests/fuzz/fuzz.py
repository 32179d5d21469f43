#!/usr/bin/env python3
"""Runs fuzz targets (tests/fuzz/CMakeLists.txt makes them).

  fuzz.py --build DIR [TARGET ...] [--seconds N]   each target for N seconds (60), all targets without a name
  fuzz.py --build DIR --list

What a run finds new is kept in DIR/fuzz/<target>.corpus and is where the next run starts; --fresh starts from the
repository's seeds alone. An input that fails is left in DIR/fuzz/ and named; once fixed it belongs into
tests/fuzz/regressions/<target>/, which every run tries first.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys


def run(build, name, seconds, fresh):
    work = build / "fuzz"
    corpus = work / (f"{name}.fresh" if fresh else f"{name}.corpus")
    if fresh:
        shutil.rmtree(corpus, ignore_errors=True)
    corpus.mkdir(parents=True, exist_ok=True)
    seeds = [line for line in (work / f"{name}.seeds").read_text().split("\n") if line and pathlib.Path(line).is_dir()]
    command = [str(build / "bin" / f"fuzz_{name}"), str(corpus), *seeds, f"-max_total_time={seconds}", "-timeout=60",
               "-rss_limit_mb=2048", "-max_len=4096", f"-artifact_prefix={work}/{name}-", "-print_final_stats=1"]
    if fresh:
        command.append("-seed=1")
    # glslang keeps its tables for the life of the process.
    environment = dict(os.environ, ASAN_OPTIONS="detect_leaks=0:allocator_may_return_null=1")
    result = subprocess.run(command, env=environment, capture_output=True, text=True, errors="replace")
    figures = {key: value for key, value in re.findall(r"stat::(\w+):\s+(\d+)", result.stderr)}
    cover = re.findall(r"cov: (\d+)", result.stderr)
    print(f"{name}: {figures.get('number_of_executed_units', '?')} inputs, {cover[-1] if cover else '?'} branches, "
          f"{'nothing found' if result.returncode == 0 else 'FAILED'}", flush=True)
    if result.returncode != 0:
        told = [line for line in result.stderr.split("\n") if not re.match(r"#\d+\s", line)]  # without the progress
        print("\n".join(told)[-6000:])
    return result.returncode != 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("target", nargs="*")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--fresh", action="store_true")
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
    failures = sum([run(build, name, arguments.seconds, arguments.fresh) for name in arguments.target or known])
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
