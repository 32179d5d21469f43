#!/usr/bin/env python3
"""What more threads would bring: records the tasks of rows on one thread, schedules them on many, says what limits it.

  scaling.py --build DIR [--rows REGEX,...] [--plot FILE] [--seconds S] [--size WxH] [--wake CALLER,WORKER]

TESSERA_TRACE (base/process/trace.h) records every parallel loop of the command processor with its processor time and the
duration of each index, and each buffer and submission. Loops follow each other on the command processor's thread, with serial work between them
(decoding, merging of chunks), so the task graph is a chain of loops. The simulation hands a loop's indices out as
ThreadPool does, in chunks from one counter to whichever thread is free first, and adds what waking the other threads
costs: the caller's own time for it and the time until they begin, measured on this machine (wake.cpp) or given
(--wake CALLER,WORKER in nanoseconds). The application's thread runs beside it: what it does between two submissions is
a chain of its own.

It leaves out what the machine does: caches and memory that threads share, frequencies that fall when all cores work,
and that waking more threads than one costs the caller more.
"""

import argparse
import heapq
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from plots import lines  # noqa: E402

THREADS = (1, 2, 4, 8, 16, 32, 64)
CHUNKS_PER_THREAD, MAX_CHUNK = 16, 64  # base/thread/thread_pool.cpp
ROWS = "triangles_8px,triangles_subpixel,culled,lit_vertices,flat,hidden,nearest,gouraud_depth,bilinear,phong,draws,mipmaps,gears"


def shares(processor_time, durations):
    """Durations by the clock as parts of the loop's processor time. What the clock shows beyond it another program had,
    in one index mostly: that comes off the longest one, down to the median."""
    longest = max(range(len(durations)), key=durations.__getitem__)
    beyond = max(0, sum(durations) - processor_time)
    durations[longest] -= max(0, min(beyond, durations[longest] - statistics.median(durations)))
    total = sum(durations)
    return [d * processor_time / total for d in durations] if total else durations


