#!/usr/bin/env python3
"""The same bytes everywhere: random scenes (random shaders, state and vertices), the demos' animations, frame by
frame, and the arrays that Python gets (tests/python/arrays.py), on the interpreter, the JIT and both in turn, with 1, 2, 3 and 8 threads and at every SIMD level of this machine.

  determinism.py --build DIR                 10,000 scenes and 300 frames of each demo
  determinism.py --build DIR --quick         a few of each, in seconds
  determinism.py --build DIR --count N --first SEED --frames N
  determinism.py --build DIR --near-budget   scenes alone; their shaders need about as many instructions as they may
  determinism.py --build DIR --interface     scenes alone, of rectangles as user interfaces draw them
  determinism.py --build DIR --es3           scenes alone, of OpenGL ES 3.0
  determinism.py --build DIR --es3 --extended    scenes alone, of OpenGL ES 3.0 with extensions
  determinism.py --build DIR --tier T --threads N    on these variants alone
  determinism.py --build DIR --reference DIR what another build draws is right, of another architecture for one
  determinism.py --build DIR --shard K/N     every N-th scene and demo; ./run merge puts the parts together

The interpreter with one thread says what is right. A difference is printed with the seed: bin/random_scenes
--first SEED --count 1 --shaders draws that scene again and prints its shaders.
"""

import argparse
import itertools
import os
import pathlib
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import shards  # noqa: E402
import target  # noqa: E402

DEMOS = ("cube", "gears", "textured", "water", "shadow", "skinning", "bumps", "deferred", "fixed", "isa-triangle", "isa-cube",
         "isa-mandelbrot", "isa-plasma", "python")
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


def scenes(build, keep, variant, seeds, options, chunk=250):
    lines = []
    if "--near-budget" in options:
        variant = dict(variant, TESSERA_BUDGET="65536", TESSERA_LOG="0")
    for start in range(0, len(seeds), chunk):
        some = seeds[start:start + chunk]
        asked = ["--first", str(some.start), "--count", str(len(some)), "--step", str(some.step)]
        lines += run(build, ["random_scenes", *asked, *options], variant, keep)
        if sys.stderr.isatty():
            print(f"\r{start + chunk} of {len(seeds)} ", end="", file=sys.stderr)
    return lines


def arrays(build, keep, variant):
    """Hashes of what Python gets; none where no Python here has numpy, or the build is for another architecture."""
    python = next((path for path in (sys.executable, "/usr/bin/python3") if subprocess.run(
        [path, "-c", "import numpy"], capture_output=True).returncode == 0), None)
    if python is None or target.emulator(build):
        return []
    environment = dict(os.environ, PYTHONPATH=str(build / "python"), TESSERA_CACHE_DIR=str(keep / "code-python"),
                       **variant)
    script = pathlib.Path(__file__).parent.parent / "python/arrays.py"
    result = subprocess.run([python, str(script)], env=environment, capture_output=True, text=True)
    if result.returncode != 0:
        raise SystemExit(f"{script} with {variant}: status {result.returncode}\n{result.stdout}{result.stderr}")
    return [f"python {line}" for line in result.stdout.splitlines()]


def frames(build, keep, variant, demos, count):
    lines = []
    for demo in demos:
        if demo == "python":
            lines += arrays(build, keep, variant)
            continue
        command = [demo, "--frames", str(count), "--size", "200x150", "--time", "0", "--hash", "--out", str(keep / f"{demo}.png")]
        lines += [f"{demo} {line}" for line in run(build, command, variant, keep) if line.startswith("frame ")]
    return lines


# --- What is told, of a run and of all shards of one ---

def tell_expected(drawn, frame_count, demo_count, seconds):
    """Returns how many scenes are different pictures."""
    distinct = len(set(line.split()[1] for line in drawn))
    print(f"{len(drawn)} scenes ({distinct} different pictures), {frame_count} frames of {demo_count} demos: {seconds:.0f} s",
          flush=True)
    return distinct


def look_alike(distinct, count, near_budget):
    """Whether so many scenes are the same picture that the test says nothing."""
    # A draw that overruns is left out, so that many scenes near the budget stay as they were cleared.
    if distinct >= (0.3 if near_budget else 0.8) * count:
        return False
    print("too many scenes look the same: the test says nothing")
    return True


