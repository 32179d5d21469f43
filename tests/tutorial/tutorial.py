#!/usr/bin/env python3
"""Follows a page of docs/ as a reader would: saves its files, types its commands, compares what they print.

  tutorial.py --build DIR PAGE...            compare
  tutorial.py --build DIR PAGE... --update   write into the pages what the commands print, and the pictures anew

In a page, a block of code after a line that ends in "as `NAME`:" is a file. A block of language `console` is a session:
lines after "$ " are commands (a backslash continues one, and so do lines after "> "), the rest is what they print,
standard error included. A picture docs/images/tutorial-NAME.png that the page shows must equal NAME.png of the reader's
folder, and docs/images/NAME.svg its NAME.svg. In a page that says "every figure is printed by a command" each number of
the text with two digits or more stands in what a command prints.
"""

import argparse
import difflib
import os
import pathlib
import re
import shutil
import subprocess
import sys

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SAVE = re.compile(r"as\s+`([\w./-]+)`:\s*$")
PICTURE = re.compile(r"\(images/(?:(tutorial-)?([\w-]+)\.(png|svg))\)")
FIGURES = "<!-- every figure is printed by a command -->"
NOT_TEXT = re.compile(r"`[^`]*`|\]\([^)]*\)|<!--.*?-->|\bseed \d+", re.DOTALL)
COMMAND = re.compile(r"^[$>] .*\n", re.MULTILINE)
NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?!\w)")


def commands(session):
    """A session's commands, as they stand in the page."""
    found, lines = [], session.splitlines()
    at = 0
    while at < len(lines):
        if lines[at].startswith("$ "):
            command = [lines[at][2:]]
            while command[-1].endswith("\\"):
                at += 1
                command.append(lines[at])
            while at + 1 < len(lines) and lines[at + 1].startswith("> "):
                at += 1
                command.append(lines[at])
            found.append("\n".join(command))
        at += 1
    return found


def play(session, folder, environment):
    """The session as it really goes."""
    text = ""
    for command in commands(session):
        typed = re.sub(r"^> ", "", command, flags=re.MULTILINE)
        run = subprocess.run(["bash", "-c", typed], cwd=folder, env=environment, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, text=True, stdin=subprocess.DEVNULL)
        text += f"$ {command}\n{run.stdout}"
    return text


def unfounded(page, printed):
    """A fault for each figure of the text that no command printed."""
    known = set(NUMBER.findall(COMMAND.sub("", printed)))
    text = NOT_TEXT.sub(" ", BLOCK.sub("", page))
    return [f"the text says {number}, which no command prints\n" for number in NUMBER.findall(text)
            if len(number) > 1 and number not in known]


def follow(page, root, build, update):
    folder = build / "tutorial" / page.stem
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    environment = dict(os.environ, TESSERA=str(root), BUILD=str(build), PATH=f"{build / 'bin'}:{os.environ['PATH']}", LC_ALL="C")
    text = page.read_text()
    failures, files, sessions, result, last, printed = [], 0, 0, "", 0, ""
    for block in BLOCK.finditer(text):
        before = text[last:block.start()]
        language, body = block.groups()
        save = SAVE.search(before)
        if save:
            files += 1
            (folder / save.group(1)).parent.mkdir(parents=True, exist_ok=True)
            (folder / save.group(1)).write_text(body)
        elif language == "console":
            sessions += 1
            really = play(body, folder, environment)
            if really != body:
                failures.append("".join(difflib.unified_diff(body.splitlines(True), really.splitlines(True),
                                                             f"{page.name}", "really")))
            body = really
            printed += body
        result += text[last:block.start()] + f"```{language}\n{body}```"
        last = block.end()
    result += text[last:]
    for prefix, name, kind in PICTURE.findall(text):
        ours, theirs = root / "docs" / "images" / f"{prefix}{name}.{kind}", folder / f"{name}.{kind}"
        if update:
            shutil.copyfile(theirs, ours)
        elif kind == "svg":
            if not (ours.exists() and theirs.exists() and ours.read_bytes() == theirs.read_bytes()):
                failures.append(f"{ours} is not the page's {theirs}\n")
        elif not ours.exists() or subprocess.run([str(build / "bin" / "tessera"), "diff", str(ours), str(theirs)],
                                                 capture_output=True).returncode != 0:
            failures.append(f"{ours} is not what the page's {theirs} shows\n")
    if update:
        page.write_text(result)
        failures = []
    if FIGURES in text:
        failures += unfounded(text, printed)
    print(f"{page.name}: {files} files, {sessions} sessions, {len(failures)} differ from the page")
    for failure in failures:
        print(failure)
    if not sessions:
        print(f"{page.name}: nothing to follow")
        return 1
    return len(failures)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("page", type=pathlib.Path, nargs="+")
    arguments = parser.parse_args()
    root = pathlib.Path(__file__).resolve().parents[2]
    return 1 if sum(follow(page, root, arguments.build.resolve(), arguments.update) for page in arguments.page) else 0


if __name__ == "__main__":
    sys.exit(main())
