#!/usr/bin/env python3
"""What ./run lint does: clang-format says which files are not formatted, clang-tidy what it finds in those that are not
noted as clean. Exits with 1 when either has something to say.

Usage: lint.py BUILD_DIR [--all | FILE...] [--write]

.ci/linted notes what clang-tidy found nothing in: a hash of its configuration, then of each file. A file whose hash is
not there is looked at: a source by itself, a header with a source that includes it. --all looks at every file, FILE... at
those. --write notes what was found clean. Rooms of which less than half is noted, while something is, are left to --all and
--write: what is found there is not new.

clang-tidy spends most of its time in headers of libraries, so sources that are compiled alike are first looked at together,
as one that includes them. Sources that something is found in, or that cannot stand together, are looked at again,
in the end alone, and only what is found in a source alone is said. docs/adr/0038-lint-what-changed.md has the measurements.
"""

import concurrent.futures
import hashlib
import itertools
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

from build import Progress

TIDY = "clang-tidy-19"
FORMAT = "clang-format-19"
NOTES = ".ci/linted"
TOGETHER = 12  # sources; more find no headers that the others had not, and collide more often
WORTH_WRITING = 40  # files, from which on it is worth a word that they could be noted

SOURCE = (".cpp",)
HEADER = (".h", ".hpp")
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.M)
FINDING = re.compile(r"^(/.+?):(\d+):(\d+): (warning|error): (.*)$")


def say(text):
    print(f"tessera: {text}", file=sys.stderr, flush=True)


def count(things, name):
    return f"{len(things)} {name}{'' if len(things) == 1 else 's'}"


def hash_of(data):
    return hashlib.sha256(data).hexdigest()[:16]


class Tree:
    """The files of the repository that are C++, what they hold and how sources are compiled."""

    def __init__(self, root, build):
        self.root = root
        listed = subprocess.run(["git", "-C", root, "ls-files", "--cached", "--others", "--exclude-standard"],
                                capture_output=True, text=True, check=True).stdout.split("\n")
        self.files = sorted(name for name in listed if name.endswith(SOURCE + HEADER) and (root / name).is_file())
        self.text = {name: (root / name).read_bytes() for name in self.files}
        self.hash = {name: hash_of(text) for name, text in self.text.items()}
        self.config = hash_of(TIDY.encode() + (root / ".clang-tidy").read_bytes())
        self.direct = {}
        self.commands = {}
        for entry in json.loads((build / "compile_commands.json").read_text()):
            name = os.path.relpath(entry["file"], root)
            if name in self.text:
                self.commands.setdefault(name, without_output(entry))

    def included(self, name):
        """The headers of the repository that a file includes, those that these include among them."""
        found, waiting = set(), [name]
        while waiting:
            for header in self.includes(waiting.pop()) - found:
                found.add(header)
                waiting.append(header)
        return found

    def includes(self, name):
        if name not in self.direct:
            places = ("", "include/", f"{os.path.dirname(name)}/")
            words = INCLUDE.findall(self.text[name].decode(errors="replace"))
            self.direct[name] = {path for word in words for place in places
                                 if (path := os.path.normpath(place + word)) in self.text}
        return self.direct[name]


def without_output(entry):
    """How a source is compiled, without the file that is written, itself and its precompiled header: another program's
    precompiled header costs clang-tidy more time than it saves."""
    words, kept = iter(shlex.split(entry["command"])), []
    for word in words:
        if word in ("-o", "-c"):
            next(words)
        elif word == "-Xclang":
            argument = next(words)
            if argument in ("-include-pch", "-include"):
                next(words), next(words)
            else:
                kept += [word, argument]
        elif word != "-Winvalid-pch":
            kept.append(word)
    return entry["directory"], tuple(kept)


def read_notes(path, config):
    """The files that were found clean, as (hash, name); none if that was with another configuration."""
    text = path.read_text() if path.exists() else ""
    notes = {tuple(line.split(" ", 1)) for line in text.split("\n") if line and not line.startswith("#")}
    configurations = {note for note in notes if note[1] == "configuration"}
    return notes - configurations if configurations == {(config, "configuration")} else set()


