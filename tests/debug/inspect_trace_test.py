#!/usr/bin/env python3
"""`tessera inspect` on traces of apitrace: a demo is traced, and a frame of the trace is the demo's own frame.

Usage: inspect_trace_test.py BUILD_DIR. Exit status 77 (skipped) where there is no apitrace.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

BUILD = pathlib.Path(sys.argv[1])
TESSERA = BUILD / "bin" / "tessera"


def run(*command, **variables):
    environment = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY")}
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=120, env=environment | variables)


class Trace(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.trace = cls.folder / "gears.trace"
        demo = [BUILD / "bin" / "gears", "--headless", "--plain", "--frames", "3", "--time", "1.5", "--size", "64x48", "--out",
                cls.folder / "gears.png"]
        traced = run(TESSERA, "exec", "apitrace", "trace", "--api", "egl", "-o", cls.trace, *demo)
        assert cls.trace.exists(), traced.stderr

    def test_a_frame_of_a_trace_is_the_program_s(self):
        shown = run(TESSERA, "inspect", self.trace, "--frame", "3", "--no-costs", "--json", "--png", "color", "-o", self.folder / "color.png")
        self.assertEqual(shown.returncode, 0, shown.stderr)
        report = json.loads(shown.stdout[shown.stdout.index("{\n"):])
        self.assertEqual(report["file"], "gears.trace")
        draws = [action for one in report["passes"] for action in one["actions"] if action["command"] == "draw"]
        self.assertEqual(len(draws), 3)
        same = run(TESSERA, "diff", self.folder / "gears.png", self.folder / "color.png")
        self.assertEqual(same.returncode, 0, same.stdout)

    def test_without_a_frame_it_is_the_first(self):
        shown = run(TESSERA, "inspect", self.trace, "--no-costs", "--json")
        self.assertEqual(shown.returncode, 0, shown.stderr)

    def test_a_frame_that_is_not_there_is_told(self):
        none = run(TESSERA, "inspect", self.trace, "--frame", "40", "--json")
        self.assertEqual(none.returncode, 2)
        self.assertIn("before frame 40; try an earlier one (--frame)", none.stderr)

    def test_what_is_no_trace_is_told(self):
        wrong = self.folder / "wrong.trace"
        wrong.write_text("not one")
        none = run(TESSERA, "inspect", wrong, "--json")
        self.assertEqual(none.returncode, 2)
        self.assertIn("eglretrace: error: it ended ", none.stderr)


if __name__ == "__main__":
    if not all(shutil.which(tool) for tool in ("apitrace", "eglretrace")):
        print("there is no apitrace")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
