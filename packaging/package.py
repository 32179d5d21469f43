#!/usr/bin/env python3
"""Makes Tessera's packages of what is built: Debian's (with their debug symbols), a tarball, a Python wheel, npm's package
where Node.js' headers were, and a list of their checksums.

  ./run package              builds what is missing, and makes all of them in build/packages
  ./run package --check      and tries them out in a clean Debian, beside Mesa (some minutes; as root)

docs/packages.md says what is in them and how they are used.
"""

import argparse
import base64
import gzip
import hashlib
import importlib.util
import io
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "python"))
import stage  # noqa: E402: from the folder above
# PEP 600: the glibc of the Debian that the libraries are built on, and no symbol is newer (packages_test.py checks).
WHEEL_TAG = "py3-none-manylinux_2_36_x86_64"


def say(text):
    print(f"tessera: {text}", file=sys.stderr, flush=True)


def run(*command, **options):
    """A command that must succeed; what it prints is shown if it does not."""
    result = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            text=True, **options)
    if result.returncode != 0:
        sys.exit(f"{result.stdout}\n{' '.join(map(str, command))} failed with {result.returncode}")
    return result.stdout


def cpack(build, generator, work):
    """The files that CPack makes in a folder of work."""
    run("cpack", "--config", build / "CPackConfig.cmake", "-G", generator, "-B", work)
    return [path for path in work.iterdir() if path.is_file()]


def finish(package, folder, compression):
    """What CPack leaves undone: ldconfig is run by a trigger, not by scripts; packages of debug symbols, which it calls
    .ddeb, list their files by relative paths and have their documents where the package itself has them."""
    run("dpkg-deb", "-R", package, folder)
    control = folder / "DEBIAN"
    if (control / "postinst").exists():
        for script in ("postinst", "postrm"):
            (control / script).unlink()
        (control / "triggers").write_text("activate-noawait ldconfig\n")
    if package.suffix == ".ddeb":
        name = package.name.split("_")[0]
        documents = folder / "usr/share/doc"
        documents.mkdir(parents=True)
        (documents / name).symlink_to(name.removesuffix("-dbgsym"))
        sums = [f"{hashlib.md5(path.read_bytes()).hexdigest()}  {path.relative_to(folder)}\n"
                for path in sorted(folder.rglob("*.debug"))]
        (control / "md5sums").write_text("".join(sums))
    # Debug symbols are ten times the code: a higher level takes minutes for little.
    level = ["-z1"] if package.suffix == ".ddeb" else []
    run("dpkg-deb", "--root-owner-group", f"-Z{compression}", *level, "-b", folder, package)


def debian(build, into, fast):
    with tempfile.TemporaryDirectory() as work:
        made = []
        for package in cpack(build, "DEB", pathlib.Path(work)):
            finish(package, pathlib.Path(work) / package.stem, "none" if fast else "xz")
            made.append(pathlib.Path(shutil.move(package, into / f"{package.stem}.deb")))
        return made


def tarball(build, into, fast):
    with tempfile.TemporaryDirectory() as work:
        return [pathlib.Path(shutil.move(path, into / path.name)) for path in cpack(build, "TGZ", pathlib.Path(work))]


def version_of(build):
    return re.search(r"^CMAKE_PROJECT_VERSION:STATIC=(.*)$", (build / "CMakeCache.txt").read_text(), re.M).group(1)


def portable(build, prefix):
    """What a package that is unpacked anywhere has of the driver: (name, bytes) of its libraries, and of its notices."""
    for component in ("prefix", "portable"):
        run("cmake", "--install", build, "--prefix", prefix, "--component", component, "--strip")
    folder = next(prefix.rglob("libtessera.so.0")).parent
    # Ours and those of others that they need, by the names that they are loaded by.
    libraries = [(library.name, library.read_bytes()) for library in sorted(folder.glob("lib*.so.[0-9]"))]
    notices = [(notice.name, notice.read_bytes()) for notice in sorted((prefix / "share/doc/tessera").rglob("*")) if notice.is_file()]
    return libraries, notices


def wheel(build, into, fast):
    """A wheel is a zip file with a list of what is in it: PyPA's binary distribution format."""
    version = version_of(build)
    path = into / f"tessera_gl-{version}-{WHEEL_TAG}.whl"
    about = f"tessera_gl-{version}.dist-info"
    contents = stage.modules(version)
    with tempfile.TemporaryDirectory() as work:
        prefix = pathlib.Path(work)
        libraries, notices = portable(build, prefix)
        contents |= {f"tessera_gl/lib/{name}": data for name, data in libraries}
        contents["tessera_gl/lib/50_tessera.json"] = next(prefix.rglob("50_tessera.json")).read_bytes()
        contents |= {f"{about}/licenses/{name}": data for name, data in notices}
    contents[f"{about}/METADATA"] = (
        f"Metadata-Version: 2.1\nName: tessera-gl\nVersion: {version}\n"
        "Summary: A GPU in software: OpenGL ES 2.0 and EGL on the CPU, shader programs on arrays, pictures in pytest\n"
        "License: MIT\nRequires-Python: >=3.9\nDescription-Content-Type: text/markdown\n"
        "Provides-Extra: arrays\nRequires-Dist: numpy; extra == 'arrays'\n"
        "Classifier: Operating System :: POSIX :: Linux\nClassifier: Framework :: Pytest\n"
        "Classifier: Topic :: Software Development :: Libraries\nClassifier: Typing :: Typed\n\n" +
        (HERE.parent / "python/README.md").read_text()).encode()
    contents[f"{about}/entry_points.txt"] = b"[pytest11]\ntessera = tessera.pytest_plugin\n"
    contents[f"{about}/WHEEL"] = (
        f"Wheel-Version: 1.0\nGenerator: tessera\nRoot-Is-Purelib: false\nTag: {WHEEL_TAG}\n").encode()
    record = f"{about}/RECORD"
    hashes = {name: base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
              for name, data in contents.items()}
    lines = [f"{name},sha256={hashes[name]},{len(data)}" for name, data in contents.items()]
    contents[record] = "\n".join([*lines, f"{record},,", ""]).encode()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED if fast else zipfile.ZIP_DEFLATED, compresslevel=9) as file:
        for name, data in contents.items():
            # The same bytes whenever it is made.
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.external_attr = (0o755 if ".so" in name else 0o644) << 16
            entry.compress_type = file.compression
            file.writestr(entry, data)
    return [path]


