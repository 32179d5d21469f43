#!/usr/bin/env python3
"""Debian's packages of another architecture in a folder, for cross-builds: the packages named and all that they depend
on, downloaded and unpacked, none installed. The system stays as it is, and no root is needed.

Usage: sysroot.py FOLDER ARCHITECTURE PACKAGE... [--alone PACKAGE...]

Those after --alone come without what they depend on. A folder that has the packages already is left as it is.
"""

import os
import pathlib
import shutil
import subprocess
import sys


def say(text):
    print(f"tessera: {text}", file=sys.stderr, flush=True)


class Apt:
    """apt-get with a state of its own, in which no package is installed."""

    def __init__(self, folder, architecture):
        self.archives = folder / "archives"
        for name in ("lists/partial", "archives/partial"):
            (folder / name).mkdir(parents=True, exist_ok=True)
        (folder / "status").touch()
        options = {"Dir::State": folder, "Dir::State::status": folder / "status", "Dir::Cache": folder,
                   "Dir::Cache::archives": self.archives, "APT::Architecture": architecture,
                   "APT::Architectures": architecture, "APT::Sandbox::User": "", "Debug::NoLocking": "1"}
        self.command = ["apt-get", "-qq", "-o", "Acquire::Languages=none"]
        for name, value in options.items():
            self.command += ["-o", f"{name}={value}"]

    def __call__(self, *arguments):
        result = subprocess.run([*self.command, *arguments], cwd=self.archives, capture_output=True, text=True)
        if result.returncode != 0:
            raise SystemExit(f"tessera: apt-get {' '.join(arguments[:2])} failed:\n{result.stdout}{result.stderr}")


def unpack(archives, root):
    packages = sorted(archives.glob("*.deb"))
    for number, package in enumerate(packages):
        if number * 4 // len(packages) != (number - 1) * 4 // len(packages):
            say(f"sysroot: {100 * number // len(packages)} % of {len(packages)} packages unpacked")
        subprocess.run(["dpkg-deb", "--extract", package, root], check=True)


def stay_inside(root):
    """Links that are absolute lead out of the folder, to the system's own files; they are made relative."""
    for folder, folders, files in os.walk(root):
        for name in [*folders, *files]:
            link = pathlib.Path(folder, name)
            if link.is_symlink() and (to := os.readlink(link)).startswith("/"):
                link.unlink()
                link.symlink_to(os.path.relpath(f"{root}{to}", folder))


def main():
    if len(sys.argv) < 4:
        raise SystemExit(__doc__)
    root, architecture, names = pathlib.Path(sys.argv[1]).absolute(), sys.argv[2], sys.argv[3:]
    contents = root / ".packages"
    if contents.exists() and contents.read_text().split() == names:
        return
    for tool in ("apt-get", "dpkg-deb"):
        if shutil.which(tool) is None:
            raise SystemExit(f"tessera: there is no {tool}: the sysroot is made of Debian's packages")
    split = names.index("--alone") if "--alone" in names else len(names)
    shutil.rmtree(root, ignore_errors=True)
    working = root.with_name(root.name + ".apt")
    say(f"sysroot: downloading packages for {architecture} (150 MB)")
    apt = Apt(working, architecture)
    apt("update")
    apt("install", "--yes", "--no-install-recommends", "--download-only", *names[:split])
    if names[split + 1:]:
        apt("download", *names[split + 1:])
    root.mkdir(parents=True)
    unpack(apt.archives, root)
    stay_inside(root)
    contents.write_text("\n".join(names) + "\n")
    shutil.rmtree(working)


main()
