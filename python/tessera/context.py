"""A headless OpenGL ES context, and what was recorded of one."""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import pathlib
import shutil
import sys
import tempfile
import weakref
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Mapping, Optional, Sequence, Union

import tessera_gl

from ._arrays import Value, flat
from ._errors import Diagnostic, Error, ProgramError
from ._files import write_whole
from ._gles2 import Functions
from ._glsl import version_of
from ._library import check, take_bytes, take_text, tools
from .images import Image
from .programs import Program, assemble

if TYPE_CHECKING:
    from .debugger import Debugger

_EGL = {
    "eglGetPlatformDisplay": (ctypes.c_void_p, [ctypes.c_uint, ctypes.c_void_p, ctypes.c_void_p]),
    "eglInitialize": (ctypes.c_uint, [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]),
    "eglChooseConfig": (ctypes.c_uint, [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int,
                                        ctypes.c_void_p]),
    "eglBindAPI": (ctypes.c_uint, [ctypes.c_uint]),
    "eglCreateContext": (ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]),
    "eglCreatePbufferSurface": (ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]),
    "eglMakeCurrent": (ctypes.c_uint, [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]),
    "eglDestroyContext": (ctypes.c_uint, [ctypes.c_void_p, ctypes.c_void_p]),
    "eglDestroySurface": (ctypes.c_uint, [ctypes.c_void_p, ctypes.c_void_p]),
    "eglSwapBuffers": (ctypes.c_uint, [ctypes.c_void_p, ctypes.c_void_p]),
    "eglGetCurrentContext": (ctypes.c_void_p, []),
    "eglGetError": (ctypes.c_int, []),
    "eglGetProcAddress": (ctypes.c_void_p, [ctypes.c_char_p]),
}
#: Of uniforms by their type: the end of glUniform's name, and how many numbers an element has. Samplers are one integer.
_UNIFORMS = {
    **{0x8B50 + n - 2: (f"{n}fv", n) for n in (2, 3, 4)}, 0x1406: ("1fv", 1),
    **{0x8B53 + n - 2: (f"{n}iv", n) for n in (2, 3, 4)}, 0x1404: ("1iv", 1),
    **{0x8B57 + n - 2: (f"{n}iv", n) for n in (2, 3, 4)}, 0x8B56: ("1iv", 1),
    **{0x8DC6 + n - 2: (f"{n}uiv", n) for n in (2, 3, 4)}, 0x1405: ("1uiv", 1),
    **{0x8B5A + n - 2: (f"Matrix{n}fv", n * n) for n in (2, 3, 4)},
    **{0x8B65 + i: (f"Matrix{c}x{r}fv", c * r) for i, (c, r) in enumerate(((2, 3), (2, 4), (3, 2), (3, 4), (4, 2), (4, 3)))}}
_SURFACELESS = 0x31DD  # EGL_PLATFORM_SURFACELESS_MESA
_RECORD = ctypes.CFUNCTYPE(ctypes.c_uint, ctypes.c_void_p, ctypes.c_char_p)


class _Egl:
    """The functions, of Tessera's library alone."""

    def __init__(self) -> None:
        tessera_gl.enable()
        self._library = ctypes.CDLL(tessera_gl.library("libEGL.so.1"))
        for name, (result, arguments) in _EGL.items():
            function = getattr(self._library, name)
            function.restype, function.argtypes = result, arguments
            setattr(self, name, function)
        record = self.eglGetProcAddress(b"eglRecordCommandsTESSERA")
        if not record:
            raise Error([Diagnostic("the EGL that is loaded is another driver's: import tessera before what loads it, or set "
                                    "__EGL_VENDOR_LIBRARY_FILENAMES as `tessera exec` does")])
        self.record = _RECORD(record)
        self.display = self.eglGetPlatformDisplay(_SURFACELESS, None, None)
        if not self.eglInitialize(self.display, None, None):
            raise Error([Diagnostic(f"EGL cannot be initialised: it says {self.eglGetError():#x}")])

    def __getattr__(self, name: str) -> Any:  # for those who check types: the functions above
        raise AttributeError(name)


_egl: Optional[_Egl] = None


