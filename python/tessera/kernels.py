"""Compute kernels on arrays."""

from __future__ import annotations

import ctypes
import dataclasses
import warnings
import weakref
from typing import Any, Mapping, Optional, Sequence, Union

from ._arrays import Value, memory, three, words
from ._errors import Diagnostic, Error, KernelFault, OutOfRangeWarning, ProgramError
from ._library import Handle, TesseraCounters, TesseraFault, compute
from .programs import Program, ProgramLike, _encoded, as_program

#: One to three numbers.
Size = Union[int, Sequence[int]]


@dataclasses.dataclass(frozen=True)
class Counters:
    """What a launch did."""

    blocks: int
    #: Groups of 32 lanes.
    groups: int
    #: Of groups.
    instructions: int
    barriers: int
    #: Elements accessed outside their buffers.
    out_of_range: int


class _Handles:
    """A device's address and those of its kernels, which have to go before it."""

    def __init__(self, address: Any):
        self.address = address
        self.kernels: "weakref.WeakKeyDictionary[Program, Any]" = weakref.WeakKeyDictionary()
        self._close, self._free = compute.tesseraCloseDevice, compute.tesseraFreeKernel

    def __del__(self) -> None:
        for kernel in list(self.kernels.values()):
            kernel.free()
        if self.address:
            self._close(self.address)


class _Kernel:
    def __init__(self, address: Any):
        self.address, self._free = address, compute.tesseraFreeKernel

    def free(self) -> None:
        address, self.address = self.address, None
        if address:
            self._free(address)


def _raise(kind: Any = Error) -> None:
    raise kind([Diagnostic(compute.tesseraComputeError().decode(errors="replace"))])


class Device:
    """Runs compute programs. One thread uses a device at a time; devices are independent of each other.

    tier: "interp", "jit", "tiered", or None for TESSERA_TIER and else "jit"; results are the same bytes.
    threads: 1 to 64, or 0 for TESSERA_THREADS and else all processors; results are the same bytes.
    """

    def __init__(self, tier: Optional[str] = None, threads: int = 0):
        if not isinstance(threads, int) or not -2**31 <= threads < 2**31:
            raise ValueError("a device has 1 to 64 threads")
        address = compute.tesseraOpenDevice(_encoded(tier), threads)
        if not address:
            _raise(ValueErrorOfDevice)
        self._handles = _Handles(address)

    def run(self, kernel: ProgramLike, grid: Size, block: Optional[Size] = None,
            buffers: Optional[Mapping[str, Any]] = None, uniforms: Optional[Mapping[str, Value]] = None) -> Counters:
        """Runs a kernel on a grid of blocks; what it writes is in the buffers afterwards.

        kernel: a compute program or its assembly text. grid: blocks in x, y, z. block: threads in x, y, z; None: what
        the program says. buffers: an array (or bytearray, array.array, ...) for each that the program declares, used
        in place: contiguous, and writable unless the buffer is declared constant. uniforms: a number or numbers for
        each, column by column; those that are not given are 0.

        Raises KernelFault when a block never ends or waits for lanes that do not come: its line, lanes and block.
        Warns (OutOfRangeWarning) of elements accessed outside the buffers.
        """
        program = as_program(kernel)
        if program.stage != "compute":
            raise ProgramError([Diagnostic(f"this is a {program.stage} program; a kernel begins with .compute")])
        info = program.info
        loaded = self._load(program)
        alive = self._bind(loaded, info, dict(buffers or {}))
        self._set(loaded, info, dict(uniforms or {}))
        sizes = three(grid, "the grid")
        threads = None if block is None else three(block, "the block")
        before = self._count()
        try:
            if not compute.tesseraLaunch(loaded.address, sizes, threads):
                _raise()
            if not compute.tesseraWait(self._handles.address):
                self._raise_fault(program)
        finally:
            # What was bound belongs to the caller again.
            for buffer in info["buffers"]:
                compute.tesseraBindMemory(loaded.address, buffer["name"].encode(), None, 0)
            del alive
        after = self._count()
        counters = Counters(*(now - then for now, then in zip(after, before)))
        if counters.out_of_range:
            warnings.warn(f"{counters.out_of_range} accesses outside the buffers: they read 0, or wrote nothing",
                          OutOfRangeWarning, stacklevel=2)
        return counters

    def _load(self, program: Program) -> _Kernel:
        loaded: Optional[_Kernel] = self._handles.kernels.get(program)
        if loaded is None:
            data = program.to_bytes()
            address = compute.tesseraLoadKernel(self._handles.address, data, len(data))
            if not address:
                _raise(ProgramError)
            loaded = _Kernel(address)
            weakref.finalize(program, loaded.free)
            self._handles.kernels[program] = loaded
        return loaded

    def _bind(self, loaded: _Kernel, info: Any, buffers: Mapping[str, Any]) -> Any:
        declared = {buffer["name"]: buffer for buffer in info["buffers"]}
        for name in buffers:
            if name not in declared:
                raise ValueError(f"the program has no buffer {name!r}; its buffers are "
                                 f"{', '.join(declared) or 'none'}")
        missing = [name for name in declared if name not in buffers]
        if missing:
            raise ValueError(f"there is no array for buffer {missing[0]!r}")
        alive = []
        for name, value in buffers.items():
            address, size, keeps = memory(name, value, not declared[name]["constant"])
            alive.append(keeps)
            if not compute.tesseraBindMemory(loaded.address, name.encode(), address or None, size):
                _raise(ValueErrorOfDevice)
        return alive

    @staticmethod
    def _set(loaded: _Kernel, info: Any, uniforms: Mapping[str, Value]) -> None:
        declared = {uniform["name"]: uniform for uniform in info["uniforms"]}
        for name, uniform in declared.items():
            bits = words(uniforms[name], uniform["integer"]) if name in uniforms else None
            if bits is not None and len(bits) != uniform["components"]:
                raise ValueError(f"uniform {name!r} is {uniform['components']} numbers, not {len(bits)}")
            # A kernel is kept from run to run; what is not given is 0 again.
            bits = bits if bits is not None else (ctypes.c_uint32 * uniform["components"])()
            if not compute.tesseraSetUniform(loaded.address, name.encode(), bits, len(bits)):
                _raise(ValueErrorOfDevice)
        for name in uniforms:
            if name not in declared:
                raise ValueError(f"the program has no uniform {name!r}; its uniforms are "
                                 f"{', '.join(declared) or 'none'}")

    def _count(self) -> Any:
        counters = TesseraCounters()
        compute.tesseraGetCounters(self._handles.address, ctypes.byref(counters))
        return (counters.blocks, counters.groups, counters.instructions, counters.barriers, counters.outOfRange)

    def _raise_fault(self, program: Program) -> None:
        message = compute.tesseraComputeError().decode(errors="replace")
        fault = TesseraFault()
        if not compute.tesseraGetFault(self._handles.address, ctypes.byref(fault)) or not fault.kind:
            raise Error([Diagnostic(message)])
        lines = program.source.split("\n")
        snippet = f"    {lines[fault.line - 1].strip()}" if 0 < fault.line <= len(lines) else ""
        missing = [lane for lane in range(32) if fault.missing >> lane & 1]
        raise KernelFault([Diagnostic(message, program.name, fault.line, snippet=snippet)], fault.block, fault.group,
                          missing[0] if missing else None, missing)


class ValueErrorOfDevice(Error, ValueError):
    """A value that a device does not take."""
