#!/usr/bin/env python3
"""Plants slips of the kind that a developer makes in a copy of the tree, each behind a number, builds it once, runs the
tests of the room on each, and says which slips the tests saw (docs/mutants.md).

  mutants.py --build DIR                    100 slips at random over all rooms
  mutants.py --build DIR --count N --seed S --area ROOM    N in a room or a folder (pipeline, api/gles/state), others by S
  mutants.py --build DIR --patch FILE       the slip that a patch makes; exit status 1 if no test sees it
  mutants.py --build DIR --list --area ROOM every slip that there is
  mutants.py --build DIR --report           what the runs so far found, nothing else; --write: into docs/mutants.md

A run that was ended goes on where it stopped: what it found is in DIR/../mutants/found.jsonl. Slips that do not compile
are not counted; those that make the same code and those in equivalent.toml can't be seen. --again examines those that
lived once more, when tests have come.
"""

import argparse
import collections
import dataclasses
import hashlib
import itertools
import json
import math
import multiprocessing
import os
import pathlib
import re
import resource
import shlex
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
import schemata  # noqa: E402

PAGE = ROOT / "docs" / "mutants.md"
BEGIN, END = "<!-- figures: ./run mutants --write -->\n", "<!-- end of figures -->\n"
NUMBERED = "numbered.json"  # which slips are behind numbers in the copies, and the files' text without them
INSIDE = "TESSERA_RUN_MUTANTS"  # set in the namespace where the copy stands in the tree's place

# A header that more objects than this are made of is left out: its slips would take many minutes each to build.
MOST_OBJECTS = 16
SLOWER, SECONDS_MORE = 5, 30  # a test that takes this much longer than without the slip does not end
MOST_MEMORY = 24 << 30  # of addresses: LLVM and the stacks of threads take some without touching them
TOGETHER = 8  # slips of a room that its quick tests left are planted at once for the others
KILLED, LIVED, EQUIVALENT, NOT_COMPILED = "killed", "lived", "equivalent", "not compiled"
UNFINISHED = 3  # exit status of a worker whose time is over
LEFT = "left"  # by the quick tests; the others were not run yet


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
    """rooms.toml: which tests see a room's slips, first one by one and then several at once."""

    def __init__(self):
        import tomllib
        table = tomllib.loads((HERE / "rooms.toml").read_text())
        self.builds = table["builds"]
        self.tests, self.then = ({room: [name for word in entry[key] for name in
                                         (table["groups"][word[1:]] if word.startswith("@") else [word])]
                                  for room, entry in table["rooms"].items()} for key in ("tests", "then"))
        equivalent = tomllib.loads((HERE / "equivalent.toml").read_text())
        self.equivalent = {slip["name"]: slip["why"] for slip in equivalent.get("slip", [])}

    def of(self, file):
        rooms = [room for room in self.tests if file.startswith(room + "/")]
        return max(rooms, key=len, default=None)


