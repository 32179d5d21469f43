#!/usr/bin/env python3
"""Tessera for aarch64 on a machine that is none, under an emulator: unit tests, the certificate and golden images of a
cross-build; random scenes and compute kernels have to give the bytes of the native build.

  aarch64.py --build DIR --native DIR                  every step; hours
  aarch64.py ... --only REGEX                          those whose names match, unit/jit or ^scenes for two
  aarch64.py ... --resume                              without those that passed since the programs were built
  aarch64.py ... --deqp FILE --cases FILE              with a part of the Khronos suite (docs/platforms.md)
  aarch64.py --list                                    the steps' names
  aarch64.py --targets build|native                    what is to be built for them

Each step's output is kept in BUILD/aarch64/STEP.log. Exit status 0: every step passed; 1: some did not, or none was
chosen; 130: interrupted.
"""

import argparse
import dataclasses
import os
import pathlib
import re
import subprocess
import sys
import time

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS), str(TESTS / "goldens"), str(TESTS / "certify")]
sys.dont_write_bytecode = True
import certify  # noqa: E402
import golden  # noqa: E402
import target  # noqa: E402

# Programs of one process each, which an emulator of single programs can run. Those come first of which an architecture
# has most of its own.
UNIT_TESTS = ("base_test", "isa_test", "tfu_test", "asm_test", "interp_test", "jit_test", "tier_test", "glsl_ir_test",
              "glsl_test", "geometry_test", "raster_test", "texture_transfer_test", "texture_sampler_test",
              "texture_codec_test", "tessera_gles_test", "gles_api_test", "gles_draw_test", "compute_test",
              "certificate_test", "shader_tests_neon")
SCENE_TIERS = ("interp", "jit", "tiered")
SCENES_A_STEP = 250
DRIVER = ("tessera_driver", "tessera_jit")
CERTIFIED = ("certify", "kernels", "random_scenes", "tessera", *DRIVER,
             *(golden.SCENES[scene][0] for scene in certify.QUICK_GOLDENS))
# What an emulator of single programs cannot do: start threads in the child of a process that has some (qemu 7.2 ends in
# an assertion of its own), and hold a program to a limit of address space. Tests by name, as doctest excludes them.
NOT_EMULATED = {"base_test": "the child of a fork has workers of its own,without threads there is an answer"}
# An emulator is too slow for the limit of time that contexts have by default.
ENVIRONMENT = {"PYTHONUNBUFFERED": "1", "TESSERA_TIME_LIMIT": "0"}
# Of the Khronos suite's cases, one in so many.
EVERY_CASE = 20


@dataclasses.dataclass(frozen=True)
class Step:
    name: str
    command: tuple
    targets: tuple  # of the cross-build
    native_targets: tuple = ()


def unit_step(name, build):
    if name in NOT_EMULATED:
        command = (*target.emulator(pathlib.Path(build)), pathlib.Path(build) / "bin" / name,
                   f"--test-case-exclude={NOT_EMULATED[name]}")
        return Step(f"unit/{name}", command, (name,))
    command = ("ctest", "--test-dir", build, "--output-on-failure", "--no-tests=error", "--timeout", "7200", "-V",
               "-R", f"^{name}$")
    return Step(f"unit/{name}", command, ("shader_tests" if name.startswith("shader_tests") else name,))


def scene_steps(options):
    for group, more in ("scenes", ()), ("es3-scenes", ("--es3",)), ("near-budget", ("--near-budget",)):
        for tier in SCENE_TIERS:
            count = options.scenes if tier == "interp" else options.compiled
            for first in range(1, count + 1, SCENES_A_STEP):
                last = min(count, first + SCENES_A_STEP - 1)
                command = (sys.executable, TESTS / "determinism/determinism.py", "--build", options.build,
                           "--reference", options.native, "--tier", tier, "--threads", "8", "--first", first,
                           "--count", last - first + 1, "--frames", "0", *more)
                yield Step(f"{group}/{tier}/{first}-{last}", command, ("random_scenes", *DRIVER),
                           ("random_scenes", "tessera_driver"))


def all_steps(options):
    python, build = sys.executable, options.build
    yield from (unit_step(name, build) for name in UNIT_TESTS)
    yield Step("certify", (python, TESTS / "certify/certify.py", "--build", build, "--quick"), CERTIFIED)
    yield Step("kernels", (python, TESTS / "kernels/determinism.py", "--build", build, "--reference", options.native),
               ("kernels", "tessera_jit"), ("kernels", "tessera_jit"))
    for scene, command in golden.SCENES.items():
        yield Step(f"goldens/{scene}", (python, TESTS / "goldens/golden.py", "--build", build, "--scene", scene),
                   (command[0], "tessera", *DRIVER))
    yield from scene_steps(options)
    if options.deqp:
        command = (python, TESTS / "conformance/conformance.py", "--build", build, "--deqp", options.deqp,
                   "--list", options.cases, "--every", EVERY_CASE, "--jobs", "1", "--timeout", "3600")
        yield Step("khronos", command, DRIVER)


