"""What goes wrong."""

from __future__ import annotations

import dataclasses
from typing import List, Optional, Sequence


@dataclasses.dataclass(frozen=True)
class Diagnostic:
    """An error or a warning with its place."""

    message: str
    #: Name of the file or text, or empty.
    file: str = ""
    #: From 1; 0: not known.
    line: int = 0
    #: From 1; 0: not known.
    column: int = 0
    #: The line and, below it, a caret.
    snippet: str = ""
    is_error: bool = True

    def __str__(self) -> str:
        place = ":".join([self.file] * bool(self.file) + [str(n) for n in (self.line, self.column) if n])
        kind = "error" if self.is_error else "warning"
        text = f"{place}: {kind}: {self.message}" if place else f"{kind}: {self.message}"
        return "\n".join([text, *self.snippet.rstrip("\n").split("\n")]) if self.snippet else text


class Error(Exception):
    """What went wrong, with its place: str() shows the line and a caret."""

    def __init__(self, diagnostics: Sequence[Diagnostic]):
        #: Errors, and warnings that came with them.
        self.diagnostics: List[Diagnostic] = list(diagnostics)
        super().__init__("\n".join(map(str, self.diagnostics)))

    @property
    def line(self) -> int:
        """Of the first error that has one, from 1; 0: none has."""
        return next((d.line for d in self.diagnostics if d.is_error and d.line), 0)

    @property
    def column(self) -> int:
        """Of the first error that has a line; 0: not known."""
        return next((d.column for d in self.diagnostics if d.is_error and d.line), 0)


class ProgramError(Error):
    """A program that does not assemble, compile, link or verify."""


class KernelFault(Error):
    """A kernel that was stopped: it never ends, or waits at a barrier that not all of its lanes reach."""

    def __init__(self, diagnostics: Sequence[Diagnostic], block: int, group: int, lane: Optional[int],
                 missing: Sequence[int]):
        super().__init__(diagnostics)
        #: Number of the block in the grid.
        self.block = block
        #: Number of the group of 32 lanes in the block.
        self.group = group
        #: The first lane (of 32) that is missing at a barrier; None where it is no matter of lanes.
        self.lane = lane
        #: All lanes of the group that are missing.
        self.missing: List[int] = list(missing)


class OutOfRangeWarning(UserWarning):
    """A kernel accessed elements outside its buffers, which read zero and are not written."""
