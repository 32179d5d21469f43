#!/usr/bin/env python3
"""Runs a Khronos conformance module (VK-GL-CTS: deqp-gles2, deqp-egl) on Tessera and sums its results up.

  conformance.py --build DIR --deqp PATH/deqp-gles2 --list CASES.txt [--tier interp|jit|tiered] [--threads N]

The module is built outside this repository (docs/conformance.md says how). CASES.txt is the suite's own mustpass list, or
any file with a case a line. The module runs in processes of a few hundred cases; one that crashes or says nothing for
--timeout seconds loses only the case it was in. --out FILE writes a line a case: result, name, reason. With --shard K/N it
runs every N-th case, and ./run merge puts the parts together.
Exit status 0: every case passed, was not supported or is a warning, or its name is in --known (a file: name, space, reason).
"""

import argparse
import collections
import hashlib
import os
import pathlib
import re
import select
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import shards  # noqa: E402
import target  # noqa: E402

RESULTS = "Pass|Fail|NotSupported|QualityWarning|CompatibilityWarning|InternalError|ResourceError|Crash|Timeout|Waiver"
FINE = {"Pass", "NotSupported", "QualityWarning", "CompatibilityWarning", "Waiver"}


class Runner:
    def __init__(self, arguments, cases):
        self.arguments = arguments
        self.deqp = arguments.deqp.resolve()
        self.cases = cases
        self.chunks = [cases[i:i + arguments.chunk] for i in range(0, len(cases), arguments.chunk)]
        self.results = {}
        self.lock = threading.Lock()
        self.environment = dict(os.environ, LD_LIBRARY_PATH=str(arguments.build.resolve() / "lib"))
        for name, value in (("TESSERA_TIER", arguments.tier), ("TESSERA_THREADS", arguments.threads)):
            if value:
                self.environment[name] = str(value)

    def record(self, case, result, reason=""):
        with self.lock:
            self.results[case] = (result, reason)
            count = len(self.results)
            if sys.stderr.isatty() and count % 20 == 0:
                print(f"\r{count} of {len(self.cases)}", end="", file=sys.stderr)

    def work(self):
        while True:
            with self.lock:
                if not self.chunks:
                    return
                chunk = self.chunks.pop(0)
            while chunk:
                chunk = self.run(chunk)

    def run(self, chunk):
        """Runs a process over the cases; those it did not come to are returned."""
        with tempfile.TemporaryDirectory() as place:
            names = pathlib.Path(place) / "cases.txt"
            names.write_text("\n".join(chunk) + "\n")
            process = subprocess.Popen(
                [*target.emulator(self.arguments.build), str(self.deqp), f"--deqp-caselist-file={names}", f"--deqp-log-filename={place}/log.qpa", "--deqp-log-images=disable",
                 f"--deqp-surface-width={self.arguments.size}", f"--deqp-surface-height={self.arguments.size}",
                 f"--deqp-surface-type={self.arguments.surface}", f"--deqp-gl-config-name={self.arguments.config}",
                 "--deqp-watchdog=disable", "--deqp-crashhandler=disable"],
                cwd=self.deqp.parent, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            done, current, tail, silent = self.follow(process)
            process.wait()
        if current is not None:
            self.record(current, "Timeout" if silent else "Crash", tail)
            done.add(current)
        rest = [case for case in chunk if case not in done]
        if rest and not done:
            # It does not even start, or does not know the names.
            for case in rest:
                self.record(case, "NotRun", tail)
            return []
        return rest

    def follow(self, process):
        done, current, pending, tail, last = set(), None, b"", "", time.monotonic()
        while True:
            ready, _, _ = select.select([process.stdout], [], [], 1.0)
            if not ready:
                if time.monotonic() - last > self.arguments.timeout:
                    process.kill()
                    return done, current, tail, True
                continue
            data = os.read(process.stdout.fileno(), 1 << 16)
            if not data:
                return done, current, tail, False
            last = time.monotonic()
            *lines, pending = (pending + data).split(b"\n")
            for line in (line.decode(errors="replace") for line in lines):
                tail = line or tail
                if started := re.match(r"Test case '(.*)'\.\.", line):
                    current = started.group(1)
                elif current and (ended := re.match(rf"  ({RESULTS})(?: \((.*)\))?", line)):
                    self.record(current, ended.group(1), ended.group(2) or "")
                    done.add(current)
                    current = None


def known_failures(path):
    if path is None:
        return {}
    lines = (line.partition(" ") for line in path.read_text().splitlines() if line.strip() and not line.startswith("#"))
    return {name: reason for name, _, reason in lines}


def report(cases, seconds):
    """Of cases with results, reasons, and why a failure is known; how many failures are not."""
    counts = collections.Counter(result for _, result, _, _ in cases)
    print(f"\n{len(cases)} cases in {seconds:.0f} s: " + ", ".join(f"{n} {result}" for result, n in counts.most_common()))
    reasons = collections.Counter(reason for _, result, reason, _ in cases if result == "NotSupported")
    for reason, n in reasons.most_common():
        print(f"  {n:6} not supported: {reason or 'no reason given'}")
    for line in failures(cases):
        print(line)
    return len(failures(cases)) - sum(known is not None for _, result, _, known in cases if result not in FINE)


def failures(cases):
    return [f"{result} {case} {reason}" + (f" (known: {known})" if known is not None else "")
            for case, result, reason, known in cases if result not in FINE]


def write(file, cases):
    file.write_text("".join(f"{result}\t{case}\t{reason}\n" for case, result, reason, _ in cases))


def merged(parts, _):
    cases = shards.interleaved([part["outputs"]["cases"] for part in parts])
    if out := parts[0]["options"]["out"]:
        write(pathlib.Path(out), cases)
    return 1 if report(cases, shards.seconds(parts)) else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True, help="Tessera's build tree")
    parser.add_argument("--deqp", type=pathlib.Path, required=True, help="the module's program")
    parser.add_argument("--list", type=pathlib.Path, required=True, help="case names, one a line")
    parser.add_argument("--only", metavar="REGEX", default="", help="of those, the ones that match")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="and of those, every Nth")
    parser.add_argument("--tier", choices=("interp", "baseline", "jit", "tiered"))
    parser.add_argument("--threads", type=int)
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes at a time")
    parser.add_argument("--config", default="rgba8888d24s8ms0")
    parser.add_argument("--surface", default="pbuffer", choices=("pbuffer", "window", "fbo"))
    parser.add_argument("--size", type=int, default=256)
    parser.add_argument("--chunk", type=int, default=200, help="cases a process")
    parser.add_argument("--timeout", type=float, default=300, help="seconds without a word")
    parser.add_argument("--known", type=pathlib.Path, help="failures that are known, with their reasons")
    parser.add_argument("--out", type=pathlib.Path)
    shards.add_options(parser)
    arguments = parser.parse_args()
    shard = shards.chosen(arguments)
    every = [line.strip() for line in arguments.list.read_text().splitlines() if line.strip() and not line.startswith("#")]
    every = [case for case in every if re.search(arguments.only, case)][::arguments.every]
    known = known_failures(arguments.known)
    runner = Runner(arguments, shard.part(every))
    began = time.monotonic()
    workers = [threading.Thread(target=runner.work) for _ in range(max(1, arguments.jobs))]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    cases = [(case, *runner.results.get(case, ("NotRun", "")), known.get(case)) for case in runner.cases]
    if arguments.out and not shard.is_given:
        write(arguments.out, cases)
    shard.leave("conformance", arguments.build,
                {"module": arguments.deqp.name, "cases": len(every),
                 "list": hashlib.sha256("\n".join(every).encode()).hexdigest()[:16], "tier": arguments.tier,
                 "threads": arguments.threads, "config": arguments.config, "surface": arguments.surface,
                 "size": arguments.size, "out": str(arguments.out) if arguments.out else None},
                {**collections.Counter(result for _, result, _, _ in cases)}, failures(cases), {"cases": cases})
    return 1 if report(cases, time.monotonic() - began) else 0


if __name__ == "__main__":
    sys.exit(main())
