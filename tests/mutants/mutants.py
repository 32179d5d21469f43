#!/usr/bin/env python3
"""Plants slips of the kind that a developer makes in a copy of the tree, one at a time, runs the tests of the room on
each, and says which slips the tests saw (docs/mutants.md).

  mutants.py --build DIR                    100 slips at random over all rooms
  mutants.py --build DIR --count N --seed S --area ROOM    N in a room or a folder (pipeline, api/gles/state), others by S
  mutants.py --build DIR --patch FILE       the slip that a patch makes; exit status 1 if no test sees it
  mutants.py --build DIR --list --area ROOM every slip that there is
  mutants.py --build DIR --report           what the runs so far found, nothing else; --write: into docs/mutants.md

A run that was ended goes on where it stopped: what it found is in DIR/../mutants/found.jsonl. Slips that do not compile
are not counted; those that make the same code and those in equivalent.toml can't be seen.
"""

import argparse
import bisect
import collections
import dataclasses
import hashlib
import json
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
PAGE = ROOT / "docs" / "mutants.md"
BEGIN, END = "<!-- figures: ./run mutants --write -->\n", "<!-- end of figures -->\n"
INSIDE = "TESSERA_RUN_MUTANTS"  # set in the namespace where the copy stands in the tree's place

# A header that more objects than this are made of is left out: its slips would take many minutes each to build.
MOST_OBJECTS = 16
SLOWER, SECONDS_MORE = 5, 60  # a test that takes this much longer than without the slip does not end
MOST_MEMORY = 24 << 30  # of addresses: LLVM and the stacks of threads take some without touching them
KILLED, LIVED, EQUIVALENT, NOT_COMPILED = "killed", "lived", "equivalent", "not compiled"


@dataclasses.dataclass
class Found:
    name: str
    room: str
    kind: str
    line: int
    outcome: str
    by: str        # the test that saw it, or why none can
    seconds: float


class Rooms:
    """rooms.toml: which tests see a room's slips."""

    def __init__(self):
        import tomllib
        table = tomllib.loads((HERE / "rooms.toml").read_text())
        self.builds = table["builds"]
        self.tests = {room: [name for word in entry["tests"] for name in
                             (table["groups"][word[1:]] if word.startswith("@") else [word])]
                      for room, entry in table["rooms"].items()}
        equivalent = tomllib.loads((HERE / "equivalent.toml").read_text())
        self.equivalent = {slip["name"]: slip["why"] for slip in equivalent.get("slip", [])}

    def of(self, file):
        rooms = [room for room in self.tests if file.startswith(room + "/")]
        return max(rooms, key=len, default=None)


