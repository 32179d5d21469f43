#!/usr/bin/env python3
"""./run as a user meets it: progress without a terminal, a clone that was moved, missing packages, wrong words.

Works on clones of a project that has the same names and builds at once: `run`, cmake/build.py and CMakePresets.json are
the real ones, the tools that install packages are written here.

Usage: run_test.py SOURCE_DIR
"""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

SOURCE = pathlib.Path(sys.argv.pop(1)).resolve()

# tessera and gears print where they run and what they got; `slow` takes three seconds in 48 steps, `broken` fails.
PROJECT = """
cmake_minimum_required(VERSION 3.25)
project(stand_in LANGUAGES NONE)
foreach(name tessera gears)
  set(program ${CMAKE_BINARY_DIR}/bin/${name})
  add_custom_command(OUTPUT ${program} COMMAND ${CMAKE_COMMAND} -E copy ${CMAKE_SOURCE_DIR}/program.sh ${program}
                     DEPENDS program.sh VERBATIM)
  add_custom_target(${name} DEPENDS ${program})
endforeach()
add_custom_target(tessera_jit)
add_custom_target(verb_tessera DEPENDS tessera)
set(steps)
foreach(step RANGE 1 48)
  add_custom_command(OUTPUT step${step} COMMAND sleep 0.25 COMMAND ${CMAKE_COMMAND} -E touch step${step}
                     COMMAND echo built >> ${CMAKE_SOURCE_DIR}/steps.log VERBATIM)
  list(APPEND steps step${step})
endforeach()
add_custom_target(slow DEPENDS ${steps})
enable_testing()
add_subdirectory(room)
add_custom_target(broken COMMAND echo the reason COMMAND false)
"""
# A room with a test of two cases, whose program says what it is told; and a test that is a script.
ROOM = """
set(program ${CMAKE_BINARY_DIR}/bin/room_test)
add_custom_command(OUTPUT ${program} COMMAND ${CMAKE_COMMAND} -E copy ${CMAKE_SOURCE_DIR}/program.sh ${program}
                   DEPENDS ${CMAKE_SOURCE_DIR}/program.sh VERBATIM)
add_custom_target(room_test DEPENDS ${program})
add_test(NAME room_test COMMAND ${program})
set_tests_properties(room_test PROPERTIES ENVIRONMENT "STAND_IN=told")
add_test(NAME room_script COMMAND python3 -c pass)
file(WRITE ${CMAKE_BINARY_DIR}/compile_commands.json [=[[{"directory": "/", "file": "]=] ${CMAKE_CURRENT_SOURCE_DIR}
     [=[/room_test.cpp", "command": "c++ -o room/CMakeFiles/room_test.dir/room_test.cpp.o -c room_test.cpp"}]]=])
"""
CASES = """
TEST_CASE("edges, shared") {}
TEST_CASE_FIXTURE(Fixture, "edges"
                           " that touch") {}
"""
PROGRAM = '#!/bin/sh\necho "first|$PWD|$*"\n'

DPKG_QUERY = """#!/bin/sh
echo called >> "$PACKAGE_CALLS"
shift 2
[ $# -gt 0 ] || echo "ii  $PROVIDED_PACKAGES"
for name in "$@"; do [ "$name" = "$MISSING_PACKAGE" ] || echo "ii  $name"; done
"""
APT_GET = """#!/bin/sh
[ "$1" = update ] && exit
echo "0 upgraded, 1 newly installed, 0 to remove and 0 not upgraded."
echo "Get:1 somewhere $MISSING_PACKAGE"; echo "Unpacking $MISSING_PACKAGE"; echo "Setting up $MISSING_PACKAGE"
exit "$APT_STATUS"
"""
ID = '#!/bin/sh\necho "$USER_ID"\n'

# What run calls beside those; nothing else, sudo least of all, is found.
TOOLS = ("bash sh env awk cat cmake ctest dirname echo false id mkdir mktemp ninja python3 readlink rm sed sleep tail "
         "tee touch").split()