class Tree:
    """A worker's copy, where slips are planted and built. It stands in the place of the tree, so that what was built there
    is up to date here."""

    def __init__(self, build, jobs, worker=0):
        self.build, self.jobs = build, jobs
        self.state = ROOT / "build" / "mutants"
        self.code = self.state / f"code-{worker}"
        self.log = self.state / f"last-test-{worker}.txt"
        self.rooms = Rooms()
        self.units = {pathlib.Path(each["file"]) for each in
                      json.loads((build / "compile_commands.json").read_text())}
        self.objects = None
        self.commands = {}
        self.planted = []
        self.sound = {}  # the text of the files in which something is planted by itself
        self.numbers = {}  # of the slips that are behind one, by name and place
        self.texts = {}  # the text, without them, of the files that have any
        self.on = []  # numbers
        self.fresh = set()  # targets that are built of what is there now
        self.usual = {}  # seconds that tests take
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
                found[file] = self.source_of(file).count(b"\n")
        return found

    def source_of(self, file):
        """Its text without slips."""
        return self.texts.get(file) or (ROOT / file).read_bytes()

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
        """Whether they are built. A slip may keep the compiler busy for ever; what is sound takes as long as it takes."""
        if self.fresh.issuperset(targets):
            return True
        built = self.make(targets, [], seconds if self.planted else None) == 0
        if built:
            self.fresh.update(targets)
        return built

    def make(self, targets, options, seconds, out=subprocess.DEVNULL):
        environment = self.environment()
        environment.pop("XDG_CACHE_HOME", None)  # the compiler's own cache is the user's
        if "XDG_CACHE_HOME" in os.environ:
            environment["XDG_CACHE_HOME"] = os.environ["XDG_CACHE_HOME"]
        return run(["ninja", "-C", str(self.build), "-j", str(self.jobs), *options, *targets], environment, seconds, out)

    def environment(self):
        # Code that slips compiled must not be found by anybody else, nor by the next slip.
        return {**os.environ, "TESSERA_CACHE_DIR": str(self.code), "XDG_CACHE_HOME": str(self.code / "cache"),
                "DOCTEST_ABORT_AFTER": "1", schemata.VARIABLE: ",".join(map(str, self.on))}

    def number_of(self, slip):
        """None: it is behind none, and has to be built by itself."""
        return self.numbers.get((slip.name, slip.start))

    def bitcode(self):
        """The files that are compiled for the JIT, in whose code no number is ever on."""
        words = {word for listed in self.build.rglob("*.bc.d") for word in listed.read_text().split()}
        return {os.path.relpath(word, ROOT) for word in words if word.startswith("/")}

    def put(self, numbered):
        """Puts slips behind their numbers, {number: slip}, and no others. What became of the files."""
        header = self.state / "slip.h"
        text = schemata.header(max(numbered, default=0) + 1)
        if not header.exists() or header.read_text() != text:
            write(header, text)
        made = {}
        for file in {*self.texts, *(slip.file for slip in numbered.values())}:
            path, source = ROOT / file, self.texts.setdefault(file, self.source_of(file))
            here = {number: slip for number, slip in numbered.items() if slip.file == file}
            made[str(path)] = schemata.Guarded(source, here, header)
            text = made[str(path)].text if here else source
            if path.read_bytes() != text:
                path.write_bytes(text)
        self.fresh.clear()
        self.numbers = {(slip.name, slip.start): number for number, slip in numbered.items()}
        return made

    def build_numbered(self, numbered, targets):
        """Builds a tree with slips behind numbers; those that cannot be left out."""
        log = self.state / "build.txt"
        while True:
            made = self.put(numbered)
            with log.open("wb") as out:
                status = self.make(targets, ["-k", "0"], None, out)
            if status == 0:
                return
            said = log.read_text(errors="replace")
            wrong = schemata.culprits(said, made)
            if not wrong:
                raise SystemExit(f"what slips are planted in does not build:\n{said[-3000:]}")
            for number in sorted(wrong):
                print(f"tessera: does not compile behind a number: {numbered[number].name}", file=sys.stderr, flush=True)
            numbered = {number: slip for number, slip in numbered.items() if number not in wrong}

    def keep_numbers(self):
        """Tells the workers, and the next run, what is in the copy."""
        write(self.state / NUMBERED, json.dumps(
            {"numbers": [[*key, number] for key, number in self.numbers.items()],
             "sources": {file: source.decode() for file, source in self.texts.items()}}))

    def take_numbers(self):
        if not (self.state / NUMBERED).exists():
            return
        kept = json.loads((self.state / NUMBERED).read_text())
        self.numbers = {(name, start): number for name, start, number in kept["numbers"]}
        self.texts = {file: source.encode() for file, source in kept["sources"].items()}

    def same_code(self, slip):
        """Whether the compiler makes the same of a slip's file without it."""
        path = ROOT / slip.file
        times, there, source = path.stat(), path.read_bytes(), self.source_of(slip.file)
        commands = [command for command in map(self.command_of, self.objects_of(slip.file)) if command]
        try:
            made = []
            for text in (source, slip.planted(source)):
                path.write_bytes(text)
                made.append([self.compiled(command) for command in commands])
        finally:
            path.write_bytes(there)
            os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))  # nothing has to be built anew
        return bool(commands) and made[0] == made[1] and None not in made[0]

    def command_of(self, output):
        """How an object is compiled."""
        if not self.commands:
            self.commands = {re.search(r" -o (\S+)", each["command"])[1]: each["command"] for each in
                             json.loads((self.build / "compile_commands.json").read_text())}
        return self.commands.get(output)

    def compiled(self, command):
        """The hash of what a command makes; None: it does not compile."""
        with tempfile.TemporaryDirectory() as folder:
            words = shlex.split(command)
            words[words.index("-o") + 1] = os.path.join(folder, "o")
            if subprocess.run(words, cwd=self.build, capture_output=True).returncode != 0:
                return None
            return hashlib.sha256((pathlib.Path(folder) / "o").read_bytes()).digest()

    def targets_of(self, test):
        program = self.programs.get(test)
        return [*([program] if program else []), *self.rooms.builds.get(test, [])]

    def test(self, test, seconds):
        shutil.rmtree(self.code, ignore_errors=True)
        with self.log.open("wb") as out:
            # ctest's own limit ends the test with all that it started.
            status = run(["ctest", "--test-dir", str(self.build), "-R", f"^{re.escape(test)}$", "--no-tests=error",
                          "--timeout", f"{seconds:.0f}", "--output-on-failure"],
                         self.environment(), seconds + 60, out)
        return status, self.log.read_text(errors="replace")

    def usual_of(self, test):
        """Seconds that a test takes; None: that is not known yet; 0: it is skipped here."""
        if test not in self.usual:
            known = self.state / "usual.json"
            self.usual = json.loads(known.read_text()) if known.exists() else {}
        return self.usual.get(test)

    def learn(self, test, said, seconds):
        """What a run that passed tells of a test."""
        known = self.state / "usual.json"
        kept = json.loads(known.read_text()) if known.exists() else {}  # another worker's, too
        if "Skipped" in said:
            print(f"tessera: {test} is skipped here; what it alone would see lives", file=sys.stderr, flush=True)
        self.usual = {**self.usual, **kept, test: 0 if "Skipped" in said else max(0.1, round(seconds, 1))}
        write(known, json.dumps(self.usual, indent=1, sort_keys=True) + "\n")

    def check_sound(self, test):
        """Of a test that had not been seen to pass: that it passes without slips."""
        self.plant([])
        if test not in self.programs:
            raise SystemExit(f"rooms.toml names the test '{test}', which ctest does not know")
        if not self.ninja(self.targets_of(test)):
            raise SystemExit(f"without a slip the targets of {test} do not build")
        began = time.monotonic()
        status, said = self.test(test, 1800)
        if status != 0:
            raise SystemExit(f"without a slip {test} fails:\n{said[-3000:]}")
        self.learn(test, said, time.monotonic() - began)

    def plant(self, slips):
        """Makes these, and no others, what is wrong in the copy."""
        if slips == self.planted:
            return
        if self.sound or any(self.number_of(slip) is None for slip in slips):
            self.fresh.clear()
        for file, source in self.sound.items():
            (ROOT / file).write_bytes(source)
        self.sound, self.planted = {}, list(slips)
        self.on = [number for number in map(self.number_of, slips) if number is not None]
        # From the end of a file, so that what comes before keeps its place.
        for slip in sorted(slips, key=lambda slip: -slip.start):
            if self.number_of(slip) is None:
                path = ROOT / slip.file
                text = path.read_bytes()
                if slip.file not in self.sound:
                    self.sound[slip.file], text = text, self.source_of(slip.file)
                path.write_bytes(slip.planted(text))

    def run_on(self, slips, test):
        """Why a test fails with the slips planted; "" if it passes."""
        if self.usual_of(test) is None and all(self.number_of(slip) for slip in slips):
            self.check_sound(test)  # nothing has to be built for it
        self.plant(slips)
        if not self.ninja(self.targets_of(test)):
            # What is made by what was built, as the packages and pages are, fails: a test that is the build.
            seen = f"the build of {test}"
        else:
            usual, began = self.usual_of(test), time.monotonic()
            status, said = self.test(test, 1800 if usual is None else usual * SLOWER + SECONDS_MORE)
            if status == 0:
                if usual is None:
                    self.learn(test, said, time.monotonic() - began)
                return ""
            seen = test + (" (does not end)" if "***Timeout" in said or status is None else "")
        if self.usual_of(test) is None:
            self.check_sound(test)
        return seen

    def examine(self, slip, tests):
        """What becomes of a slip: the outcome, and the test that saw it."""
        try:
            if self.number_of(slip) is None:
                objects = self.objects_of(slip.file)
                self.plant([])
                if not self.ninja(objects):
                    raise SystemExit(f"without a slip, what is made of {slip.file} does not build")
                self.plant([slip])
                if not self.ninja(objects):
                    return NOT_COMPILED, ""
            found = self.examine_together([slip], tests)[slip]
            return (EQUIVALENT, "the same code") if found[0] == LIVED and self.same_code(slip) else found
        finally:
            self.plant([])

    def examine_together(self, slips, tests):
        """What becomes of slips that are planted at once, none of which reaches into another. Where a test fails, each half
        of them says which it saw."""
        try:
            for at, test in enumerate(tests):
                seen = self.usual_of(test) != 0 and self.run_on(slips, test)
                if seen and len(slips) == 1:
                    return {slips[0]: (KILLED, seen)}
                if seen:
                    half = len(slips) // 2
                    return {**self.examine_together(slips[:half], tests[at:]),
                            **self.examine_together(slips[half:], tests[at:])}
            return {slip: (LIVED, "") for slip in slips}
        finally:
            self.plant([])


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
    new = path.with_name(f"{path.name}.{os.getpid()}")  # workers write the same files
    new.write_text(text)
    new.replace(path)


