#!/usr/bin/env python3
"""What scaling.py reads out of a trace and how it schedules: of a trace written here, and of one that the driver writes.

Usage: scaling_test.py BUILD_DIR
"""

import contextlib
import io
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent))
import scaling  # noqa: E402

BUILD = None


class ScalingTest(unittest.TestCase):
    def test_durations_are_parts_of_the_processor_time(self):
        self.assertEqual(scaling.shares(600, [100, 200, 300]), [100, 200, 300])
        self.assertEqual(scaling.shares(300, [50, 50, 50]), [100, 100, 100])  # the clock was coarse
        # Another program ran for a millisecond in the second index.
        self.assertEqual(scaling.shares(300, [100, 1000100, 100]), [100, 100, 100])
        self.assertEqual(scaling.shares(0, [0, 0]), [0, 0])

    def test_what_is_outside_of_loops_is_serial(self):
        lines = []
        for start in (0, 10000):  # the second half counts
            lines += [f"submit {start} {start + 10} {start // 10}",
                      f"loop geometry {start + 100} {start + 700} 600 200 200 200",
                      f"loop tiles {start + 800} {start + 1800} 1000 500 500",
                      f"buffer {start + 50} {start + 2000} 1900",
                      f"wait {start + 1000} {start + 1900} {start // 10 + 70}"]
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "trace"
            path.write_text("\n".join(lines) + "\n")
            recorded = scaling.Recorded(path)
        self.assertEqual(recorded.parallel, 1600)
        self.assertEqual(recorded.serial, 300)
        self.assertEqual(scaling.simulate(recorded, 1, (10, 40)), 1900)
        # The caller has two of the three, a worker one of the two.
        self.assertEqual(scaling.simulate(recorded, 2, (10, 40)), 300 + 410 + 540)

    def test_a_last_line_that_is_cut_off_is_left_out(self):
        whole = "loop tiles 100 900 800 400 400\nbuffer 50 1000 900\n"
        for cut in range(1, len("loop tiles 100 900 800 40")):
            with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stderr(io.StringIO()) as said:
                path = pathlib.Path(folder) / "trace"
                path.write_text(whole + "loop tiles 100 900 800 40"[:cut])
                recorded = scaling.Recorded(path)
                self.assertEqual((recorded.parallel, len(recorded.loops)), (800, 1))
                self.assertIn(f"the last line is cut off: 2 whole lines, {cut} bytes left out", said.getvalue())

    def test_a_trace_of_the_driver_adds_up(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "trace"
            environment = {**os.environ, "LD_LIBRARY_PATH": str(BUILD / "lib"), "TESSERA_THREADS": "1",
                           "TESSERA_TIER": "interp", "TESSERA_TRACE": str(path)}
            subprocess.run([str(BUILD / "bin/bench"), "--filter", "^draws$", "--seconds", "0.05", "--samples", "1",
                            "--size", "64x64"], env=environment, check=True, stdout=subprocess.DEVNULL)
            names = {line.split()[1] for line in path.read_text().splitlines() if line.startswith("loop ")}
            recorded = scaling.Recorded(path)
        self.assertLessEqual({"geometry", "tiles", "read_back"}, names)
        whole = sum(buffer[2] for buffer in recorded.buffers)
        self.assertLess(0, recorded.application)
        self.assertLess(0.5 * whole, recorded.parallel)
        self.assertLess(recorded.parallel, 1.01 * whole)  # a loop is in its buffer


if __name__ == "__main__":
    BUILD = pathlib.Path(sys.argv.pop())
    unittest.main()