class Run(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)
        self.top = pathlib.Path(self.directory.name).resolve()
        self.clone = self.top / "a clone"
        (self.clone / "cmake").mkdir(parents=True)
        (self.clone / "tests").mkdir()
        (self.clone / "room").mkdir()
        (self.clone / "room/CMakeLists.txt").write_text(ROOM)
        (self.clone / "room/room_test.cpp").write_text(CASES)
        (self.clone / "demos").mkdir()
        for name in ("run", "cmake/build.py", "tests/choose.py", "demos/list.txt"):
            shutil.copy(SOURCE / name, self.clone / name)
        # The stand-in has no languages to find compilers for.
        presets = (SOURCE / "CMakePresets.json").read_text()
        (self.clone / "CMakePresets.json").write_text(re.sub(r'"CMAKE_C(XX)?_COMPILER": "[^"]*",\s*', "", presets))
        (self.clone / "CMakeLists.txt").write_text(PROJECT)
        self.program(self.clone / "program.sh", PROGRAM)
        self.tools = self.top / "tools"
        self.tools.mkdir()
        for tool in TOOLS:
            (self.tools / tool).symlink_to(shutil.which(tool))
        self.program(self.tools / "dpkg-query", DPKG_QUERY)
        self.program(self.tools / "apt-get", APT_GET)
        self.environment = {"PATH": str(self.tools), "HOME": str(self.top), "PACKAGE_CALLS": str(self.top / "calls"),
                            "MISSING_PACKAGE": "", "APT_STATUS": "0", "USER_ID": "0"}

    def program(self, path, text):
        path.unlink(missing_ok=True)
        path.write_text(text)
        path.chmod(0o755)

    def run_it(self, *arguments, clone=None, run=None, cwd=None, **variables):
        return subprocess.run([run or (clone or self.clone) / "run", *arguments], cwd=cwd or self.top, text=True,
                              capture_output=True, timeout=60, env={**self.environment, **variables})

    def expect(self, result, out, *said):
        self.assertEqual((result.returncode, result.stdout), (0, out), result.stderr)
        for words in said:
            self.assertIn(words, result.stderr)

    def test_runs_where_it_is_called_and_is_quiet_when_nothing_changed(self):
        here = self.top / "here"
        here.mkdir()
        out = f"first|{here}|as x\n"
        self.expect(self.run_it("tessera", "as", "x", cwd=here), out, "configuring build/release")
        (self.top / "calls").unlink()
        again = self.run_it("tessera", "as", "x", cwd=here)
        self.expect(again, out)
        self.assertEqual(again.stderr, "")
        self.assertEqual((self.top / "calls").read_text(), "called\n", "one question for all packages")

    def test_told_that_all_is_built(self):
        self.run_it("tessera")
        self.program(self.clone / "program.sh", "#!/bin/sh\n")
        self.program(self.clone / "build/release/bin/tessera", '#!/bin/sh\necho "built|$TESSERA_BUILT"\n')
        told = self.run_it("tessera", TESSERA_BUILT="1")
        self.expect(told, "built|\n")
        self.assertEqual(told.stderr, "")

    def test_never_runs_what_is_stale(self):
        self.run_it("tessera")
        self.program(self.clone / "program.sh", PROGRAM.replace("first", "second"))
        self.expect(self.run_it("tessera"), f"second|{self.top}|\n")

    def test_what_looks_at_a_demo_builds_it_first(self):
        self.expect(self.run_it("tessera", "explain", "--", "build/release/bin/gears"),
                    f"first|{self.top}|explain -- build/release/bin/gears\n")
        self.assertTrue((self.clone / "build/release/bin/gears").exists())
        self.expect(self.run_it("tessera", "dbg", "--", "/bin/other"), f"first|{self.top}|dbg -- /bin/other\n")

    def test_demos_are_listed_once(self):
        listed = (SOURCE / "demos/list.txt").read_text()
        self.assertEqual((self.run_it("demo", "--list").stdout, self.run_it("demo", "--list").stderr), (listed, ""))
        usage = self.run_it("--help").stdout
        for line in listed.splitlines():
            self.assertIn(f"   {line}\n", usage)
        self.assertFalse((self.clone / "build").exists(), "nothing is built for a list")

    def test_help_of_a_verb_builds_nothing(self):
        for verb, script in ((["fuzz"], "tests/fuzz/fuzz.py"), (["bench", "--peers"], "bench/peers.py"),
                             (["determinism"], "tests/determinism/determinism.py"),
                             (["piglit"], "tests/conformance/piglit.py")):
            path = self.clone / script
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text('import sys\nprint(f"help of {sys.argv[0]}: {sys.argv[1:]}")\n')
            self.expect(self.run_it(*verb, "--quick", "--help"), f"help of {path}: ['--help']\n")
        for verb in ("bench", "test", "build", "format", "lint"):
            result = self.run_it(verb, "--help")
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            self.assertRegex(result.stdout, rf"\A  {verb} .*\n(       .*\n)*\Z")
        self.assertFalse((self.clone / "build").exists())
        self.assertFalse((self.top / "calls").exists(), "no package is asked for")

    def test_through_a_symbolic_link(self):
        (self.top / "link").symlink_to(self.clone / "run")
        self.expect(self.run_it("tessera", run=self.top / "link"), f"first|{self.top}|\n")

    def test_a_moved_clone_is_configured_anew(self):
        self.run_it("tessera")
        moved = self.top / "moved"
        self.clone.rename(moved)
        self.expect(self.run_it("tessera", clone=moved), f"first|{self.top}|\n",
                    f"build/release was made in {self.clone}: making it anew here")
        self.assertEqual(self.run_it("tessera", clone=moved).stderr, "")

    def test_a_copied_clone_leaves_the_first_alone(self):
        self.run_it("tessera")
        copy = self.top / "copy"
        shutil.copytree(self.clone, copy, symlinks=True)
        self.program(copy / "program.sh", PROGRAM.replace("first", "copied"))
        self.expect(self.run_it("tessera", clone=copy), f"copied|{self.top}|\n", "making it anew here")
        self.expect(self.run_it("tessera"), f"first|{self.top}|\n")

    def test_progress_without_a_terminal(self):
        result = self.run_it("build", "slow")
        self.assertEqual((result.returncode, result.stdout), (0, ""), result.stderr)
        self.assertRegex(result.stderr, r"tessera: build/release \d+/48 \(\d+ %\), \d+ s, about \d+ s left\n")
        self.assertRegex(result.stderr, r"built build/release in \d+ s\n$")

    def test_an_interrupted_build_goes_on(self):
        first = subprocess.Popen([self.clone / "run", "build", "slow"], cwd=self.top, env=self.environment, text=True,
                                 stderr=subprocess.PIPE, start_new_session=True)
        log = self.clone / "steps.log"
        deadline = time.monotonic() + 30
        while not (log.exists() and log.read_text().count("\n") >= 8) and time.monotonic() < deadline:
            time.sleep(0.05)
        os.killpg(first.pid, signal.SIGINT)
        self.assertIn("the next call goes on from there", first.communicate(timeout=30)[1])
        self.assertNotEqual(first.returncode, 0)
        self.assertLess(log.read_text().count("\n"), 48)
        self.assertEqual(self.run_it("build", "slow").returncode, 0)
        # A step that had written and was interrupted before it said so may run twice: one for each process at most.
        self.assertLess(log.read_text().count("\n"), 48 + 8 + (os.cpu_count() or 1))

    def test_a_failing_step_is_shown(self):
        result = self.run_it("build", "broken")
        self.assertEqual(result.returncode, 1)
        self.assertIn("\nthe reason\n", result.stderr)
        self.assertIn("build/release/build.log", result.stderr)
        self.assertIn("the reason", (self.clone / "build/release/build.log").read_text())

    def test_two_builds_at_once_wait_for_each_other(self):
        self.run_it("tessera")
        first = subprocess.Popen([self.clone / "run", "build", "slow"], env=self.environment, stderr=subprocess.DEVNULL)
        while not (self.clone / "steps.log").exists():
            time.sleep(0.05)
        second = self.run_it("build", "slow")
        self.assertEqual((first.wait(), second.returncode), (0, 0))
        self.assertIn("another build of build/release is under way", second.stderr)
        self.assertEqual((self.clone / "steps.log").read_text().count("\n"), 48)

    def test_missing_packages_are_installed_or_named(self):
        installed = self.run_it("tessera", MISSING_PACKAGE="ccache")
        self.expect(installed, f"first|{self.top}|\n", "installing 1 Debian packages", ": ccache", "packages: 60 %")
        # Another package stands in its place.
        self.expect(self.run_it("tessera", MISSING_PACKAGE="ccache", APT_STATUS="7", PROVIDED_PACKAGES="cc-tool (= 1), ccache (= 4.7)"),
                    f"first|{self.top}|\n")
        failed = self.run_it("tessera", MISSING_PACKAGE="ccache", APT_STATUS="7")
        self.assertEqual(failed.returncode, 1)
        self.assertIn("apt-get failed", failed.stderr)
        (self.tools / "id").unlink()
        self.program(self.tools / "id", ID)
        refused = self.run_it("tessera", MISSING_PACKAGE="ccache", USER_ID="1000")
        self.assertEqual(refused.returncode, 1)
        self.assertIn("as root: apt-get install --no-install-recommends ccache\n", refused.stderr)

    def test_a_home_that_cannot_be_written(self):
        self.program(self.clone / "program.sh", '#!/bin/sh\necho "$CCACHE_DIR"\n')
        self.expect(self.run_it("tessera", HOME="/nonexistent"), f"{self.clone}/build/ccache\n")

    def test_a_place_that_cannot_be_written(self):
        (self.clone / "build").write_text("in the way")
        result = self.run_it("tessera")
        self.assertEqual(result.returncode, 1)
        self.assertIn("a clone/build/release cannot be written", result.stderr)
        self.assertEqual(self.run_it("--help").returncode, 0)

    def test_a_test_by_its_name(self):
        told = f"tessera: room_test: {{}}\nfirst|{self.clone}/build/release|-tc={{}}\n"
        both = told.format("edges, shared, edges that touch", r"edges\, shared,edges that touch")
        for name, out in (("edges, shared", told.format("edges, shared", r"edges\, shared")),
                          ("THAT touch", told.format("edges that touch", "edges that touch")),
                          ("edges", both), ("room/room_test.cpp", both)):
            with self.subTest(name):
                self.expect(self.run_it("test", name), out)
        self.assertFalse((self.clone / "build/release/bin/gears").exists(), "only what the test needs")
        self.expect(self.run_it("test", "edges that", "-s"), told.format("edges that touch", "edges that touch -s"))
        self.expect(self.run_it("test", "room_test.cpp", cwd=self.clone / "room"), both)
        for name, ran in (("room_test", 1), ("room", 2)):
            with self.subTest(name):
                result = self.run_it("test", name)
                self.assertIn(f"0 tests failed out of {ran}", result.stdout, result.stderr)

    def test_a_test_that_is_not_there(self):
        wrong = self.run_it("test", "egdes that tuch")
        self.assertEqual((wrong.returncode, wrong.stdout), (2, ""))
        self.assertIn("is called 'egdes that tuch'; the nearest are:\n  edges that touch\n", wrong.stderr)
        listed = self.run_it("test", "--list")
        self.assertEqual(listed.stdout, "room_test\n    edges, shared  (room/room_test.cpp)\n"
                                        "    edges that touch  (room/room_test.cpp)\nroom_script\n")

    def test_wrong_words(self):
        for arguments, said in ((["nonsense"], "there is no verb 'nonsense'; ./run --help lists them"),
                                (["demo", "nonsense"], "there is no demo 'nonsense'; there are: gears cube")):
            result = self.run_it(*arguments)
            self.assertNotEqual(result.returncode, 0)
            self.assertIn(said, result.stderr)
            self.assertLess(len(result.stderr.splitlines()), 3, result.stderr)
        help_text = self.run_it("--help")
        self.assertEqual(help_text.returncode, 0)
        self.assertIn("./run VERB", help_text.stdout)
        self.assertFalse((self.clone / "build/release").exists(), "none of these builds")


if __name__ == "__main__":
    unittest.main()