def update_copy(build, worker, keep):
    """Copies the sources and what is built of them. Slips that were planted are gone; with `keep` those stay that are
    behind numbers in a file that did not change."""
    state = ROOT / "build" / "mutants"
    copy = state / f"tree-{worker}"
    new = not (copy / "build").exists()
    numbered = state / NUMBERED
    put = json.loads(numbered.read_text())["sources"] if numbered.exists() and not new else {}
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
        same = file in put and put[file].encode() == source.read_bytes()
        if not target.is_file() or target.read_bytes() != source.read_bytes() and not (keep and same):
            changed |= not same and not new and pathlib.Path(file).suffix in (".cpp", ".h", ".inc", ".txt", ".cmake")
            target.parent.mkdir(parents=True, exist_ok=True)
            # When the first copy is made its times are the build's; later, what changed is newer than what is built.
            (shutil.copy2 if new else shutil.copy)(source, target)
            put.pop(file, None)
    listed = copy / "build" / "tracked"
    for file in (set(listed.read_text().split("\0")) if listed.exists() else set()) - tracked:
        (copy / file).unlink(missing_ok=True)
    listed.write_text("\0".join(sorted(tracked)))
    if new:
        (copy / "build.new").rename(copy / "build" / build.name)
    if put and keep:
        write(numbered, json.dumps({"numbers": [], "sources": put}))
    else:
        numbered.unlink(missing_ok=True)
    if changed:  # tests may have come, and take other times
        (state / "usual.json").unlink(missing_ok=True)
    (copy / "build" / "mutants").mkdir(exist_ok=True)
    (copy / ".git").mkdir(exist_ok=True) if (ROOT / ".git").is_dir() else (copy / ".git").touch()


