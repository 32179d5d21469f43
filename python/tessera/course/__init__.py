"""A course of eight sheets, for somebody who knows C and no GPU: docs/course. Exercises are solved in assembly or GLSL, and
`tessera course check` runs them on inputs that are not shown.

    tessera course                  lists the sheets
    tessera course start 3          writes the file of sheet 3's exercise
    tessera course check 3 my.frag  runs it: right, or what is wrong, in which lane and line
"""

from __future__ import annotations

import argparse
import pathlib
import sys
from typing import List

from .._errors import Error
from .._files import write_whole
from ._bench import Wrong
from .exercises import EXERCISES, SHEETS, Exercise

_HERE = pathlib.Path(__file__).resolve().parent


def exercise(name: str) -> Exercise:
    """The exercise of a name: "3", "2b". Raises ValueError."""
    for one in EXERCISES:
        if one.name == name.lower():
            return one
    names = ", ".join(one.name for one in EXERCISES)
    raise ValueError(f"there is no exercise {name!r}; there are {names}")


def start_text(one: Exercise) -> str:
    """What one begins with."""
    return (_HERE / "start" / one.file).read_text()


def check(name: str, file: str) -> str:
    """Runs a learner's program: what there is to say where it is right. Raises Wrong where it is not, ProgramError where it
    is no program."""
    one = exercise(name)
    return one.run(pathlib.Path(file).read_text(errors="replace"), file)


def add_options(parser: argparse.ArgumentParser) -> None:
    """The verb's words."""
    parser.add_argument("what", nargs="?", choices=("list", "start", "check"), default="list", help="default: list")
    parser.add_argument("exercise", nargs="?", help="its number: 3, 2b")
    parser.add_argument("file", nargs="?", help="check: the program; start: where to (default: the exercise's own name)")
    parser.epilog = ("The sheets are docs/course in Tessera's repository. The status of check is 0 where the program is right, "
                     "1 where it is not.")


def main(options: argparse.Namespace) -> int:
    """The exit status."""
    if options.what == "list":
        print(_listing())
        return 0
    trouble = _missing(options)
    if trouble:
        print(f"error: {trouble}", file=sys.stderr)
        return 2
    one = exercise(options.exercise)
    if options.what == "start":
        path = pathlib.Path(options.file or one.file)
        if path.exists():
            print(f"error: {path} is there already, and may be your work; name another file behind the number",
                  file=sys.stderr)
            return 2
        write_whole(path, start_text(one).encode())
        print(f"wrote {path}: {one.task}\nthen: tessera course check {one.name} {path}")
        return 0
    try:
        print(check(one.name, options.file))
    except Wrong as wrong:
        print(wrong)
        return 1
    except Error as error:  # it does not assemble, or compile, or end
        print(error)
        return 1
    return 0


def _missing(options: argparse.Namespace) -> str:
    """What the command lacks, with a command that has it; empty where it lacks nothing."""
    if options.exercise is None:
        words = "3" if options.what == "start" else "3 my.frag"
        return f"of which exercise? For example: tessera course {options.what} {words}"
    if options.what == "start":
        return ""
    known = {one.name: one for one in EXERCISES}
    if options.file is None and options.exercise.lower() in known:
        one = known[options.exercise.lower()]
        return f"which file? For example: tessera course check {one.name} {one.file}"
    if options.file is None:
        number = next((one.name for one in EXERCISES if one.file == pathlib.Path(options.exercise).name), "3")
        return f"the exercise's number stands before the file: tessera course check {number} {options.exercise}"
    if not pathlib.Path(options.file).is_file():
        return f"there is no file {options.file}"
    return ""


def _listing() -> str:
    lines: List[str] = []
    for number, (title, page) in enumerate(SHEETS, 1):
        lines.append(f"{number}  {title}  (docs/course/{page})")
        lines += [f"     {one.name:3} {one.task}" for one in EXERCISES if one.sheet == number]
    return "\n".join([*lines, "", "tessera course start 1 writes the file of exercise 1; tessera course check 1 FILE says "
                                  "whether it is right."])
