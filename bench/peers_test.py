#!/usr/bin/env python3
"""The comparison with other drivers: options that are wrong, which peer a level is compared with, the page from recorded
figures, and one row measured with a folder as the driver.

Usage: peers_test.py BUILD_DIR
"""

import contextlib
import io
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree
from unittest import mock

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import drivers  # noqa: E402
import page  # noqa: E402
import peers  # noqa: E402

BUILD = pathlib.Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 else None


def result(*samples, processor=(), status="good", reason=""):
    one = {"samples": list(samples), "processor_samples": list(processor), "status": status, "reason": reason}
    peers.summarize({"one": one})
    return one


def row(name, better="higher", covered=False, **results):
    return {"name": name, "unit": "ms" if better == "lower" else "Mpixel/s", "better": better, "covered": covered,
            "results": {key.replace("_", " "): value for key, value in results.items()}}


def recorded():
    """Two levels; peer a is narrowed for the lower one, peer b is the faster one at some rows."""
    rows = [
        row("fast", tessera_v2=result(30, 31, 29), tessera_v3=result(60), tessera_1_thread=result(40),
            a=result(20), a_128_bits=result(5), b=result(10), ),
        row("slow", "lower", tessera_v2=result(8), tessera_v3=result(4), a=result(3), a_128_bits=result(16), b=result(2)),
        row("by_processor", tessera_v2=result(9, processor=[9]), tessera_v3=result(9, processor=[9]),
            a=result(9, processor=[1]), a_128_bits=result(1, processor=[1]), b=result(3, processor=[3])),
        row("dead", tessera_v2=result(1), tessera_v3=result(1), a=result(status="failed", reason="exit status -11"),
            a_128_bits=result(status="skipped", reason="no GL_OES_texture_3D"), b=result(status="wrong", reason="pixel")),
    ]
    scenes = [{"scene": "build:use-vbo=true", "windowed": False, "better": "higher", "results": rows[0]["results"]},
              {"scene": "window build:use-vbo=true", "windowed": True, "better": "higher",
               "results": {"tessera v2": result(5), "tessera v3": result(5), "a": result(5), "a 128 bits": result(5)}}]
    return {"levels": ["v2", "v3"], "peers": {"v2": ["b", "a 128 bits"], "v3": ["a", "b", "a 128 bits"]},
            "drivers": {"tessera v3": "Tessera; three", "tessera v2": "Tessera; two", "tessera 1 thread": "Tessera; one",
                        "a": "A (256 bits)", "b": "B", "a 128 bits": "A (128 bits)"},
            "rows": rows, "glmark": scenes, "others": 0.0, "stolen": 0.02, "machine": "a machine", "size": "64x64",
            "rounds": 3, "samples": 1, "glmark_seconds": 2}


class Ratios(unittest.TestCase):
    def test_the_best_peer_of_each_row(self):
        run = recorded()
        fast, slow, by_processor, dead = run["rows"]
        self.assertEqual(page.best_peer(run, fast, "v2"), "b")
        self.assertEqual(page.best_peer(run, fast, "v3"), "a")
        self.assertEqual(page.ratio(run, fast, "v2"), 3)
        self.assertEqual(page.ratio(run, fast, "v3"), 3)
        self.assertEqual(page.ratio(run, slow, "v2"), 0.25)  # in ms, less is better
        self.assertEqual(page.ratio(run, slow, "v3"), 0.5)
        self.assertEqual(page.ratio(run, by_processor, "v3"), 1)
        self.assertEqual(page.ratio(run, by_processor, "v3", "processor_median"), 3)
        self.assertIsNone(page.ratio(run, dead, "v3"))
        self.assertEqual(page.scaling(run, fast), 1.5)
        self.assertIsNone(page.scaling(run, slow))

    def test_glmark_mean_is_of_scenes_off_screen(self):
        run = recorded()
        self.assertAlmostEqual(page.glmark_mean(run, run["glmark"], "v3"), 3)


BEGIN, END = page.markers("v3")