def _library() -> _Egl:
    global _egl
    if _egl is None:
        _egl = _Egl()
    return _egl


def _ints(*values: int) -> ctypes.Array[ctypes.c_int]:
    return (ctypes.c_int * len(values))(*values)


class Context:
    """A headless context of OpenGL ES 2.0 (or 1.1, or 3.0) with a picture of `width` x `height` pixels to draw into: RGBA, 24
    bits of depth, 8 of stencil. It is current to the thread that makes it, so calls of PyOpenGL (OpenGL.GLES2), ctypes
    or of `gl`, the functions of OpenGL ES 2.0 and 3.0, draw into it. No GPU, no display, no X server.

    samples: 0, or 4 for antialiasing. record: what is drawn is recorded from the start, for explain().
    Use it in a with statement, or close() it. Raises Error where there is no such context.
    """

    def __init__(self, width: int, height: int, *, samples: int = 0, version: int = 2, record: bool = False):
        for size in (width, height):
            if not isinstance(size, int) or not 1 <= size <= 8192:
                raise ValueError(f"a picture has 1 to 8192 pixels each way, not {size!r}")
        if samples not in (0, 4) or version not in (1, 2, 3):
            raise ValueError("samples are 0 or 4, and the version is 1, 2 or 3")
        self.width, self.height = width, height
        self._context = self._surface = None
        self._recording: Optional[_File] = None
        egl = self._egl = _library()
        config, count = ctypes.c_void_p(), ctypes.c_int()
        wanted = _ints(0x3033, 1, 0x3040, (1, 4, 0x40)[version - 1], 0x3024, 8, 0x3023, 8, 0x3022, 8, 0x3021, 8,
                       0x3025, 24, 0x3026, 8, 0x3031, samples, 0x3032, int(samples > 0), 0x3038)
        egl.eglChooseConfig(egl.display, wanted, ctypes.byref(config), 1, ctypes.byref(count))
        egl.eglBindAPI(0x30A0)
        self._context = egl.eglCreateContext(egl.display, config, None, _ints(0x3098, version, 0x3038))
        self._surface = egl.eglCreatePbufferSurface(egl.display, config, _ints(0x3057, width, 0x3056, height, 0x3038))
        if not count.value or not self._context or not self._surface:
            self._fail("there is no such context")
        self.make_current()
        #: The functions of OpenGL ES: context.gl.glClear(0x4000). Memory is given as bytes, arrays or None.
        self.gl = Functions(tessera_gl.library("libGLESv2.so.2" if version >= 2 else "libGLESv1_CM.so.1"))
        self._record = record
        if record:
            self._recording = self._begin()

    def _fail(self, what: str) -> None:
        error = self._egl.eglGetError()
        self.close()
        raise Error([Diagnostic(f"{what}: EGL says {error:#x}")])

    def make_current(self) -> None:
        """Makes it the calling thread's context."""
        egl = self._egl
        if not self._context or not egl.eglMakeCurrent(egl.display, self._surface, self._surface, self._context):
            raise Error([Diagnostic(f"the context cannot be made current: EGL says {egl.eglGetError():#x}")])

    def close(self) -> None:
        """Gives it up. What was read stays."""
        egl = self._egl
        recording, self._recording = self._recording, None
        if recording is not None:
            egl.record(egl.display, None)
            recording.remove()
        context, self._context = self._context, None
        surface, self._surface = self._surface, None
        if context and egl.eglGetCurrentContext() == context:
            egl.eglMakeCurrent(egl.display, None, None, None)
        if surface:
            egl.eglDestroySurface(egl.display, surface)
        if context:
            egl.eglDestroyContext(egl.display, context)

    def __del__(self) -> None:
        if getattr(self, "_context", None) and not sys.is_finalizing():
            self.close()

    def __enter__(self) -> "Context":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def _ensure(self) -> None:
        if not self._context:
            raise Error([Diagnostic("the context is closed")])
        if self._egl.eglGetCurrentContext() != self._context:
            self.make_current()

    # --- Pictures ---

    def read(self) -> Image:
        """The picture as it is now: an Image, which numpy.asarray() makes an array (height, width, 4) of."""
        self._ensure()
        gl = self.gl
        framebuffer, alignment = (ctypes.c_int * 1)(), (ctypes.c_int * 1)()
        gl.glGetIntegerv(0x8CA6, framebuffer)  # GL_FRAMEBUFFER_BINDING
        gl.glGetIntegerv(0x0D05, alignment)  # GL_PACK_ALIGNMENT
        gl.glBindFramebuffer(0x8D40, 0)
        gl.glPixelStorei(0x0D05, 1)
        pixels = ctypes.create_string_buffer(self.width * self.height * 4)
        gl.glReadPixels(0, 0, self.width, self.height, 0x1908, 0x1401, pixels)
        gl.glPixelStorei(0x0D05, alignment[0])
        gl.glBindFramebuffer(0x8D40, framebuffer[0])
        stride, data = self.width * 4, pixels.raw
        rows = [data[at:at + stride] for at in range(len(data) - stride, -1, -stride)]
        return Image(self.width, self.height, b"".join(rows))

    def end_frame(self) -> None:
        """Ends a frame (eglSwapBuffers): the picture stays. Recordings count these."""
        self._ensure()
        self._egl.eglSwapBuffers(self._egl.display, self._surface)

    def _repr_png_(self) -> bytes:
        return self.read().png()

    def __repr__(self) -> str:
        return f"<tessera.Context: {self.width} x {self.height}{'' if self._context else ', closed'}>"

    # --- Shorthands ---

    def program(self, vertex: Union[str, Program], fragment: Union[str, Program],
                attributes: Sequence[str] = ()) -> int:
        """A linked program of GL: its name. The shaders are both GLSL, or both programs of the
        ISA, which are loaded as they are.
        attributes: their locations, from 0. Raises ProgramError with the info log."""
        self._ensure()
        gl = self.gl
        name = int(gl.glCreateProgram())
        for kind, shader in ((0x8B31, vertex), (0x8B30, fragment)):
            gl.glAttachShader(name, self._shader(kind, shader))
        for location, attribute in enumerate(attributes):
            gl.glBindAttribLocation(name, location, attribute.encode())
        gl.glLinkProgram(name)
        done = (ctypes.c_int * 1)()
        gl.glGetProgramiv(name, 0x8B82, done)
        if not done[0]:
            log = ctypes.create_string_buffer(1 << 16)
            gl.glGetProgramInfoLog(name, len(log), None, log)
            raise ProgramError([Diagnostic(log.value.decode(errors="replace").strip())])
        return name

    def _shader(self, kind: int, shader: Union[str, Program]) -> int:
        gl = self.gl
        name = int(gl.glCreateShader(kind))
        if isinstance(shader, Program):
            data = shader.to_bytes()
            gl.glShaderBinary(1, (ctypes.c_uint * 1)(name), 0x9F01, data, len(data))
            if gl.glGetError():
                raise ProgramError([Diagnostic(f"a {shader.stage} program cannot be this shader")])
            return name
        source = shader.encode(errors="replace")
        texts, sizes = (ctypes.c_char_p * 1)(source), (ctypes.c_int * 1)(len(source))
        gl.glShaderSource(name, 1, texts, sizes)
        gl.glCompileShader(name)
        done = (ctypes.c_int * 1)()
        gl.glGetShaderiv(name, 0x8B81, done)
        if not done[0]:
            from .programs import compile_glsl
            compile_glsl(shader, "vertex" if kind == 0x8B31 else "fragment")  # raises, with the lines
            raise ProgramError([Diagnostic("the shader does not compile")])
        return name

    def shade(self, fragment: Union[str, Program], uniforms: Optional[Mapping[str, Value]] = None) -> None:
        """Draws over the whole picture with a fragment shader, in GLSL ES 1.00 or, in a context of 3.0, 3.00; gl_FragCoord
        says where. uniforms: numbers by name, as many as its type has, column by column; of samplers their texture units."""
        self._ensure()
        gl = self.gl
        vertex: Union[str, Program] = "attribute vec2 a_corner; void main() { gl_Position = vec4(a_corner, 0.0, 1.0); }"
        if isinstance(fragment, str) and version_of(fragment.split("\n")) == 300:  # and of a version
            vertex = "#version 300 es\nin vec2 a_corner; void main() { gl_Position = vec4(a_corner, 0.0, 1.0); }"
        elif isinstance(fragment, Program):  # the two of a program are of a kind
            vertex = assemble(".vertex\n.input v0 a_corner vec4\n    mov o0, v0\n    ret\n")
        program = self.program(vertex, fragment, ["a_corner"])
        gl.glUseProgram(program)
        self._set_uniforms(program, uniforms or {})
        corners = (ctypes.c_float * 6)(-1, -1, 3, -1, -1, 3)
        gl.glBindBuffer(0x8892, 0)
        gl.glEnableVertexAttribArray(0)
        gl.glVertexAttribPointer(0, 2, 0x1406, 0, 0, corners)
        gl.glDrawArrays(4, 0, 3)
        gl.glDeleteProgram(program)
        error = gl.glGetError()
        if error:
            raise Error([Diagnostic(f"OpenGL ES says {error:#x}")])

    def _set_uniforms(self, program: int, uniforms: Mapping[str, Value]) -> None:
        """Of the program that is in use."""
        gl = self.gl
        count, size, kind, room = (ctypes.c_int * 1)(), (ctypes.c_int * 1)(), (ctypes.c_uint * 1)(), 1 << 12
        gl.glGetProgramiv(program, 0x8B86, count)  # GL_ACTIVE_UNIFORMS
        kinds: Dict[str, int] = {}
        for i in range(count[0]):
            text = ctypes.create_string_buffer(room)
            gl.glGetActiveUniform(program, i, room, None, size, kind, text)
            kinds[text.value.decode()] = kind[0]
        for name, value in uniforms.items():
            numbers = flat(value)
            location = gl.glGetUniformLocation(program, name.encode())
            # An array is listed as its first element.
            found = next((kinds[one] for one in (name, f"{name}[0]", f"{name.rpartition('[')[0]}[0]") if one in kinds), 0)
            function, components = _UNIFORMS.get(found, ("1iv", 1))
            elements = len(numbers) // components
            if location < 0 or elements < 1 or len(numbers) % components:
                raise ValueError(f"there is no uniform {name!r} of {len(numbers)} numbers")
            if function.endswith("fv"):
                values: Any = (ctypes.c_float * len(numbers))(*map(float, numbers))
            elif any(int(number) != number for number in numbers):
                raise ValueError(f"uniform {name!r} is of integers")
            else:
                values = ((ctypes.c_uint if function.endswith("uiv") else ctypes.c_int) * len(numbers))(*map(int, numbers))
            transposed = (0,) if function.startswith("Matrix") else ()
            getattr(gl, f"glUniform{function}")(location, elements, *transposed, values)

    # --- Recordings ---

    def _begin(self) -> "_File":
        file = _File()
        if not self._egl.record(self._egl.display, os.fsencode(file.path)):
            file.remove()
            raise Error([Diagnostic("nothing can be recorded: another recording is under way (also by "
                                    f"TESSERA_COMMANDS); EGL says {self._egl.eglGetError():#x}")])
        return file

    def _end(self, file: "_File") -> bytes:
        self.end_frame()  # also a picture that was not ended is a frame
        self._egl.record(self._egl.display, None)
        try:
            return pathlib.Path(file.path).read_bytes()
        finally:
            file.remove()

    @contextlib.contextmanager
    def record(self) -> Iterator["Recording"]:
        """with context.record() as recording: what is drawn meanwhile is recorded, by whatever library. One recording
        at a time. Drawing takes longer and gives the same bytes."""
        self._ensure()
        if self._recording is not None:
            raise Error([Diagnostic("the context records all that it draws: Context.recorded()")])
        file = self._begin()
        recording = Recording(b"", f"{self.width} x {self.height}")
        try:
            yield recording
        finally:
            self._ensure()
            recording.stream = self._end(file)

    @property
    def records(self) -> bool:
        """Whether all that it draws is recorded."""
        return self._recording is not None

    def recorded(self) -> "Recording":
        """What a context with record=True has drawn so far; it records on."""
        self._ensure()
        if self._recording is None:
            raise Error([Diagnostic("nothing was recorded: make the context with record=True")])
        stream = self._end(self._recording)
        self._recording = None
        recording = Recording(stream, f"{self.width} x {self.height}")
        self._recording = self._begin()
        return recording

    def explain(self, x: int, y: int) -> str:
        """What every draw and clear did to a pixel, from the upper left corner, of the last frame (or since then). Of a
        context with record=True."""
        return self.recorded().explain(x, y)


