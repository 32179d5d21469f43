#!/usr/bin/env python3
"""What ./run mutants plants, in a small source; what it makes of what tests say, with stand-ins for builds and tests; its
tables. Usage: mutants_test.py BUILD. Exit status 77 without libclang for Python."""

import contextlib
import dataclasses
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
# What it prints depends on most of what can be planted in it.
PROGRAM = """extern "C" int printf(const char*, ...);
struct Key { int a = 7; unsigned short b = 8; };
struct Pair { int a, b; Pair(int x, int y) : a(x), b(y) {} };
static int less(int a, int b) { return a - 2 * b; }
template <class T> static T half(T value) {
    if (value < 0) return -value;  // where a line ends, a comment does
    return value - value / 2;
}
int main(int count, char**) {
    const Key key{.a = count, .b = 3};
    Pair pair(count, key.a + 5);
    int last = 0;
    for (int i = 0; i < 4 && i > -9; ++i) {
        if (i == 2) continue;
        else last += less(i,  // what is "left"
                          count);
    }
    if (last) --last;
    else last = 9;
    const int sum = !last && pair.a < pair.b || last > 3;
    printf("%d %d %d %d %d %d\\n", key.a, key.b, less(pair.a, pair.b), last, sum, half(last));
    return 0;
}
"""
# None of it can be asked for a number while it runs.
CONSTANT = """constexpr int twice(int n) { return n * 2; }
static_assert(twice(4) == 8);
struct Row { int of[7]; };
int work(int n) {
    const unsigned char way{1};
    switch (n) {
    case 5: return n + way;
    }
    if constexpr (sizeof(Row) < 6) n++;
    return n;
}
"""
SEEN = ["1", "+", "n++", "++"]  # of CONSTANT, the slips that can


def found_in(root, source):
    """The slips of a source, as of a file of its own in a folder."""
    import slips
    (root / "work.cpp").write_text(source)
    commands = [{"file": str(root / "work.cpp"), "directory": str(root),
                 "command": f"clang++ -std=c++20 -Wall -o work.o -c {root}/work.cpp"}]
    (root / "compile_commands.json").write_text(json.dumps(commands))
    return slips.slips(root, root, "work.cpp")