class Page(unittest.TestCase):
    def write(self, run):
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
            root = pathlib.Path(folder)
            (root / "docs").mkdir()
            (root / "docs/performance.md").write_text(f"before\n{BEGIN}\nfigures of yesterday\n{END}\nafter\n")
            page.write(root, run)
            plots = {path.name: path.read_text() for path in (root / "docs/images").iterdir()}
            return (root / "docs/performance.md").read_text(), plots

    def test_a_page_of_recorded_figures(self):
        text, plots = self.write(json.loads(json.dumps(recorded())))
        self.assertTrue(text.startswith("before\n" + BEGIN) and text.endswith(END + "\nafter\n"))
        self.assertNotIn("yesterday", text)
        self.assertIn("- v2: 2 times the best peer or more on 2 of 3 rows; ", text)
        self.assertIn("least 0.25, slow.", text)
        self.assertIn("| fast | **3.00** | b | - | **3.00** | a | - |", text)
        self.assertIn("| dead | - | - | - | - | - | - |", text)
        self.assertIn("30 (29 to 31)", text)  # median and spread
        self.assertIn("a 128 bits: A (128 bits)", text)
        self.assertNotIn("Tessera; one", text)
        self.assertIn("| window build:use-vbo=true | 1.00 | 1.00 |", text)
        widths = {line.count("|") for line in text.split("### Medians")[0].splitlines() if line.startswith("| ")}
        self.assertEqual(len(widths), 1)
        self.assertEqual(sorted(plots), ["performance-glmark-v3.svg", "performance-scaling-v3.svg", "performance-v3.svg"])
        for plot in plots.values():
            xml.etree.ElementTree.fromstring(plot)
        self.assertEqual(plots["performance-v3.svg"].count("x</text>") - plots["performance-v3.svg"].count('middle">'), 6 - 1)

    def test_rows_that_are_won_by_not_shading_are_named_and_their_mean_is_apart(self):
        run = json.loads(json.dumps(recorded()))
        text, _ = self.write(run)
        self.assertNotIn("covered", text)
        run["rows"][0]["covered"] = True  # 3 times; the others 0.5 and 1
        text, _ = self.write(run)
        self.assertIn("- v3: 2 times the best peer or more on 1 of 3 rows; geometric mean over the rows 1.14, over those where "
                      "everything drawn is shaded 0.71, over the others 3.00; least 0.50, slow.", text)
        self.assertIn("Most fragments of `fast` are covered by later ones", text)

    def test_each_kind_of_machine_has_its_part(self):
        run = recorded()
        with_v4 = {**run, "levels": ["v3", "v4"], "peers": {**run["peers"], "v4": run["peers"]["v3"]}}
        first, last = page.markers("v4")
        page_of_v4 = f"before\n{first}\nstale\n{last}\nafter\n"
        both = page.replaced(page_of_v4, run)
        self.assertTrue(both.startswith(f"before\n{first}\nstale\n{last}\n\n{BEGIN}\n"))
        self.assertTrue(both.endswith(f"{END}\nafter\n"))
        self.assertEqual(page.replaced(both, run), both)
        newer = page.replaced(both, with_v4)
        self.assertNotIn("stale", newer)
        self.assertIn(page.measured(run), newer)
        v4_first = page.replaced(f"before\n{BEGIN}\nstale\n{END}\nafter\n", with_v4)
        self.assertTrue(v4_first.endswith(f"{last}\n\n{BEGIN}\nstale\n{END}\nafter\n"))
        with self.assertRaisesRegex(drivers.Problem, "no measured part"):
            page.replaced("nothing", run)

    def test_figures_of_before_levels(self):
        run = recorded()
        del run["levels"]
        with self.assertRaisesRegex(drivers.Problem, "measure again"):
            self.write(run)