def tell_variant(name, found, note=""):
    verdict = "identical" if not found["differences"] else f"{len(found['differences'])} DIFFERENT"
    print(f"{name}: {verdict}, {found['seconds']:.0f} s{note}", flush=True)
    for ours, theirs in found["differences"][:10]:
        print(f"  expected {ours}\n  got      {theirs}")


def merged(parts, _):
    options = parts[0]["options"]
    outputs = [part["outputs"] for part in parts]
    drawn = shards.interleaved([output["scenes"] for output in outputs])
    distinct = tell_expected(drawn, options["frames"], sum(len(output["demos"]) for output in outputs),
                             sum(output["seconds"] for output in outputs))
    if look_alike(distinct, len(drawn), options["near_budget"]):
        return 1
    different = 0
    for name in dict.fromkeys(name for output in outputs for name in output["variants"]):
        there = [number for number, output in enumerate(outputs, 1) if name in output["variants"]]
        found = [outputs[number - 1]["variants"][name] for number in there]
        # Machines have different levels.
        note = "" if len(there) == len(parts) else f" (of {len(parts)} shards only {', '.join(map(str, there))})"
        whole = {"differences": sum((one["differences"] for one in found), []), "seconds": sum(one["seconds"] for one in found)}
        tell_variant(name, whole, note)
        different += len(whole["differences"])
    return 1 if different else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--reference", type=pathlib.Path)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--near-budget", action="store_true")
    parser.add_argument("--interface", action="store_true")
    parser.add_argument("--es3", action="store_true")
    parser.add_argument("--extended", action="store_true")
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--count", type=int)
    parser.add_argument("--frames", type=int)
    parser.add_argument("--tier", choices=TIERS, action="append", help="only this tier")
    parser.add_argument("--threads", action="append", help="only with as many threads")
    shards.add_options(parser)
    arguments = parser.parse_args()
    shard = shards.chosen(arguments)
    build = arguments.build.resolve()
    keep = build / "determinism"
    keep.mkdir(exist_ok=True)
    count = arguments.count if arguments.count is not None else 60 if arguments.quick else 10000
    frame_count = arguments.frames if arguments.frames is not None else 12 if arguments.quick else 300
    options = [option for option, is_on in (("--near-budget", arguments.near_budget), ("--interface", arguments.interface),
                                            ("--es3", arguments.es3), ("--extended", arguments.extended)) if is_on]
    if options:
        frame_count = 0
    seeds = shard.part(range(arguments.first, arguments.first + count))
    demos = shard.part(DEMOS)

    def pictures(build, variant):
        drawn = scenes(build, keep, variant, seeds, options)
        return drawn, frames(build, keep, variant, demos, frame_count) if frame_count else []

    chosen = [variant for variant in variants(target.levels(build), arguments.quick)
              if variant["TESSERA_TIER"] in (arguments.tier or TIERS)
              and (not arguments.threads or variant["TESSERA_THREADS"] in arguments.threads)]
    if not chosen:
        parser.error("there is no such variant")
    began = time.monotonic()
    drawn, animated = pictures((arguments.reference or build).resolve(), REFERENCE)
    expected, seconds = drawn + animated, time.monotonic() - began
    distinct = tell_expected(drawn, frame_count, len(demos), seconds)
    if not shard.is_given and look_alike(distinct, count, arguments.near_budget):
        return 1
    found = {}
    for variant in chosen:
        began = time.monotonic()
        actual = sum(pictures(build, variant), [])
        differences = [pair for pair in itertools.zip_longest(expected, actual, fillvalue="nothing") if pair[0] != pair[1]]
        found[" ".join(variant.values())] = {"differences": differences, "seconds": time.monotonic() - began}
        tell_variant(*list(found.items())[-1])
    different = [f"{name}: {len(its['differences'])} different" for name, its in found.items() if its["differences"]]
    shard.leave("determinism", build,
                {"first": arguments.first, "count": count, "frames": frame_count, "quick": arguments.quick,
                 "near_budget": arguments.near_budget, "interface": arguments.interface, "es3": arguments.es3,
                 "extended": arguments.extended,
                 "tier": arguments.tier, "threads": arguments.threads, "reference": arguments.reference is not None},
                {"scenes": len(drawn), "frames": len(animated), "variants": len(found)}, different,
                {"scenes": drawn, "demos": {demo: [line for line in animated if line.startswith(f"{demo} ")] for demo in demos},
                 "seconds": seconds, "variants": found})
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
