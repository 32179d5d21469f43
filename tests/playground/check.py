#!/usr/bin/env python3
"""`./run playground-check`: the playground's page in Debian's Chromium, driven by Playwright (playwright-core, from npm).

Usage: check.py --build DIR; a screenshot is left in build/playground.png.
"""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
#: What is fetched, once, into build/playground.
PLAYWRIGHT = "playwright-core@1.49.1"


def main():
    parser = argparse.ArgumentParser(prog="./run playground-check", description=__doc__.split("\n")[0])
    parser.add_argument("--build", type=pathlib.Path, required=True, help=argparse.SUPPRESS)
    build = parser.parse_args().build.resolve()
    missing = [name for name in ("chromium", "node", "npm") if shutil.which(name) is None]
    if missing:
        sys.exit(f"{', '.join(missing)} missing; Debian's packages chromium, nodejs and npm have them")
    tools = build / "playground"
    if not (tools / "node_modules/playwright-core").exists():
        tools.mkdir(parents=True, exist_ok=True)
        subprocess.run(["npm", "install", "--no-save", "--silent", "--prefix", tools, PLAYWRIGHT], check=True)
    server = subprocess.Popen([build / "bin/tessera", "playground", "--no-browser"], stdout=subprocess.PIPE, text=True)
    try:
        address = server.stdout.readline().split(" at ")[1].split(";")[0]
        return subprocess.run(["node", HERE / "check.mjs", address, build / "playground.png"],
                              env={**os.environ, "NODE_PATH": str(tools / "node_modules")}).returncode
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    sys.exit(main())