class Resumed(unittest.TestCase):
    SETTINGS = {"levels": ["v2"], "peers": {"v2": ["a"]}, "rounds": 3}

    def test_goes_on_with_the_same_options_only(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "bench/peers.part.json"
            with self.assertRaisesRegex(drivers.Problem, "no run for the page was ended"):
                peers.Record(self.SETTINGS, path, True)
            record = peers.Record(self.SETTINGS, path, False)
            record.add("rows", row("fast", a=result(1)))
            record.add("glmark", {"scene": "build"})
            again = peers.Record(self.SETTINGS, path, True)
            self.assertEqual([one["name"] for one in again.run["rows"]], ["fast"])
            self.assertEqual(again.run["glmark"], [{"scene": "build"}])
            again.add("rows", row("slow", a=result(2)))
            self.assertEqual(len(peers.Record(self.SETTINGS, path, True).run["rows"]), 2)
            with self.assertRaisesRegex(drivers.Problem, "other drivers or options"):
                peers.Record({**self.SETTINGS, "rounds": 1}, path, True)
            with self.assertRaisesRegex(drivers.Problem, "no run for the page"):
                peers.Record(self.SETTINGS, None, True)


class Levels(unittest.TestCase):
    def levels(self, flags):
        with mock.patch.object(drivers, "MACHINE", "x86_64"):
            return drivers.host_levels(f"processor: 0\nflags\t: fpu {flags}\n")

    def test_levels_of_flags(self):
        v2, v3 = "sse4_2 popcnt", "avx2 bmi2 fma f16c"
        self.assertEqual(self.levels(v2), ["v2"])
        self.assertEqual(self.levels(f"{v2} {v3}"), ["v2", "v3"])
        self.assertEqual(self.levels(f"{v2} {v3} avx512bw avx512dq avx512vl avx512cd"), ["v2", "v3", "v4"])
        self.assertEqual(self.levels(f"{v2} avx512bw avx512dq avx512vl avx512cd"), ["v2"])

    def test_peers_are_narrowed_for_levels_below_theirs(self):
        wide, any_width = drivers.Driver("wide", {}, vectors=256), drivers.Driver("any", {})
        every, of_level = drivers.level_drivers([wide, any_width], ["v2", "v3", "v4"])
        self.assertEqual([one.name for one in every], ["wide", "any", "wide 128 bits"])
        self.assertEqual(every[2].environment["LP_NATIVE_VECTOR_WIDTH"], "128")
        self.assertEqual(of_level, {"v2": ["any", "wide 128 bits"], "v3": ["wide", "any", "wide 128 bits"],
                                    "v4": ["wide", "any", "wide 128 bits"]})
        every, _ = drivers.level_drivers([wide, any_width], ["v2"])
        self.assertEqual([one.name for one in every], ["any", "wide 128 bits"], "only what some level is compared with")


@unittest.skipIf(BUILD is None, "needs a build folder")
class Options(unittest.TestCase):
    def run_peers(self, *arguments):
        return subprocess.run([sys.executable, str(HERE / "peers.py"), "--build", str(BUILD), "--no-mesa", *arguments],
                              capture_output=True, text=True)

    def fails(self, message, *arguments):
        run = self.run_peers(*arguments)
        self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
        self.assertTrue(run.stderr.startswith("bench: "), run.stderr)
        self.assertRegex(run.stderr, message)

    def test_help_says_what_there_is(self):
        run = self.run_peers("--help")
        self.assertEqual(run.returncode, 0)
        for option in ("--driver NAME=FOLDER", "--mesa-sid", "--angle", "--levels"):
            self.assertIn(option, run.stdout)

    def test_wrong_drivers(self):
        with tempfile.TemporaryDirectory() as folder:
            here = pathlib.Path(folder)
            self.fails("--no-mesa leaves nothing")
            self.fails("--driver mine: not NAME=FOLDER", "--driver", "mine")
            self.fails("--driver =/x: not NAME=FOLDER", "--driver", "=/x")
            self.fails("the name llvmpipe is taken", "--driver", f"llvmpipe={here}")
            self.fails("--driver mine: named twice", "--driver", f"mine={here}", "--driver", f"mine={here}")
            self.fails(f"driver mine: {here}/none is no folder", "--driver", f"mine={here}/none")
            self.fails(f"driver mine: {here} has no libEGL.so and no libGLESv2.so", "--driver", f"mine={here}")
            (here / "libEGL.so").write_text("no library")
            self.fails(f"driver mine: {here} has no libGLESv2.so\n", "--driver", f"mine={here}")
            (here / "libGLESv2.so").write_text("no library")
            self.fails("driver mine does not start: exit status 127\n.*libEGL.so.1", "--driver", f"mine={here}")

    def test_wrong_words(self):
        self.fails("--levels v9: this machine has", "--levels", "v9")
        self.fails("no row matches 'nothing like it'", "--driver", f"mine={BUILD}/lib", "--filter", "nothing like it")

    def test_a_folder_is_a_driver(self):
        level = drivers.host_levels()[0]
        run = self.run_peers("--driver", f"mine={BUILD}/lib", "--levels", level, "--quick", "--seconds", "0.02", "--samples",
                             "1", "--size", "64x64", "--filter", "^(flat|clear)$")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertRegex(run.stdout, r"mine: Tessera \(")
        self.assertRegex(run.stdout, r"(?m)^flat +[0-9.e+]+ +[0-9.]+x +[0-9.]+x mine ")
        self.assertRegex(run.stdout, r"(?m)^clear +[0-9.e+]+ +[0-9.]+x +[0-9.]+x mine ")


if __name__ == "__main__":
    unittest.main()
