#!/usr/bin/env python3
"""Tessera for aarch64 on a machine that is none, under an emulator: unit tests and golden images of a cross-build;
random scenes and compute kernels have to give the bytes of the native build.

  aarch64.py --build DIR --native DIR [--scenes N] [--only STEP]    STEP: unit, goldens, scenes, kernels
  aarch64.py --targets build|native                                 what is to be built for that
"""

import argparse
import pathlib
import subprocess
import sys
import time

TESTS = pathlib.Path(__file__).parent.parent
sys.path.insert(0, str(TESTS / "goldens"))
import golden  # noqa: E402

# Programs of one process each; an emulator of single programs can do that.
UNIT_TESTS = ("base_test", "isa_test", "tfu_test", "asm_test", "interp_test", "jit_test", "tier_test", "glsl_ir_test",
              "glsl_test", "geometry_test", "raster_test", "texture_transfer_test", "texture_sampler_test", "texture_codec_test",
              "tessera_gles_test", "gles_api_test", "gles_draw_test", "compute_test", "shader_tests_neon")
DRAWING = {command[0] for command in golden.SCENES.values()} | {"random_scenes", "tessera_driver", "tessera_jit"}
TARGETS = {
    "build": sorted({"shader_tests" if name.startswith("shader_tests") else name for name in UNIT_TESTS} | DRAWING |
                    {"kernels", "tessera"}),
    "native": ["random_scenes", "tessera_driver", "tessera_jit", "kernels"],
}


def run(step, command, log):
    """Whether a command succeeds. What it prints goes into the log, too."""
    print(step, flush=True)
    began = time.monotonic()
    with log.open("w") as file, subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, text=True,
                                                 stderr=subprocess.STDOUT, errors="replace") as process:
        for line in process.stdout:
            file.write(line)
            print(f"    {line.rstrip()}", flush=True)
    passed = process.returncode == 0
    print(f"{step}: {'passed' if passed else f'FAILED; see {log}'}, {time.monotonic() - began:.0f} s", flush=True)
    return passed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path)
    parser.add_argument("--native", type=pathlib.Path)
    parser.add_argument("--scenes", type=int, default=1000)
    parser.add_argument("--only", choices=("unit", "goldens", "scenes", "kernels"), action="append")
    parser.add_argument("--targets", choices=TARGETS)
    arguments = parser.parse_args()
    if arguments.targets:
        print(*TARGETS[arguments.targets])
        return 0
    if not arguments.build or not arguments.native:
        parser.error("--build and --native are needed")
    build, native = arguments.build.resolve(), arguments.native.resolve()
    work = build / "aarch64"
    work.mkdir(exist_ok=True)
    python, steps = sys.executable, []
    for name in UNIT_TESTS:
        command = ["ctest", "--test-dir", build, "--output-on-failure", "--no-tests=error", "--timeout", "7200"]
        steps.append(("unit", name, [*command, "-R", f"^{name}$"]))
    steps.append(("goldens", "goldens", [python, TESTS / "goldens/golden.py", "--build", build]))
    steps.append(("scenes", f"{arguments.scenes} random scenes",
                  [python, TESTS / "determinism/determinism.py", "--build", build, "--reference", native,
                   "--quick", "--count", arguments.scenes, "--frames", "0"]))
    steps.append(("kernels", "kernels",
                  [python, TESTS / "kernels/determinism.py", "--build", build, "--reference", native]))
    steps = [step for step in steps if not arguments.only or step[0] in arguments.only]
    failed = []
    for number, (_, name, command) in enumerate(steps, 1):
        if not run(f"[{number}/{len(steps)}] {name}", command, work / f"{name.replace(' ', '-')}.log"):
            failed.append(name)
    print(f"{len(steps) - len(failed)} passed, {len(failed)} failed" + (": " + ", ".join(failed) if failed else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
