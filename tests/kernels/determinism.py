#!/usr/bin/env python3
"""The same bytes everywhere: every kernel of `kernels` at its small size, on the interpreter and the JIT, with 1, 2 and 8
threads and at every SIMD level of this machine.

  determinism.py --build DIR [--size small|paper|large] [--only REGEX] [--reference DIR]
  determinism.py --build DIR --shard K/N    every N-th kernel; ./run merge puts the parts together

The interpreter with one thread, that of the build --reference if there is one, says what is right; each kernel is also checked against its reference.
"""

import argparse
import itertools
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import shards  # noqa: E402
import target  # noqa: E402


def kernels(build, only):
    command = [*target.emulator(build), str(build / "bin" / "kernels"), "--list"]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    return [name for name in (line.split()[0] for line in listed) if re.search(only, name)]


def run(build, names, size, tier, threads, level, cache):
    """What `kernels --hash` prints, a line for each kernel."""
    environment = dict(os.environ, TESSERA_CACHE_DIR=cache, TESSERA_SIMD=level)
    command = [*target.emulator(build), str(build / "bin" / "kernels"), "--hash", "--size", size, "--tier", tier,
               "--threads", str(threads), "--filter", f"^({'|'.join(names)})$"]
    result = subprocess.run(command, env=environment, capture_output=True, text=True)
    if result.returncode != 0:
        raise SystemExit(f"{' '.join(command)} ({level}): status {result.returncode}\n{result.stdout}{result.stderr}")
    return result.stdout.splitlines()


def tell(count, variants, levels, wrong):
    print(f"{count} kernels, {variants} variants ({', '.join(levels)}): "
          + ("the same bytes" if wrong == 0 else f"{wrong} lines differ"))
    return 1 if wrong else 0


def merged(parts, _):
    outputs = [part["outputs"] for part in parts]
    for output in outputs:
        print(*output["differences"], sep="\n", end="\n" if output["differences"] else "")
    # Of machines with different levels: what all of them have.
    levels = [level for level in outputs[0]["levels"] if all(level in output["levels"] for output in outputs)]
    for number, output in enumerate(outputs, 1):
        if more := [level for level in output["levels"] if level not in levels]:
            print(f"of {len(parts)} shards, number {number} has {', '.join(more)} besides")
    return tell(sum(len(output["kernels"]) for output in outputs), len(TIERS) * len(THREADS) * len(levels), levels,
                sum(len(output["differences"]) for output in outputs))


TIERS, THREADS = ("interp", "jit"), (1, 2, 8)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--size", default="small", choices=("small", "paper", "large"))
    parser.add_argument("--only", metavar="REGEX", default="", help="kernels whose name matches")
    parser.add_argument("--reference", type=pathlib.Path)
    shards.add_options(parser)
    options = parser.parse_args()
    shard = shards.chosen(options)
    levels = target.levels(options.build)
    reference = options.reference or options.build
    every = kernels(options.build, options.only)
    if not every:
        parser.error(f"no kernel's name matches {options.only!r}")
    names, differences, expected = shard.part(every), [], []
    variants = list(itertools.product(TIERS, THREADS, levels))
    with tempfile.TemporaryDirectory() as cache:
        if names:
            expected = run(reference, names, options.size, "interp", 1, levels[0], cache)
        for number, (tier, threads, level) in enumerate(variants if names else [], 1):
            if sys.stderr.isatty():
                print(f"\r[{number}/{len(variants)}] {tier} {threads} {level}  ", end="", file=sys.stderr)
            actual = run(options.build, names, options.size, tier, threads, level, cache)
            for line in sorted(set(expected) ^ set(actual)):
                differences.append(f"{tier}, {threads} threads, {level}: {line}{'' if line in actual else ' (expected)'}")
                print(differences[-1], flush=True)
    shard.leave("determinism --kernels", options.build,
                {"size": options.size, "only": options.only, "reference": options.reference is not None},
                {"kernels": len(expected), "variants": len(variants)}, differences,
                {"kernels": expected, "levels": levels, "differences": differences})
    return tell(len(expected), len(variants), levels, len(differences))


if __name__ == "__main__":
    sys.exit(main())
