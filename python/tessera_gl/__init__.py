"""Tessera, a GPU in software, for Python programs: OpenGL ES 2.0 and EGL without a GPU, a display or root.

    import tessera_gl
    tessera_gl.enable()          # before anything loads EGL or OpenGL ES
    import OpenGL.EGL, vispy     # or glfw, pygame, ...

`python -m tessera_gl PROGRAM ARGUMENTS` runs any other program, Python or not, on it.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import os
import pathlib
from typing import Dict, Mapping, Optional

__all__ = ["enable", "environment", "libraries", "library"]
__version__ = "@VERSION@"

#: The folder of libEGL.so.1, libGLESv2.so.2 and what they need.
libraries = pathlib.Path(__file__).resolve().parent / "lib"

# What describes the driver to libglvnd: in the wheel, and in Debian's package.
_DESCRIPTIONS = (libraries / "50_tessera.json",
                 pathlib.Path(__file__).resolve().parents[2] / "egl_vendor.d" / "50_tessera.json")
# As ctypes.util.find_library() knows them, and the dynamic loader: {"EGL": "libEGL.so.1", ...}.
_FRONT_DOORS = {file.name[len("lib"):file.name.index(".so")]: file.name
                for file in sorted(libraries.glob("lib*.so.*")) if file.name.startswith(("libEGL.", "libGLES"))}


def library(soname: str) -> str:
    """A library that is there, by its path; else by its name, for the dynamic loader: with Debian's packages libEGL.so.1 and
    libGLESv2.so.2 are libglvnd's, which load Tessera where its environment says so."""
    file = libraries / soname
    return str(file) if file.exists() else soname


def environment(inherited: Optional[Mapping[str, str]] = None) -> Dict[str, str]:
    """A copy of the environment in which programs that are started run on Tessera."""
    variables = dict(os.environ if inherited is None else inherited)
    others = [path for path in variables.get("LD_LIBRARY_PATH", "").split(":") if path and path != str(libraries)]
    variables["LD_LIBRARY_PATH"] = ":".join([str(libraries), *others])
    # For what insists on libglvnd's libEGL.
    description = next((file for file in _DESCRIPTIONS if file.exists()), None)
    if description is not None:
        variables["__EGL_VENDOR_LIBRARY_FILENAMES"] = str(description)
    # PyOpenGL and SDL would ask GLX, another driver's, first.
    variables.setdefault("PYOPENGL_PLATFORM", "egl")
    variables["SDL_VIDEO_X11_FORCE_EGL"] = "1"
    # GStreamer would ask for desktop OpenGL.
    variables.update(GST_GL_API="gles2", GST_GL_PLATFORM="egl")
    return variables


def _loaded(name: str) -> Optional[str]:
    """The file of a library of this process, or None."""
    with open("/proc/self/maps") as maps:
        files = {line.split(None, 5)[5].strip() for line in maps if name in line}
    return next((file for file in files if os.path.basename(file).startswith(name)), None)


def enable() -> None:
    """Makes EGL and OpenGL ES of this process, and of those that it starts, Tessera's. Call it before anything loads
    another driver; to call it again changes nothing."""
    for soname in _FRONT_DOORS.values():
        file = _loaded(soname)
        if file is not None and not os.path.samefile(os.path.dirname(file), libraries):
            raise RuntimeError(f"{file} is loaded already: call tessera_gl.enable() before whatever loads EGL")
    os.environ.update(environment())
    # What asks the dynamic loader for these names from now on is given what is there already.
    # libglvnd's vendor library too: libglvnd may be loaded yet, by libEGL.so, its name for the compiler.
    for soname in [*_FRONT_DOORS.values(), "libEGL_tessera.so.0"]:
        ctypes.CDLL(library(soname), mode=ctypes.RTLD_GLOBAL)
    if getattr(ctypes.util.find_library, "of_tessera", False):
        return
    find_elsewhere = ctypes.util.find_library

    def find_library(name: str) -> Optional[str]:
        """ctypes' own asks the system's list of libraries, in which these are not."""
        return str(libraries / _FRONT_DOORS[name]) if name in _FRONT_DOORS else find_elsewhere(name)

    setattr(find_library, "of_tessera", True)
    ctypes.util.find_library = find_library