class Tree:
    """The copy, where slips are planted and built. It stands in the place of the tree, so that what was built there is
    up to date here."""

    def __init__(self, build, jobs):
        self.build, self.jobs = build, jobs
        self.state = ROOT / "build" / "mutants"
        self.rooms = Rooms()
        self.units = {pathlib.Path(each["file"]) for each in
                      json.loads((build / "compile_commands.json").read_text())}
        self.objects = None
        self.usual = {}  # seconds that tests take; None: it is skipped here
        import choose
        self.programs = choose.Tests(build).programs

    def sources(self):
        """Files of the rooms that are compiled, or included by what is: the path, and its lines."""
        listed = subprocess.run(["git", "ls-files", "*.cpp", "*.h"], cwd=ROOT, capture_output=True, text=True,
                                check=True).stdout.split()
        found = {}
        for file in listed:
            if self.rooms.of(file) and not re.search(r"_test\.cpp$|/testing/|(^|/)doc\.cpp$|_doc\.cpp$", file) and \
                    (self.is_unit(file) or 0 < len(self.objects_of(file)) <= MOST_OBJECTS):
                found[file] = (ROOT / file).read_bytes().count(b"\n")
        return found

    def is_unit(self, file):
        return ROOT / file in self.units

    def unit_of(self, file):
        """The source by which clang reads a file."""
        if self.is_unit(file):
            return file
        for output in self.objects_of(file):
            for entry in json.loads((self.build / "compile_commands.json").read_text()):
                if re.search(r" -o (\S+)", entry["command"])[1] == output:
                    return os.path.relpath(entry["file"], ROOT)
        return None

    def objects_of(self, file):
        """What ninja makes of a file, the tests' and demos' objects apart."""
        if self.objects is None:
            self.objects = collections.defaultdict(list)
            told = subprocess.run(["ninja", "-C", self.build, "-t", "deps"], capture_output=True, text=True).stdout
            output = ""
            for line in told.splitlines():
                if line and not line.startswith(" "):
                    output = line.split(": #deps")[0]
                elif not re.match(r"(tests|bench|demos)/|.*(_test(_\w+)?|_bench|_doc)\.dir/", output):
                    path = os.path.relpath(line.strip(), ROOT) if line.strip().startswith("/") else line.strip()
                    self.objects[path].append(output)
        return self.objects[file]

    def ninja(self, targets, seconds=1800):
        return run(["ninja", "-C", str(self.build), "-j", str(self.jobs), *targets], self.environment(), seconds) == 0

    def environment(self):
        # Code that slips compiled must not be found by anybody else, nor by the next slip.
        return {**os.environ, "TESSERA_CACHE_DIR": str(self.state / "code"), "XDG_CACHE_HOME": str(self.state / "cache")}

    def hashes(self, file):
        paths = [self.build / output for output in self.objects_of(file)]
        return [hashlib.sha256(path.read_bytes()).digest() if path.exists() else None for path in paths]

    def targets_of(self, test):
        program = self.programs.get(test)
        return [*([program] if program else []), *self.rooms.builds.get(test, [])]

    def test(self, test, seconds):
        shutil.rmtree(self.state / "code", ignore_errors=True)
        log = self.state / "last-test.txt"
        with log.open("wb") as out:
            # ctest's own limit ends the test with all that it started.
            status = run(["ctest", "--test-dir", str(self.build), "-R", f"^{re.escape(test)}$", "--no-tests=error",
                          "--timeout", f"{seconds:.0f}", "--output-on-failure"],
                         self.environment(), seconds + 60, out)
        return status, log.read_text(errors="replace")

    def prepare(self, test):
        """Builds a test without a slip and runs it, once; whether it can tell anything."""
        if test not in self.usual:
            known = self.state / "usual.json"
            kept = json.loads(known.read_text()) if known.exists() else {}
            if test not in kept:
                if test not in self.programs:
                    raise SystemExit(f"rooms.toml names the test '{test}', which ctest does not know")
                if not self.ninja(self.targets_of(test)):
                    raise SystemExit(f"without a slip the targets of {test} do not build")
                began = time.monotonic()
                status, said = self.test(test, 1800)
                if status != 0:
                    raise SystemExit(f"without a slip {test} fails:\n{said[-3000:]}")
                kept[test] = None if "Skipped" in said else round(time.monotonic() - began, 1)
                write(known, json.dumps(kept, indent=1, sort_keys=True) + "\n")
            self.usual = kept
        return self.usual[test] is not None

    def examine(self, file, source, mutant, tests):
        """What becomes of a slip: the outcome, and the test that saw it."""
        path = ROOT / file
        objects = self.objects_of(file)
        if not self.ninja(objects):
            raise SystemExit(f"without a slip, what is made of {file} does not build")
        before = self.hashes(file)
        try:
            path.write_bytes(mutant)
            if not self.ninja(objects):
                return NOT_COMPILED, ""
            if objects and self.hashes(file) == before:
                return EQUIVALENT, "the same code"
            for test in tests:
                if not self.ninja(self.targets_of(test)):
                    # What is made by what was built, as the packages and pages are, fails: a test that is the build.
                    return KILLED, f"the build of {test}"
                status, said = self.test(test, self.usual[test] * SLOWER + SECONDS_MORE)
                if status != 0:
                    return KILLED, test + (" (does not end)" if "***Timeout" in said or status is None else "")
            return LIVED, ""
        finally:
            path.write_bytes(source)


