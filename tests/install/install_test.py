#!/usr/bin/env python3
"""Installs into a temporary prefix, moves it, and uses what is there the ways a program finds it: pkg-config, CMake's
find_package, `tessera exec`, and libglvnd's vendor file; from C and C++, for graphics and for compute.

Usage: install_test.py BUILD_DIR C_COMPILER CXX_COMPILER [FLAG...]
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
GRAPHICS = "Tessera|255 0 51 255|Tessera\n"
COMPUTE = "2 128 254\n"
TOOLS = "0.5 1.5 wrong.tsa:2:5\n"
VERSION = re.search(r"project\(\w+ VERSION (\S+)", (HERE.parent.parent / "CMakeLists.txt").read_text())[1]


def run(*command, folder=None, **variables):
    """Standard output of a command that must succeed."""
    environment = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY", "LD_LIBRARY_PATH")}
    result = subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=120, cwd=folder,
                            env={**environment, **{k: str(v) for k, v in variables.items()}})
    if result.returncode != 0:
        sys.exit(f"{command} failed with {result.returncode}:\n{result.stdout}{result.stderr}")
    return result.stdout


def expect(how, output, expected):
    print(f"{how}: {output.strip()}")
    if output != expected:
        sys.exit(f"{how}: expected {expected.strip()}")


class Installed:
    """The prefix, and how programs are compiled against it."""

    def __init__(self, prefix, work, c_compiler, cxx_compiler, flags):
        self.prefix, self.work, self.flags = prefix, work, flags
        self.c, self.cxx = [c_compiler, *flags], [cxx_compiler, "-std=c++17", *flags]
        self.libraries = next(prefix.rglob("libtessera.so.0")).parent
        self.kernel = work / "scale.tsb"
        run(prefix / "bin/tessera", "as", HERE / "scale.tsa", "-o", self.kernel)

    def pkg_config(self, *arguments):
        found = run("pkg-config", "--cflags", "--libs", *arguments, PKG_CONFIG_PATH=self.libraries / "pkgconfig").split()
        if not any(flag.startswith("-L") and os.path.samefile(flag[2:], self.libraries) for flag in found):
            sys.exit(f"pkg-config does not name the prefix: {found}")
        return found

    def with_pkg_config(self):
        # No name is the system's: who asks for egl gets another driver's library, in a program that runs on that.
        modules = sorted(path.stem for path in (self.libraries / "pkgconfig").iterdir())
        versions = {run("pkg-config", "--modversion", module, PKG_CONFIG_PATH=self.libraries / "pkgconfig").strip()
                    for module in modules}
        assert versions == {VERSION}, versions
        assert modules == ["tessera-compute", "tessera-egl", "tessera-glesv1-cm", "tessera-glesv2",
                           "tessera-tools"], modules
        program, graphics = self.work / "program", ["tessera-glesv2", "tessera-egl"]
        run(*self.c, HERE / "graphics.c", "-o", program, *self.pkg_config(*graphics))
        expect("pkg-config", run(program), GRAPHICS)
        version, renderer = run(program, "strings").splitlines()[1:]
        if version != f"OpenGL ES 2.0 Tessera {VERSION}" or not renderer.startswith("Tessera "):
            sys.exit(f"a program linked by pkg-config runs on {version}, {renderer}")
        # To be handed on: the program names no place, and is told one when it is started.
        run(*self.c, HERE / "graphics.c", "-o", program, *self.pkg_config("--define-variable=runpath=", *graphics))
        if str(self.prefix) in run("readelf", "-d", program):
            sys.exit("a program linked without a run path names the prefix")
        expect("LD_LIBRARY_PATH", run(program, LD_LIBRARY_PATH=self.libraries), GRAPHICS)
        expect("tessera exec", run(self.prefix / "bin/tessera", "exec", program), GRAPHICS)
        run(*self.c, HERE / "compute.c", "-o", program, *self.pkg_config("tessera-compute"))
        expect("compute from C with pkg-config", run(program), COMPUTE)
        run(*self.cxx, HERE / "compute.cpp", "-o", program, *self.pkg_config("tessera-compute"))
        expect("compute from C++ with pkg-config", run(program, self.kernel), COMPUTE)
        run(*self.c, HERE / "tools.c", "-o", program, *self.pkg_config("tessera-tools"))
        expect("tools from C with pkg-config", run(program), TOOLS)

    def with_cmake(self):
        project = self.work / "project"
        project.mkdir()
        (project / "CMakeLists.txt").write_text(f"""
            cmake_minimum_required(VERSION 3.25)
            project(programs C CXX)
            set(CMAKE_CXX_STANDARD 17)
            find_package(Tessera {VERSION} EXACT REQUIRED)
            add_executable(graphics {HERE}/graphics.c)
            target_link_libraries(graphics Tessera::EGL Tessera::GLESv2)
            add_executable(compute_c {HERE}/compute.c)
            target_link_libraries(compute_c Tessera::Compute)
            add_executable(compute_cpp {HERE}/compute.cpp)
            target_link_libraries(compute_cpp Tessera::Compute)
            add_executable(tools_c {HERE}/tools.c)
            target_link_libraries(tools_c Tessera::Tools)
            """)
        flags = " ".join(self.flags)
        run("cmake", "-G", "Ninja", "-S", project, "-B", project / "build", f"-DCMAKE_PREFIX_PATH={self.prefix}",
            f"-DCMAKE_C_COMPILER={self.c[0]}", f"-DCMAKE_CXX_COMPILER={self.cxx[0]}",
            f"-DCMAKE_C_FLAGS={flags}", f"-DCMAKE_CXX_FLAGS={flags}")
        run("cmake", "--build", project / "build")
        expect("find_package", run(project / "build/graphics"), GRAPHICS)
        expect("compute from C with find_package", run(project / "build/compute_c"), COMPUTE)
        expect("compute from C++ with find_package", run(project / "build/compute_cpp", self.kernel), COMPUTE)
        expect("tools from C with find_package", run(project / "build/tools_c"), TOOLS)

    def with_libglvnd(self, vendor_file):
        system = [line.split("=> ")[1] for line in run("/sbin/ldconfig", "-p").splitlines() if "libEGL.so.1 " in line]
        if not system or b"__EGL_VENDOR_LIBRARY_FILENAMES" not in pathlib.Path(system[0]).read_bytes():
            print("libglvnd is not installed: its part is skipped")
            return
        include = f"-I{self.prefix}/include"
        run(*self.c, include, HERE / "graphics.c", "-o", self.work / "glvnd", "-lEGL", "-lGLESv2")
        expect("libglvnd", run(self.work / "glvnd", __EGL_VENDOR_LIBRARY_FILENAMES=vendor_file), GRAPHICS)

    def without_windows_and_terminals(self):
        """On a server `tessera diff` and `exec` are all that is used: no library of windows or terminals comes with
        anything that is installed. What opens them says what is missing."""
        for file in [self.prefix / "bin/tessera", *self.libraries.glob("*.so.*")]:
            for library in re.findall(r"\(NEEDED\).*\[(.*)\]", run("readelf", "-d", file)):
                if re.match("lib(SDL|edit|X|xcb|wayland)", library):
                    sys.exit(f"{file.name} needs {library}")
        print("windows and terminals: of no library that is installed")

    def headers_stand_by_themselves(self):
        """Each of Tessera's compiles alone, the C ones in both languages, and none looks into the tree it came from."""
        include = self.prefix / "include"
        headers = sorted(path.relative_to(include) for path in include.rglob("*.h*"))
        names = [str(header) for header in headers]
        for header in (name for name in names if "tessera" in name):
            for included in re.findall(r'#\s*include\s*"([^"]*)"', (include / header).read_text()):
                sys.exit(f"{header} includes \"{included}\" of the tree")
            for language, compiler in (("c", self.c), ("c++", self.cxx)):
                if language == "c++" or header.endswith(".h"):
                    alone = self.work / "alone.c"
                    alone.write_text(f"#include <{header}>\nint main(void) {{ return 0; }}\n")
                    run(*compiler, "-x", language, "-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-Werror",
                        f"-I{include}", alone)
        print("headers:", *names)
        return names


