#!/usr/bin/env python3
"""What ./run mutants plants, in a small source; what it makes of what tests say, with stand-ins for builds and tests; its
tables. Usage: mutants_test.py BUILD. Exit status 77 without libclang for Python."""

import importlib.util
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
HERE = pathlib.Path(__file__).resolve().parent
BUILD = pathlib.Path(sys.argv[1]).resolve()
sys.path[:0] = [str(HERE), str(HERE.parent)]

SOURCE = """namespace std {
template <class T> const T& min(const T&, const T&);
template <class T> const T& max(const T&, const T&);
template <class T> void swap(T&, T&);
}
#define TWICE(x) ((x) + (x))
struct Key {
    int a = 1, b = 2;
    bool operator==(const Key& o) const { return a == o.a && b == o.b; }
};
struct Point {
    Point(int x, int y) : x_(x), y_(y) {}
    int x_ = 0, y_ = 0;
};
void use(int count, int limit);
typedef int Lanes __attribute__((ext_vector_type(4)));
typedef float Reals __attribute__((ext_vector_type(4)));
int symmetric(int count, int limit, Lanes a, Lanes b) {
    std::swap(count, limit);
    return std::min<int>(count, limit) + std::max(count, 9) + __builtin_elementwise_max(a, b)[0];
}
double reals(double a, double b, Reals c, Reals d) {
    const float lane = __builtin_elementwise_min(c, d)[0];
    return std::min(a, b) + lane;
}
int work(int count, int limit, bool on) {
    static_assert(sizeof(int) < 9);
    if (count < 0) return 0;
    Key key;
    key.b = count;
    use(count, limit);
    if (!on || count > limit) use(limit, 1);
    const Key other{.a = count, .b = limit};
    return TWICE(count) + std::min(count, limit) - (key == other ? 0x1Fu : 7);
}
"""
# Kind, what stands there, and what is planted.
WANTED = [
    ("comparison", "count < 0", "<", "<="),
    ("comparison", "count > limit", ">", ">="),
    ("comparison", "std::min", "min", "max"),
    ("sign", "TWICE(count) +", "+", "-"),
    ("sign", "!on", "!", ""),
    ("constant", "use(limit, 1)", "1", "2"),
    ("constant", "0x1Fu", "0x1Fu", "0x20u"),
    ("statement", "use(count, limit);", "use(count, limit)", "(void)0"),
    ("statement", "use(limit, 1)", "use(limit, 1)", "(void)0"),
    ("early exit", "return 0", "if (count < 0) return 0", "(void)0"),
    ("arguments", "use(count, limit);", "count, limit", "limit, count"),
    ("arguments", "std::min(a, b)", "a, b", "b, a"),  # a NaN is given back where it is the first alone
    ("arguments", "elementwise_min(c", "c, d", "d, c"),
    ("logic", "!on ||", "||", "&&"),
    ("operand", "!on ||", "!on ||", ""),
    ("operand", "!on ||", "|| count > limit", ""),
    ("field", "key.b = count", "key.b = count", "(void)0"),
    ("field", "a == o.a", "&& b == o.b", ""),
    ("field", "a == o.a", "a == o.a &&", ""),
    ("field", ".a = count", ".a = count,", ""),
    ("field", ".a = count", ".b = limit", ""),
    ("field", "x_(x)", "x_(x),", ""),
    ("field", "x_(x)", ", y_(y)", ""),
]


