"""The workbench of the course: runs a learner's program on many lanes, compares, and finds out which mistake it is.

A mistake has a model: what a program with that mistake computes. Where all that came out is what the model says, the mistake
has a name. Else the first lane that is wrong is shown, with the instruction that wrote its value.
"""

from __future__ import annotations

import array
import ctypes
import dataclasses
import json
import math
import re
import struct
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple

from .. import _jobs
from .._errors import Error, KernelFault
from .._library import Handle, check, take_text, tools
from ..context import Recording
from ..kernels import Device
from ..modelling import Model, model
from ..programs import Cost, Program, _encoded

Values = Tuple[float, ...]


class Wrong(Exception):
    """A program that is not right; what there is to say of it."""


class Mistake(NamedTuple):
    """What a program with a mistake computes, and what to say to who made it."""

    say: str
    #: For a lane's inputs.
    model: Callable[..., Values]


@dataclasses.dataclass
class Lane:
    """One thread, vertex or pixel: what it got, and what should come out."""

    place: str
    inputs: Dict[str, Values]
    expected: Values
    #: Where it ran, to find its instructions again: number of the run, and what lane_of() takes.
    run: int = 0
    at: Tuple[int, int] = (0, 0)
    got: Values = ()


@dataclasses.dataclass(frozen=True)
class Par:
    """What the solution takes."""

    instructions: int
    executed: int
    cycles: int


def float32(value: float) -> float:
    """Rounded as the machine keeps it."""
    return float(struct.unpack("<f", struct.pack("<f", value))[0])


def is_close(a: Values, b: Values, tolerance: float) -> bool:
    return all(x == y or abs(x - y) <= tolerance * max(1.0, abs(x), abs(y)) for x, y in zip(a, b))


def shown(values: Values) -> str:
    return ", ".join(f"{value:.6g}" if isinstance(value, float) and math.isfinite(value) else str(value) for value in values)


