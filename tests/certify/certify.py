#!/usr/bin/env python3
"""The certificate: what this machine computes and draws against what is published, to the byte (docs/certificate.md).

  certify.py --build DIR                    everything, at every SIMD level and in each tier; minutes
  certify.py --build DIR --quick            a part of each, in seconds
  certify.py --build DIR --exhaustive       all 2^32 inputs of the functions; an hour
  certify.py --build DIR --emulate Nehalem  on another processor, as qemu-user imitates it (qemu-x86_64 -cpu help)
  certify.py --build DIR --exhaustive --shard K/N    part K of N of that; ./run merge puts the parts together
  certify.py --build DIR --under COMMAND    programs run under COMMAND; that is the emulator for a cross-build
  certify.py --build DIR --write            the lists anew, from the definition and from the interpreter with one thread

Exit status 0: the same bytes; 1: some differ, the first of each part is named; 2: something could not be run.
"""

import argparse
import functools
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "goldens")]
sys.dont_write_bytecode = True
import golden  # noqa: E402
import shards  # noqa: E402
import target  # noqa: E402

FUNCTIONS, KERNELS = HERE / "functions.txt", HERE / "kernels.txt"
# Random scenes by the part's name: the list and what random_scenes is asked for.
SCENES = {"scenes": (HERE / "scenes.txt", ()), "es3-scenes": (HERE / "es3-scenes.txt", ("--es3",))}
PARTS = ("functions", "kernels", "goldens", *SCENES)
LEVELS, TIERS = ("v2", "v3", "v4", "neon"), ("interp", "baseline", "jit")
# The baseline tier is for programs that draw.
PARTS_OF = {"interp": PARTS, "baseline": ("goldens", *SCENES), "jit": PARTS}
# LLVM compiles each scene's programs, which takes longer than to draw it.
SCENE_COUNTS, QUICK_SCENE_COUNT = {"interp": 1000, "baseline": 1000, "jit": 150}, 20
QUICK_GOLDENS = ("gears-overlay", "textured", "mandelbrot")


class NotRun(Exception):
    """A program ended with a status that says nothing about bytes."""


class Machine:
    """Programs of a build tree at one level and tier, under another program if need be."""

    def __init__(self, build, under, cache, level=None, tier="interp", threads=None):
        self.build, self.under, self.level, self.tier = build, under, level, tier
        self.environment = {"LD_LIBRARY_PATH": str(build / "lib"), "TESSERA_CACHE_DIR": str(cache),
                            "TESSERA_TIER": tier}
        if level:
            self.environment["TESSERA_SIMD"] = level
        if threads:
            self.environment["TESSERA_THREADS"] = str(threads)

    def lines(self, *command, statuses=(0,)):
        """What a program prints; its messages go to standard error."""
        program = [*self.under, str(self.build / "bin" / command[0]), *command[1:]]
        try:
            run = subprocess.run(program, env=os.environ | self.environment, stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE if self.under else None, text=True)
        except OSError as error:
            raise NotRun(f"{program[0]}: {error.strerror}") from None
        # What a processor has and qemu leaves out is no news.
        print(*(line for line in (run.stderr or "").splitlines(True) if "warning: TCG doesn't support" not in line),
              sep="", end="", file=sys.stderr)
        if run.returncode not in statuses:
            raise NotRun(f"{' '.join(command)}: exit status {run.returncode}\n{run.stdout[-2000:]}")
        return run.stdout.splitlines()

    def has_level(self, level):
        """The driver takes the best level that there is when one is asked for that is not."""
        probe = Machine(self.build, self.under, "", level)
        probe.environment["TESSERA_LOG"] = "0"
        line = probe.lines("certify", "--functions", str(FUNCTIONS), "--tier", "interp", "--quick",
                           "--only", "^mov.u32$", statuses=(0, 1))[-1]
        return line.split()[1].rstrip(":").endswith(level)


# --- The parts. Each says how many things it compared (of functions also how many results), and what differs. ---

def check_functions(machine, options, shard):
    effort = ["--quick"] if options.quick else ["--exhaustive"] if options.exhaustive else []
    *differences, summary = machine.lines("certify", "--functions", str(FUNCTIONS), "--tier", machine.tier, *effort,
                                          "--shard", f"{shard.number}/{shard.of}", statuses=(0, 1))
    functions, results = re.search(r": (\d+) functions, (\d+) results, ", summary).groups()
    return {"count": int(functions), "results": int(results), "differences": differences}