class Recorded:
    """The second half of a trace's buffers, when code is compiled and memory is there. Processor time in ns."""

    def __init__(self, path):
        spans, loops = {"buffer": [], "submit": [], "wait": []}, []
        lines = pathlib.Path(path).read_text().splitlines(keepends=True)
        if lines and not lines[-1].endswith("\n"):
            print(f"{path}: the last line is cut off: {len(lines) - 1} whole lines, {len(lines.pop())} bytes left out",
                  file=sys.stderr)
        for line in lines:
            words = line.split()
            if words[0] == "loop":
                begin, end, processor_time = (int(w) for w in words[2:5])
                loops.append((words[1], begin, end, shares(processor_time, [int(w) for w in words[5:]])))
            elif words[0] in spans:
                spans[words[0]].append(tuple(int(w) for w in words[1:4]))
        middle = spans["buffer"][len(spans["buffer"]) // 2][0]
        self.buffers = [one for one in spans["buffer"] if one[0] >= middle]
        begin, end = self.buffers[0][0], self.buffers[-1][1]
        self.loops = [one for one in loops if begin <= one[1] and one[2] <= end]
        marks = [one for one in spans["submit"] + spans["wait"] if begin <= one[1] <= end]
        self.application = max(one[2] for one in marks) - min(one[2] for one in marks) if marks else 0
        self.parallel = sum(sum(one[3]) for one in self.loops)
        self.serial = max(0, sum(one[2] for one in self.buffers) - self.parallel)


def loop_time(durations, threads, wake):
    """Makespan of one loop as ThreadPool runs it; wake: nanoseconds until the caller and until the workers begin."""
    if threads == 1 or len(durations) == 1:
        return sum(durations)
    chunk = min(max(len(durations) // (CHUNKS_PER_THREAD * threads), 1), MAX_CHUNK)
    free = [wake[0]] + [wake[1]] * (threads - 1)
    heapq.heapify(free)
    last = 0.0
    for first in range(0, len(durations), chunk):
        start = heapq.heappop(free)
        end = start + sum(durations[first:first + chunk])
        last = max(last, end)
        heapq.heappush(free, end)
    return last


def loops_of(recorded, threads):
    """The loops as they would be: the queue of chunks that a loop of geometry runs grows with the threads."""
    loops, left = [], list(recorded.loops)
    for begin, end, _ in recorded.buffers:
        geometry = []
        while left and left[0][1] <= end:
            name, start, _, durations = left.pop(0)
            if start < begin:
                continue
            if name == "geometry":
                geometry.append(durations)
            else:
                loops.append(durations)
        for first in range(0, len(geometry), threads):
            loops.append([d for durations in geometry[first:first + threads] for d in durations])
    return loops


def simulate(recorded, threads, wake):
    """Time on the command processor's thread."""
    return recorded.serial + sum(loop_time(durations, threads, wake) for durations in loops_of(recorded, threads))


def limit(recorded, threads, wake):
    """What keeps `threads` threads from being that many times as fast."""
    time, loops = simulate(recorded, threads, wake), loops_of(recorded, threads)
    ideal = recorded.parallel / threads
    longest = sum(max(durations) for durations in loops)
    costs = {
        "serial work of the command processor": recorded.serial,
        "too few or uneven tasks": max(0.0, longest - ideal),
        "waking threads": wake[1] * len([loop for loop in loops if len(loop) > 1]),
        "the application's thread": max(0.0, recorded.application - time),
    }
    return max(costs, key=costs.get)


def measured_wake(build):
    """(nanoseconds until the caller of a loop begins, until a sleeping worker does): medians of three processes."""
    runs = [subprocess.run([str(build / "bin/wake_bench")], check=True, capture_output=True, text=True).stdout.split()
            for _ in range(3)]
    return tuple(statistics.median(float(run[i]) for run in runs) for i in range(2))


def wake_of(text):
    caller, worker = (float(word) for word in text.split(","))
    return caller, worker


def record(options, row):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "trace"
        environment = {**os.environ, "LD_LIBRARY_PATH": str(options.build / "lib"), "TESSERA_THREADS": "1",
                       "TESSERA_TRACE": str(path)}
        subprocess.run([str(options.build / "bin/bench"), "--filter", f"^{row}$", "--seconds", str(options.seconds),
                        "--samples", "1", "--size", options.size], env=environment, check=True,
                       stdout=subprocess.DEVNULL)
        return Recorded(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--rows", default=ROWS)
    parser.add_argument("--seconds", type=float, default=0.6)
    parser.add_argument("--size", default="1024x1024")
    parser.add_argument("--plot", type=pathlib.Path)
    parser.add_argument("--wake", type=wake_of, metavar="CALLER,WORKER")
    options = parser.parse_args()
    series = []
    wake = options.wake or measured_wake(options.build)
    print(f"A loop's caller begins after {wake[0] / 1e3:.1f} us, a sleeping worker after {wake[1] / 1e3:.1f} us.\n")
    print("| row | " + " | ".join(map(str, THREADS)) + " | serial | application | limited at 64 by |")
    print("|---|" + "---:|" * (len(THREADS) + 2) + "---|")
    for row in options.rows.split(","):
        recorded = record(options, row)
        one = max(simulate(recorded, 1, wake), recorded.application)
        speedups = [one / max(simulate(recorded, n, wake), recorded.application) for n in THREADS]
        series.append((row, list(zip(THREADS, speedups))))
        whole = recorded.serial + recorded.parallel
        print(f"| {row} | " + " | ".join(f"{s:.2f}" for s in speedups) +
              f" | {100 * recorded.serial / whole:.1f} % | {100 * recorded.application / whole:.1f} % | "
              f"{limit(recorded, 64, wake)} |", flush=True)
    if options.plot:
        options.plot.write_text(lines("Simulated speed on more threads, over one", series))


if __name__ == "__main__":
    main()