def main():
    build, c_compiler, cxx_compiler, flags = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2], sys.argv[3], sys.argv[4:]
    with tempfile.TemporaryDirectory() as directory:
        work = pathlib.Path(directory)
        first, prefix = work / "first", work / "prefix"
        run("cmake", "--install", build, "--prefix", "first", folder=work)  # relative: the vendor file must not be
        vendor_file = first / "share/glvnd/egl_vendor.d/50_tessera.json"
        library = pathlib.Path(json.loads(vendor_file.read_text())["ICD"]["library_path"])
        if first not in library.parents or not library.exists():
            sys.exit(f"{vendor_file} names {library}")
        Installed(first, work, c_compiler, cxx_compiler, flags).with_libglvnd(vendor_file)
        first.rename(prefix)
        installed = Installed(prefix, work, c_compiler, cxx_compiler, flags)
        headers = installed.headers_stand_by_themselves()
        assert headers == [
            "EGL/egl.h", "EGL/eglext.h", "EGL/eglplatform.h", "EGL/egltessera.h", "GLES/egl.h", "GLES/gl.h",
            "GLES/glext.h", "GLES/glplatform.h", "GLES2/gl2.h", "GLES2/gl2ext.h", "GLES2/gl2platform.h",
            "GLES2/gl2tessera.h", "GLES3/gl3.h", "GLES3/gl3platform.h", "KHR/khrplatform.h", "tessera/compute.hpp",
            "tessera_compute.h", "tessera_tools.h"
        ], headers
        installed.with_pkg_config()
        installed.with_cmake()
        installed.without_windows_and_terminals()
        print("tessera model:", run(prefix / "bin/tessera", "model", "--summary", "fft_256").splitlines()[0])
        told = [run(prefix / "bin/tessera", how).splitlines()[0] for how in ("--version", "info")]
        assert told == 2 * [f"Tessera {VERSION}"], told
        print("tessera command:", run(prefix / "bin/tessera", "--help").splitlines()[0])


if __name__ == "__main__":
    main()
