"""Programs: assembled, compiled, read, and what can be said of them."""

from __future__ import annotations

import ctypes
import dataclasses
import json
import os
import pathlib
from typing import Any, Dict, Iterator, List, Optional, Tuple, Union

from . import _show
from ._errors import Diagnostic, ProgramError
from ._files import write_whole
from ._library import Handle, check, diagnostics, take_bytes, take_text, tools

_STAGES = {"vertex": 0, "fragment": 1, "compute": 2}

#: What functions take for a program: a Program, or its text. Assembly begins with .vertex, .fragment or .compute; all
#: other text is a fragment shader in GLSL ES, 1.00 or 3.00.
ProgramLike = Union["Program", str]


class Program:
    """A verified program of the ISA (docs/isa.md). Immutable; any thread may use it.

    assemble(), compile_glsl(), link_glsl() and load() make them.
    """

    def __init__(self, address: Any, name: str, warnings: Optional[List[Diagnostic]] = None):
        self._handle = Handle(address, "tesseraFreeProgram")
        #: Of its file, as messages have it.
        self.name = name
        #: What the assembler or compiler warned of.
        self.warnings: List[Diagnostic] = warnings or []
        self._info: Optional[Dict[str, Any]] = None

    @property
    def info(self) -> Dict[str, Any]:
        """What the program is: stage, instructions, units (instructions of each), temporaries, constants, inputs, outputs,
        uniforms (with the members of uniform blocks), results, samplers and buffers (dictionaries with name, type,
        register), block and shared_bytes of a compute program, source and lines (the source's line of each
        instruction)."""
        if self._info is None:
            self._info = json.loads(take_text(tools.tesseraDescribe(self._handle.address)))
        return self._info

    @property
    def stage(self) -> str:
        """vertex, fragment or compute."""
        return str(self.info["stage"])

    @property
    def source(self) -> str:
        """The text that it was made of; empty where it is not known."""
        return str(self.info["source"])

    def __len__(self) -> int:
        """How many instructions it has."""
        return int(self.info["instructions"])

    def disassemble(self, source: bool = False) -> str:
        """Text that assembles to the same program; with `source` each line of its source above its instructions."""
        return take_text(tools.tesseraDisassemble(self._handle.address, int(source)))

    def to_bytes(self) -> bytes:
        """A .tsb file, as load() and glShaderBinary take it."""
        return take_bytes(tools.tesseraProgramBytes(self._handle.address))

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes a .tsb file."""
        write_whole(path, self.to_bytes())

    def cost(self, preset: Optional[str] = None) -> "Cost":
        """What is read off the code: instructions and cycles of each line, and the shortest and longest path.
        `preset` is the machine, a name or a TOML file. tessera.cost() also runs it."""
        return Cost(json.loads(take_text(tools.tesseraStaticCost(self._handle.address, _encoded(preset)))))

    def __repr__(self) -> str:
        return f"<tessera.Program: {self.stage}, {len(self)} instructions>"

    def __str__(self) -> str:
        return self.disassemble()

    def _repr_html_(self) -> str:
        return _show.code(self.disassemble(source=bool(self.source)), f"{self.stage} program, {len(self)} instructions")


@dataclasses.dataclass(frozen=True)
class LineCost:
    """What a line costs."""

    #: From 1; 0: of instructions whose line is not known.
    line: int
    text: str
    #: In the code.
    instructions: int
    #: Cycles of a group that is alone, each instruction once.
    latency: int
    #: Instructions of groups, as it ran; None: it has not run. And the lanes that executed them.
    executed: Optional[int] = None
    lanes: Optional[int] = None
    #: Cycles of block processors, on the machine, and cycles that they waited for it.
    issued: Optional[int] = None
    waited: Optional[int] = None


class Cost:
    """What a program costs, line by line; shows itself as a table."""

    def __init__(self, report: Dict[str, Any]):
        #: Of a Program's cost(): instructions, shortest and longest (cycles), loops, lookups, bound_by (a unit).
        self.summary: Dict[str, Any] = {key: value for key, value in report.items() if key not in ("lines", "name")}
        self.name = str(report["name"])
        self.lines: List[LineCost] = []
        for line in report["lines"]:
            measured, modelled = line.get("measured", {}), line.get("modelled", {})
            self.lines.append(LineCost(
                line.get("line", 0), line.get("text", "").strip(), line["static"]["instructions"],
                line["static"]["latency"], measured.get("executed"), measured.get("lanes"), modelled.get("issued"),
                sum(modelled["waited"].values()) if modelled else None))

    @property
    def instructions(self) -> int:
        """In the code."""
        return sum(line.instructions for line in self.lines)

    @property
    def executed(self) -> Optional[int]:
        """Instructions of groups that ran; None: it has not run."""
        counts = [line.executed for line in self.lines if line.executed is not None]
        return sum(counts) if counts else None

    @property
    def cycles(self) -> Optional[int]:
        """Cycles of block processors, issued and waited; None: it was not modelled."""
        counts = [line.issued + (line.waited or 0) for line in self.lines if line.issued is not None]
        return sum(counts) if counts else None

    def __iter__(self) -> Iterator[LineCost]:
        return iter(self.lines)

    def _table(self) -> Tuple[List[str], List[List[Any]]]:
        names = [field.name for field in dataclasses.fields(LineCost) if field.name != "text"]
        shown = [name for name in names if any(getattr(line, name) is not None for line in self.lines)]
        return [*shown, "text"], [[getattr(line, name) for name in [*shown, "text"]] for line in self.lines]

    def __str__(self) -> str:
        return _show.text_table(*self._table())

    def __repr__(self) -> str:
        return f"<tessera.Cost of {self.name}: {self.instructions} instructions>"

    def _repr_html_(self) -> str:
        return _show.html_table(*self._table())


def _encoded(text: Optional[str]) -> Optional[bytes]:
    if text is not None and not isinstance(text, str):
        raise TypeError(f"a text is wanted, not {type(text).__name__}")
    return None if text is None else text.encode(errors="surrogateescape")


def _source(text: Any) -> bytes:
    if not isinstance(text, str):
        raise TypeError(f"the text of a program is wanted, not {type(text).__name__}")
    return text.encode(errors="replace")


def assemble(text: str, name: str = "program.tsa") -> Program:
    """Assembles a program (docs/isa.md). `name` is the file's in messages; .include reads files relative to it.

    Raises ProgramError, whose text shows each error with its line and a caret.
    """
    source = _source(text)
    address = check(tools.tesseraAssemble(source, len(source), _encoded(name)), ProgramError)
    return Program(address, name, diagnostics())


def compile_glsl(text: str, stage: str = "fragment", name: Optional[str] = None) -> Program:
    """Compiles a vertex or fragment shader in GLSL ES, 1.00 or by its #version 3.00, by itself.

    Raises ProgramError, whose text shows each error with its line and a caret.
    """
    if stage not in ("vertex", "fragment"):
        raise ValueError(f"the stage of a shader is vertex or fragment, not {stage!r}")
    source, file = _source(text), name or ("shader.vert" if stage == "vertex" else "shader.frag")
    address = check(tools.tesseraCompile(_STAGES[stage], source, len(source), _encoded(file)), ProgramError)
    return Program(address, file, diagnostics())


def link_glsl(vertex: str, fragment: str) -> Tuple[Program, Program]:
    """Compiles a vertex and a fragment shader and links them, as glLinkProgram does: the two programs.

    Raises ProgramError.
    """
    first, second = _source(vertex), _source(fragment)
    one, other = ctypes.c_void_p(), ctypes.c_void_p()
    check(tools.tesseraLink(first, len(first), None, second, len(second), None, ctypes.byref(one), ctypes.byref(other)),
          ProgramError)
    return Program(one.value, "shader.vert"), Program(other.value, "shader.frag")


def load(file: Union[str, "os.PathLike[str]", bytes], stage: Optional[str] = None) -> Program:
    """A program from a file: .tsb, .tsa, .vert or .frag; or from the bytes of a .tsb file.

    `stage` is that of GLSL in a file of another name. Raises ProgramError, and OSError for files that cannot be read.
    """
    if isinstance(file, (bytes, bytearray)):
        data = bytes(file)
        return Program(check(tools.tesseraReadProgram(data, len(data), None), ProgramError), "program.tsb")
    path = pathlib.Path(file)
    data = path.read_bytes()
    if data.startswith(b"TSB"):
        return Program(check(tools.tesseraReadProgram(data, len(data), _encoded(str(path))), ProgramError), str(path))
    text = data.decode(errors="replace")
    if path.suffix == ".tsa" or (stage is None and _is_assembly(text)):
        return assemble(text, str(path))
    return compile_glsl(text, stage or ("vertex" if path.suffix == ".vert" else "fragment"), str(path))


def disassemble(program: ProgramLike, source: bool = False) -> str:
    """Text that assembles to the same program; with `source` each line of its source above its instructions."""
    return as_program(program).disassemble(source)


def info(program: ProgramLike) -> Dict[str, Any]:
    """What the program is: Program.info."""
    return as_program(program).info


def _is_assembly(text: str) -> bool:
    return any(line.lstrip().startswith((".vertex", ".fragment", ".compute")) for line in text.splitlines())


def as_program(program: ProgramLike) -> Program:
    """The program, made of its text where it is one."""
    if isinstance(program, Program):
        return program
    if not isinstance(program, str):
        raise TypeError(f"a program or its text is wanted, not {type(program).__name__}")
    return assemble(program) if _is_assembly(program) else compile_glsl(program)