def run(command, environment, seconds, out=subprocess.DEVNULL):
    """Exit status; None if it had to be ended, with all that it started."""
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    with subprocess.Popen(command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, stdout=out,
                          stderr=subprocess.STDOUT, start_new_session=True, preexec_fn=limit) as child:
        try:
            return child.wait(seconds)
        except BaseException as error:
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()
            if isinstance(error, subprocess.TimeoutExpired):
                return None
            raise


def write(path, text):
    new = path.with_name(path.name + ".new")
    new.write_text(text)
    new.replace(path)


def enter_copy(build):
    """Copies the sources and what is built of them, and runs this script again where the copy has the tree's place."""
    state = ROOT / "build" / "mutants"
    copy = state / "tree"
    new = not (copy / "build").exists()
    copy.mkdir(parents=True, exist_ok=True)
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    told = subprocess.run(listing, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    tracked = set(told.strip("\0").split("\0"))
    if new:
        print("tessera: copying the tree and what is built", file=sys.stderr)
        (copy / "build").mkdir()
        shutil.rmtree(copy / "build.new", ignore_errors=True)
        subprocess.run(["cp", "-a", "--reflink=auto", build, copy / "build.new"], check=True)
    changed = False
    for file in sorted(tracked):
        source, target = ROOT / file, copy / file
        if not source.is_file():
            continue
        if not target.is_file() or target.read_bytes() != source.read_bytes():
            changed |= pathlib.Path(file).suffix in (".cpp", ".h", ".inc", ".txt", ".cmake")
            target.parent.mkdir(parents=True, exist_ok=True)
            # When the first copy is made its times are the build's; later, what changed is newer than what is built.
            (shutil.copy2 if new else shutil.copy)(source, target)
    listed = copy / "build" / "tracked"
    for file in (set(listed.read_text().split("\0")) if listed.exists() else set()) - tracked:
        (copy / file).unlink(missing_ok=True)
    listed.write_text("\0".join(sorted(tracked)))
    if new:
        (copy / "build.new").rename(copy / "build" / build.name)
    if changed:  # tests may have come, and take other times
        (state / "usual.json").unlink(missing_ok=True)
    (copy / "build" / "mutants").mkdir(exist_ok=True)
    (copy / ".git").mkdir(exist_ok=True) if (ROOT / ".git").is_dir() else (copy / ".git").touch()
    script = ('set -e; mount --make-rprivate /; mount --bind "$1/build/mutants" "$2/build/mutants"; '
              'mount --rbind "$1/.git" "$2/.git"; mount --rbind "$2" "$1"; shift 2; exec "$@"')
    user = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
    os.execvpe("unshare", ["unshare", "--mount", *user, "sh", "-c", script, "sh", str(ROOT), str(copy), sys.executable,
                           *sys.argv], {**os.environ, INSIDE: "1"})


class Draw:
    """Slips at random: a file by its lines, a kind of those that it has, a place. The same seed draws the same ones of
    the same tree."""

    def __init__(self, tree, area, seed):
        import slips
        self.find, self.tree, self.random = slips.slips, tree, random.Random(seed)
        files = {file: lines for file, lines in tree.sources().items()
                 if not area or file == area or file.startswith(area.rstrip("/") + "/")}
        if not files:
            raise SystemExit(f"no source lies in '{area}' that rooms.toml has tests for")
        self.files = list(files)
        self.ends, total = [], 0
        for file in self.files:
            total += files[file]
            self.ends.append(total)
        self.seen = {}

    def all_of(self, file):
        if file not in self.seen:
            try:
                self.seen[file] = self.find(ROOT, self.tree.build, file, self.tree.unit_of(file))
            except ValueError as error:
                print(f"tessera: {error}", file=sys.stderr)
                self.seen[file] = []
        return self.seen[file]

    def __iter__(self):
        drawn, misses = set(), 0
        while misses < 1000:
            file = self.files[bisect.bisect(self.ends, self.random.randrange(self.ends[-1]))]
            kinds = collections.defaultdict(list)
            for slip in self.all_of(file):
                kinds[slip.kind].append(slip)
            slip = self.random.choice(kinds[self.random.choice(sorted(kinds))]) if kinds else None
            if slip is None or slip in drawn:
                misses += 1
                continue
            misses = 0
            drawn.add(slip)
            yield slip


def read_found(tree_state):
    """What runs have found, by the slip's name; the last word of each."""
    file = tree_state / "found.jsonl"
    lines = file.read_text().splitlines() if file.exists() else []
    return {found["name"]: Found(**found) for found in map(json.loads, lines)}


def share(some):
    counts = collections.Counter(each.outcome for each in some)
    can_be_seen = counts[KILLED] + counts[LIVED]
    return counts, f"{100 * counts[KILLED] / can_be_seen:.0f} %" if can_be_seen else ""


def figures(found, rooms):
    """The tables of the page."""
    found = [each for each in found if each.outcome != NOT_COMPILED]
    for each in found:  # what was understood since
        if each.outcome == LIVED and each.name in rooms.equivalent:
            each.outcome, each.by = EQUIVALENT, rooms.equivalent[each.name]
    lines = ["| room | slips | killed | lived | equivalent | of those that can be seen | seconds each |",
             "|---|---:|---:|---:|---:|---:|---:|"]
    groups = [*((f"`{room}`", [each for each in found if each.room == room]) for room in sorted(rooms.tests)),
              ("all", found)]
    kinds = [(kind, [each for each in found if each.kind == kind]) for kind in sorted({each.kind for each in found})]
    for title, some in groups:
        if some:
            counts, percent = share(some)
            seconds = sum(each.seconds for each in some) / len(some)
            lines.append(f"| {title} | {len(some)} | {counts[KILLED]} | {counts[LIVED]} | {counts[EQUIVALENT]} | "
                         f"{percent} | {seconds:.0f} |")
    lines += ["", "| kind | slips | killed | lived | equivalent | of those that can be seen |", "|---|---:|---:|---:|---:|---:|"]
    for kind, some in kinds:
        counts, percent = share(some)
        lines.append(f"| {kind} | {len(some)} | {counts[KILLED]} | {counts[LIVED]} | {counts[EQUIVALENT]} | {percent} |")
    lived = sorted((each for each in found if each.outcome == LIVED), key=lambda each: each.name)
    if lived:
        lines += ["", "Those that lived:", ""]
        # A name is `file: line of code: before -> after`.
        lines += [f"- `{each.name.replace('`', chr(39))}` ({each.kind})" for each in lived]
    return "\n".join(lines) + "\n"


def publish(text):
    page = PAGE.read_text()
    before, rest = page.split(BEGIN)
    PAGE.write_text(before + BEGIN + "\n" + text + "\n" + END + rest.split(END)[1])


def files_of(patch):
    """The one file that a patch changes."""
    files = set(re.findall(r"^\+\+\+ (?:b/)?(\S+)", patch.read_text(), re.M))
    if len(files) != 1:
        raise SystemExit(f"{patch}: a slip changes one file, this patch changes {len(files)}")
    return files.pop()


def examine_patch(tree, patch):
    file = files_of(patch)
    room = tree.rooms.of(file)
    if room is None:
        raise SystemExit(f"{patch}: {file} is in no room of rooms.toml")
    source = (ROOT / file).read_bytes()
    with tempfile.TemporaryDirectory() as folder:
        planted = pathlib.Path(folder) / file
        planted.parent.mkdir(parents=True)
        planted.write_bytes(source)
        applied = subprocess.run(["git", "apply", str(patch)], cwd=folder, capture_output=True, text=True)
        if applied.returncode != 0:
            raise SystemExit(f"{patch}: does not apply: {applied.stderr.strip()}")
        mutant = planted.read_bytes()
    tests = [test for test in tree.rooms.tests[room] if tree.prepare(test)]
    outcome, by = tree.examine(file, source, mutant, tests)
    print(f"{patch.name}: {outcome}{' by ' + by if by else ''}", flush=True)
    return 1 if outcome == LIVED else 0


def examine_drawn(tree, options):
    known = read_found(tree.state)
    counted = 0
    ends = time.monotonic() + options.seconds if options.seconds else None
    for slip in Draw(tree, options.area, options.seed):
        if counted == options.count:
            break
        if slip.name in known:
            counted += known[slip.name].outcome != NOT_COMPILED
            continue
        if ends and time.monotonic() >= ends:
            print(f"tessera: {counted} of {options.count} are done; the same call goes on", file=sys.stderr)
            return 0
        room = tree.rooms.of(slip.file)
        began = time.monotonic()
        if slip.name in tree.rooms.equivalent:
            outcome, by = EQUIVALENT, tree.rooms.equivalent[slip.name]
        else:
            tests = [test for test in tree.rooms.tests[room] if tree.prepare(test)]
            began = time.monotonic()  # without what happens once
            source = (ROOT / slip.file).read_bytes()
            outcome, by = tree.examine(slip.file, source, slip.planted(source), tests)
        found = Found(slip.name, room, slip.kind, slip.line, outcome, by, round(time.monotonic() - began, 1))
        known[slip.name] = found
        with (tree.state / "found.jsonl").open("a") as out:
            out.write(json.dumps(dataclasses.asdict(found)) + "\n")
        counted += outcome != NOT_COMPILED
        print(f"{counted:4} {outcome}{' by ' + by if by else ''}, {found.seconds:.0f} s: {slip.kind}: "
              f"{slip.file}:{slip.line}: {slip.text}: {slip.before} -> {slip.after}", flush=True)
    print(figures(list(known.values()), tree.rooms))
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--area", default="", help="a room or a folder of it, or a file (all)")
    parser.add_argument("--count", type=int, default=100, help="how many slips (100)")
    parser.add_argument("--seed", type=int, default=1, help="of what is drawn (1)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="what ninja does at a time")
    parser.add_argument("--seconds", type=int, help="begin no slip after so many")
    parser.add_argument("--patch", type=pathlib.Path, help="a slip of your own")
    parser.add_argument("--list", action="store_true", help="print the slips that there are")
    parser.add_argument("--report", action="store_true", help="print what was found so far")
    parser.add_argument("--write", action="store_true", help="with the figures, docs/mutants.md anew")
    options = parser.parse_args()
    build = options.build.resolve()
    try:
        from clang import cindex  # noqa: F401
    except ImportError:
        # Debian's package is for Debian's Python, which need not be the first in the path.
        if sys.executable == "/usr/bin/python3":
            raise SystemExit("there is no libclang for Python: apt-get install python3-clang-19") from None
        os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])
    if options.report or options.write:
        text = figures(list(read_found(build.parent / "mutants").values()), Rooms())
        print(text)
        if options.write:
            publish(text)
        return 0
    if options.list:
        tree = Tree(build, options.jobs)
        for file in Draw(tree, options.area, 0).files:
            for slip in Draw(tree, file, 0).all_of(file):
                print(f"{slip.file}:{slip.line}: {slip.kind}: {slip.text}: {slip.before} -> {slip.after}")
        return 0
    if INSIDE not in os.environ:
        enter_copy(build)
    tree = Tree(build, options.jobs)
    return examine_patch(tree, options.patch.resolve()) if options.patch else examine_drawn(tree, options)


if __name__ == "__main__":
    sys.exit(main())
