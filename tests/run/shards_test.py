#!/usr/bin/env python3
"""Shards of each long verb, put together by ./run merge, tell what the whole run tells; files that do not belong
together are refused in a line. Usage: shards_test.py BUILD

A verb's parts are run here with little work, some with a stand-in for the programs that they start.
"""

import contextlib
import importlib.util
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

sys.dont_write_bytecode = True
BUILD = pathlib.Path(sys.argv[1]).resolve()
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))
import merge  # noqa: E402
import shards  # noqa: E402

# Says of each case what stands behind its name's last point; of a crash nothing.
DEQP = """#!/usr/bin/env python3
import pathlib, sys
list_option = next(word for word in sys.argv if word.startswith("--deqp-caselist-file="))
for case in pathlib.Path(list_option.split("=", 1)[1]).read_text().split():
    print(f"Test case '{case}'..", flush=True)
    result = case.rpartition(".")[2]
    if result == "Crash":
        sys.exit(3)
    print(f"  {result} (said of {case})", flush=True)
"""
FUZZER = """#!/bin/sh
echo "#7 DONE cov: 40 ft: 9" >&2
echo "stat::number_of_executed_units: 7" >&2
case $0 in *_bad) exit 77;; esac
"""


def module(script):
    """A verb's script, fresh."""
    path = ROOT / script
    sys.path.insert(0, str(path.parent))
    spec = importlib.util.spec_from_file_location("verb", path)
    loaded = importlib.util.module_from_spec(spec)
    sys.modules["verb"] = loaded
    spec.loader.exec_module(loaded)
    return loaded


def called(main, *arguments):
    """Exit status and what is printed, with times as T: they are another each time."""
    out, errors = io.StringIO(), io.StringIO()
    with mock.patch.object(sys, "argv", ["verb", *map(str, arguments)]), contextlib.redirect_stdout(out), \
            contextlib.redirect_stderr(errors):
        try:
            status = main()
        except SystemExit as ended:
            status = ended.code
    return status, re.sub(r"\d+ s\b", "T", out.getvalue()), errors.getvalue()


