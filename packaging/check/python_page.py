"""Types what docs/python.md has, in a folder of its own, by the Python that this is run with: the wheel's. Prints how many
commands there were, or what is printed otherwise than the page says."""

import difflib
import os
import pathlib
import re
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import tutorial  # noqa: E402: tests/tutorial/tutorial.py, beside this file


def main():
    page, folder = (HERE / "python.md").read_text(), pathlib.Path(tempfile.mkdtemp()) / "python"
    folder.mkdir()
    programs = pathlib.Path(sys.executable).parent
    environment = dict(os.environ, PATH=f"{programs}:{os.environ['PATH']}", LC_ALL="C", TESSERA_THREADS="2")
    count, last = 0, 0
    for block in tutorial.BLOCK.finditer(page):
        save = tutorial.SAVE.search(page[last:block.start()])
        language, body = block.groups()
        last = block.end()
        if save:
            (folder / save.group(1)).write_text(body)
        elif language == "console":
            really = tutorial.play(body, folder, environment)
            count += len(tutorial.commands(body))
            if really != body:
                sys.exit("".join(difflib.unified_diff(body.splitlines(True), really.splitlines(True), "page", "really")))
    import tessera
    for name in re.findall(r"\(images/([\w-]+\.png)\)", page):
        if tessera.diff(HERE / name, folder / name):
            sys.exit(f"{name} is another picture")
    print(f"{count} commands as printed")


if __name__ == "__main__":
    main()