def enter_copy(worker):
    """Runs this script again where the worker's copy has the tree's place."""
    copy = ROOT / "build" / "mutants" / f"tree-{worker}"
    script = ('set -e; mount --make-rprivate /; mount --bind "$1/build/mutants" "$2/build/mutants"; '
              'mount --rbind "$1/.git" "$2/.git"; mount --rbind "$2" "$1"; shift 2; exec "$@"')
    user = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
    os.execvpe("unshare", ["unshare", "--mount", *user, "sh", "-c", script, "sh", str(ROOT), str(copy), sys.executable,
                           *sys.argv], {**os.environ, INSIDE: "1"})


class Draw:
    """Slips at random: a file by its lines, a kind of those that it has, a place. The same seed draws the same ones of
    the same tree, and mostly the same ones of a tree that has changed a little: each thing that can be drawn has a number
    of its own in each draw, and the least is taken, so that what has come or gone changes few of them."""

    def __init__(self, tree, area, seed):
        import slips
        self.find, self.slip, self.tree, self.seed = slips.slips, slips.Slip, tree, seed
        self.lines = {file: lines for file, lines in tree.sources().items()
                      if not area or file == area or file.startswith(area.rstrip("/") + "/")}
        if not self.lines:
            raise SystemExit(f"no source lies in '{area}' that rooms.toml has tests for")
        self.files = list(self.lines)
        self.seen = {}

    def read(self, count, jobs):
        """Has several processes read the sources that the first `count` slips are drawn of."""
        files = dict.fromkeys(self.least(number, self.files, self.lines.get) for number in range(1, count + 1))
        with multiprocessing.get_context("fork").Pool(jobs) as pool:
            self.seen.update(zip(files, pool.map(self.all_of, files, chunksize=1)))

    def least(self, number, names, weight=lambda name: 1):
        """One of the names: the first to come, if each came at random as often as its weight says (the exponential
        distribution's times)."""
        def time_of(name):
            word = hashlib.sha256(f"{self.seed}\0{number}\0{name}".encode()).digest()[:8]
            return -math.log((int.from_bytes(word, "little") + 1) / 2**64) / weight(name)
        return min((name for name in names if weight(name)), key=time_of)

    def all_of(self, file):
        if file not in self.seen:
            # Clang reads a source in seconds: what it found is kept for the other workers, and for the next run.
            read = b"\0".join([file.encode(), self.tree.source_of(file), (HERE / "slips.py").read_bytes()])
            kept = self.tree.state / "slips" / (hashlib.sha256(read).hexdigest() + ".json")
            if kept.exists():
                self.seen[file] = [self.slip(**each) for each in json.loads(kept.read_text())]
                return self.seen[file]
            try:
                self.seen[file] = self.find(ROOT, self.tree.build, file, self.tree.unit_of(file))
            except ValueError as error:
                print(f"tessera: {error}", file=sys.stderr)
                self.seen[file] = []
            kept.parent.mkdir(exist_ok=True)
            write(kept, json.dumps([dataclasses.asdict(each) for each in self.seen[file]]))
        return self.seen[file]

    def __iter__(self):
        drawn, misses, number = set(), 0, 0
        while misses < 1000:
            number += 1
            kinds = collections.defaultdict(dict)
            alike = collections.Counter()  # slips of lines that read the same have one name
            for slip in self.all_of(self.least(number, self.files, self.lines.get)):
                alike[slip.name] += 1
                kinds[slip.kind][slip.name, alike[slip.name]] = slip
            of_kind = kinds[self.least(number, kinds)] if kinds else {}
            slip = of_kind[self.least(number, of_kind)] if of_kind else None
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
        if each.outcome == LEFT:
            each.outcome = LIVED
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
    lines += ["", "| kind | slips | killed | lived | equivalent | of those that can be seen |",
              "|---|---:|---:|---:|---:|---:|"]
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
    import slips
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
        slip = slips.Slip(file, 1, "", "patch", 0, len(source), "", planted.read_text())
    outcome, by = tree.examine(slip, tree.rooms.tests[room] + tree.rooms.then[room])
    print(f"{patch.name}: {outcome}{' by ' + by if by else ''}", flush=True)
    return 1 if outcome == LIVED else 0


