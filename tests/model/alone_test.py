#!/usr/bin/env python3
"""The model alone (docs/model-exercises.md): a tree of it is configured where there is no LLVM and would compile nothing
of the driver, and its program says of a recorded workload what `tessera model` says.

Usage: alone_test.py SOURCE_DIR BUILD_DIR
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SOURCE, BUILD = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])


def run(*command, **options):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, stdin=subprocess.DEVNULL,
                          **options)


class Alone(unittest.TestCase):
    def test_configures_without_llvm(self):
        with tempfile.TemporaryDirectory() as folder:
            # cmake, ninja and compilers by themselves: llvm-config is not found.
            tools = pathlib.Path(folder) / "tools"
            tools.mkdir()
            for name in ("cmake", "ninja", "clang-19", "clang++-19", "llvm-ar-19", "ar", "ranlib", "ld", "ld.lld-19", "pkg-config",
                         "python3", "sh", "uname"):
                found = run("sh", "-c", f"command -v {name}").stdout.strip()
                if found:
                    (tools / name).symlink_to(os.path.realpath(found) if name in ("sh", "ld") else found)
            environment = {**os.environ, "PATH": str(tools)}
            tree = pathlib.Path(folder) / "tree"
            made = run("cmake", "-S", SOURCE, "-B", tree, "-G", "Ninja", "-DTESSERA_MODEL_ALONE=ON",
                       "-DCMAKE_C_COMPILER=clang-19", "-DCMAKE_CXX_COMPILER=clang++-19", env=environment)
            self.assertEqual(made.returncode, 0, made.stdout + made.stderr)
            steps = run("ninja", "-C", tree, "-t", "commands", "model_alone", env=environment)
            self.assertEqual(steps.returncode, 0, steps.stdout + steps.stderr)
            compiled = [line.split(" -c ")[1] for line in steps.stdout.splitlines() if " -c " in line]
            self.assertGreater(len(compiled), 20)
            for source in compiled:
                for room in ("/pipeline/", "/api/", "/texture/", "/interp/", "/jit/", "/glsl/"):
                    self.assertNotIn(room, source)
            for word in ("llvm-config", "libLLVM", "glslang", "SDL2"):
                self.assertNotIn(word, steps.stdout)

    def test_says_what_tessera_model_says(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "work.tsw"
            made = run(BUILD / "bin" / "tessera", "model", "--summary", "--save", file, "transpose")
            self.assertEqual(made.returncode, 0, made.stderr)
            for options in (("--json",), ("--json", "--preset", "opengpu"), ("--json", "--memory", "ideal"),
                            ("--json", "--set", "block.policy=turns"), ("--why", "run")):
                alone = run(BUILD / "bin" / "model_alone", *options, file)
                whole = run(BUILD / "bin" / "tessera", "model", *options, file)
                self.assertEqual((alone.returncode, alone.stderr), (0, ""))
                self.assertEqual(alone.stdout, whole.stdout)
            text = run(BUILD / "bin" / "model_alone", file).stdout
            self.assertTrue(run(BUILD / "bin" / "tessera", "model", file).stdout.startswith(text))

    def test_wrong_input_is_told(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "no.tsw"
            file.write_bytes(b"no workload")
            for options, message in (((file,), "this is no workload"), ((pathlib.Path(folder) / "none.tsw",), "none.tsw"),
                                     (("--preset", "tesera", file), "did you mean tessera"),
                                     (("--set", "block.policy=fast", file), "oldest")):
                told = run(BUILD / "bin" / "model_alone", *options)
                self.assertEqual(told.returncode, 1)
                self.assertIn(message, told.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