def kernel_hashes(machine, only=""):
    """Whether a kernel is near its reference, the last word, is for other tests."""
    return [" ".join(line.split()[:2]) for line in
            machine.lines("kernels", "--hash", "--size", "small", "--tier", machine.tier, "--filter", only,
                          statuses=(0, 1))]


def scene_hashes(machine, seeds, asked):
    if not seeds:
        return []
    return machine.lines("random_scenes", "--first", str(seeds.start), "--count", str(len(seeds)), "--step",
                         str(seeds.step), *asked)


def check_list(what, published, found):
    pairs = zip(published, found)
    return {"count": len(found), "differences": [
        f"{what} {ours.split()[0]}: expected {ours.split()[1]}, found {' '.join(theirs.split()[1:])}"
        for ours, theirs in pairs if ours != theirs]}


def check_kernels(machine, options, shard):
    published = KERNELS.read_text().splitlines()
    mine = shard.part(published)
    found = kernel_hashes(machine, f"^({'|'.join(line.split()[0] for line in mine)})$") if mine else []
    checked = check_list("kernel", mine, found)
    # One shard says this for all.
    if shard.number == 1 and len(machine.lines("kernels", "--list")) != len(published):
        checked["differences"].append(f"{KERNELS.name} has another number of kernels than there are")
    elif len(found) != len(mine):
        checked["differences"].append(f"{KERNELS.name} names kernels that are not there")
    return checked


def check_scenes(part, machine, options, shard):
    published, asked = SCENES[part]
    count = QUICK_SCENE_COUNT if options.quick else SCENE_COUNTS[machine.tier]
    return check_list(part.removesuffix("s"), shard.part(published.read_text().splitlines()[:count]),
                      scene_hashes(machine, shard.part(range(1, count + 1)), asked))


def check_goldens(machine, options, shard):
    scenes = shard.part(QUICK_GOLDENS if options.quick else tuple(golden.SCENES))
    differences = []
    with tempfile.TemporaryDirectory() as work:
        for scene in scenes:
            expected, actual = golden.HERE / f"{scene}.png", pathlib.Path(work) / f"{scene}.png"
            machine.lines(*golden.SCENES[scene], "--out", str(actual))
            if expected.read_bytes() == actual.read_bytes():
                continue
            # The same pixels may be packed in another way.
            difference = machine.lines("tessera", "diff", str(expected), str(actual), statuses=(0, 1))
            if not any(line.startswith("differing: 0 of") for line in difference):
                differences.append(f"golden {scene}: {'; '.join(difference[1:3])}")
    return {"count": len(scenes), "differences": differences}


def write(machine):
    KERNELS.write_text("".join(line + "\n" for line in kernel_hashes(machine)))
    for published, asked in SCENES.values():
        seeds = range(1, SCENE_COUNTS[machine.tier] + 1)
        published.write_text("".join(line + "\n" for line in scene_hashes(machine, seeds, asked)))
    FUNCTIONS.touch()
    print(*machine.lines("certify", "--functions", str(FUNCTIONS), "--write"), sep="\n")


# --- What is told, of a run and of all shards of one ---

def tell(row, note=""):
    """A level, tier and part."""
    differences = row["differences"]
    if row["part"] == "functions":
        verdict = (f"{row['count']} functions, {row['results']} results, "
                   + (f"{len(differences)} DIFFERENT hashes" if differences else "the same bytes"))
    else:
        verdict = (f"{row['count']} {row['part']}: "
                   + (f"{len(differences)} DIFFERENT" if differences else "the same bytes"))
    print(f"{row['level']} {row['tier']}: {verdict} ({row['seconds']:.0f} s){note}", flush=True)
    print(*(f"  {line}" for line in differences[:10]), sep="\n", end="\n" if differences else "")


def conclude(rows, levels, under, seconds):
    different = any(row["differences"] for row in rows)
    print("DIFFERENT bytes than" if different else "The same bytes as", "published, at", ", ".join(levels) +
          (f", under {' '.join(under)};" if under else ";"), f"{seconds:.0f} s")
    return 1 if different else 0


