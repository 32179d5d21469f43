"""The debugger: a group of 32 lanes, instruction by instruction, both ways."""

from __future__ import annotations

import ctypes
import dataclasses
import json
from typing import Any, Dict, List, Optional, Sequence

from . import _jobs, _show
from ._arrays import need_numpy
from ._errors import Error
from ._library import Handle, TesseraPosition, TesseraValues, check, take_text, tools
from .programs import ProgramLike, _encoded

(_STEP, _STEP_BACK, _NEXT, _PREVIOUS, _INTO, _BACK_INTO, _FINISH, _RUN, _RUN_BACK, _RUN_TO, _RESTART,
 _GO_TO) = range(12)
_STOPS = ("moved", "breakpoint", "start", "end", "interrupted")


@dataclasses.dataclass(frozen=True)
class Position:
    """Where a debugger is."""

    #: Instructions that the group has executed.
    count: int
    #: Number of the next instruction; at the end of the last one.
    instruction: int
    #: Its line in the source, from 1; 0: not known.
    line: int
    #: The instruction, and its line, as text.
    text: str
    source: str
    #: Which lanes execute it, are beyond its guard, and have been discarded.
    active: List[bool]
    guarded: List[bool]
    discarded: List[bool]
    group: int
    groups: int
    lane: int
    ended: bool
    #: Why the last move ended: moved, breakpoint, start, end.
    stopped: str
    #: Number of the breakpoint; 0: none.
    breakpoint: int

    def __str__(self) -> str:
        where = "at the end" if self.ended else f"instruction {self.instruction}: {self.text}"
        line = f" (line {self.line}: {self.source.strip()})" if self.line else ""
        return f"{where}{line}, {sum(self.active)} lanes"


def _lanes(mask: int) -> List[bool]:
    return [bool(mask >> lane & 1) for lane in range(32)]


