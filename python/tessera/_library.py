"""The C functions of tessera_tools.h and tessera_compute.h.

ctypes, so that one wheel serves every Python: nothing is compiled against an interpreter. A test compares what is
declared here with the headers.
"""

from __future__ import annotations

import ctypes
from ctypes import (CDLL, POINTER, Structure, c_char, c_char_p, c_double, c_int, c_int32, c_size_t, c_uint8, c_uint32,
                    c_uint64, c_void_p)
from typing import Any, Dict, List, Optional, Tuple, Type

import tessera_gl

from ._errors import Diagnostic, Error

ABI = 1


class TesseraDiagnostic(Structure):
    _fields_ = [("isError", c_int32), ("line", c_int32), ("column", c_int32), ("file", c_char_p),
                ("message", c_char_p), ("snippet", c_char_p)]


class TesseraPosition(Structure):
    _fields_ = [("count", c_uint64), ("group", c_uint32), ("lane", c_uint32), ("groups", c_uint32),
                ("instruction", c_uint32), ("line", c_uint32), ("activeMask", c_uint32), ("guardedMask", c_uint32),
                ("discardedMask", c_uint32), ("hasEnded", c_int32), ("stop", c_int32), ("breakpoint", c_int32)]


class TesseraValues(Structure):
    _fields_ = [("components", c_uint32), ("rows", c_uint32), ("columns", c_uint32), ("elements", c_uint32),
                ("format", c_char)]


class TesseraDifference(Structure):
    _fields_ = [("pixels", c_uint64), ("differing", c_uint64), ("firstX", c_uint32), ("firstY", c_uint32),
                ("worstX", c_uint32), ("worstY", c_uint32), ("worstBy", c_uint32), ("worstA", c_uint8 * 4),
                ("worstB", c_uint8 * 4), ("mean", c_double * 4)]


class TesseraCounters(Structure):
    _fields_ = [("blocks", c_uint64), ("groups", c_uint64), ("instructions", c_uint64), ("barriers", c_uint64),
                ("outOfRange", c_uint64)]


class TesseraFault(Structure):
    _fields_ = [("kind", c_uint32), ("group", c_uint32), ("instruction", c_uint32), ("line", c_uint32),
                ("block", c_uint64), ("missing", c_uint32)]


# Objects are void pointers; texts of programs may hold any bytes, so they are handed over with their sizes.
_P = c_void_p
_WORDS = POINTER(c_uint32)

#: Name -> result, arguments.
TOOLS: Dict[str, Tuple[Any, List[Any]]] = {
    "tesseraToolsAbi": (c_uint32, []),
    "tesseraToolsVersion": (c_char_p, []),
    "tesseraToolsError": (c_char_p, []),
    "tesseraDiagnosticCount": (c_uint32, []),
    "tesseraGetDiagnostic": (c_int, [c_uint32, POINTER(TesseraDiagnostic)]),
    "tesseraTextBytes": (_P, [_P]),
    "tesseraTextSize": (c_size_t, [_P]),
    "tesseraFreeText": (None, [_P]),
    "tesseraAssemble": (_P, [c_char_p, c_size_t, c_char_p]),
    "tesseraCompile": (_P, [c_int, c_char_p, c_size_t, c_char_p]),
    "tesseraLink": (c_int, [c_char_p, c_size_t, c_char_p, c_char_p, c_size_t, c_char_p, POINTER(_P), POINTER(_P)]),
    "tesseraReadProgram": (_P, [c_char_p, c_size_t, c_char_p]),
    "tesseraFreeProgram": (None, [_P]),
    "tesseraProgramBytes": (_P, [_P]),
    "tesseraDisassemble": (_P, [_P, c_int]),
    "tesseraDescribe": (_P, [_P]),
    "tesseraStaticCost": (_P, [_P, c_char_p]),
    "tesseraPixels": (_P, [_P, c_uint32, c_uint32]),
    "tesseraVertices": (_P, [_P, c_uint32]),
    "tesseraBlocks": (_P, [_P, _WORDS, _WORDS]),
    "tesseraFreeJob": (None, [_P]),
    "tesseraJobInput": (c_int, [_P, c_char_p, _P, c_size_t, c_size_t]),
    "tesseraJobUniform": (c_int, [_P, c_char_p, _P, c_size_t]),
    "tesseraJobTexture": (c_int, [_P, c_char_p, _P, c_uint32, c_uint32, c_int, c_int]),
    "tesseraJobBuffer": (c_int, [_P, c_char_p, _P, c_size_t]),
    "tesseraRunJob": (c_int, [_P, c_char_p, c_int]),
    "tesseraJobOutput": (c_int, [_P, c_uint32, _P]),
    "tesseraJobDiscarded": (c_int, [_P, _P]),
    "tesseraJobGroups": (c_uint64, [_P]),
    "tesseraJobLane": (c_int, [_P, c_uint64, c_uint64, POINTER(c_uint64), POINTER(c_uint32)]),
    "tesseraJobTrace": (_P, [_P, c_uint64, c_char_p, c_uint64]),
    "tesseraJobCost": (_P, [_P, c_char_p, c_char_p]),
    "tesseraDebugJob": (_P, [_P, c_uint64]),
    "tesseraDebugCapture": (_P, [c_char_p, c_size_t]),
    "tesseraFreeDebugger": (None, [_P]),
    "tesseraDebugMove": (c_int, [_P, c_int, c_uint64, POINTER(TesseraPosition)]),
    "tesseraDebugSelect": (c_int, [_P, c_uint32, c_uint32]),
    "tesseraDebugPosition": (c_int, [_P, POINTER(TesseraPosition)]),
    "tesseraDebugLook": (_P, [_P]),
    "tesseraDebugBreak": (c_int, [_P, c_int, c_uint32, c_char_p]),
    "tesseraDebugUnbreak": (c_int, [_P, c_int]),
    "tesseraDebugRead": (c_int, [_P, c_char_p, _P, _P, c_size_t, POINTER(TesseraValues)]),
    "tesseraFrames": (c_int, [c_char_p, c_size_t, POINTER(c_uint64)]),
    "tesseraExplain": (_P, [c_char_p, c_size_t, c_uint64, c_uint32, c_uint32, c_char_p]),
    "tesseraListCommands": (_P, [c_char_p, c_size_t, c_char_p]),
    "tesseraWorkOfStream": (_P, [c_char_p, c_size_t, c_char_p, c_uint64, c_uint64]),
    "tesseraWorkOfJob": (_P, [_P, c_char_p]),
    "tesseraReadWork": (_P, [c_char_p, c_size_t]),
    "tesseraWorkBytes": (_P, [_P]),
    "tesseraFreeWork": (None, [_P]),
    "tesseraModel": (_P, [_P, c_char_p, POINTER(c_char_p), c_size_t, c_int]),
    "tesseraFreeModel": (None, [_P]),
    "tesseraReport": (_P, [_P, c_char_p, c_char_p]),
    "tesseraCompare": (c_int, [_P, _P, c_uint32, c_uint32, c_int, POINTER(TesseraDifference), _P]),
    "tesseraReadPng": (_P, [c_char_p, _WORDS]),
    "tesseraWritePng": (c_int, [c_char_p, _P, c_uint32, c_uint32]),
}

