#!/usr/bin/env python3
"""./run aarch64 says honestly what passed: its steps are given a ctest that fails when it is told to.

Usage: aarch64_test.py
"""

import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parent / "aarch64.py"
# Says which test it is asked for, the last argument; fails, or takes its time, where that is told to.
CTEST = """#!/bin/sh
for name; do :; done
echo "$name" >> "$CALLS"
case "$name" in $FAILS) echo a reason; exit 8 ;; $HANGS) exec sleep 60 ;; esac
"""


class Steps(unittest.TestCase):
    def setUp(self):
        work = tempfile.TemporaryDirectory()
        self.addCleanup(work.cleanup)
        self.work = pathlib.Path(work.name)
        for folder in ("tools", "build/bin", "build/lib"):
            (self.work / folder).mkdir(parents=True)
        (self.work / "tools/ctest").write_text(CTEST)
        (self.work / "tools/ctest").chmod(0o755)
        self.program = self.work / "build/bin/isa_test"
        self.program.touch()
        os.utime(self.program, (time.time() - 60,) * 2)

    def start(self, *options, fails="none", hangs="none"):
        environment = os.environ | {"PATH": f"{self.work / 'tools'}:{os.environ['PATH']}", "FAILS": fails,
                                    "HANGS": hangs, "CALLS": str(self.work / "calls")}
        (self.work / "calls").write_text("")
        return subprocess.Popen([sys.executable, SCRIPT, "--build", self.work / "build", "--native", self.work,
                                 "--only", "unit/(isa|tfu|jit)_test", *options], env=environment, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)

    def run_steps(self, *options, **behaviour):
        process = self.start(*options, **behaviour)
        output = process.communicate(timeout=60)[0]
        return process.returncode, output, (self.work / "calls").read_text().split()

    def test_all_pass(self):
        status, output, calls = self.run_steps()
        self.assertEqual((status, calls), (0, ["^isa_test$", "^tfu_test$", "^jit_test$"]))
        self.assertIn("[2/3] unit/tfu_test: passed, ", output)
        self.assertIn("khronos: not run", output)
        self.assertTrue(output.endswith("3 passed, 0 failed, 0 not run\n"), output)

    def test_a_failure_is_named_and_others_run(self):
        status, output, calls = self.run_steps(fails="*tfu*")
        self.assertEqual((status, len(calls)), (1, 3))
        log = self.work / "build/aarch64/unit-tfu_test.log"
        self.assertIn(f"see {log}", output)
        self.assertIn("a reason", log.read_text())
        self.assertTrue(output.endswith("2 passed, 1 failed, 0 not run\n"), output)

    def test_what_passed_is_left_out_until_it_is_built_anew(self):
        self.run_steps(fails="*tfu*")
        status, output, calls = self.run_steps("--resume")
        self.assertEqual((status, calls), (0, ["^tfu_test$"]))
        self.assertIn("unit/isa_test: passed before", output)
        self.assertEqual(self.run_steps()[2], ["^isa_test$", "^tfu_test$", "^jit_test$"])
        os.utime(self.program, (time.time() + 60,) * 2)
        self.assertEqual(len(self.run_steps("--resume")[2]), 3)

    def test_interrupted(self):
        process = self.start(hangs="*tfu*")
        while "tfu" not in (self.work / "calls").read_text():
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGINT)
        output = process.communicate(timeout=60)[0]
        self.assertEqual(process.returncode, 130)
        self.assertTrue(output.endswith("1 passed, 0 failed, 2 not run\n"), output)
        self.assertEqual(self.run_steps("--resume")[2], ["^tfu_test$", "^jit_test$"])

    def test_no_such_step(self):
        status, output, calls = self.run_steps("--only", "unknown")
        self.assertEqual((status, calls), (1, []))
        self.assertIn("no step matches unknown", output)

    def test_only_what_is_needed_is_built(self):
        def targets(of):
            return subprocess.run([sys.executable, SCRIPT, "--targets", of, "--only", "unit/jit_test"], text=True,
                                  capture_output=True, check=True).stdout.split()

        self.assertEqual((targets("build"), targets("native")), (["jit_test"], []))


unittest.main()
