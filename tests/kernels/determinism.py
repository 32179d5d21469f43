#!/usr/bin/env python3
"""The same bytes everywhere: every kernel of `kernels` at its small size, on the interpreter and the JIT, with 1, 2 and 8
threads and at every SIMD level of this machine.

  determinism.py --build DIR [--size small|paper|large] [--reference DIR]

The interpreter with one thread, that of the build --reference if there is one, says what is right; each kernel is also checked against its reference.
"""

import argparse
import itertools
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import target  # noqa: E402


def run(build, size, tier, threads, level, cache):
    """What `kernels --hash` prints, a line for each kernel."""
    environment = dict(os.environ, TESSERA_CACHE_DIR=cache, TESSERA_SIMD=level)
    command = [*target.emulator(build), str(build / "bin" / "kernels"), "--hash", "--size", size, "--tier", tier, "--threads", str(threads)]
    result = subprocess.run(command, env=environment, capture_output=True, text=True)
    if result.returncode != 0:
        raise SystemExit(f"{' '.join(command)} ({level}): status {result.returncode}\n{result.stdout}{result.stderr}")
    return result.stdout.splitlines()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--size", default="small", choices=("small", "paper", "large"))
    parser.add_argument("--reference", type=pathlib.Path)
    options = parser.parse_args()
    levels = target.levels(options.build)
    reference = options.reference or options.build
    wrong = 0
    with tempfile.TemporaryDirectory() as cache:
        expected = run(reference, options.size, "interp", 1, levels[0], cache)
        variants = list(itertools.product(("interp", "jit"), (1, 2, 8), levels))
        for number, (tier, threads, level) in enumerate(variants, 1):
            if sys.stderr.isatty():
                print(f"\r[{number}/{len(variants)}] {tier} {threads} {level}  ", end="", file=sys.stderr)
            actual = run(options.build, options.size, tier, threads, level, cache)
            for line in sorted(set(expected) ^ set(actual)):
                print(f"{tier}, {threads} threads, {level}: {line}", "" if line in actual else "(expected)")
                wrong += 1
    print(f"{len(expected)} kernels, {len(variants)} variants ({', '.join(levels)}): "
          + ("the same bytes" if wrong == 0 else f"{wrong} lines differ"))
    return 1 if wrong else 0


sys.exit(main())
