#!/usr/bin/env python3
"""./run lint: which sources it looks at, what it says, what it notes. cmake/lint.py is the real one and works on a
repository of a few files; clang-tidy and clang-format are written here, so that it takes no time and needs no packages.

Usage: lint_test.py SOURCE_DIR
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(sys.argv.pop(1)).resolve()

# Finds that a source has the same "name" as one that stands before it, and, where there is no such error, "bad" in a source
# and in what it includes. Each call is noted with what it looked at.
TIDY = r'''#!/usr/bin/env python3
import json, os, pathlib, re, sys
database = json.loads((pathlib.Path(sys.argv[sys.argv.index("-p") + 1]) / "compile_commands.json").read_text())
root, seen, names, errors, bad = pathlib.Path(os.environ["ROOT"]), [], {}, [], []
assert "pch" not in " ".join(database[0]["arguments"]), database
def read(path):
    if path in seen: return
    seen.append(path)
    for number, line in enumerate(path.read_text().split("\n"), 1):
        include, name = re.match(r'#include "(.*)"', line), re.match(r"name (\w+)", line)
        if include: read(root / include[1])
        if name and names.setdefault(name[1], path) != path:
            errors.append(f"{path}:{number}:1: error: redefinition of {name[1]} [clang-diagnostic-error]\n  {line}")
        if line == "bad": bad.append(f"{path}:{number}:1: warning: this is bad [some-check]\n  {line}")
read(pathlib.Path(sys.argv[-1]))
print("\n".join(errors or bad))
with open(os.environ["LOOKS"], "a") as looks:
    print(*[path.relative_to(root) for path in seen if path.suffix == ".cpp" and path.name != "together.cpp"], file=looks)
sys.exit(bool(errors))
'''
FORMAT = r'''#!/usr/bin/env python3
import sys
for name in sys.argv[2:]:
    if "unformatted" in open(name).read():
        print(f"{name}:1:1: warning: code should be clang-formatted [-Wclang-format-violations]", file=sys.stderr)
'''


class Lint(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.top = pathlib.Path(directory.name).resolve()
        self.root = self.top / "clone"
        for name in ("cmake/lint.py", "cmake/build.py"):
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(SOURCE / name, self.root / name)
        (self.root / ".ci").mkdir()
        for name, text in (("clang-tidy-19", TIDY), ("clang-format-19", FORMAT)):
            (self.top / name).write_text(text)
            (self.top / name).chmod(0o755)
        self.looks = self.top / "looks"
        self.write(**{".clang-tidy": "Checks: '*'\n", ".gitignore": "build/\n"})
        subprocess.run(["git", "init", "-q", self.root], check=True)

    def write(self, **files):
        for name, text in files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        build = self.root / "build/release"
        build.mkdir(parents=True, exist_ok=True)
        (build / "compile_commands.json").write_text(json.dumps(
            [{"directory": str(build), "file": str(path), "command":
              f"c++ -O2 -Xclang -include-pch -Xclang a.pch -Winvalid-pch -Xclang -include -Xclang pch.h -o {path}.o -c {path}"}
             for path in sorted(self.root.rglob("*.cpp")) if "build" not in path.parts]))

    def lint(self, *arguments, status=0):
        """What it prints, what it says besides, and the sources that clang-tidy was given, call by call."""
        self.looks.write_text("")
        result = subprocess.run([sys.executable, self.root / "cmake/lint.py", self.root / "build/release", *arguments],
                                capture_output=True, text=True, cwd=self.root, env={
                                    **os.environ, "PATH": f"{self.top}:{os.environ['PATH']}", "ROOT": str(self.root),
                                    "LOOKS": str(self.looks)})
        self.assertEqual(result.returncode, status, result.stdout + result.stderr)
        return result.stdout, result.stderr, sorted(self.looks.read_text().splitlines())

    def test_looks_at_what_is_not_noted(self):
        self.write(**{"a/one.cpp": "fine\n", "a/two.cpp": "fine\n", "a/two.h": "fine\n", "a/three.cpp": '#include "a/two.h"\n'})
        self.assertEqual(self.lint("--write")[2], ["a/one.cpp a/three.cpp a/two.cpp"])
        self.assertEqual(self.lint()[2], [])
        self.write(**{"a/one.cpp": "fine too\n"})
        self.assertEqual(self.lint()[2], ["a/one.cpp"])
        self.assertEqual(self.lint()[2], ["a/one.cpp"], "noted only with --write")
        self.lint("--write")
        self.assertEqual(self.lint()[2], [])
        self.assertEqual(self.lint("--all")[2], ["a/one.cpp a/three.cpp a/two.cpp"])
        self.assertEqual(self.lint("a/two.cpp")[2], ["a/two.cpp"])
        self.write(**{".clang-tidy": "Checks: 'other'\n"})
        self.assertEqual(self.lint()[2], ["a/one.cpp a/three.cpp a/two.cpp"])

    def test_a_header_is_seen_through_a_source(self):
        self.write(**{"a/x.h": "fine\n", "a/y.h": '#include "a/x.h"\n', "a/user.cpp": '#include "a/y.h"\n', "a/x.cpp": '#include "a/x.h"\n',
                      "a/other.cpp": "fine\n", "a/nobodys.h": "bad\n"})
        said = self.lint("--write")[1]
        self.assertIn("clang-tidy does not see a/nobodys.h\n", said)
        self.write(**{"a/x.h": "bad\n"})
        out, _, looks = self.lint(status=1)
        self.assertEqual((out, looks), ("a/x.h:1:1: warning: this is bad [some-check]\n  bad\n", ["a/x.cpp"]))
        self.write(**{"a/x.h": "fine\n", "a/y.h": '#include "a/x.h"\nbad\n'})
        self.assertEqual(self.lint("--write", status=1)[2], ["a/user.cpp"])
        self.assertEqual(self.lint(status=1)[2], ["a/user.cpp"], "what something is found in is never noted")

    def test_says_only_what_is_found_in_a_source_alone(self):
        self.write(**{f"a/{n}.cpp": f"name helper{n % 2}\n" for n in range(6)}, **{"a/6.cpp": "bad\n"})
        out, said, looks = self.lint("--write", status=1)
        self.assertEqual(out, "a/6.cpp:1:1: warning: this is bad [some-check]\n  bad\n")
        self.assertIn("; 1 finding in 7 sources, for 7 files that .ci/linted does not have\n", said)
        self.assertEqual(looks[0], "a/0.cpp a/1.cpp a/2.cpp a/3.cpp a/4.cpp a/5.cpp a/6.cpp")
        self.assertIn("a/6.cpp", looks)
        self.assertEqual([line.split()[1] for line in (self.root / ".ci/linted").read_text().splitlines()[2:]],
                         [f"a/{n}.cpp" for n in range(6)])

    def test_an_error_in_a_source_alone_is_said(self):
        self.write(**{"a/x.h": "name taken\n", "a/one.cpp": '#include "a/x.h"\nname taken\n', "a/two.cpp": '#include "a/x.h"\n'})
        self.assertEqual(self.lint(status=1)[0], "a/one.cpp:2:1: error: redefinition of taken [clang-diagnostic-error]\n  name taken\n")

    def test_what_is_not_formatted(self):
        self.write(**{"a/one.cpp": "unformatted\n", "a/two.h": "unformatted\n", "a/three.cpp": '#include "a/two.h"\n'})
        out, said, _ = self.lint("--write", status=1)
        self.assertEqual(out, "a/one.cpp: is not formatted: ./run format\na/two.h: is not formatted: ./run format\n")
        self.assertIn("2 files not formatted of 3; 0 findings in 2 sources", said)
        self.assertEqual(self.lint("a/three.cpp")[0], "")

    def test_notes_of_two_branches(self):
        self.write(**{"a/one.cpp": "fine\n", "a/two.cpp": "fine\n"})
        self.lint("--write")
        mine = (self.root / ".ci/linted").read_text()
        self.write(**{"a/one.cpp": "changed\n"})
        self.lint("--write")
        theirs = (self.root / ".ci/linted").read_text()
        self.write(**{".ci/linted": mine + theirs})
        self.assertEqual(self.lint()[2], [])
        self.lint("--write")
        self.assertEqual((self.root / ".ci/linted").read_text(), theirs)

    def test_rooms_that_nobody_has_gone_through(self):
        self.write(**{"a/one.cpp": "fine\n"})
        self.lint("--write")
        self.write(**{"a/two.cpp": "bad\n", "b/old.cpp": "bad\n"})
        out, said, looks = self.lint(status=1)
        self.assertEqual((out, looks), ("a/two.cpp:1:1: warning: this is bad [some-check]\n  bad\n", ["a/two.cpp"]))
        self.assertIn("1 file of b left out: nobody has gone through these yet", said)
        self.assertEqual(self.lint("--all", status=1)[2][0], "a/one.cpp a/two.cpp b/old.cpp")
        self.write(**{"b/fine.cpp": "fine\n"})
        self.lint("--write", status=1)
        self.assertIn("b/old.cpp", self.lint(status=1)[0], "once half of a room is noted all of it is looked at")

    def test_wrong_words(self):
        self.assertIn("nothing.cpp is no C++ file of the repository\n", self.lint("nothing.cpp", status=2)[1])


if __name__ == "__main__":
    unittest.main()