class Log:
    """What a step prints, in a file; its last line says how the step ended."""

    PASSED = "passed, "

    def __init__(self, folder, name):
        self.file = folder / f"{name.replace('/', '-')}.log"

    def passed_since(self, moment):
        """Whether the step began after that, and passed."""
        if not self.file.exists():
            return False
        lines = self.file.read_text(errors="replace").splitlines()
        return len(lines) > 1 and float(lines[0].split()[-1]) > moment and lines[-1].startswith(self.PASSED)

    def run(self, command):
        """The verdict."""
        began = time.monotonic()
        with self.file.open("w") as log:
            print("began at", time.time(), file=log)
            with subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  env=os.environ | ENVIRONMENT, text=True, errors="replace") as process:
                for line in process.stdout:
                    log.write(line)
                    print(f"    {line.rstrip()}", flush=True)
            seconds = f"{time.monotonic() - began:.0f} s"
            verdict = self.PASSED + seconds if process.returncode == 0 else f"FAILED, {seconds}; see {self.file}"
            print(verdict, file=log)
        return verdict


def last_built(build):
    """When the newest of the programs and libraries was made."""
    return max((file.stat().st_mtime for folder in ("bin", "lib") for file in (build / folder).glob("*")), default=0)


def run(steps, options):
    logs = options.build / "aarch64"
    logs.mkdir(exist_ok=True)
    built, verdicts, status = last_built(options.build), {}, 0
    try:
        for number, step in enumerate(steps, 1):
            log, heading = Log(logs, step.name), f"[{number}/{len(steps)}] {step.name}"
            if options.resume and log.passed_since(built):
                verdicts[step.name] = "passed before"
            else:
                print(heading, flush=True)
                verdicts[step.name] = log.run(step.command)
            print(f"{heading}: {verdicts[step.name]}", flush=True)
    except KeyboardInterrupt:
        print("\ninterrupted; --resume goes on from here")
        status = 130
    failed = sum(verdict.startswith("FAILED") for verdict in verdicts.values())
    print(*(f"{name}: {verdict}" for name, verdict in verdicts.items()), sep="\n")
    if not options.deqp:
        print("khronos: not run, there is no --deqp")
    print(f"{len(verdicts) - failed} passed, {failed} failed, {len(steps) - len(verdicts)} not run")
    return status or (1 if failed else 0)


def main():
    parser = argparse.ArgumentParser(prog="./run aarch64", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path(), help="the cross-build; ./run gives it")
    parser.add_argument("--native", type=pathlib.Path, default=pathlib.Path(), help="this machine's; ./run gives it")
    parser.add_argument("--only", metavar="REGEX", default="", help="steps whose names match")
    parser.add_argument("--resume", action="store_true", help="leave out what passed since the programs were built")
    parser.add_argument("--scenes", type=int, default=1000, metavar="N", help="so many are interpreted (%(default)s)")
    parser.add_argument("--compiled", type=int, default=1000, metavar="N", help="and compiled (%(default)s)")
    parser.add_argument("--deqp", type=pathlib.Path, help="the Khronos suite's deqp-gles2, built for aarch64")
    parser.add_argument("--cases", type=pathlib.Path, help=f"its list; one case in {EVERY_CASE} of that is run")
    parser.add_argument("--list", action="store_true", help="print the names of the steps")
    parser.add_argument("--targets", choices=("build", "native"), help="print what is to be built for them")
    options = parser.parse_args()
    if bool(options.deqp) != bool(options.cases):
        parser.error("--deqp and --cases go together")
    options.build, options.native = options.build.resolve(), options.native.resolve()
    steps = [step for step in all_steps(options) if re.search(options.only, step.name)]
    if not steps:
        print(f"no step matches {options.only}; --list lists them", file=sys.stderr)
        return 1
    if options.list:
        print(*(step.name for step in steps), sep="\n")
        return 0
    if options.targets:
        chosen = (step.targets if options.targets == "build" else step.native_targets for step in steps)
        print(*sorted({target for targets in chosen for target in targets}))
        return 0
    return run(steps, options)


if __name__ == "__main__":
    sys.exit(main())