class _File:
    """A file of a temporary folder, gone with this object."""

    def __init__(self) -> None:
        folder = tempfile.mkdtemp(prefix="tessera-")
        self.path = os.path.join(folder, "stream.tsc")
        #: Takes the folder away; at the latest with this object.
        self.remove = weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)


class Recording:
    """A command stream (docs/commands.md): listed, explained pixel by pixel, debugged, and put on the model."""

    def __init__(self, stream: bytes, name: str = "stream"):
        #: The bytes of a .tsc file.
        self.stream = stream
        self.name = name

    @classmethod
    def open(cls, path: Union[str, "os.PathLike[str]"]) -> "Recording":
        """Reads a .tsc file, as TESSERA_COMMANDS=FILE makes one of any program."""
        return cls(pathlib.Path(path).read_bytes(), os.path.basename(path))

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes a .tsc file."""
        write_whole(path, self.stream)

    @property
    def frames(self) -> int:
        """How many frames have ended in it."""
        count = ctypes.c_uint64()
        check(tools.tesseraFrames(self.stream, len(self.stream), ctypes.byref(count)))
        return count.value

    def _explained(self, x: int, y: int, frame: Optional[int], form: bytes) -> bytes:
        for number in (x, y):
            if not isinstance(number, int) or not 0 <= number < 2**20:
                raise ValueError(f"there is no pixel {x},{y}")
        last = 2**64 - 1  # the last in which something is drawn
        if frame is not None and (not isinstance(frame, int) or not 0 <= frame < last):
            raise ValueError(f"there is no frame {frame!r}")
        number = last if frame is None else frame
        return take_bytes(tools.tesseraExplain(self.stream, len(self.stream), number, x, y, form))

    def explain(self, x: int, y: int, frame: Optional[int] = None) -> str:
        """What every draw and clear of a frame (None: the last one that draws) did to a pixel, from the upper left
        corner."""
        return self._explained(x, y, frame, b"text").decode(errors="replace")

    def history(self, x: int, y: int, frame: Optional[int] = None) -> Dict[str, Any]:
        """The same as data, as `tessera explain --json` prints it."""
        history: Dict[str, Any] = json.loads(self._explained(x, y, frame, b"json"))
        return history

    def capture(self, x: int, y: int, frame: Optional[int] = None) -> bytes:
        """The group of 32 lanes that shaded the pixel last, for Debugger.of_capture() and `tessera dbg --capture`."""
        return self._explained(x, y, frame, b"capture")

    def debug(self, x: int, y: int, frame: Optional[int] = None) -> "Debugger":
        """A debugger at the start of what shaded the pixel last."""
        from .debugger import Debugger
        return Debugger.of_capture(self.capture(x, y, frame))

    def list(self) -> str:
        """A line for each command."""
        return take_text(tools.tesseraListCommands(self.stream, len(self.stream), b"text"))

    def commands(self) -> List[Dict[str, Any]]:
        """A dictionary for each command, with all its fields."""
        listed: Any = json.loads(take_text(tools.tesseraListCommands(self.stream, len(self.stream), b"json")))
        return listed if isinstance(listed, list) else list(listed.get("commands", []))

    def __repr__(self) -> str:
        return f"<tessera.Recording of {self.name}: {len(self.stream)} bytes>"


def explain(recording: Union[Recording, Context, str, "os.PathLike[str]"], pixel: Sequence[int],
            frame: Optional[int] = None) -> str:
    """What every draw and clear of a frame did to a pixel (x, y from the upper left corner): of a Recording, a .tsc
    file, or a Context that was made with record=True."""
    if isinstance(recording, Context):
        recording = recording.recorded()
    elif not isinstance(recording, Recording):
        recording = Recording.open(recording)
    x, y = pixel
    return recording.explain(x, y, frame)