class Debugger:
    """Steps through the group of a pixel, a vertex, or a block of a kernel, forwards and backwards.

    program: a Program or its text. What it runs on: size, uniforms, inputs, textures of run_fragment(), and which pixel
    (x, y from the top); count and vertex for a vertex program; grid, block, buffers, uniforms for a kernel, and its
    block `at` and thread. debugger["r0.xy"] reads a register, a variable or an expression in all lanes.
    """

    def __init__(self, program: ProgramLike, *, pixel: Optional[Sequence[int]] = None, vertex: Optional[int] = None,
                 at: int = 0, thread: int = 0, **job: Any):
        made = _jobs.of(program, **job)
        group, lane = _jobs.lane_of(made, pixel, vertex, at, thread)
        self._open(check(tools.tesseraDebugJob(made.address, group)))
        self.select(lane, thread // 32 if made.program.stage == "compute" else 0)

    @classmethod
    def of_capture(cls, capture: bytes) -> "Debugger":
        """Of a group that Recording.capture() or `tessera dbg --save` took out of a running program."""
        debugger = cls.__new__(cls)
        debugger._open(check(tools.tesseraDebugCapture(bytes(capture), len(capture))))
        return debugger

    def _open(self, address: Any) -> None:
        self._handle = Handle(address, "tesseraFreeDebugger")

    # --- Moves; each gives the position ---

    def step(self, count: int = 1) -> Position:
        """Executes `count` instructions."""
        return self._move(_STEP, count)

    def step_back(self, count: int = 1) -> Position:
        """Goes back `count` instructions."""
        return self._move(_STEP_BACK, count)

    def next(self, into: bool = False) -> Position:
        """To the next line, over calls or into them."""
        return self._move(_INTO if into else _NEXT)

    def previous(self, into: bool = False) -> Position:
        """To the line before, over calls or into them."""
        return self._move(_BACK_INTO if into else _PREVIOUS)

    def finish(self) -> Position:
        """To behind the innermost call."""
        return self._move(_FINISH)

    def run(self) -> Position:
        """To the next breakpoint, or the end."""
        return self._move(_RUN)

    def run_back(self) -> Position:
        """To the breakpoint before, or the start."""
        return self._move(_RUN_BACK)

    def run_to(self, line: int) -> Position:
        """Until the line is entered, or a breakpoint comes first."""
        return self._move(_RUN_TO, line)

    def restart(self) -> Position:
        """To the first instruction."""
        return self._move(_RESTART)

    def go_to(self, count: int) -> Position:
        """To where `count` instructions have been executed."""
        return self._move(_GO_TO, count)

    def _move(self, move: int, count: int = 0) -> Position:
        if not isinstance(count, int) or not 0 <= count < 2**63:
            raise ValueError(f"{count!r} is no number of instructions or of a line")
        check(tools.tesseraDebugMove(self._handle.address, move, count, None))
        return self.position

    # --- Breakpoints ---

    def break_at(self, line: Optional[int] = None, instruction: Optional[int] = None,
                 condition: Optional[str] = None) -> int:
        """A breakpoint at a line (or the next that has instructions) or before an instruction, where the condition
        holds in a lane: its number."""
        if (line is None) == (instruction is None):
            raise ValueError("a breakpoint is at a line or before an instruction")
        where = line if instruction is None else instruction
        if not isinstance(where, int) or not 0 <= where < 2**32:
            raise ValueError(f"{where!r} is no line or instruction")
        return int(check(tools.tesseraDebugBreak(self._handle.address, int(instruction is not None), where,
                                                 _encoded(condition))))

    def clear(self, breakpoint: int) -> None:
        """Takes a breakpoint away."""
        check(tools.tesseraDebugUnbreak(self._handle.address, breakpoint))

    # --- Looking ---

    def select(self, lane: int, group: int = 0) -> None:
        """Which lane is looked at, and which group of a block."""
        for number in (lane, group):
            if not isinstance(number, int) or not 0 <= number < 2**32:
                raise ValueError(f"{number!r} is no lane or group")
        check(tools.tesseraDebugSelect(self._handle.address, group, lane))

    @property
    def position(self) -> Position:
        """Where the group is."""
        p = TesseraPosition()
        check(tools.tesseraDebugPosition(self._handle.address, ctypes.byref(p)))
        look = self._look()
        return Position(p.count, p.instruction, p.line, look["text"], look["source"], _lanes(p.activeMask),
                        _lanes(p.guardedMask), _lanes(p.discardedMask), p.group, p.groups, p.lane, bool(p.hasEnded),
                        _STOPS[p.stop], p.breakpoint)

    def _look(self) -> Dict[str, Any]:
        look: Dict[str, Any] = json.loads(take_text(tools.tesseraDebugLook(self._handle.address)))
        return look

    @property
    def title(self) -> str:
        """What is looked at."""
        return str(self._look()["title"])

    @property
    def lanes(self) -> List[str]:
        """What the lanes are: "pixel 3,4"; empty for those that the group has not."""
        return list(self._look()["lanes"])

    @property
    def registers(self) -> List[str]:
        """Those that the program has."""
        return list(self._look()["registers"])

    @property
    def variables(self) -> List[str]:
        """Those that mean something at the position."""
        return list(self._look()["variables"])

    def read(self, expression: str) -> Any:
        """A register ("r0", "r0.xy"), a variable or an expression in all 32 lanes: an array (32,) of a scalar, (32, n)
        of a vector, (32, columns, rows) of a matrix; of float32, int32, uint32 or bool as it was written. Masked (a
        numpy.ma.MaskedArray) where a lane has no value. Raises Error when it means nothing."""
        numpy = need_numpy("reading lanes")
        text = _encoded(expression)
        if text is None:
            raise TypeError("an expression is wanted")
        values = TesseraValues()
        check(tools.tesseraDebugRead(self._handle.address, text, None, None, 0, ctypes.byref(values)))
        count = values.components
        words, known = numpy.zeros((32, count), numpy.uint32), numpy.zeros((32, count), numpy.uint8)
        check(tools.tesseraDebugRead(self._handle.address, text, words.ctypes.data, known.ctypes.data, words.size,
                                     ctypes.byref(values)))
        kind = values.format.decode()
        array = words != 0 if kind == "b" else words.view({"f": "<f4", "i": "<i4"}.get(kind, "<u4"))
        shape: List[int] = [32]
        if values.elements:
            shape.append(values.elements)
        if values.columns > 1:
            shape.append(values.columns)
        if values.rows > 1:
            shape.append(values.rows)
        array, missing = array.reshape(shape), (known == 0).reshape(shape)
        return numpy.ma.MaskedArray(array, missing) if missing.any() else array

    __getitem__ = read

    # --- Showing ---

    def __repr__(self) -> str:
        return f"<tessera.Debugger of {self.title}: {self.position}>"

    def _repr_html_(self) -> str:
        look, position = self._look(), self.position
        columns = ["lane", "", "executes"]
        values = []
        for name in look["registers"]:
            if name[0] in "cv" or name.startswith("frag") or name.startswith("front"):
                continue
            try:
                values.append((name, self.read(name)))
            except Error:
                continue
        for name, array in values:
            columns += [f"{name}.{c}" for c in "xyzw"][:array.shape[1]] if array.ndim > 1 else [name]
        rows = []
        for lane in range(32):
            if not (look["active"] >> lane & 1):
                continue
            row: List[Any] = [lane, look["lanes"][lane], "yes" if position.active[lane] else ""]
            for _, array in values:
                cells = array[lane].tolist() if array.ndim > 1 else [array[lane].item()]
                row += cells
            rows.append(row)
        return _show.html_table(columns, rows, f"{self.title}: {position}")