class Shards(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        here = os.getcwd()
        self.addCleanup(os.chdir, here)
        os.chdir(self.folder)
        for name in [name for name in os.environ if name.startswith("TESSERA_")]:
            value = os.environ.pop(name)
            self.addCleanup(os.environ.__setitem__, name, value)

    def merged(self, *files, scripts=None, build=BUILD):
        with mock.patch.object(merge, "SCRIPTS", scripts or merge.SCRIPTS):
            return called(merge.main, "--build", build, *files)

    def compare(self, verb, *arguments, of=(2, 3), status=0, build=BUILD, prepared=lambda: None):
        """The verb's whole run and its shards' merge are the same; returns what they tell."""
        prepared()
        whole = called(verb.main, "--build", build, *arguments)
        self.assertEqual(whole[0], status, whole)
        script = os.path.relpath(verb.__file__, ROOT)
        for count in of:
            files = [self.folder / f"part-{number}-of-{count}" for number in range(1, count + 1)]
            for number, file in enumerate(files, 1):
                ran = called(verb.main, "--build", build, *arguments, "--shard", f"{number}/{count}", "--shard-out", file)
                self.assertTrue(file.exists(), ran)
            prepared()
            # The module at hand, with what a test has changed in it.
            with mock.patch.object(merge, "merger", lambda _: verb.merged):
                told = self.merged(*reversed(files), build=build)
            self.assertEqual(told[:2], whole[:2], (script, count, told[2]))
        return whole[1]

    def test_determinism(self):
        verb = module("tests/determinism/determinism.py")
        verb.DEMOS = ("cube", "isa-triangle", "gears")
        arguments = ("--quick", "--tier", "interp", "--tier", "baseline", "--count", 6, "--first", 40, "--frames", 2)
        told = self.compare(verb, *arguments)
        self.assertIn("6 scenes (6 different pictures), 2 frames of 3 demos: T\n", told)
        self.assertIn("identical", told)

    def test_determinism_that_finds_differences(self):
        verb = module("tests/determinism/determinism.py")
        verb.DEMOS = ()
        drawn = verb.run

        def other(build, command, variant, keep):
            wrong = variant != verb.REFERENCE
            return [line + "0" if wrong and line.startswith("3 ") else line for line in drawn(build, command, variant, keep)]

        with mock.patch.object(verb, "run", other):
            told = self.compare(verb, "--quick", "--tier", "interp", "--threads", 8, "--count", 4, status=1)
        self.assertRegex(told, r"1 DIFFERENT, T\n  expected 3 (\w{16})\n  got      3 (?:\1)0\n")

    def test_kernels(self):
        verb = module("tests/kernels/determinism.py")
        self.assertIn("3 kernels, ", self.compare(verb, "--only", "^(reduction|gaussian)", of=(2,)))

    def test_certify(self):
        verb = module("tests/certify/certify.py")
        arguments = ("--quick", "--level", "v2", "--tier", "interp")
        told = self.compare(verb, *arguments, "--part", "functions", "--part", "scenes")
        self.assertRegex(told, r"functions, \d+ results, the same bytes")
        told = self.compare(verb, *arguments, "--part", "goldens", "--part", "kernels", of=(2,))
        self.assertIn("3 goldens: the same bytes", told)

    def test_certify_that_finds_differences(self):
        verb = module("tests/certify/certify.py")
        published, asked = verb.SCENES["scenes"]
        lines = published.read_text().splitlines()
        for at in (2, 5):
            lines[at] = f"{at + 1} 0000000000000000"
        changed = self.folder / "scenes.txt"
        changed.write_text("\n".join(lines) + "\n")
        verb.SCENES["scenes"] = changed, asked
        told = self.compare(verb, "--quick", "--level", "v2", "--tier", "interp", "--part", "scenes", of=(2,), status=1)
        self.assertIn("20 scenes: 2 DIFFERENT", told)
        self.assertIn("DIFFERENT bytes than published, at v2", told)

    def test_functions_are_divided(self):
        """Each slice of each function is one shard's."""
        counts = []
        for shard in ("1/1", "1/3", "2/3", "3/3"):
            said = subprocess.run([BUILD / "bin" / "certify", "--functions", ROOT / "tests/certify/functions.txt", "--tier",
                                   "interp", "--quick", "--shard", shard], capture_output=True, text=True, check=True).stdout
            counts.append(int(re.search(r"(\d+) results", said).group(1)))
        self.assertEqual(counts[0], sum(counts[1:]))
        self.assertLess(max(counts[1:]) - min(counts[1:]), 0.05 * counts[0])

    def test_conformance(self):
        verb = module("tests/conformance/conformance.py")
        deqp = self.folder / "deqp"
        deqp.write_text(DEQP)
        deqp.chmod(0o755)
        cases = self.folder / "cases.txt"
        results = ("Pass", "Pass", "Fail", "NotSupported", "Crash", "Pass", "Fail", "NotSupported", "Pass")
        cases.write_text("".join(f"group.case{number}.{result}\n" for number, result in enumerate(results)))
        known, out = self.folder / "known.txt", self.folder / "out.tsv"
        arguments = ("--deqp", deqp, "--list", cases, "--chunk", 3, "--out", out, "--known", known)
        known.write_text("group.case2.Fail a reason\n")
        told = self.compare(verb, *arguments, status=1, prepared=lambda: out.unlink(missing_ok=True))
        self.assertIn("9 cases in T: 4 Pass, 2 Fail, 2 NotSupported, 1 Crash\n", told)
        self.assertIn("Fail group.case2.Fail said of group.case2.Fail (known: a reason)\n", told)
        self.assertEqual(len(out.read_text().splitlines()), 9)
        known.write_text("".join(f"group.case{number}.{results[number]} so\n" for number in (2, 4, 6)))
        self.compare(verb, *arguments, of=(2,))

    def test_fuzz(self):
        verb = module("tests/fuzz/fuzz.py")
        build = self.folder / "build" / "fuzz"
        for name in ("bin", "seeds"):
            (build / name).mkdir(parents=True)
        for name in ("one", "two", "three", "bad"):
            (build / "seeds" / name).write_text("")
            (build / "bin" / f"fuzz_{name}").write_text(FUZZER)
            (build / "bin" / f"fuzz_{name}").chmod(0o755)
        report = build / "report.json"
        with mock.patch.object(verb, "processor_seconds", lambda: 0):
            for targets, status in ((("one", "two", "three"), 0), (("one", "bad", "two"), 1)):
                report.unlink(missing_ok=True)
                told = called(verb.main, "--build", build, *targets)
                whole = report.read_text()
                report.unlink()
                for number in (1, 2):
                    called(verb.main, "--build", build, *targets, "--shard", f"{number}/2")
                self.assertFalse(report.exists(), "a shard adds nothing")
                result = self.merged("fuzz-1-of-2.json", "fuzz-2-of-2.json", build=build.parent / "release")
                self.assertEqual((result[0], report.read_text()), (status, whole), result)
                # A finding's whole text is where it was found.
                self.assertEqual(result[1].splitlines()[-6:], told[1].splitlines()[-6:])

    def test_programs(self):
        verb = module("tests/programs/programs.py")
        names, results = ("a", "b", "c", "d"), {"c": False}
        verb.catalogue.PROGRAMS = [
            verb.catalogue.Program(name, "Group", ("python3",), ["true"], ("output",), quick=True) for name in names]
        verb.WAYS["output"] = lambda bench, program: verb.Result(results.get(program.name, True), f"said {program.name}")
        build, page = self.folder / "build", self.folder / "programs.md"
        build.mkdir()
        verb.PAGE = page
        verb.installed = lambda program: program.name != "d"
        verb.version = lambda package: "1"
        verb.catalogue.GROUPS = ("Group",)

        def prepared():
            page.write_text("<!-- tables: written by ./run programs --write -->\n<!-- end of the tables -->\n")

        for arguments in ((), ("--write",)):
            prepared()
            whole = called(verb.main, "--build", build, *arguments)
            written = page.read_text()
            prepared()
            for number in (1, 2):
                called(verb.main, "--build", build, *arguments, "--shard", f"{number}/2")
            with mock.patch.object(merge, "merger", lambda _: verb.merged):
                told = self.merged("programs-1-of-2.json", "programs-2-of-2.json", build=build)
            self.assertEqual((whole[0], told[0]), (1, 1), told)
            self.assertEqual(told[1].partition("; pictures")[0], whole[1].partition("; pictures")[0])
            self.assertIn("2 good, 1 bad, 1 not tried", told[1])
            self.assertEqual(page.read_text(), written)
        self.assertIn("| c | 1 | **0 of 3** | said c |", written)

    def test_model_reports(self):
        verb = module("model/report/reports.py")
        verb.DEMOS, verb.SIZE = ("isa-triangle", "cube", "gears"), "64x48"
        text = "".join("".join(verb.marks(part)) for part in verb.PARTS)
        verb.PAGE = self.folder / "page.md"
        (self.folder / "images").mkdir()
        build = self.folder / "build"
        build.mkdir()
        for name in ("bin", "lib", "share"):
            (build / name).symlink_to(BUILD / name)
        plot = self.folder / "images" / "model-demos.svg"

        def prepared():
            verb.PAGE.write_text(text)
            plot.unlink(missing_ok=True)

        prepared()
        whole = called(verb.main, "--build", build, "--only", "demos")
        page, picture = verb.PAGE.read_text(), plot.read_text()
        self.assertEqual((whole[0], page.count("| ")), (0, page.count("| ")), whole)
        self.assertIn("| gears | ", page)
        prepared()
        for number in (1, 2):
            # Without the rows that the whole run has kept.
            (build / "model-reports" / "demos.jsonl").unlink(missing_ok=True)
            ran = called(verb.main, "--build", build, "--only", "demos", "--shard", f"{number}/2")
            self.assertEqual((ran[0], verb.PAGE.read_text()), (0, text), ran)
        with mock.patch.object(merge, "merger", lambda _: verb.merged):
            told = self.merged("model-reports-1-of-2.json", "model-reports-2-of-2.json", build=build)
        self.assertEqual(told[0], 0, told)
        self.assertEqual((verb.PAGE.read_text(), plot.read_text()), (page, picture))

    def tessera(self, *arguments):
        return subprocess.run([BUILD / "bin" / "tessera", *map(str, arguments)], capture_output=True, text=True)

    def merge_tool(self, *files):
        result = subprocess.run([sys.executable, ROOT / "tests" / "merge.py", "--build", BUILD, *files],
                                capture_output=True, text=True)
        return result.returncode, result.stdout, result.stderr

    def test_sweep(self):
        sweep = ("model", "--sweep", "block.processors=1,2,4,sdram.channels=1..2", "reduction_sum")
        for more in ((), ("--json",), ("--results", "all.csv", "--pareto", "front.svg")):
            whole = self.tessera(*sweep, *more)
            self.assertEqual(whole.returncode, 0, whole.stderr)
            written = {file.name: file.read_text() for file in self.folder.glob("*") if file.suffix in (".csv", ".svg")}
            for name in written:
                (self.folder / name).unlink()
            files = []
            for number in (1, 2, 3, 4):
                ran = self.tessera(*sweep, *more, "--shard", f"{number}/4")
                self.assertEqual(ran.returncode, 0, ran.stderr)
                files.append(f"model-sweep-{number}-of-4.json")
            self.assertEqual(self.merge_tool(*files)[:2], (0, whole.stdout))
            self.assertEqual({name: (self.folder / name).read_text() for name in written}, written)
        again = self.tessera("model", "--results", "all.csv")
        self.assertEqual((again.returncode, again.stdout), (0, whole.stdout))

    def test_frames_of_different_machines_are_one_film(self):
        """With other levels and threads each; skinning does not clear what it draws over, mipmaps are made once."""
        for demo in ("gears", "skinning", "textured"):
            stream, film, whole = f"{demo}.tsc", f"{demo}.film", f"{demo}.whole"
            drawn = subprocess.run([BUILD / "bin" / demo, "--headless", "--frames", "5", "--time", "0", "--size", "96x64",
                                    "--hash", "--out", "last.png"], capture_output=True, text=True, check=True,
                                   env={**os.environ, "LD_LIBRARY_PATH": str(BUILD / "lib"), "TESSERA_COMMANDS": stream}).stdout
            hashes = [line for line in drawn.splitlines() if line.startswith("frame ")]
            replay = ("commands", stream, "--replay", "--hash")
            told = self.tessera(*replay, "--pictures", whole)
            self.assertEqual((told.returncode, told.stdout.splitlines()[:-1]), (0, hashes), told.stderr)
            commands, levels = [], shards.target.levels(BUILD)
            for number in (1, 2, 3):
                machine = {"TESSERA_SIMD": levels[(number - 1) % len(levels)], "TESSERA_THREADS": str(number)}
                with mock.patch.dict(os.environ, machine):
                    ran = self.tessera(*replay, "--pictures", film, "--shard", f"{number}/3")
                self.assertEqual(ran.returncode, 0, ran.stderr)
                commands.append(int(re.search(r"^(\d+) commands replayed", ran.stdout, re.MULTILINE).group(1)))
            status, out, errors = self.merge_tool(*(f"commands-replay-{number}-of-3.json" for number in (3, 1, 2)))
            self.assertEqual((status, out.splitlines()[:-1]), (0, hashes), errors)
            self.assertEqual(out.splitlines()[-1].partition("; ")[2], told.stdout.splitlines()[-1].partition("; ")[2])
            every = int(re.search(r"(\d+) commands replayed", out).group(1))
            self.assertLess(max(commands), every, "other frames' commands are left out")
            for number in range(1, 6):
                name = f"frame-{number:06}.png"
                self.assertEqual((self.folder / film / name).read_bytes(), (self.folder / whole / name).read_bytes())
            found = json.loads(pathlib.Path("commands-replay-2-of-3.json").read_text())
            found["outputs"]["compared"].pop()
            pathlib.Path("less.json").write_text(json.dumps(found))
            less = self.merge_tool("commands-replay-1-of-3.json", "less.json", "commands-replay-3-of-3.json")
            self.assertEqual(less[0], 2)
            self.assertIn("recorded contents", less[2])
        self.assertIn("--shard requires --replay", self.tessera("commands", stream, "--shard", "1/2").stderr)
        self.assertIn("excludes", self.tessera(*replay, "--shard", "1/2", "-o", "x.png").stderr)

    def test_each_verb_is_known(self):
        for verb in merge.SCRIPTS:
            self.assertTrue(callable(merge.merger(verb)), verb)

    def test_a_sweep_is_divided_along_diagonals(self):
        """Each shard has points with each value of each parameter."""
        for number in (1, 2):
            self.tessera("model", "--sweep", "block.processors=1,2,sdram.channels=1,2", "reduction_sum", "--shard", f"{number}/2")
            rows = json.loads(pathlib.Path(f"model-sweep-{number}-of-2.json").read_text())["outputs"]["rows"]
            for axis in (0, 1):
                self.assertEqual({row.split(",")[axis] for _, row in rows}, {"1", "2"})

    def test_shards_that_are_none(self):
        kernels = module("tests/kernels/determinism.py").main
        for text in ("0/3", "4/3", "1", "1/", "/2", "1/0", "-1/2", "a/b", "1/2/3", "1/99999999999"):
            status, out, errors = called(kernels, "--build", BUILD, f"--shard={text}")
            self.assertEqual((status, out), (2, ""))
            self.assertTrue(errors.endswith(f"argument --shard: give K/N, K from 1 to N: not '{text}'\n"), errors)
            tool = self.tessera("model", "--sweep", "sdram.channels=1,2", "reduction_sum", f"--shard={text}")
            self.assertEqual((tool.returncode, tool.stdout), (2, ""))
            self.assertIn(f"--shard: give K/N, K from 1 to N: not '{text}'\n", tool.stderr)
        self.assertIn("--shard requires --sweep", self.tessera("model", "reduction_sum", "--shard", "1/2").stderr)
        self.assertIn("give --shard K/N", called(kernels, "--build", BUILD, "--shard-out", "x")[0])

    def test_files_that_do_not_belong_together(self):
        def file(name, **changed):
            found = {"format": shards.FORMAT, "verb": "determinism --kernels", "build": "1 a", "options": {"size": "small"},
                     "shard": [1, 2], "machine": {"processor": "p", "simd": "v2", "threads": 1}, "seconds": 1.5,
                     "counts": {}, "failures": [], "outputs": {"kernels": ["a 1 ok"], "levels": ["v2"], "differences": []}}
            found.update(changed)
            pathlib.Path(name).write_text(json.dumps({key: value for key, value in found.items() if value is not None}))
            return name

        one, two = file("one"), file("two", shard=[2, 2])
        self.assertEqual(self.merged(two, one)[:2], (0, "2 kernels, 6 variants (v2): the same bytes\n"))
        pathlib.Path("text").write_text("no JSON")
        pathlib.Path("bytes").write_bytes(b"\xff\xfe\x00")
        pathlib.Path("list").write_text("[1, 2]")
        pathlib.Path("deep").write_text("[" * 100000)
        whole = pathlib.Path("two").read_text()
        pathlib.Path("cut").write_text(whole[:len(whole) // 2])
        for files, message in (
                ((one,), "shard 2 of 2 is missing"),
                ((dict(shard=[1, 1000000000]),), "shard 2, 3, 4, 5, 6, 7, 8, 9 and others of 1000000000 are missing"),
                ((one, two, one), "one: shard 1 again, as one"),
                ((one, dict(shard=[2, 3])), "other: one of 3 shards, and one is one of 2"),
                ((one, dict(shard=[2, 2], build="1 b")), "other: of another build than one: 1 b, not 1 a"),
                ((one, dict(shard=[2, 2], verb="certify")),
                 "other: of another verb than one: certify, not determinism --kernels"),
                ((one, dict(shard=[2, 2], options={"size": "large"})),
                 'other: of other options than one: size is "large", not "small"'),
                ((one, "nowhere"), "nowhere: cannot be read: No such file or directory"),
                ((one, "text"), "text:1:1: broken: Expecting value; make it anew"),
                ((one, "cut"), "cut:1:"),
                ((one, "bytes"), "bytes: not the file of a shard, which --shard K/N leaves"),
                ((one, "list"), "list: not the file of a shard, which --shard K/N leaves"),
                ((one, "deep"), "deep: not the file of a shard, which --shard K/N leaves"),
                ((one, dict(format="tessera shard 9")), "other: not the file of a shard, which --shard K/N leaves"),
                ((one, dict(outputs=None)), 'other: broken: its "outputs" is missing or no dict; make it anew'),
                ((dict(shard=[3, 2]),), 'other: broken: its "shard" is no [K, N] with K from 1 to N; make it anew'),
                ((dict(shard=["1", 2]),), 'other: broken: its "shard" is no [K, N] with K from 1 to N; make it anew'),
                ((dict(shard=[1, 1], verb="demo"),), "no verb 'demo' leaves shards here; there are: certify, "),
                ((one, dict(shard=[2, 2], outputs={"kernels": 3})),
                 "what a shard found is not as determinism --kernels leaves it")):
            # What is changed of a good file.
            files = [file("other", **one_file) if isinstance(one_file, dict) else one_file for one_file in files]
            status, out, errors = self.merged(*files)
            self.assertEqual((status, out), (2, ""), (files, errors))
            said = [line for line in errors.splitlines() if " s on " not in line]
            self.assertEqual(len(said), 1, errors)
            self.assertTrue(said[0].startswith(f"merge: {message}"), errors)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
