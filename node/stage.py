#!/usr/bin/env python3
"""The package tessera-gl of what is built, as a folder for require(): build/release/node/tessera-gl. npm's has the same files.

Usage: stage.py BUILD_DIR VERSION
"""

import pathlib
import shutil
import sys

HERE = pathlib.Path(__file__).resolve().parent
NAME = "tessera-gl"


def modules(version):
    """Name in the package -> contents, of everything but libraries."""
    contents = {file.name: file.read_bytes() for file in sorted(HERE.glob("*.js"))}
    contents["README.md"] = (HERE / "README.md").read_bytes()
    contents["package.json"] = (HERE / "package.json").read_bytes().replace(b"@VERSION@", version.encode())
    return contents


def stage(build, version):
    folder = build / "node" / NAME
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name, data in modules(version).items():
        (folder / name).write_bytes(data)
    (folder / "lib").symlink_to("../../lib", target_is_directory=True)


if __name__ == "__main__":
    stage(pathlib.Path(sys.argv[1]).resolve(), sys.argv[2])