def merged(parts, _):
    rows, notes = {}, {}
    for shard in parts:
        for row in shard["outputs"]["rows"]:
            key = row["level"], row["tier"], row["part"]
            notes.setdefault(key, []).append(str(shard["shard"][0]))
            if key not in rows:
                rows[key] = dict(row)
                continue
            whole = rows[key]
            whole["differences"] = whole["differences"] + row["differences"]
            whole["seconds"] += row["seconds"]
            if row["part"] == "functions":  # each shard has some slices of all of them
                whole["results"] += row["results"]
            else:
                whole["count"] += row["count"]
    # Machines have different levels; of one that some lack a part is missing.
    levels = [level for level in LEVELS if all(level in shard["outputs"]["levels"] for shard in parts)]
    for key in sorted(rows, key=lambda key: (LEVELS.index(key[0]), TIERS.index(key[1]), PARTS.index(key[2]))):
        there = notes[key]
        tell(rows[key], "" if len(there) == len(parts) else f" (of {len(parts)} shards only {', '.join(there)})")
    return conclude(rows.values(), levels or ["no level that all shards have"], parts[0]["options"]["under"],
                    shards.seconds(parts))


def certify(build, under, options, shard):
    checks = {"functions": check_functions, "kernels": check_kernels, "goldens": check_goldens,
              **{part: functools.partial(check_scenes, part) for part in SCENES}}
    began, rows = time.monotonic(), []
    with tempfile.TemporaryDirectory() as cache:
        if options.write:
            write(Machine(build, under, cache, threads=1))
            return 0
        base = Machine(build, under, cache)
        levels = [level for level in LEVELS if base.has_level(level)]
        if missing := set(options.level or levels) - set(levels):
            raise NotRun(f"this processor has no {', '.join(sorted(missing))}; it has {', '.join(levels)}")
        parts = {tier: [part for part in PARTS_OF[tier] if part in (options.part or PARTS)]
                 for tier in options.tier or TIERS}
        if not any(parts.values()):
            raise NotRun(f"the tier {', '.join(parts)} has only {' and '.join(PARTS_OF[next(iter(parts))])}")
        for level in options.level or levels:
            for tier in parts:
                machine = Machine(build, under, cache, level, tier)
                for part in parts[tier]:
                    started = time.monotonic()
                    checked = checks[part](machine, options, shard)
                    rows.append({"level": level, "tier": tier, "part": part, **checked,
                                 "seconds": time.monotonic() - started})
                    tell(rows[-1])
    levels = options.level or levels
    shard.leave("certify", build,
                {"quick": options.quick, "exhaustive": options.exhaustive, "level": options.level, "tier": options.tier,
                 "part": options.part, "under": list(under)},
                {part: sum(row["count"] for row in rows if row["part"] == part) for part in PARTS},
                sum((row["differences"] for row in rows), []), {"levels": levels, "rows": rows})
    return conclude(rows, levels, under, time.monotonic() - began)


def main():
    parser = argparse.ArgumentParser(prog="./run certify", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True, help="the build tree; ./run gives it")
    effort = parser.add_mutually_exclusive_group()
    effort.add_argument("--quick", action="store_true", help="seconds instead of minutes")
    effort.add_argument("--exhaustive", action="store_true", help="the functions over all inputs")
    effort.add_argument("--write", action="store_true", help="publish what this machine gives")
    parser.add_argument("--level", choices=LEVELS, action="append", help="only this SIMD level")
    parser.add_argument("--tier", choices=TIERS, action="append", help="only this tier")
    parser.add_argument("--part", choices=PARTS, action="append", help="only this part")
    under = parser.add_mutually_exclusive_group()
    under.add_argument("--emulate", metavar="CPU", help="under qemu-x86_64 -cpu CPU")
    under.add_argument("--under", metavar="COMMAND", default="", help="under another program")
    shards.add_options(parser)
    options = parser.parse_args()
    if options.shard and options.write:
        parser.error("--write is not divisible: give it without --shard")
    build = options.build.resolve()
    command = ["qemu-x86_64", "-cpu", options.emulate] if options.emulate else shlex.split(options.under)
    try:
        return certify(build, tuple(command or target.emulator(build)), options, shards.chosen(options))
    except NotRun as failure:
        print(f"certify: {failure}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