class Slips(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        import slips
        cls.folder = tempfile.TemporaryDirectory()
        root = pathlib.Path(cls.folder.name)
        (root / "work.cpp").write_text(SOURCE)
        commands = [{"file": str(root / "work.cpp"), "directory": str(root),
                     "command": f"clang++ -std=c++20 -Wall -o work.o -c {root}/work.cpp"}]
        (root / "compile_commands.json").write_text(json.dumps(commands))
        cls.found = slips.slips(root, root, "work.cpp")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_every_kind_is_found(self):
        for kind, text, before, after in WANTED:
            with self.subTest(kind=kind, before=before):
                self.assertTrue(any(slip.kind == kind and text in slip.text and slip.before == before and
                                    slip.after.strip() == after for slip in self.found))

    def test_arguments_whose_order_cannot_be_seen_are_left_alone(self):
        exchanged = [slip.text for slip in self.found if slip.kind == "arguments"]
        self.assertEqual([text for text in exchanged if re.search(r"swap|elementwise_max|min<int>|count, 9", text)], [])
        self.assertFalse(any(slip.kind == "arguments" and "return TWICE(count)" in slip.text for slip in self.found))

    def test_macros_and_what_is_not_run_are_left_alone(self):
        for slip in self.found:
            self.assertNotIn("static_assert", slip.text)
            self.assertNotIn("define", slip.text)
            self.assertNotIn("TWICE", slip.before)

    def test_lines_stay_where_they_are_and_slips_have_names_of_their_own(self):
        names = {(slip.name, slip.start) for slip in self.found}
        self.assertEqual(len(names), len(self.found))
        for slip in self.found:
            self.assertNotIn("\n", slip.name)
            planted = slip.planted(SOURCE.encode()).decode()
            self.assertEqual(planted.count("\n"), SOURCE.count("\n"))
            self.assertNotEqual(planted, SOURCE)

    def test_nearly_all_compile(self):
        compiler = ["clang++-19", "-std=c++20", "-fsyntax-only", "-w", "-x", "c++", "-"]
        fails = [slip for slip in self.found
                 if subprocess.run(compiler, input=slip.planted(SOURCE.encode()), capture_output=True).returncode != 0]
        self.assertEqual([slip.name for slip in fails], [])


class Outcomes(unittest.TestCase):
    """What becomes of a slip, with stand-ins for ninja and ctest."""

    def setUp(self):
        import mutants
        self.mutants = mutants
        self.folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.folder.name)
        (self.root / "a.cpp").write_bytes(b"right")
        self.addCleanup(self.folder.cleanup)
        patch = mock.patch.object(mutants, "ROOT", self.root)
        patch.start()
        self.addCleanup(patch.stop)

    def tree(self, builds=lambda source, targets: True, passes=lambda source, test: 0, said=""):
        root = self.root

        class Stub(self.mutants.Tree):
            def __init__(self):
                self.usual = {"one": 1.0, "two": 1.0}
                self.ran, self.planted, self.sound = [], [], {}

            def objects_of(self, file):
                return ["a.o"]

            def ninja(self, targets, seconds=0):
                return builds((root / "a.cpp").read_bytes(), targets)

            def hashes(self, file):
                return [(root / "a.cpp").read_bytes().replace(b"same", b"right")]

            def targets_of(self, test):
                return [test]

            def test(self, test, seconds):
                self.ran.append(test)
                return passes((root / "a.cpp").read_bytes(), test), said
        return Stub()

    def slip(self, start, end, after):
        import slips
        return slips.Slip("a.cpp", 1, "right", "sign", start, end, "right"[start:end], after)

    def examine(self, tree, mutant="wrong"):
        outcome = tree.examine(self.slip(0, 5, mutant), ["one", "two"])
        self.assertEqual((self.root / "a.cpp").read_bytes(), b"right")  # whatever happened
        return outcome

    def test_the_first_test_that_fails_kills(self):
        tree = self.tree(passes=lambda source, test: source == b"wrong" and test == "two")
        self.assertEqual(self.examine(tree), ("killed", "two"))
        self.assertEqual(tree.ran, ["one", "two"])

    def test_a_slip_that_no_test_sees_lives(self):
        self.assertEqual(self.examine(self.tree()), ("lived", ""))

    def test_what_does_not_compile_is_not_counted(self):
        tree = self.tree(builds=lambda source, targets: source == b"right")
        self.assertEqual(self.examine(tree), ("not compiled", ""))
        self.assertEqual(tree.ran, [])

    def test_the_same_code_cannot_be_seen(self):
        self.assertEqual(self.examine(self.tree(), "same"), ("equivalent", "the same code"))

    def test_a_test_that_does_not_end_kills(self):
        tree = self.tree(passes=lambda source, test: 8, said="1/1 Test #1: one ***Timeout 65.0 sec")
        self.assertEqual(self.examine(tree), ("killed", "one (does not end)"))

    def test_the_source_is_set_back_when_it_is_interrupted(self):
        def interrupt(source, test):
            raise KeyboardInterrupt
        with self.assertRaises(KeyboardInterrupt):
            self.examine(self.tree(passes=interrupt))
        self.assertEqual((self.root / "a.cpp").read_bytes(), b"right")

    def together(self, sees):
        """Three slips in one line, by tests that see them by `sees`: what became of each, and how often tests ran."""
        slips = [self.slip(0, 1, "R"), self.slip(2, 3, "GG"), self.slip(4, 5, "T")]
        tree = self.tree(passes=lambda source, test: sees(source, test))
        outcomes = tree.examine_together(slips, ["one", "two"])
        self.assertEqual((self.root / "a.cpp").read_bytes(), b"right")
        return [outcomes[slip] for slip in slips], len(tree.ran)

    def test_slips_that_no_test_sees_cost_one_run_of_each_together(self):
        self.assertEqual(self.together(lambda source, test: source != b"RiGGhT"), ([("lived", "")] * 3, 2))

    def test_a_test_that_fails_is_run_on_halves_until_it_is_known_which_it_saw(self):
        found, _ = self.together(lambda source, test: test == "two" and b"GG" in source)
        self.assertEqual(found, [("lived", ""), ("killed", "two"), ("lived", "")])
        found, _ = self.together(lambda source, test: b"R" in source or test == "two" and b"T" in source)
        self.assertEqual(found, [("killed", "one"), ("lived", ""), ("killed", "two")])

    def test_a_test_that_is_new_and_fails_has_to_pass_without_slips(self):
        def fresh(passes):
            tree = self.tree(passes=passes)
            tree.state, tree.programs = self.root, {"three": "three"}
            return tree
        slip = self.slip(0, 1, "R")
        with self.assertRaisesRegex(SystemExit, "without a slip three fails"):
            fresh(lambda source, test: test == "three").examine(slip, ["one", "three"])
        self.assertFalse((self.root / "usual.json").exists())
        tree = fresh(lambda source, test: source != b"right" and test == "three")
        self.assertEqual(tree.examine(slip, ["one", "three"]), ("killed", "three"))
        self.assertEqual(tree.ran, ["one", "three", "three"])
        self.assertEqual(tree.examine(slip, ["one", "three"]), ("killed", "three"))
        self.assertEqual(tree.ran[3:], ["one", "three"])  # it is known now

    def test_a_test_that_passed_with_slips_is_known_to_pass(self):
        tree = self.tree()
        tree.state, tree.programs = self.root, {"three": "three"}
        self.assertEqual(tree.examine(self.slip(0, 1, "R"), ["one", "three"]), ("lived", ""))
        self.assertEqual(tree.ran, ["one", "three"])
        self.assertIn("three", json.loads((self.root / "usual.json").read_text()))

    def test_what_is_skipped_here_is_not_run_again(self):
        tree = self.tree(said="***Skipped")
        tree.state, tree.programs = self.root, {"three": "three"}
        for _ in range(2):
            self.assertEqual(tree.examine(self.slip(0, 1, "R"), ["three"]), ("lived", ""))
        self.assertEqual(tree.ran, ["three"])

    def draw(self, files, count, seed=1):
        """What is drawn of files, as {file: its lines}, each of which has a slip of either of two kinds."""
        import slips
        draw = self.mutants.Draw(mock.Mock(sources=lambda: files), "", seed)
        draw.seen = {file: [slips.Slip(file, i, f"line {i}", kind, i, i + 1, "a", kind)
                            for i in range(lines) for kind in ("sign", "logic")] for file, lines in files.items()}
        return [slip for slip, _ in zip(draw, range(count))]

    def test_what_is_drawn_is_by_lines_and_by_kinds(self):
        files = {"short.cpp": 100, "none.cpp": 0, "long.cpp": 300}
        drawn = self.draw(files, 200)
        self.assertEqual(len(set(drawn)), 200)
        self.assertTrue(30 <= sum(slip.file == "short.cpp" for slip in drawn) <= 70)
        self.assertTrue(75 <= sum(slip.kind == "sign" for slip in drawn) <= 125)
        self.assertEqual(drawn, self.draw(files, 200))
        self.assertLess(len({*drawn} & {*self.draw(files, 200, seed=2)}), 100)
        self.assertEqual(len(self.draw({"few.cpp": 5}, 200)), 10)  # all that there are

    def test_a_change_of_the_tree_changes_few_of_what_is_drawn(self):
        files = {f"{i}.cpp": 100 for i in range(50)}
        drawn = {slip.name for slip in self.draw(files, 200)}
        for changed in ({**files, "7.cpp": 110}, {**files, "new.cpp": 100}, {f: n for f, n in files.items() if f != "9.cpp"}):
            self.assertGreater(len(drawn & {slip.name for slip in self.draw(changed, 200)}), 180)

    def test_workers_share_what_is_drawn(self):
        slips = [self.slip(0, 1, letter) for letter in "abcdefg"]
        rooms = mock.Mock(tests={"": []}, then={"": []}, equivalent={})
        rooms.of = lambda file: ""
        # c does not compile, so that its worker takes one more; d lives, and is examined again when that is asked for.
        for again, worker, wanted in ((False, 0, "aceg"), (False, 1, "bdf"), (True, 0, ""), (True, 1, "d")):
            tree = mock.Mock(state=self.root, rooms=rooms)
            tree.examine.side_effect = lambda slip, tests: (
                ("not compiled" if slip.after == "c" else "lived" if slip.after == "d" else "killed"), "")
            tree.examine_together.side_effect = lambda slips, tests: {slip: ("lived", "") for slip in slips}
            options = mock.Mock(worker=worker, workers=2, count=6, seconds=None, area="", seed=1, again=again)
            with mock.patch.object(self.mutants, "Draw", lambda *_: iter(slips)), mock.patch("builtins.print"):
                self.assertTrue(self.mutants.Worker(tree, options).run())
            self.assertEqual("".join(call.args[0].after for call in tree.examine.call_args_list), wanted)
        found = self.mutants.read_found(self.root)
        self.assertEqual("".join(each.outcome[0] for each in found.values()), "knkk" + "klk")

    def test_figures_count_what_can_be_seen(self):
        found = [self.mutants.Found(f"pipeline/a.cpp: x: {i}", "pipeline", kind, 1, outcome, "", 10)
                 for i, (kind, outcome) in enumerate([("sign", "killed"), ("sign", "killed"), ("logic", "lived"),
                                                      ("logic", "equivalent"), ("logic", "not compiled"),
                                                      ("sign", "lived")])]
        rooms = mock.Mock(tests={"pipeline": [], "base": []}, equivalent={found[5].name: "nobody sees it"})
        text = self.mutants.figures(found, rooms)
        self.assertIn("| `pipeline` | 5 | 2 | 1 | 2 | 67 % | 10 |", text)
        self.assertIn("| sign | 3 | 2 | 0 | 1 | 100 % |", text)
        self.assertIn("- `pipeline/a.cpp: x: 2` (logic)", text)
        self.assertNotIn("x: 5", text)

    def test_a_patch_names_one_file(self):
        patch = self.root / "slip.diff"
        patch.write_text("--- a/a.cpp\n+++ b/a.cpp\n")
        self.assertEqual(self.mutants.files_of(patch), "a.cpp")
        patch.write_text("--- a/a.cpp\n+++ b/a.cpp\n--- a/b.cpp\n+++ b/b.cpp\n")
        with self.assertRaises(SystemExit):
            self.mutants.files_of(patch)


