#!/usr/bin/env python3
"""Installs into a temporary prefix and uses what is there the three ways a program finds it: pkg-config, CMake's
find_package, and libglvnd's vendor file.

Usage: install_test.py BUILD_DIR C_COMPILER [FLAG...]
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
EXPECTED = "Tessera|255 0 51 255|Tessera\n"


def run(*command, folder=None, **variables):
    """Standard output of a command that must succeed."""
    environment = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY", "LD_LIBRARY_PATH")}
    result = subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=120, cwd=folder,
                            env={**environment, **{k: str(v) for k, v in variables.items()}})
    if result.returncode != 0:
        sys.exit(f"{command} failed with {result.returncode}:\n{result.stdout}{result.stderr}")
    return result.stdout


def expect(how, output):
    print(f"{how}: {output.strip()}")
    if output != EXPECTED:
        sys.exit(f"{how}: expected {EXPECTED.strip()}")


def with_pkg_config(prefix, libraries, work, compiler, flags):
    found = run("pkg-config", "--cflags", "--libs", "egl", "glesv2", PKG_CONFIG_PATH=libraries / "pkgconfig").split()
    if not any(flag.startswith("-L") and os.path.samefile(flag[2:], libraries) for flag in found):
        sys.exit(f"pkg-config does not name the prefix: {found}")
    run(compiler, *flags, HERE / "program.c", "-o", work / "program", *found)
    expect("pkg-config", run(work / "program", LD_LIBRARY_PATH=libraries))
    # A program built with the prefix in its run path needs no environment.
    run(compiler, *flags, HERE / "program.c", "-o", work / "program", *found, f"-Wl,-rpath,{libraries}")
    expect("run path", run(work / "program"))


def with_cmake(prefix, work, compiler, flags):
    project = work / "project"
    project.mkdir()
    shutil.copy(HERE / "program.c", project)
    (project / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.25)\nproject(program C)\nfind_package(Tessera REQUIRED)\n"
        "add_executable(program program.c)\ntarget_link_libraries(program Tessera::EGL Tessera::GLESv2)\n")
    run("cmake", "-G", "Ninja", "-S", project, "-B", project / "build", f"-DCMAKE_PREFIX_PATH={prefix}",
        f"-DCMAKE_C_COMPILER={compiler}", f"-DCMAKE_C_FLAGS={' '.join(flags)}")
    run("cmake", "--build", project / "build")
    expect("find_package", run(project / "build/program"))


def with_libglvnd(vendor_file, work, compiler, flags):
    system = [line.split("=> ")[1] for line in run("/sbin/ldconfig", "-p").splitlines() if "libEGL.so.1 " in line]
    if not system or b"__EGL_VENDOR_LIBRARY_FILENAMES" not in pathlib.Path(system[0]).read_bytes():
        print("libglvnd is not installed: its part is skipped")
        return
    run(compiler, *flags, HERE / "program.c", "-o", work / "glvnd", "-lEGL", "-lGLESv2")
    expect("libglvnd", run(work / "glvnd", __EGL_VENDOR_LIBRARY_FILENAMES=vendor_file))


def main():
    build, compiler, flags = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3:]
    with tempfile.TemporaryDirectory() as directory:
        work = pathlib.Path(directory)
        prefix = work / "prefix"
        run("cmake", "--install", build, "--prefix", "prefix", folder=work)  # relative: the vendor file must not be
        libraries = next(prefix.rglob("libtessera.so.0")).parent
        vendor_file = prefix / "share/glvnd/egl_vendor.d/50_tessera.json"
        with_pkg_config(prefix, libraries, work, compiler, flags)
        with_cmake(prefix, work, compiler, flags)
        with_libglvnd(vendor_file, work, compiler, flags)
        print("tessera command:", run(prefix / "bin/tessera", "--help").splitlines()[0])


if __name__ == "__main__":
    main()
