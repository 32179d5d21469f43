"""The model of the paper's chip: what it would do, cycle by cycle."""

from __future__ import annotations

import collections
import ctypes
import json
import os
import pathlib
from typing import Any, Dict, List, Mapping, Optional, Tuple, Union

from . import _jobs, _show
from ._library import Handle, check, take_text, tools
from .context import Recording
from .programs import Cost, Program, ProgramLike, _encoded


class Model:
    """What a machine did with a workload; shows itself as a table and a timeline."""

    def __init__(self, address: Any):
        self._handle = Handle(address, "tesseraFreeModel")
        #: The whole report: cycles, units with the causes of their idle cycles, items, caches, memory.
        self.report: Dict[str, Any] = json.loads(self._form("json"))

    def _form(self, form: str, question: Optional[str] = None) -> str:
        return take_text(tools.tesseraReport(self._handle.address, form.encode(), _encoded(question)))

    @property
    def cycles(self) -> int:
        """Cycles until the last unit is done."""
        return int(self.report["cycles"])

    @property
    def rows(self) -> List[Dict[str, Any]]:
        """A row for each unit: its name and kind, the share of cycles that it was busy (0..1), and of each cause why it was
        not."""
        rows = []
        counts = collections.Counter(unit["unit"] for unit in self.report["units"])
        for unit in self.report["units"]:
            cycles = unit["cycles"]
            total = sum(cycles.values()) or 1
            name = unit["unit"] if counts[unit["unit"]] == 1 else f"{unit['unit']} {unit['number']}"
            row: Dict[str, Any] = {"unit": name, "kind": unit["unit"], "busy": cycles.get("busy", 0) / total}
            row.update({cause: count / total for cause, count in cycles.items() if cause != "busy"})
            rows.append(row)
        return rows

    def lines(self) -> List[Cost]:
        """What each line of each program cost."""
        return [Cost(program) for program in json.loads(self._form("lines"))]

    def why(self, question: str = "top") -> str:
        """Why units were idle: "top" (the longest waits), "draw 3", "pixel engine 2:5000" (a unit in a cycle), "run"."""
        return self._form("why", question)

    def timeline(self) -> str:
        """What the units did over time, as SVG."""
        return self._form("use.svg")

    def plot(self, of: str = "use") -> str:
        """"use": the timeline; "draws": what bounds each draw; "lines": what each line costs. SVG."""
        if of not in ("use", "draws", "lines"):
            raise ValueError(f"a plot is of use, draws or lines, not {of!r}")
        return self._form(f"{of}.svg")

    def perfetto(self) -> str:
        """A timeline for ui.perfetto.dev; a cycle is a microsecond."""
        return self._form("perfetto")

    def vcd(self) -> str:
        """A waveform for GTKWave; a cycle is a nanosecond."""
        return self._form("vcd")

    def _table(self) -> Tuple[List[str], List[List[Any]]]:
        kinds: Dict[str, List[Dict[str, Any]]] = {}
        for row in self.rows:
            kinds.setdefault(row["kind"], []).append(row)
        table: List[List[Any]] = []
        for kind, rows in kinds.items():
            shares: Dict[str, float] = collections.defaultdict(float)
            for row in rows:
                for cause, share in row.items():
                    if cause not in ("unit", "kind"):
                        shares[cause] += share / len(rows)
            busy = shares.pop("busy")
            causes = sorted(((share, cause) for cause, share in shares.items() if share), reverse=True)
            table.append([kind, len(rows), f"{100 * busy:.1f} %",
                          ", ".join(f"{cause} {100 * share:.0f} %" for share, cause in causes[:3])])
        return ["unit", "of them", "busy", "idle"], table

    def __str__(self) -> str:
        return f"{self.report['workload']} on {self.report['preset']}: {self.cycles} cycles\n" + \
            _show.text_table(*self._table())

    def __repr__(self) -> str:
        return f"<tessera.Model: {self.report['workload']} on {self.report['preset']}, {self.cycles} cycles>"

    def _repr_html_(self) -> str:
        title = f"{self.report['workload']} on {self.report['preset']}: {self.cycles} cycles"
        return f"<div>{self.timeline()}</div>{_show.html_table(*self._table(), title)}"


#: What model() takes: a recording, a program with its job, or the name of a .tsc or .tsw file.
Work = Union[Recording, ProgramLike, "os.PathLike[str]"]


def model(work: Work, *, preset: Optional[str] = None, parameters: Optional[Mapping[str, Any]] = None,
          frames: Optional[Tuple[int, int]] = None, threads: int = 0, **job: Any) -> Model:
    """Puts work on a machine: frames of a Recording (or a .tsc file), a saved workload (.tsw), or a program with the job
    that Debugger takes, alone.

    preset: a machine by name ("tessera", "miaow2", ...) or a TOML file. parameters: others of its numbers:
    {"block.processors": 2}. frames: the first and the last, from 0; None: all. The same cycles on every computer, with
    any number of threads. Raises Error for a parameter that there is not, or a machine that cannot run the work.
    """
    handle = _work_of(work, frames, job)
    texts = [f"{name}={value}".encode() for name, value in (parameters or {}).items()]
    list_of_texts = (ctypes.c_char_p * max(len(texts), 1))(*texts)
    if not isinstance(threads, int) or not 0 <= threads <= 1024:
        raise ValueError("threads are 1 to 1024, or 0")
    return Model(check(tools.tesseraModel(handle.address, _encoded(preset), list_of_texts, len(texts), threads)))


def _work_of(work: Any, frames: Optional[Tuple[int, int]], job: Mapping[str, Any]) -> Handle:
    first, last = frames if frames is not None else (0, 2**63)
    for number in (first, last):
        if not isinstance(number, int) or not 0 <= number <= 2**63:
            raise ValueError("frames are (first, last), from 0")
    is_file = isinstance(work, os.PathLike) or (isinstance(work, str) and "\n" not in work and
                                                work.endswith((".tsc", ".tsw")))
    if is_file:
        path = pathlib.Path(work)
        data = path.read_bytes()
        if data.startswith(b"TSW"):
            return Handle(check(tools.tesseraReadWork(data, len(data))), "tesseraFreeWork")
        work = Recording(data, path.name)
    if isinstance(work, Recording):
        if job:
            raise ValueError(f"{next(iter(job))}= is for a program")
        stream = work.stream
        return Handle(check(tools.tesseraWorkOfStream(stream, len(stream), _encoded(work.name), first, last)),
                      "tesseraFreeWork")
    made = _jobs.of(work, **job)
    return Handle(check(tools.tesseraWorkOfJob(made.address, None)), "tesseraFreeWork")


__all__ = ["Model", "Program", "model"]
