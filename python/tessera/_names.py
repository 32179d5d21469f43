"""What both languages of the language server are made of: texts by lines, and names with their places."""

from __future__ import annotations

import dataclasses
import re
from typing import Dict, List, NamedTuple, Optional, Tuple

WORD = re.compile(r"[A-Za-z_]\w*")

#: LSP's SymbolKind and CompletionItemKind of each kind of name.
KINDS: Dict[str, Tuple[int, int]] = {
    "function": (12, 3), "variable": (13, 6), "parameter": (13, 6), "constant": (14, 21), "struct": (23, 22),
    "member": (8, 5), "label": (12, 18), "macro": (12, 15), "buffer": (18, 6), "instruction": (12, 3),
    "directive": (14, 14), "keyword": (14, 14), "type": (26, 25), "special": (13, 6), "suffix": (14, 20),
}


class Place(NamedTuple):
    """A line from 0, and a column from 0 that counts characters of Python's texts."""

    line: int
    column: int


@dataclasses.dataclass
class Name:
    """A name that a text declares."""

    name: str
    kind: str
    place: Place
    #: The declaration as it stands in the text.
    declared: str
    #: Where it can be used; None: to the end of the text.
    until: Optional[Place] = None
    #: Whether it can be used before its declaration.
    everywhere: bool = True
    #: A function's or label's last line.
    last_line: Optional[int] = None
    #: The file, where it is another than the text's.
    file: Optional[str] = None
    #: Words between name and declaration, for tables of symbols.
    detail: str = ""


@dataclasses.dataclass
class Completion:
    """A word that can stand at a place."""

    word: str
    kind: str
    detail: str = ""
    meaning: str = ""


def word_at(line: str, column: int) -> Optional[Tuple[str, int]]:
    """The word that a column is in or directly behind, and where it starts."""
    for found in WORD.finditer(line):
        if found.start() <= column <= found.end():
            return found.group(), found.start()
    return None


def visible(names: List[Name], word: str, at: Place) -> Optional[Name]:
    """What a word stands for at a place: of those that can be used there the last that was declared before."""
    usable = [name for name in names if name.name == word and name.kind != "member" and
              (name.until is None or at <= name.until)]
    before = [name for name in usable if name.file is None and name.place <= at]
    if before:
        return max(before, key=lambda name: name.place)
    return next((name for name in usable if name.everywhere or name.file is not None), None)


def utf16(line: str, column: int) -> int:
    """The column as LSP counts: code units of UTF-16."""
    return len(line[:column].encode("utf-16-le", "surrogatepass")) // 2


def from_utf16(line: str, units: int) -> int:
    """The column of Python's text; the end of the line where there are fewer."""
    column = 0
    for character in line:
        if units <= 0:
            break
        units -= 2 if ord(character) > 0xFFFF else 1
        column += 1
    return column


def from_bytes(line: str, count: int) -> int:
    """The column of Python's text, of one that counts bytes of UTF-8, as assembler and compiler do."""
    return len(line.encode(errors="replace")[:max(count, 0)].decode(errors="ignore"))
