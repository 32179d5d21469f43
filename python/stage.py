#!/usr/bin/env python3
"""The Python packages of what is built, as a folder for PYTHONPATH: build/release/python. The wheel has the same files.

Usage: stage.py BUILD_DIR VERSION
"""

import pathlib
import shutil
import sys

HERE = pathlib.Path(__file__).resolve().parent
PACKAGES = ("tessera", "tessera_gl")


def modules(version):
    """Name in site-packages -> contents, of everything but libraries."""
    contents = {}
    for package in PACKAGES:
        for source in sorted((HERE / package).rglob("*")):
            if source.is_file() and "__pycache__" not in source.parts:
                data = source.read_bytes()
                contents[str(source.relative_to(HERE))] = (data.replace(b"@VERSION@", version.encode())
                                                           if source.suffix == ".py" else data)
    return contents


def stage(build, version):
    folder = build / "python"
    for package in PACKAGES:
        shutil.rmtree(folder / package, ignore_errors=True)
        (folder / package).mkdir(parents=True)
    for name, data in modules(version).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    (folder / "tessera_gl/lib").symlink_to("../../lib", target_is_directory=True)


if __name__ == "__main__":
    stage(pathlib.Path(sys.argv[1]).resolve(), sys.argv[2])
