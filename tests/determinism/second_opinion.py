#!/usr/bin/env python3
"""A second opinion on what all executors share: what is dropped, deferred, merged, believed of tiles, kept and used again.

  second_opinion.py --build DIR --plain      random scenes of all kinds give the bytes of bin/plain_scenes, in which each
                                             command is executed by itself and nothing is kept (pipeline::Gpu::setPlain)
  second_opinion.py --build DIR --mesa       scenes of what OpenGL ES defines to the bit give Mesa's; 77 where there is
                                             none
  ... --scenes N --first SEED                as many of each kind
  ... --kind KIND                            of that kind alone
  ... --quick                                some, in seconds

A difference is printed with the seed: bin/random_scenes --first SEED --count 1 with the kind's options draws that scene
again."""

import argparse
import itertools
import os
import pathlib
import subprocess
import sys
import sysconfig
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import determinism  # noqa: E402
import target  # noqa: E402

MESA_VENDOR = pathlib.Path("/usr/share/glvnd/egl_vendor.d/50_mesa.json")
PLAIN = {"state": ["--state"], "state-es3": ["--state", "--es3"], "shaders": [], "near-budget": ["--near-budget"],
         "interface": ["--interface"], "es3": ["--es3"],
         "es3-extended": ["--es3", "--extended"]}
EXACT = {"exact": ["--exact"], "exact-es3": ["--exact", "--es3"]}


def variants(levels, quick):
    least, best = levels[0], levels[-1]
    chosen = [("jit", "2", best), ("interp", "8", best)]
    if not quick:
        chosen += [("baseline", "2", best), ("tiered", "3", best), ("jit", "1", least)]
    return [{"TESSERA_TIER": tier, "TESSERA_THREADS": threads, "TESSERA_SIMD": simd}
            for tier, threads, simd in dict.fromkeys(chosen)]


def drawn(build, keep, program, variant, seeds, options, chunk=250):
    # Programs of these need more than the least budget at times.
    if "--near-budget" in options or "--state" in options:
        variant = dict(variant, TESSERA_BUDGET="65536", TESSERA_LOG="0")
    lines = []
    for start in range(0, len(seeds), chunk):
        some = seeds[start:start + chunk]
        lines += determinism.run(build, [program, "--first", str(some.start), "--count", str(len(some)), *options], variant, keep)
    return lines


def drawn_by_mesa(build, seeds, options):
    if not MESA_VENDOR.exists():
        return None
    environment = dict(os.environ, LD_LIBRARY_PATH=f"/usr/lib/{sysconfig.get_config_var('MULTIARCH')}", LIBGL_ALWAYS_SOFTWARE="1",
                       __EGL_VENDOR_LIBRARY_FILENAMES=str(MESA_VENDOR))
    result = subprocess.run([str(build / "bin/random_scenes"), "--first", str(seeds.start), "--count", str(len(seeds)),
                             *options], env=environment, capture_output=True, text=True)
    if result.returncode != 0:
        raise SystemExit(f"Mesa: status {result.returncode}\n{result.stdout[-2000:]}{result.stderr[-2000:]}")
    return result.stdout.splitlines()


def compare(kind, name, expected, actual, seconds):
    """Returns how many differ."""
    different = [pair for pair in itertools.zip_longest(expected, actual, fillvalue="nothing") if pair[0] != pair[1]]
    verdict = f"{len(different)} DIFFERENT" if different else "identical"
    print(f"{kind}: {name}: {len(expected)} scenes ({len(set(line.split()[1] for line in expected))} different pictures) {verdict}, "
          f"{seconds:.0f} s", flush=True)
    for theirs, ours in different[:10]:
        print(f"  expected {theirs}\n  got      {ours}")
    return len(different)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    opinion = parser.add_mutually_exclusive_group(required=True)
    opinion.add_argument("--plain", action="store_true")
    opinion.add_argument("--mesa", action="store_true")
    parser.add_argument("--scenes", type=int)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--kind", choices=[*PLAIN, *EXACT], action="append")
    parser.add_argument("--quick", action="store_true")
    arguments = parser.parse_args()
    build = arguments.build.resolve()
    keep = build / "determinism"
    keep.mkdir(exist_ok=True)
    kinds = PLAIN if arguments.plain else EXACT
    kinds = {kind: options for kind, options in kinds.items() if kind in (arguments.kind or kinds)}
    different = 0
    for kind, options in kinds.items():
        # Scenes with much state are quick, and what this is for; Mesa compiles for each new state.
        usual = 2000 if not arguments.quick else 40 if arguments.mesa else 150 if "--state" in options else 24
        count = arguments.scenes if arguments.scenes is not None else usual
        seeds = range(arguments.first, arguments.first + count)
        began = time.monotonic()
        if arguments.plain:
            expected = drawn(build, keep, "plain_scenes", {}, seeds, options)
        else:
            expected = drawn_by_mesa(build, seeds, options)
            if expected is None:
                print("there is no Mesa here")
                return 77
        print(f"{kind}: {'the plain way' if arguments.plain else 'Mesa'}: {time.monotonic() - began:.0f} s", flush=True)
        for variant in variants(target.levels(build), arguments.quick):
            began = time.monotonic()
            actual = drawn(build, keep, "random_scenes", variant, seeds, options)
            different += compare(kind, " ".join(variant.values()), expected, actual, time.monotonic() - began)
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
