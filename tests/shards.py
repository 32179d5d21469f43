"""Long verbs on many machines: with --shard K/N a verb does part K of N of its work and leaves a file, of which
./run merge (tests/merge.py) makes what the whole run would have said. docs/many-machines.md shows both, docs/files.md is
the file, tools/shard.cpp writes it for verbs of `tessera`.

A verb that is divisible

  - asks for the options with add_options(), and works on what Shard.part() leaves of its list,
  - leaves what it found with Shard.leave(), as plain data that does not depend on how the work was divided,
  - has a function merged(shards, build), which tells the same of the files of all shards, and returns the exit status.
"""

import argparse
import dataclasses
import hashlib
import json
import os
import pathlib
import re
import subprocess
import time

import target

ROOT = pathlib.Path(__file__).resolve().parent.parent
FORMAT = "tessera shard 1"


class Problem(Exception):
    """What is wrong with the files of shards, in a line."""


@dataclasses.dataclass
class Shard:
    """One of `of` parts of the work; without --shard it is all of it."""

    number: int = 1
    of: int = 1
    is_given: bool = False
    file: pathlib.Path | None = None
    began: float = dataclasses.field(default_factory=time.monotonic)

    def part(self, pieces):
        """Every `of`-th piece, so that parts take about as long as each other."""
        return pieces[self.number - 1::self.of]

    def leave(self, verb, build, options, counts, failures, outputs):
        """Writes the shard's file; nothing for a run without --shard."""
        if not self.is_given:
            return
        file = self.file or pathlib.Path(f"{re.sub('[^a-z]+', '-', verb)}-{self.number}-of-{self.of}.json")
        found = {"format": FORMAT, "verb": verb, "build": build_name(), "options": options,
                 "shard": [self.number, self.of], "machine": machine(build),
                 "seconds": round(time.monotonic() - self.began, 3), "counts": counts, "failures": failures,
                 "outputs": outputs}
        new = file.with_name(file.name + ".new")
        try:
            new.write_text(json.dumps(found, indent=1) + "\n")
            new.replace(file)
        except OSError as error:
            raise SystemExit(f"{file}: cannot be written: {error.strerror}") from None


def _shard(text):
    given = re.fullmatch(r"(\d{1,9})/(\d{1,9})", text, re.ASCII)
    if not given or not 1 <= int(given.group(1)) <= int(given.group(2)):
        raise argparse.ArgumentTypeError(f"give K/N, K from 1 to N: not '{text}'")
    return int(given.group(1)), int(given.group(2))


def add_options(parser):
    parser.add_argument("--shard", type=_shard, metavar="K/N",
                        help="do part K of N alone, and leave a file; ./run merge puts the files of all parts together")
    parser.add_argument("--shard-out", type=pathlib.Path, metavar="FILE", help="that file; default VERB-K-of-N.json")


def chosen(options):
    """What --shard and --shard-out ask for."""
    if options.shard is None:
        if options.shard_out:
            raise SystemExit("--shard-out is for a shard: give --shard K/N")
        return Shard()
    return Shard(*options.shard, True, options.shard_out)


# --- Who did it ---

def _git(*arguments):
    try:
        run = subprocess.run(["git", "-C", str(ROOT), *arguments], capture_output=True, text=True, errors="replace")
    except OSError:
        return ""
    return run.stdout if run.returncode == 0 else ""


def build_name():
    """Version and commit of these sources, and a hash of what was changed since."""
    version = re.search(r"^project\(tessera VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text(), re.MULTILINE)
    changes = _git("diff", "HEAD")
    changed = ["changed", hashlib.sha256(changes.encode()).hexdigest()[:8]] if changes else []
    return " ".join([version.group(1) if version else "?", *_git("rev-parse", "--short=12", "HEAD").split(), *changed])


def machine(build):
    try:
        model = re.search(r"^model name\s*: (.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    except OSError:
        model = None
    level = os.environ.get("TESSERA_SIMD") or (target.levels(build) or ["unknown"])[-1]
    threads = os.environ.get("TESSERA_THREADS", "")
    return {"processor": model.group(1) if model else "unknown", "simd": level,
            "threads": int(threads) if threads.isdecimal() else len(os.sched_getaffinity(0))}


# --- All shards of a run ---

def _read(file):
    try:
        found = json.loads(file.read_text())
    except OSError as error:
        raise Problem(f"{file}: cannot be read: {error.strerror}") from None
    except json.JSONDecodeError as error:
        raise Problem(f"{file}:{error.lineno}:{error.colno}: broken: {error.msg}; make it anew") from None
    except (UnicodeDecodeError, RecursionError):
        raise Problem(f"{file}: not the file of a shard, which --shard K/N leaves") from None
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise Problem(f"{file}: not the file of a shard, which --shard K/N leaves")
    shapes = {"verb": str, "build": str, "options": dict, "shard": list, "machine": dict, "seconds": (int, float),
              "counts": dict, "failures": list, "outputs": dict}
    for field, shape in shapes.items():
        if not isinstance(found.get(field), shape):
            raise Problem(f"{file}: broken: its \"{field}\" is missing or no {getattr(shape, '__name__', 'number')}; "
                          "make it anew")
    number, of = (*found["shard"], 0, 0)[:2]
    if len(found["shard"]) != 2 or not all(type(n) is int for n in found["shard"]) or not 1 <= number <= of:
        raise Problem(f"{file}: broken: its \"shard\" is no [K, N] with K from 1 to N; make it anew")
    return found


def read_all(files):
    """The shards of one run, in order: all are there, once, and of the same verb, build and options."""
    shards, names = {}, {}
    for file in files:
        found = _read(file)
        if shards:
            first, its_file = next(iter(shards.values())), next(iter(names.values()))
            for what in ("verb", "build"):
                if found[what] != first[what]:
                    raise Problem(f"{file}: of another {what} than {its_file}: {found[what]}, not {first[what]}")
            if found["shard"][1] != first["shard"][1]:
                raise Problem(f"{file}: one of {found['shard'][1]} shards, and {its_file} is one of {first['shard'][1]}")
            for option in sorted(found["options"].keys() | first["options"].keys()):
                mine, other = found["options"].get(option), first["options"].get(option)
                if mine != other:
                    raise Problem(f"{file}: of other options than {its_file}: {option} is {_short(mine)}, "
                                  f"not {_short(other)}")
        number = found["shard"][0]
        if number in shards:
            raise Problem(f"{file}: shard {number} again, as {names[number]}")
        shards[number], names[number] = found, file
    of = next(iter(shards.values()))["shard"][1]
    missing = [str(number) for number in range(1, min(of, len(shards) + 10) + 1) if number not in shards]
    if missing:
        raise Problem(f"shard {', '.join(missing[:8])}{' and others' if of - len(shards) > len(missing[:8]) else ''} of {of} "
                      f"{'is' if of - len(shards) == 1 else 'are'} missing")
    return [shards[number] for number in sorted(shards)]


def _short(value):
    text = json.dumps(value)
    return text if len(text) < 60 else text[:57] + "..."


def interleaved(parts):
    """The list whose parts, as Shard.part() makes them, these are."""
    whole = [None] * sum(map(len, parts))
    for number, part in enumerate(parts):
        whole[number::len(parts)] = part
    return whole


def seconds(shards):
    """Of all machines together."""
    return sum(shard["seconds"] for shard in shards)
