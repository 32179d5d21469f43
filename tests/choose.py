#!/usr/bin/env python3
"""For `./run test NAME`: finds the tests that a name means, says what has to be built for them, and runs them.

A name is a test of ctest's (`raster_test`), a folder (`pipeline`: its tests), a source file of tests (its cases), a
case ("a triangle that covers no sample"), or a part of any test's or case's name, in capitals or not; what it means
exactly goes before what it is a part of. Cases are no tests of ctest's own: doctest's discovery has to have built every
program to name one, and a thousand processes in place of forty take the suite 10 to 20 s more of processor time. They
are read from the sources.

Usage: choose.py BUILD_DIR --list             every test, and the cases of each
       choose.py BUILD_DIR --targets NAME     what to build, one a line; nothing: everything
       choose.py BUILD_DIR NAME [OPTION...]   runs; options go to ctest or, for cases, to doctest
"""

import difflib
import json
import os
import pathlib
import re
import signal
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().parent.parent
NEAREST = 5

STRING = r'"((?:[^"\\\n]|\\.)*)"'
CASE = re.compile(rf"^TEST_CASE(?:_FIXTURE|_TEMPLATE)?\(\s*(?:\w[\w:<>]*,\s*)?({STRING}(?:\s*{STRING})*)", re.M)
ADDED = re.compile(r'^add_test\((?:\[=*\[)?"?(.*?)"?(?:\]=*\])? (".*")\)$', re.M)


class Tests:
    """Everything there is: tests (name to the program that it runs, "" if that is a script), cases, their files."""

    def __init__(self, build):
        self.build = build
        self.programs, self.folders = {}, {}
        for file in sorted(build.rglob("CTestTestfile.cmake")):
            for name, command in ADDED.findall(file.read_text()):
                run = re.search(r'"[^"]*/bin/(\w+)"', command) if "python" not in command.split('" "')[0] else None
                self.programs[name] = run[1] if run else ""
                self.folders[name] = file.parent.relative_to(build)
        self.cases = []  # (case, program, source)
        known = set(self.programs.values())
        for entry in json.loads((build / "compile_commands.json").read_text()):
            source = pathlib.Path(entry["file"])
            program = re.search(r" -o \S*?(\w+)\.dir/", entry["command"])[1]
            if program not in known:
                program = re.sub(r"_(v\d|neon)$", "", program)  # sources for each SIMD level
            if program in known and source.suffix == ".cpp" and source.exists():
                for found in CASE.finditer(source.read_text(errors="replace")):
                    text = "".join(re.findall(STRING, found[1])).replace('\\"', '"').replace("\\\\", "\\")
                    self.cases.append((text, program, source))
        self.cases = list(dict.fromkeys(self.cases))

    def find(self, name):
        """The tests' names and the cases that a name means."""
        if name in self.programs:
            return [name], []
        place = next((path.resolve() for path in (pathlib.Path(name), SOURCE / name) if path.exists()), None)
        if place and place.is_relative_to(SOURCE):
            if place.is_dir():
                folder = place.relative_to(SOURCE)
                tests = [test for test, at in self.folders.items() if at.is_relative_to(folder)]
                # A folder without a list of its own: the cases in it.
                return (tests, []) if tests else ([], [case for case in self.cases if case[2].is_relative_to(place)])
            return [], [case for case in self.cases if case[2] == place]
        cases = [case for case in self.cases if case[0] == name]
        if cases:
            return [], cases
        part = name.lower()
        return ([test for test in self.programs if part in test.lower()],
                [case for case in self.cases if part in case[0].lower()])

    def nearest(self, name):
        names = {known.lower(): known for known in [*self.programs, *(case[0] for case in self.cases)]}
        return [names[found] for found in difflib.get_close_matches(name.lower(), names, NEAREST, 0.4)]

    def list(self):
        for name, program in self.programs.items():
            print(name)
            for case, of, source in self.cases:
                if of == program:
                    print(f"    {case}  ({source.relative_to(SOURCE)})")

    def targets(self, tests, cases):
        """What to build; nothing if a script is among them, which may want all."""
        programs = {self.programs[test] for test in tests} | {case[1] for case in cases}
        return [] if "" in programs else sorted(programs)

    def run(self, tests, cases, options):
        status = 0
        if tests:
            names = "|".join(re.escape(test) for test in tests)
            status = subprocess.run(["ctest", "--test-dir", self.build, "--output-on-failure", "-R", f"^({names})$",
                                     "-j", str(os.cpu_count()), *options]).returncode
        for program in sorted({case[1] for case in cases if not any(self.programs[test] == case[1] for test in tests)}):
            wanted = [case[0] for case in cases if case[1] == program]
            command, environment = self.command(program)
            # Commas end a name for doctest, unless a backslash is before them.
            only = ",".join(re.sub(r"([\\,])", r"\\\1", case) for case in wanted)
            print(f"tessera: {program}: {', '.join(wanted)}", flush=True)
            status = subprocess.run([*command, f"-tc={only}", *options], env=environment,
                                    cwd=self.build).returncode or status
        return status

    def command(self, program):
        """How ctest starts a program."""
        told = subprocess.run(["ctest", "--test-dir", self.build, "--show-only=json-v1"], capture_output=True,
                              text=True, check=True).stdout
        for test in json.loads(told)["tests"]:
            if self.programs.get(test["name"]) == program and "command" in test:
                properties = {each["name"]: each["value"] for each in test.get("properties", [])}
                added = dict(each.split("=", 1) for each in properties.get("ENVIRONMENT", []))
                return test["command"], {**os.environ, **added}
        sys.exit(f"tessera: no test runs {program}")


def main():
    tests = Tests(pathlib.Path(sys.argv[1]).resolve())
    wanted = sys.argv[2:]
    if wanted == ["--list"]:
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # ./run test --list | head
        tests.list()
        return 0
    only_targets = wanted[0] == "--targets"
    name, *options = wanted[1:] if only_targets else wanted
    found, cases = tests.find(name)
    if not found and not cases:
        nearest = "".join(f"\n  {each}" for each in tests.nearest(name))
        print(f"tessera: no test, case, file or folder of tests is called '{name}'; "
              f"{'the nearest are:' + nearest if nearest else './run test --list has them all'}", file=sys.stderr)
        return 2
    if only_targets:
        print("\n".join(tests.targets(found, cases)))
        return 0
    return tests.run(found, cases, options)


if __name__ == "__main__":
    sys.exit(main())
