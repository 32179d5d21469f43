"""python -m tessera_gl PROGRAM [ARGUMENTS...]: becomes the program, on Tessera. PROGRAM may be a Python file."""

from __future__ import annotations

import os
import sys

from . import environment


def main() -> int:
    program = sys.argv[1:]
    if not program or program[0] in ("-h", "--help"):
        print(__doc__)
        return 0 if program else 2
    if program[0].endswith(".py"):
        program.insert(0, sys.executable)
    try:
        os.execvpe(program[0], program, environment())
    except OSError as error:
        print(f"{program[0]}: cannot be started: {error.strerror}", file=sys.stderr)
        return 127 if isinstance(error, FileNotFoundError) else 126


if __name__ == "__main__":
    sys.exit(main())
