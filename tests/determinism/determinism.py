#!/usr/bin/env python3
"""The same bytes everywhere: random scenes (random shaders, state and vertices) and the demos' animations, frame by
frame, on the interpreter, the JIT and both in turn, with 1, 2, 3 and 8 threads and at every SIMD level of this machine.

  determinism.py --build DIR                 10,000 scenes and 300 frames of each demo
  determinism.py --build DIR --quick         a few of each, in seconds
  determinism.py --build DIR --count N --first SEED --frames N
  determinism.py --build DIR --near-budget   scenes alone; their shaders need about as many instructions as they may
  determinism.py --build DIR --interface     scenes alone, of rectangles as user interfaces draw them
  determinism.py --build DIR --tier T --threads N    on these variants alone
  determinism.py --build DIR --reference DIR what another build draws is right, of another architecture for one

The interpreter with one thread says what is right. A difference is printed with the seed: bin/random_scenes
--first SEED --count 1 --shaders draws that scene again and prints its shaders.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import target  # noqa: E402

DEMOS = ("cube", "gears", "textured", "water", "shadow", "skinning", "bumps", "fixed", "isa-triangle", "isa-cube", "isa-mandelbrot",
         "isa-plasma")
TIERS = ("interp", "baseline", "jit", "tiered")
REFERENCE = {"TESSERA_TIER": "interp", "TESSERA_THREADS": "1"}


def variants(levels, quick):
    least, best, others = levels[0], levels[-1], levels[1:-1]
    if quick:
        chosen = [("interp", "8", best), ("interp", "1", least), *(("interp", "2", level) for level in others),
                  ("baseline", "2", best), ("baseline", "8", least), ("jit", "8", best), ("jit", "8", least),
                  ("tiered", "1", best)]
    else:
        chosen = [(tier, *rest) for tier in TIERS for rest in
                  [*((threads, best) for threads in "1238"), ("1", least), ("8", least),
                   *(("2", level) for level in others)]]
    return [{"TESSERA_TIER": tier, "TESSERA_THREADS": threads, "TESSERA_SIMD": simd}
            for tier, threads, simd in dict.fromkeys(chosen)]


def run(build, command, variant, keep):
    """What a program prints with the variant: a list of lines."""
    # A cache for each level: together they outgrow one, and what one variant compiled would be gone before the next.
    code = keep / f"code-{variant.get('TESSERA_SIMD', 'best')}"
    # The limit of time is by the clock: a context that a slow machine loses draws nothing more.
    environment = dict(os.environ, LD_LIBRARY_PATH=str(build / "lib"), TESSERA_CACHE_DIR=str(code),
                       TESSERA_TIME_LIMIT="0", **variant)
    result = subprocess.run([*target.emulator(build), str(build / "bin" / command[0]), *command[1:]], env=environment, capture_output=True, text=True)
    if result.returncode != 0:
        raise SystemExit(f"{' '.join(command)} with {variant}: status {result.returncode}\n{result.stdout[-2000:]}{result.stderr[-2000:]}")
    return result.stdout.splitlines()


def scenes(build, keep, variant, first, count, options, chunk=250):
    lines = []
    if "--near-budget" in options:
        variant = dict(variant, TESSERA_BUDGET="65536", TESSERA_LOG="0")
    for start in range(first, first + count, chunk):
        some = ["--first", str(start), "--count", str(min(chunk, first + count - start))]
        lines += run(build, ["random_scenes", *some, *options], variant, keep)
        if sys.stderr.isatty():
            print(f"\r{start - first + chunk} of {count} ", end="", file=sys.stderr)
    return lines


def frames(build, keep, variant, count):
    lines = []
    for demo in DEMOS:
        command = [demo, "--frames", str(count), "--size", "200x150", "--time", "0", "--hash", "--out", str(keep / f"{demo}.png")]
        lines += [f"{demo} {line}" for line in run(build, command, variant, keep) if line.startswith("frame ")]
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--reference", type=pathlib.Path)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--near-budget", action="store_true")
    parser.add_argument("--interface", action="store_true")
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--count", type=int)
    parser.add_argument("--frames", type=int)
    parser.add_argument("--tier", choices=TIERS, action="append", help="only this tier")
    parser.add_argument("--threads", action="append", help="only with as many threads")
    arguments = parser.parse_args()
    build = arguments.build.resolve()
    keep = build / "determinism"
    keep.mkdir(exist_ok=True)
    count = arguments.count if arguments.count is not None else 60 if arguments.quick else 10000
    frame_count = arguments.frames if arguments.frames is not None else 12 if arguments.quick else 300
    options = [option for option, is_on in (("--near-budget", arguments.near_budget), ("--interface", arguments.interface)) if is_on]
    if options:
        frame_count = 0

    def picture(build, variant):
        lines = scenes(build, keep, variant, arguments.first, count, options)
        return lines + (frames(build, keep, variant, frame_count) if frame_count else [])

    chosen = [variant for variant in variants(target.levels(build), arguments.quick)
              if variant["TESSERA_TIER"] in (arguments.tier or TIERS)
              and (not arguments.threads or variant["TESSERA_THREADS"] in arguments.threads)]
    if not chosen:
        parser.error("there is no such variant")
    began = time.monotonic()
    expected = picture((arguments.reference or build).resolve(), REFERENCE)
    distinct = len(set(line.split()[1] for line in expected[:count]))
    print(f"{count} scenes ({distinct} different pictures), {frame_count} frames of {len(DEMOS)} demos: {time.monotonic() - began:.0f} s")
    # A draw that overruns is left out, so that many scenes near the budget stay as they were cleared.
    if distinct < (0.3 if arguments.near_budget else 0.8) * count:
        print("too many scenes look the same: the test says nothing")
        return 1
    different = 0
    for variant in chosen:
        began = time.monotonic()
        actual = picture(build, variant)
        wrong = [(ours, theirs) for ours, theirs in zip(expected, actual) if ours != theirs]
        different += len(wrong) + (len(actual) != len(expected))
        print(f"{' '.join(variant.values())}: {'identical' if not wrong else f'{len(wrong)} DIFFERENT'}, {time.monotonic() - began:.0f} s", flush=True)
        for ours, theirs in wrong[:10]:
            print(f"  expected {ours}\n  got      {theirs}")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