class Data(unittest.TestCase):
    """rooms.toml and equivalent.toml name what is there."""

    def setUp(self):
        import choose
        import mutants
        self.rooms = mutants.Rooms()
        self.programs = choose.Tests(BUILD).programs

    def test_tests_are_ctests(self):
        for room, tests in self.rooms.tests.items():
            self.assertTrue((HERE.parent.parent / room).is_dir(), room)
            self.assertEqual([test for test in tests + self.rooms.then[room] if test not in self.programs], [], room)
            self.assertEqual(len({*tests, *self.rooms.then[room]}), len(tests + self.rooms.then[room]), room)

    def test_scripts_have_what_they_start_built(self):
        for room in self.rooms.tests:
            for test in self.rooms.tests[room] + self.rooms.then[room]:
                self.assertTrue(self.programs[test] or self.rooms.builds.get(test), test)

    def test_every_source_of_a_room_has_tests(self):
        rooms = ("api/", "base/", "inspect/", "model/", "pipeline/", "present/", "shader-core/", "texture/", "tools/")
        listed = subprocess.run(["git", "ls-files", "*.cpp", "*.h"], cwd=HERE.parent.parent, capture_output=True,
                                text=True, check=True).stdout.split()
        self.assertEqual([file for file in listed if file.startswith(rooms) and self.rooms.of(file) is None], [])

    def test_equivalent_slips_are_of_lines_that_are_there(self):
        for name in self.rooms.equivalent:
            file, line = re.match(r"([^:]+): (.*): .* ->", name).groups()
            lines = [each.strip() for each in (HERE.parent.parent / file).read_text().splitlines()]
            self.assertIn(line, lines, name)


if __name__ == "__main__":
    if importlib.util.find_spec("clang") is None:
        if sys.executable != "/usr/bin/python3" and os.access("/usr/bin/python3", os.X_OK):
            os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])
        print("skipped: there is no libclang for Python (python3-clang-19)")
        sys.exit(77)
    unittest.main(argv=[sys.argv[0]], verbosity=1)