COMPUTE: Dict[str, Tuple[Any, List[Any]]] = {
    "tesseraOpenDevice": (_P, [c_char_p, c_int]),
    "tesseraCloseDevice": (None, [_P]),
    "tesseraLoadKernel": (_P, [_P, c_char_p, c_size_t]),
    "tesseraFreeKernel": (None, [_P]),
    "tesseraBindMemory": (c_int, [_P, c_char_p, _P, c_size_t]),
    "tesseraSetUniform": (c_int, [_P, c_char_p, _P, c_size_t]),
    "tesseraLaunch": (c_int, [_P, _WORDS, _WORDS]),
    "tesseraWait": (c_int, [_P]),
    "tesseraGetCounters": (c_int, [_P, POINTER(TesseraCounters)]),
    "tesseraGetFault": (c_int, [_P, POINTER(TesseraFault)]),
    "tesseraComputeError": (c_char_p, []),
}


class _Functions:
    """The functions of a library, which is opened when the first one is wanted."""

    def __init__(self, file: str, functions: Dict[str, Tuple[Any, List[Any]]]):
        self._file, self._functions = file, functions
        self._library: Optional[CDLL] = None

    def __getattr__(self, name: str) -> Any:
        result, arguments = self._functions[name]
        if self._library is None:
            try:
                self._library = CDLL(str(tessera_gl.libraries / self._file))
            except OSError as error:
                raise ImportError(f"tessera: {error}") from None
        function = getattr(self._library, name)
        function.restype, function.argtypes = result, arguments
        setattr(self, name, function)
        return function


tools = _Functions("libtessera_tools.so.0", TOOLS)
compute = _Functions("libtessera_compute.so.0", COMPUTE)


def diagnostics() -> List[Diagnostic]:
    """Of this thread's last call of one of `tools`."""
    found = []
    one = TesseraDiagnostic()
    for number in range(tools.tesseraDiagnosticCount()):
        tools.tesseraGetDiagnostic(number, ctypes.byref(one))
        message, file, snippet = (text.decode(errors="replace") for text in (one.message, one.file, one.snippet))
        found.append(Diagnostic(message, file, one.line, one.column, snippet, bool(one.isError)))
    if not found and tools.tesseraToolsError():
        found.append(Diagnostic(tools.tesseraToolsError().decode(errors="replace").strip()))
    return found


def check(result: Any, kind: Type[Error] = Error) -> Any:
    """What a function of `tools` gave; raises when that is nothing."""
    if not result:
        raise kind(diagnostics())
    return result


def take_bytes(text: Any, kind: Type[Error] = Error) -> bytes:
    """The bytes of a TesseraText, which is freed."""
    check(text, kind)
    try:
        return ctypes.string_at(tools.tesseraTextBytes(text), tools.tesseraTextSize(text))
    finally:
        tools.tesseraFreeText(text)


def take_text(text: Any, kind: Type[Error] = Error) -> str:
    return take_bytes(text, kind).decode(errors="replace")


class Handle:
    """An object of the library, freed with this one."""

    def __init__(self, address: Any, free: str):
        self.address = address
        # Bound here: when Python ends, modules may go before objects.
        self._free = getattr(tools, free)

    def __del__(self) -> None:
        address, self.address = getattr(self, "address", None), None
        if address:
            self._free(address)