#: What Node.js' addon needs of the driver's libraries: not those by which other programs find it.
NODE_LIBRARIES = re.compile(r"libtessera(_jit|_llvm)?\.so|lib(?!EGL|GLES|tessera)")


def npm(build, into, fast):
    """A package of npm's is an archive of a folder `package`. None, where the addon was not built."""
    if not (build / "lib/tessera_gl.node").exists():
        say("npm: none, as there were no headers of Node.js (Debian's libnode-dev) when the build tree was configured")
        return []
    version = version_of(build)
    path = into / f"tessera-gl-{version}.tgz"
    spec = importlib.util.spec_from_file_location("node_stage", HERE.parent / "node/stage.py")
    node_stage = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(node_stage)
    contents = node_stage.modules(version)
    with tempfile.TemporaryDirectory() as work:
        prefix = pathlib.Path(work)
        run("cmake", "--install", build, "--prefix", prefix / "addon", "--component", "node", "--strip")
        contents["lib/tessera_gl.node"] = (prefix / "addon/tessera_gl.node").read_bytes()
        libraries, notices = portable(build, prefix / "driver")
        contents |= {f"lib/{name}": data for name, data in libraries if NODE_LIBRARIES.match(name)}
        contents |= {f"licenses/{name}": data for name, data in notices}
    with open(path, "wb") as file, gzip.GzipFile("", "wb", 0 if fast else 9, file, mtime=0) as packed, \
            tarfile.open(fileobj=packed, mode="w") as archive:
        for name, data in sorted(contents.items()):
            # The same bytes whenever it is made.
            entry = tarfile.TarInfo(f"package/{name}")
            entry.size, entry.mode = len(data), 0o644
            archive.addfile(entry, io.BytesIO(data))
    return [path]


# What makes each kind, and how its files are called.
KINDS = {"deb": (debian, "*tessera*.deb"),
         "tarball": (tarball, "tessera-*.tar.gz"),
         "wheel": (wheel, "tessera_gl-*.whl"),
         "npm": (npm, "tessera-gl-*.tgz")}


CHECKSUMS = "SHA256SUMS"


def write_checksums(into):
    """Of all packages of the folder, as `sha256sum -c` reads them."""
    files = sorted(path for _, pattern in KINDS.values() for path in into.glob(pattern))
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files]
    (into / CHECKSUMS).write_text("".join(lines))


def make(build, into, kinds=KINDS, fast=False):
    """The files, of the kinds that are asked for, in place of earlier ones. `fast`: not compressed, for tests."""
    into.mkdir(parents=True, exist_ok=True)
    # The times in the packages: the last commit's, so that the same sources give the same bytes.
    commit = subprocess.run(["git", "-C", HERE, "log", "-1", "--format=%ct"], capture_output=True, text=True)
    if commit.returncode == 0:
        os.environ.setdefault("SOURCE_DATE_EPOCH", commit.stdout.strip())
    made = []
    for kind in kinds:
        start = time.monotonic()
        maker, pattern = KINDS[kind]
        for earlier in into.glob(pattern):
            earlier.unlink()
        files = maker(build, into, fast)
        for path in sorted(files):
            say(f"{path} ({path.stat().st_size / 1e6:.1f} MB)")
        say(f"{kind}: {time.monotonic() - start:.0f} s")
        made += files
    write_checksums(into)
    return made


def main():
    parser = argparse.ArgumentParser(prog="./run package", description=__doc__.split("\n\n")[0],
                                     epilog="docs/packages.md says what is in them and how they are used.")
    parser.add_argument("--build", type=pathlib.Path, help=argparse.SUPPRESS)
    parser.add_argument("--into", type=pathlib.Path, default=HERE.parent / "build/packages", metavar="FOLDER",
                        help="where to (default: build/packages)")
    parser.add_argument("--only", action="append", choices=KINDS, help="not all of them (repeatable)")
    parser.add_argument("--check", action="store_true",
                        help="install them in a clean Debian beside Mesa, use them, and remove them (as root)")
    parser.add_argument("--root", type=pathlib.Path, metavar="FOLDER",
                        help="--check: where to make the Debian, or has been made one; it is kept")
    options = parser.parse_args()
    if options.check and options.only:
        parser.error("--check is for all of them: without --only")
    make(options.build.resolve(), options.into.resolve(), options.only or KINDS)
    if options.check:
        sys.exit(subprocess.run([sys.executable, HERE / "check/check.py", options.into.resolve(),
                                 *(["--root", options.root] if options.root else [])]).returncode)


if __name__ == "__main__":
    main()
