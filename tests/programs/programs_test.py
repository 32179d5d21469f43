#!/usr/bin/env python3
"""What `./run programs --write` makes of docs/programs.md, without a program being run."""

import pathlib
import sys
import tempfile
import unittest
from unittest import mock

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.path.insert(0, str(HERE.parent))
import catalogue  # noqa: E402
import programs  # noqa: E402


class Page(unittest.TestCase):
    def setUp(self):
        self.page = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory())) / "programs.md"
        self.page.write_text(programs.PAGE.read_text())
        self.enterContext(mock.patch.object(programs, "PAGE", self.page))
        self.enterContext(mock.patch.object(programs, "version", lambda package: "1.2"))

    def written(self, tried):
        """The page after --write, when the programs that `tried` names had these results and the others were not tried."""
        before = self.page.read_text().splitlines()
        programs.write_page([programs.Row(program, tried.get(program.name, []), "not tried") for program in catalogue.PROGRAMS])
        after = self.page.read_text().splitlines()
        return [line for line in before if line not in after], [line for line in after if line not in before]

    def test_programs_that_were_not_tried_keep_their_lines(self):
        self.assertEqual(self.written({}), ([], []))

    def test_a_program_that_was_tried_has_a_line_of_its_own(self):
        good, bad = programs.Result(True, "mean 0.001, 0.000 %"), programs.Result(False, "mean 9.000, 50.000 %", 9, 0.5)
        gone, new = self.written({"mpv": [[good], [bad]]})
        self.assertTrue(gone[0].startswith("| mpv | ") and len(gone) == 1, gone)
        self.assertEqual(new, ["| mpv | 1.2 | **1 of 2** | mean 9.000, 50.000 % |"])

    def test_scenes_are_one_line(self):
        scene = next(program for program in catalogue.PROGRAMS if program.fold and not program.note)
        gone, new = self.written({scene.name: [[programs.Result(True, "mean 0.001, 0.000 %", 0.001, 0.0)]]})
        self.assertTrue(gone[0].startswith(f"| {scene.fold}: ") and len(gone) == 1, gone)
        self.assertTrue(new[0].startswith(f"| {scene.fold}: 1 scenes | 1.2 | 1 of 1 | 1 comparisons: mean 0.001"), new)


if __name__ == "__main__":
    unittest.main()