class Worker:
    """Examines its share of what is drawn."""

    def __init__(self, tree, options):
        self.tree, self.options = tree, options
        self.known = read_found(tree.state)
        self.left = collections.defaultdict(list)  # by room: what its quick tests did not see
        self.counted = 0
        self.share = len(range(options.worker, options.count, options.workers))
        self.ends = time.monotonic() + options.seconds if options.seconds else None

    def over(self):
        return self.ends is not None and time.monotonic() >= self.ends

    def told(self, slip, outcome, by, seconds):
        known = self.known.get(slip.name)
        seconds = round(seconds + (known.seconds if known else 0), 1)
        found = Found(slip.name, self.tree.rooms.of(slip.file), slip.kind, slip.line, outcome, by, seconds)
        self.known[slip.name] = found
        with (self.tree.state / "found.jsonl").open("a") as out:
            out.write(json.dumps(dataclasses.asdict(found)) + "\n")
        print(f"{self.counted * self.options.workers:4} {outcome}{' by ' + by if by else ''}, {seconds:.0f} s: {slip.kind}: "
              f"{slip.file}:{slip.line}: {slip.text}: {slip.before} -> {slip.after.strip()}", flush=True)

    def first(self, slip):
        """One that was drawn now, by the room's quick tests."""
        room = self.tree.rooms.of(slip.file)
        began = time.monotonic()
        if slip.name in self.tree.rooms.equivalent:
            outcome, by = EQUIVALENT, self.tree.rooms.equivalent[slip.name]
        else:
            outcome, by = self.tree.examine(slip, self.tree.rooms.tests[room])
        if outcome == LIVED:
            outcome = LEFT
            self.left[room].append(slip)
        self.counted += outcome != NOT_COMPILED
        self.told(slip, outcome, by, time.monotonic() - began)

    def others(self, room):
        """Those of a room that are left, by its other tests."""
        while self.left[room]:
            slips = []
            for slip in self.left[room]:
                apart = all(slip.file != other.file or slip.end <= other.start or other.end <= slip.start for other in slips)
                # One that is planted by itself takes the place of what is behind numbers in its file.
                alike = not slips or (self.tree.number_of(slip) is None) == (self.tree.number_of(slips[0]) is None)
                if apart and alike and len(slips) < TOGETHER:
                    slips.append(slip)
            self.left[room] = [slip for slip in self.left[room] if slip not in slips]
            began = time.monotonic()
            found = self.tree.examine_together(slips, self.tree.rooms.then[room])
            for slip, (outcome, by) in found.items():
                self.told(slip, outcome, by, (time.monotonic() - began) / len(slips))

    def in_order(self):
        """Its share of what is drawn, what is behind numbers first; then what takes the place of what does not compile."""
        drawn = (slip for number, slip in enumerate(Draw(self.tree, self.options.area, self.options.seed))
                 if number % self.options.workers == self.options.worker)
        first = list(itertools.islice(drawn, self.share))
        yield from sorted(first, key=lambda slip: self.tree.number_of(slip) is None)
        yield from drawn

    def run(self):
        """Whether all of its share is done."""
        for slip in self.in_order():
            if self.counted == self.share:
                break
            outcome = self.known[slip.name].outcome if slip.name in self.known else None
            if outcome is not None and not (self.options.again and outcome in (LIVED, LEFT)):
                self.counted += outcome != NOT_COMPILED
                if outcome == LEFT:
                    self.left[self.tree.rooms.of(slip.file)].append(slip)
            elif self.over():
                return False
            else:
                self.first(slip)
            for room in [room for room, slips in self.left.items() if len(slips) >= TOGETHER]:
                if self.options.quick:
                    break
                if self.over():
                    return False
                self.others(room)
        for room in sorted(self.left) if not self.options.quick else ():
            if self.over():
                return False
            self.others(room)
        return True


