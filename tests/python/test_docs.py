"""docs/python.md, command by command as it is printed (tests/tutorial/tutorial.py)."""

import os
import pathlib
import re
import subprocess
import sys

SOURCE, BUILD = pathlib.Path(os.environ["TESSERA_SOURCE"]), pathlib.Path(os.environ["TESSERA_BUILD"])


def test_the_page(tmp_path):
    page = SOURCE / "docs/python.md"
    assert len(re.findall(r"^\$ ", page.read_text(), re.MULTILINE)) >= 10
    # `python3` and `pytest` of the page are those that have numpy and pytest.
    programs = tmp_path / "bin"
    programs.mkdir()
    for name, arguments in (("python3", ""), ("pytest", "-m pytest -p tessera.pytest_plugin -p no:cacheprovider")):
        (programs / name).write_text(f'#!/bin/sh\nexec {sys.executable} {arguments} "$@"\n')
        (programs / name).chmod(0o755)
    environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "TESSERA_THREADS": "2"}
    update = ["--update"] if os.environ.get("TESSERA_UPDATE_DOCS") else []
    said = subprocess.run(["/usr/bin/python3" if pathlib.Path("/usr/bin/python3").exists() else sys.executable,
                           SOURCE / "tests/tutorial/tutorial.py", "--build", BUILD, page, *update],
                          capture_output=True, text=True, env=environment)
    assert said.returncode == 0, said.stdout + said.stderr


def test_the_page_names_everything():
    import tessera
    text = (SOURCE / "docs/python.md").read_text()
    missing = [name for name in tessera.__all__ if not re.search(rf"\b{name}\b", text)]
    assert not missing