def room_of(name):
    return name.split("/", 1)[0]


def not_gone_through(files, noted):
    """The files of rooms of which less than half is noted, though something is: what is found there is nothing new."""
    names = {name for _, name in noted}
    rooms = {}
    for name in files:
        rooms.setdefault(room_of(name), []).append(name)
    return {name for some in rooms.values() if names and 2 * len(names.intersection(some)) < len(some) for name in some}


def write_notes(path, tree, clean):
    lines = "".join(f"{tree.hash[name]} {name}\n" for name in sorted(clean))
    path.write_text("# Files that clang-tidy finds nothing in, by hash: ./run lint leaves them out, ./run lint --write writes.\n"
                    f"{tree.config} configuration\n{lines}")


def unformatted(tree, files):
    """The files that clang-format would change."""
    def ask(part):
        said = subprocess.run([FORMAT, "--dry-run", *part], cwd=tree.root, capture_output=True, text=True, check=True)
        return {line.split(":", 1)[0] for line in said.stderr.split("\n") if "[-Wclang-format-violations]" in line}
    parts = [files[at:at + 50] for at in range(0, len(files), 50)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return sorted(set().union(*pool.map(ask, parts)))


def sources_for(tree, files):
    """The sources to look at for these files, and the headers that no source includes."""
    sources = {name for name in files if name in tree.commands}
    seen = set().union(*(tree.included(name) for name in sources))
    alone = []
    for header in (name for name in files if name.endswith(HEADER)):
        if header in seen:
            continue
        stem = os.path.splitext(header)[0]
        users = sorted((name for name in tree.commands if header in tree.included(name)),
                       key=lambda name: (name != stem + ".cpp", header not in tree.includes(name), len(tree.text[name])))
        if users:
            sources.add(users[0])
            seen |= tree.included(users[0])
        else:
            alone.append(header)
    return sources, alone


class Tidy:
    """Runs clang-tidy on sources, as many at a time as there are processors."""

    def __init__(self, tree, folder, progress):
        self.tree = tree
        self.folder = folder
        self.progress = progress
        self.findings = {}  # (file, line, column, message): its lines
        self.done = set()  # sources that are finished with
        self.runs = itertools.count()

    def run(self, sources):
        waiting, self.total = [(name, TOGETHER) for name in sources], len(sources)
        pool = concurrent.futures.ThreadPoolExecutor(os.cpu_count())
        try:
            while waiting:
                looks = [pool.submit(self.look, group) for group in self.groups(waiting)]
                waiting = [again for look in concurrent.futures.as_completed(looks) for again in look.result()]
        finally:
            pool.shutdown(cancel_futures=True)

    def groups(self, waiting):
        """Sources that are looked at together: compiled alike, and neighbours. waiting: each with the most to a group."""
        alike = {}
        for name, most in sorted(waiting):
            alike.setdefault((most, self.tree.commands[name]), []).append(name)
        for (most, _), names in alike.items():
            count = -(-len(names) // most)
            yield from (names[len(names) * at // count:len(names) * (at + 1) // count] for at in range(count))

    def look(self, names):
        """Looks at sources together; returns those to look at again, and with how many others at most."""
        found = self.tidy(names)
        again = {}
        if len(names) > 1:
            errors = {file for file, _, _, message in found if message.startswith("error")}
            again = {name: 1 for name in names if any(file == name for file, *_ in found)}
            if errors:
                # Some checks see nothing where there is an error, so who is innocent is looked at again without it.
                again = dict.fromkeys(names, TOGETHER) | again
                torn = errors & set(names) or names  # an error in a header may come of any of them
                again |= dict.fromkeys(torn, max(1, len(names) // 3))
                found = {}
            # A header is the same whoever includes it.
            found = {where: lines for where, lines in found.items() if where[0] not in names}
        self.findings.update(found)
        self.done |= set(names) - again.keys()
        self.progress.step(len(self.done), self.total)
        self.progress.show()
        return again.items()

    def tidy(self, names):
        directory, command = self.tree.commands[names[0]]
        file = self.tree.root / names[0]
        database = self.folder / str(next(self.runs))
        database.mkdir(parents=True, exist_ok=True)
        if len(names) > 1:
            file = database / "together.cpp"
            file.write_text("".join(f'#define main main_of_{at}\n#include "{self.tree.root / name}"\n#undef main\n'
                                    for at, name in enumerate(names)))
        (database / "compile_commands.json").write_text(json.dumps(
            [{"directory": directory, "file": str(file), "arguments": [*command, "-c", str(file)]}]))
        said = subprocess.run([TIDY, "-p", database, f"--config-file={self.tree.root / '.clang-tidy'}", "--quiet",
                               "--extra-arg=-ferror-limit=0", file], capture_output=True, text=True)
        found, lines = {}, []
        for line in said.stdout.split("\n"):
            match = FINDING.match(line)
            if match:
                name = os.path.relpath(match[1], self.tree.root)
                lines = [f"{name}:{match[2]}:{match[3]}: {match[4]}: {match[5]}"]
                # Else it is about the lines written above, made, or a library's, which is told of only where it does not compile.
                if name in self.tree.text or match[4] == "error":
                    found[(name, int(match[2]), int(match[3]), f"{match[4]}: {match[5]}")] = lines
            else:
                lines.append(line)
        if said.returncode != 0 and not found:
            raise SystemExit(f"tessera: {TIDY} failed on {', '.join(names)}:\n{said.stderr}")
        return found


def main():
    arguments = sys.argv[1:]
    write, everything = "--write" in arguments, "--all" in arguments
    build, *named = [pathlib.Path(word).resolve() for word in arguments if word not in ("--write", "--all")]
    root = pathlib.Path(__file__).resolve().parent.parent
    tree = Tree(root, build)
    named = [os.path.relpath(path, root) for path in named]
    for name in named:
        if name not in tree.text:
            say(f"{name} is no C++ file of the repository")
            return 2

    wrong = unformatted(tree, named or tree.files)
    for name in wrong:
        print(f"{name}: is not formatted: ./run format", flush=True)

    noted = read_notes(root / NOTES, tree.config)
    chosen = named or [name for name in tree.files if everything or (tree.hash[name], name) not in noted]
    left = set() if named or everything or write else not_gone_through(tree.files, noted)
    chosen = [name for name in chosen if name not in left]
    sources, headers = sources_for(tree, chosen)
    tidy = Tidy(tree, build / "lint", Progress("clang-tidy"))
    try:
        tidy.run(sources)
    finally:
        if sources:
            tidy.progress.end("left" if tidy.done < sources else "finished")
        for finding in sorted(tidy.findings):
            print("\n".join(tidy.findings[finding]).rstrip(), flush=True)
        at_fault = {file for file, *_ in tidy.findings}
        seen = tidy.done.union(*(tree.included(name) for name in tidy.done))
        if write:
            write_notes(root / NOTES, tree, {name for name in tree.files if name not in at_fault
                                             and (name in seen or (tree.hash[name], name) in noted)})

    unseen = [name for name in chosen if name.endswith(SOURCE) and name not in sources] + headers
    if unseen:
        say(f"not compiled in {os.path.relpath(build, root)}, so clang-tidy does not see {', '.join(unseen)}")
    why = "" if named or everything else f", for {count(chosen, 'file')} that {NOTES} does not have"
    say(f"{count(wrong, 'file')} not formatted of {len(named or tree.files)}; {count(tidy.findings, 'finding')} in "
        f"{count(sources, 'source')}{why}")
    if left:
        say(f"{count(left, 'file')} of {', '.join(sorted({room_of(name) for name in left}))} left out: nobody has gone through "
            "these yet, which ./run lint --write does")
    if len(chosen) >= WORTH_WRITING and not write and not named:
        say(f"./run lint --write notes in {NOTES} which are clean, so that nobody has to look at them again")
    return 1 if wrong or tidy.findings else 0


if __name__ == "__main__":
    sys.exit(main())