class Bench:
    """A program and all that it was run on."""

    def __init__(self, program: Program, file: str, tolerance: float = 1e-4):
        self.program, self.file, self.tolerance = program, file, tolerance
        self.jobs: List[_jobs.Job] = []
        self.lanes: List[Lane] = []
        #: What the values are called: "o0", or a buffer with its elements.
        #: What is modelled in place of the last job: a whole frame.
        self.frame: Optional[Recording] = None
        self.result = ""
        self.components = "xyzw"

    # --- Running ---

    def needs(self, stage: str, inputs: Sequence[str] = (), uniforms: Sequence[str] = (), buffers: Sequence[str] = (),
              samplers: Sequence[str] = ()) -> None:
        """The declarations that the exercise's file begins with."""
        if self.program.stage != stage:
            raise Wrong(f"{self.file}: this is a {self.program.stage} program; the exercise asks for a {stage} program")
        info = self.program.info
        for kind, names in (("inputs", inputs), ("uniforms", uniforms), ("buffers", buffers), ("samplers", samplers)):
            have = {one["name"] for one in info[kind]}
            for name in names:
                if name not in have:
                    raise Wrong(f"{self.file}: it does not use '{name}', one of its {kind}; what is asked cannot be had "
                                "without. Keep the declarations of the file that 'tessera course start' wrote")

    def _run(self, job: _jobs.Job, count: int, register: int) -> List[Values]:
        self.jobs.append(job)
        try:
            check(tools.tesseraRunJob(job.address, None, 0))
        except Error as error:
            raise Wrong(f"{self.file}: it does not come to its end\n{error}") from None
        words = (ctypes.c_float * (4 * count))()
        check(tools.tesseraJobOutput(job.address, register, ctypes.addressof(words)))
        return [tuple(words[4 * i:4 * i + 4]) for i in range(count)]

    @staticmethod
    def _give(job: _jobs.Job, name: str, values: Sequence[Values]) -> None:
        words = (ctypes.c_float * (len(values) * len(values[0])))(*(number for value in values for number in value))
        check(tools.tesseraJobInput(job.address, _encoded(name), ctypes.addressof(words), len(values[0]), len(values)))

    def run_vertices(self, inputs: Mapping[str, Sequence[Values]], uniforms: Mapping[str, Values],
                     expected: Sequence[Values]) -> None:
        """A lane for each vertex; what is expected is gl_Position."""
        count = len(expected)
        job = _jobs.vertices(self.program, count, uniforms, {}, {})
        for name, values in inputs.items():
            self._give(job, name, values)
        self.result = "o0"
        for i, got in enumerate(self._run(job, count, 0)):
            given = {name: values[i] for name, values in inputs.items()}
            self.lanes.append(Lane(f"lane {i % 32}, vertex {i}", {**given, **uniforms}, expected[i],
                                   len(self.jobs) - 1, (i, 0), got[:len(expected[i])]))

    def run_pixels(self, size: Tuple[int, int], inputs: Mapping[str, Sequence[Values]], uniforms: Mapping[str, Values],
                   expected: Sequence[Values], textures: Optional[Mapping[str, Any]] = None) -> None:
        """A lane for each pixel, row by row from the top."""
        width, height = size
        job = _jobs.pixels(self.program, size, uniforms, {}, textures or {})
        for name, values in inputs.items():
            self._give(job, name, values)
        self.result = "o0"
        for i, got in enumerate(self._run(job, width * height, 0)):
            x, y = i % width, i // width
            _, lane = _jobs.lane_of(job, (x, y), None, 0, 0)
            given = {name: values[i] for name, values in inputs.items()}
            given["gl_FragCoord"] = (x + 0.5, height - y - 0.5)
            self.lanes.append(Lane(f"lane {lane}, pixel {x},{y} from the top", {**given, **uniforms}, expected[i],
                                   len(self.jobs) - 1, (x, y), got[:len(expected[i])]))

    def run_kernel(self, grid: Sequence[int], buffers: Mapping[str, "array.array[Any]"], result: str, each: int,
                   uniforms: Optional[Mapping[str, Values]], inputs: Sequence[Dict[str, Values]],
                   expected: Sequence[Values], block: int) -> None:
        """A lane for each `each` elements of the buffer `result`, in the order of the threads of blocks of `block`."""
        job = _jobs.blocks(self.program, grid, None, buffers, uniforms)
        self.jobs.append(job)
        try:
            Device("interp", 1).run(self.program, grid, None, buffers, uniforms)
        except KernelFault as fault:
            raise Wrong(f"{self.file}: it was stopped\n{fault}") from None
        self.result, self.components = result, ""
        made = buffers[result]
        for i, want in enumerate(expected):
            self.lanes.append(Lane(f"lane {i % block % 32}, thread {i % block} of block {i // block}", inputs[i], want,
                                   len(self.jobs) - 1, (i % block, i // block), tuple(made[each * i:each * i + each])))

    # --- Judging ---

    def judge(self, mistakes: Sequence[Mistake]) -> None:
        """Nothing where all lanes are right; else Wrong says what it is."""
        wrong = [lane for lane in self.lanes if not is_close(lane.got, lane.expected, self.tolerance)]
        if not wrong:
            return
        text = [f"{self.file}: wrong in {len(wrong)} of {len(self.lanes)} lanes"]
        for mistake in mistakes:
            if all(is_close(lane.got, mistake.model(**lane.inputs), self.tolerance) for lane in self.lanes):
                text.append(f"The mistake: {mistake.say}")
                break
        lane = wrong[0]
        text.append(f"the first one is {lane.place}")
        text += [f"    {name:14} {shown(values)}" for name, values in lane.inputs.items()]
        text.append(f"    {'came out':14} {shown(lane.got)}")
        text.append(f"    {'should be':14} {shown(lane.expected)}")
        differ = [i for i, (x, y) in enumerate(zip(lane.got, lane.expected)) if not is_close((x,), (y,), self.tolerance)]
        if len(lane.expected) > 1:
            text.append(f"    {'wrong':14} {', '.join('xyzw'[i] for i in differ)}")
        text.append(self._writer(lane, differ[0]))
        text += [f"{one.file}:{one.line}: warning: {one.message}" for one in self.program.warnings]
        raise Wrong("\n".join(text))

    def trace(self, run: int, group: int) -> List[Dict[str, Any]]:
        """Every instruction of a group, or of a block of a kernel."""
        text = take_text(tools.tesseraJobTrace(self.jobs[run].address, group, b"json", 10**6))
        return [json.loads(line) for line in text.splitlines()]

    def _line(self, entry: Mapping[str, Any]) -> str:
        source = self.program.source.split("\n")
        number = int(entry["line"])
        text = source[number - 1].strip() if 0 < number <= len(source) else str(entry["instruction"])
        return f"line {number}: {text.split(';')[0].strip()}"

    def _writer(self, lane: Lane, component: int) -> str:
        """The instruction that wrote the value last."""
        job = self.jobs[lane.run]
        if self.program.stage == "compute":
            return self._storer(lane, component)
        group, number = _jobs.lane_of(job, lane.at if self.program.stage == "fragment" else None, lane.at[0], 0, 0)
        letter = self.components[component]
        entry = _written(self.trace(lane.run, group), self.result, letter, number)
        if entry is not None:
            return f"{self.result}.{letter} was written in {self._line(entry)}"
        return f"no instruction writes {self.result}.{letter} in this lane; what is not written is 0"

    def _storer(self, lane: Lane, component: int) -> str:
        """The store, and the instruction that made what it stored."""
        thread, block = lane.at
        trace = [entry for entry in self.trace(lane.run, block) if entry["group"] == thread // 32]
        for at in reversed(range(len(trace))):
            for access in trace[at]["accesses"]:
                if access["memory"] != self.result or not int(access["lanes"], 16) >> (thread % 32) & 1:
                    continue
                said = f"{self.result} was written in {self._line(trace[at])}"
                value = re.search(r", -?\|?(r\d+)(?:\.(\w+))?\|?$", trace[at]["instruction"])
                if value is None:
                    return said
                letters = value[2] or "xyzw"
                letter = letters[min(component, len(letters) - 1)]
                made = _written(trace[:at], value[1], letter, thread % 32)
                return said if made is None else f"{said}\n{value[1]}.{letter} was written in {self._line(made)}"
        return f"no instruction of this lane writes {self.result}; what is not written stays 0"

    # --- What it costs ---

    def model(self) -> Model:
        """The last job, or the frame, alone on the chip."""
        if self.frame is not None:
            return model(self.frame)
        work = Handle(check(tools.tesseraWorkOfJob(self.jobs[-1].address, None)), "tesseraFreeWork")
        return Model(check(tools.tesseraModel(work.address, None, (ctypes.c_char_p * 1)(), 0, 0)))

    def cost(self) -> Cost:
        return Cost(json.loads(take_text(tools.tesseraJobCost(self.jobs[-1].address, None, b"json"))))

    def spent(self) -> Par:
        """What this program takes, of the last job."""
        cost = self.cost()
        return Par(len(self.program), int(cost.executed or 0), self.model().cycles)

    def report(self, par: Par) -> str:
        """What there is to say of a program that is right."""
        spent, cost = self.spent(), self.cost()
        lanes = sum(line.lanes or 0 for line in cost)
        rows = [("instructions in the code", spent.instructions, par.instructions),
                ("instructions of groups", spent.executed, par.executed), ("cycles of the chip", spent.cycles, par.cycles)]
        runs = f", in {len(self.jobs)} runs. The last of them takes" if len(self.jobs) > 1 else ""
        text = [f"{self.file}: right in all {len(self.lanes)} lanes{runs}"]
        text += [f"    {name:25} {mine:7}   par {other:7}   {_beside(mine, other)}".rstrip() for name, mine, other in rows]
        if spent.executed:
            text.append(f"    of 32 lanes {lanes / spent.executed:.1f} executed an instruction, on average")
        return "\n".join(text)


def _written(trace: Sequence[Dict[str, Any]], register: str, letter: str, lane: int) -> Optional[Dict[str, Any]]:
    """The last entry that writes a component in a lane."""
    for entry in reversed(trace):
        for write in entry["writes"]:
            if write["register"] == register and letter in write and int(write["lanes"], 16) >> lane & 1:
                return entry
    return None


def _beside(mine: int, par: int) -> str:
    if mine == par:
        return ""
    return f"{100 * (mine - par) / par:+.0f} %"