class Slips(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.found = found_in(pathlib.Path(cls.folder.name), SOURCE)

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


class Numbers(unittest.TestCase):
    """Slips behind numbers, in a source that is compiled."""

    def setUp(self):
        import schemata
        self.schemata = schemata
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def put(self, source, numbered):
        """Puts slips into the source. What became of it."""
        (self.root / "slip.h").write_text(self.schemata.header(max(numbered) + 1))
        made = self.schemata.Guarded(source.encode(), numbered, self.root / "slip.h")
        (self.root / "work.cpp").write_bytes(made.text)
        return made

    def compile(self, *options):
        """What the compiler says of what is there."""
        return subprocess.run(["clang++-19", "-std=c++20", *options, self.root / "work.cpp"], capture_output=True,
                              text=True).stderr

    def prints(self, program, *arguments, numbers=""):
        """What a program prints, and its status, or that it does not end."""
        try:
            ran = subprocess.run([self.root / program, *arguments], env={**os.environ, "TESSERA_SLIP": numbers},
                                 capture_output=True, text=True, timeout=2)
        except subprocess.TimeoutExpired:
            return "does not end"
        return ran.stdout, ran.returncode

    def test_a_number_makes_what_its_slip_makes_and_none_what_is_right(self):
        numbered = {number: slip for number, slip in enumerate(found_in(self.root, PROGRAM), 1) if slip.guards}
        self.put(PROGRAM, numbered)
        self.assertEqual(self.compile("-o", self.root / "guarded"), "")
        # The same, each with its slip alone, and the right one: as many functions of one program.
        sources = {0: PROGRAM} | {number: slip.planted(PROGRAM.encode()).decode() for number, slip in numbered.items()}
        (self.root / "work.cpp").write_text(
            "#include <cstdlib>\n" +
            "".join(f"namespace n{number} {{ {source.replace('int main(', 'int work(')} }}"
                    for number, source in sources.items()) +
            "int main(int, char** words) { switch (atoi(words[1])) {" +
            "".join(f"case {number}: return n{number}::work(1, nullptr);" for number in sources) + "} return 1; }")
        self.assertEqual(self.compile("-w", "-o", self.root / "alone"), "")
        right = self.prints("guarded")
        self.assertEqual(right, self.prints("alone", "0"))
        seen = 0
        for number, slip in numbered.items():
            with self.subTest(slip=slip.name):
                wrong = self.prints("guarded", numbers=str(number))
                self.assertEqual(wrong, self.prints("alone", str(number)))
                seen += wrong != right
        self.assertGreater(seen, len(numbered) / 2)
        of_key = [str(number) for number, slip in numbered.items()
                  if slip.kind == "field" and slip.before[:2] in (".a", ".b")]
        self.assertEqual(self.prints("guarded", numbers=",".join(of_key))[0][:4], "7 8 ")  # several at once

    def test_a_source_whose_slips_are_all_behind_numbers_compiles(self):
        numbered = {number: slip for number, slip in enumerate(found_in(self.root, SOURCE)) if slip.guards}
        made = self.put(SOURCE, numbered)
        self.assertEqual(self.compile("-fsyntax-only"), "")
        self.assertEqual(made.text.count(b"\n"), SOURCE.count("\n") + 2)
        self.assertGreater(len(numbered), 40)

    def test_those_that_do_not_compile_are_told_by_what_the_compiler_says(self):
        numbered = dict(enumerate(found_in(self.root, CONSTANT)))
        self.assertTrue(all(slip.guards for slip in numbered.values()))
        while True:
            made = {str(self.root / "work.cpp"): self.put(CONSTANT, numbered)}
            wrong = self.schemata.culprits(self.compile("-fsyntax-only"), made)
            if not wrong:
                break
            numbered = {number: slip for number, slip in numbered.items() if number not in wrong}
        self.assertEqual(self.compile("-fsyntax-only"), "")
        self.assertEqual([slip.before for slip in numbered.values()], SEEN)

    def test_an_error_at_no_slip_takes_those_of_its_line_or_all_of_the_file(self):
        found = found_in(self.root, PROGRAM)
        numbered = {3: found[0], 8: found[-1]}
        path = str(self.root / "work.cpp")
        guarded = {path: self.put(PROGRAM, numbered)}
        self.assertEqual(self.schemata.culprits(f"{path}:1:1: error: no\n", guarded), {3, 8})
        self.assertEqual(self.schemata.culprits(f"{path}:{found[0].line}:1: error: no\n", guarded), {3})
        at_a_use = f"/b.cpp:9:1: error: no\n{path}:1:1: note: here\n{path}:{found[0].line}:1: note: or here\n"
        self.assertEqual(self.schemata.culprits(at_a_use, guarded), {3})
        self.assertEqual(self.schemata.culprits(f"{path}:1:1: warning: no\n/b.cpp:1:1: error: no\n", guarded), set())


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
                self.numbers, self.texts, self.on, self.fresh = {}, {}, [], set()

            def objects_of(self, file):
                return ["a.o"]

            def ninja(self, targets, seconds=0):
                return builds((root / "a.cpp").read_bytes(), targets)

            def command_of(self, output):
                return output

            def compiled(self, command):
                return (root / "a.cpp").read_bytes().replace(b"same", b"right")

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
        with contextlib.redirect_stderr(io.StringIO()) as told:
            for _ in range(2):
                self.assertEqual(tree.examine(self.slip(0, 1, "R"), ["three"]), ("lived", ""))
        self.assertEqual(tree.ran, ["three"])
        self.assertEqual(told.getvalue(), "tessera: three is skipped here; what it alone would see lives\n")

    def put(self, said):
        """A tree with three slips behind numbers, which says so when ninja is first started: its numbers, and the text."""
        tree = self.tree()
        tree.state = self.root
        answers = iter([said])

        def make(targets, options, seconds, out):
            answer = next(answers, "")
            out.write(answer.encode())
            return answer != ""
        tree.make = make
        guard = lambda at, end: ((at, end, "(\0 ? 1 : ", ")"),)  # noqa: E731
        slips = {number: dataclasses.replace(self.slip(at, at + 1, "x"), guards=guard(at, at + 1))
                 for number, at in ((1, 0), (4, 2), (5, 4))}
        with mock.patch("builtins.print"):
            tree.build_numbered(slips, ["one"])
        return tree, slips, (self.root / "a.cpp").read_bytes().decode()

    def test_what_does_not_compile_behind_a_number_is_taken_out(self):
        tree, slips, text = self.put(f"{self.root}/a.cpp:1:32: error: no\n")
        self.assertEqual([tree.number_of(slip) for slip in slips.values()], [1, None, 5])
        self.assertIn("(::tessera_slip(1) ? 1 : r)ig", text)
        self.assertIn("#line 1\n", text)
        with self.assertRaisesRegex(SystemExit, "(?s)does not build.*no room"):
            self.put("ninja: no room\n")

    def test_a_number_is_on_while_its_slip_is_examined(self):
        tree, slips, text = self.put("")
        on = []
        tree.test = lambda test, seconds: (on.append(tree.environment()["TESSERA_SLIP"]) or 0, "")
        tree.code = self.root
        self.assertEqual(tree.examine(slips[4], ["one"]), ("lived", ""))
        tree.examine_together([slips[1], slips[5]], ["two"])
        tree.programs = {"three": "three"}
        self.assertEqual(tree.examine_together([slips[5]], ["three"]), {slips[5]: ("lived", "")})
        self.assertEqual(on, ["4", "1,5", "", "5"])  # one that is new has to pass without, first
        alone = self.slip(0, 5, "wrong")
        tree.plant([alone])
        self.assertEqual((self.root / "a.cpp").read_bytes(), b"wrong")
        self.assertEqual(tree.on, [])
        tree.plant([])
        self.assertEqual((self.root / "a.cpp").read_bytes().decode(), text)

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
            tree.number_of = lambda slip: None
            options = mock.Mock(worker=worker, workers=2, count=6, seconds=None, area="", seed=1, again=again, quick=False)
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

    def test_what_is_built_for_them_are_targets(self):
        known = set(re.findall(r"^build (\w+): phony", (BUILD / "build.ninja").read_text(), re.M))
        self.assertEqual({target for targets in self.rooms.builds.values() for target in targets} - known, set())

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
