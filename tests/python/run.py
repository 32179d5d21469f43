#!/usr/bin/env python3
"""The tests of the Python packages, with pytest, by a Python that has it and numpy: this one, or the system's.

Usage: run.py SOURCE_DIR BUILD_DIR [pytest's arguments]; the status is 77 where no Python has both.
"""

import os
import pathlib
import subprocess
import sys

SOURCE, BUILD = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])


def interpreter():
    for python in (sys.executable, "/usr/bin/python3"):
        if subprocess.run([python, "-c", "import numpy, pytest"], capture_output=True).returncode == 0:
            return python
    return None


def main():
    python = interpreter()
    if python is None:
        print("no Python here has numpy and pytest (Debian's python3-numpy, python3-pytest): skipped")
        return 77
    environment = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    environment.update(PYTHONPATH=str(BUILD / "python"), TESSERA_SOURCE=str(SOURCE), TESSERA_BUILD=str(BUILD),
                       PYTHONDONTWRITEBYTECODE="1", TESSERA_CACHE_DIR="")
    chosen = sys.argv[3:] or [str(SOURCE / "tests/python")]
    return subprocess.run([python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "tessera.pytest_plugin", "-c",
                           str(SOURCE / "tests/python/pytest.ini"), *chosen], env=environment).returncode


if __name__ == "__main__":
    sys.exit(main())