def put_drawn(tree, options):
    """Builds the copy with what is drawn behind numbers."""
    draw = Draw(tree, options.area, options.seed)
    draw.read(options.count, tree.jobs)
    drawn = list(itertools.islice(draw, options.count))
    bitcode = tree.bitcode()
    numbered = {number: slip for number, slip in enumerate(drawn, 1) if slip.guards and slip.file not in bitcode}
    rooms = {tree.rooms.of(slip.file) for slip in drawn}
    tests = list(dict.fromkeys(test for room in sorted(rooms) for test in tree.rooms.tests[room]))
    targets = {*(target for test in tests for target in tree.targets_of(test)),
               *(target for slip in numbered.values() for target in tree.objects_of(slip.file))}
    tree.build_numbered(numbered, sorted(targets))
    print(f"tessera: {len(tree.numbers)} of {len(drawn)} slips are behind numbers", file=sys.stderr)
    tree.keep_numbers()
    return 0


def examine_drawn(options):
    """Has workers examine what is drawn, each in a copy of its own."""
    call = [sys.executable, __file__, *sys.argv[1:], "--worker"]
    state, workers = ROOT / "build" / "mutants", [subprocess.Popen([*call, "0", "--put"])]
    try:
        if status := workers[0].wait():
            return status
        for worker in range(1, options.workers):
            shutil.rmtree(state / f"tree-{worker}", ignore_errors=True)
            subprocess.run(["cp", "-a", "--reflink=auto", state / "tree-0", state / f"tree-{worker}"], check=True)
        workers = [subprocess.Popen([*call, str(worker)]) for worker in range(options.workers)]
        statuses = [worker.wait() for worker in workers]
    except BaseException:
        for worker in workers:
            worker.terminate()
            worker.wait()
        raise
    if UNFINISHED in statuses:
        print("tessera: the same call goes on where this one stopped", file=sys.stderr)
    print(figures(list(read_found(ROOT / "build" / "mutants").values()), Rooms()))
    return next((status for status in statuses if status not in (0, UNFINISHED)), 0)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--area", default="", help="a room or a folder of it, or a file (all)")
    parser.add_argument("--count", type=int, default=100, help="how many slips (100)")
    parser.add_argument("--seed", type=int, default=1, help="of what is drawn (1)")
    parser.add_argument("--workers", type=int, default=1, help="how many copies slips are examined in at a time (1)")
    parser.add_argument("--worker", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--put", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--quick", action="store_true", help="leave the slower tests away")
    parser.add_argument("--jobs", type=int, help="what ninja does at a time (all processors, shared by the workers)")
    parser.add_argument("--seconds", type=int, help="begin no slip after so many")
    parser.add_argument("--again", action="store_true", help="examine anew what lived")
    parser.add_argument("--patch", type=pathlib.Path, help="a slip of your own")
    parser.add_argument("--list", action="store_true", help="print the slips that there are")
    parser.add_argument("--report", action="store_true", help="print what was found so far")
    parser.add_argument("--write", action="store_true", help="with the figures, docs/mutants.md anew")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # ends what was started, and sets slips back
    build = options.build.resolve()
    jobs = options.jobs or max(1, os.cpu_count() // (1 if options.put else options.workers))
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
        tree = Tree(build, jobs)
        for file in Draw(tree, options.area, 0).files:
            for slip in Draw(tree, file, 0).all_of(file):
                print(f"{slip.file}:{slip.line}: {slip.kind}: {slip.text}: {slip.before} -> {slip.after}")
        return 0
    if options.worker is None and not options.patch:
        return examine_drawn(options)
    if INSIDE not in os.environ:
        if options.patch or options.put:
            update_copy(build, options.worker or 0, keep=options.put)
        enter_copy(options.worker or 0)
    tree = Tree(build, jobs, options.worker or 0)
    tree.take_numbers()
    if options.patch:
        return examine_patch(tree, options.patch.resolve())
    if options.put:
        return put_drawn(tree, options)
    return 0 if Worker(tree, options).run() else UNFINISHED


if __name__ == "__main__":
    sys.exit(main())
