#!/usr/bin/env python3
"""./run certify notices what differs: it is given lists in which something is changed. Usage: certify_test.py BUILD"""

import io
import pathlib
import sys
import tempfile
from contextlib import redirect_stdout

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent))
import certify  # noqa: E402


def verdict(build, *options):
    """Exit status and output."""
    sys.argv = ["certify", "--build", build, "--quick", "--level", "v2", "--tier", "interp", *options]
    out = io.StringIO()
    with redirect_stdout(out):
        status = certify.main()
    return status, out.getvalue()


def check(condition, what, text):
    if not condition:
        raise SystemExit(f"{what}\n{text}")


def main():
    build = sys.argv[1]
    with tempfile.TemporaryDirectory() as work:
        # The hash of rcp's sample, the fourth word of its line, in another function's place.
        lines = certify.FUNCTIONS.read_text().splitlines()
        at = next(n for n, line in enumerate(lines) if line.startswith("rcp.f32 "))
        lines[at] = lines[at][:-1] + ("0" if lines[at][-1] != "0" else "1")
        certify.FUNCTIONS = pathlib.Path(work) / "functions.txt"
        certify.FUNCTIONS.write_text("\n".join(lines) + "\n")
        status, text = verdict(build, "--part", "functions")
        check(status == 1 and "rcp.f32: the published hash of the sample is" in text, "a changed hash is not named", text)
        check("1 DIFFERENT hashes" in text, "other functions than rcp differ", text)

        for part, (published, asked) in list(certify.SCENES.items()):
            scenes = published.read_text().splitlines()
            scenes[2] = "3 0000000000000000"
            changed = pathlib.Path(work) / published.name
            changed.write_text("\n".join(scenes) + "\n")
            certify.SCENES[part] = changed, asked
            status, text = verdict(build, "--part", part)
            check(status == 1 and f"{part.removesuffix('s')} 3: expected 0000000000000000, found" in text
                  and "1 DIFFERENT" in text, f"a changed scene of {part} is not named", text)

        certify.golden.SCENES["textured"] = certify.golden.SCENES["cube"]
        status, text = verdict(build, "--part", "goldens")
        check(status == 1 and "golden textured: differing:" in text, "another picture is not named", text)

        status, text = verdict(build, "--part", "functions", "--under", "no-such-program")
        check(status == 2, "a program that does not run passes", text)
    print("every change was named")
    return 0


if __name__ == "__main__":
    sys.exit(main())
