"""What stands in a text of assembly (.tsa): names, what words mean, and what can be typed where."""

from __future__ import annotations

import os
import pathlib
import re
from typing import Any, Dict, List, Optional

from . import _isa
from ._names import Completion, Name, Place, word_at

_LABEL = re.compile(r"\s*([A-Za-z_]\w*)\s*:")
#: Directive, what stands between it and the name, the kind of the name.
_DECLARATIONS = [(re.compile(pattern), kind) for pattern, kind in (
    (r"\s*\.(?:input|output|varying|uniform|sampler)\s+[a-z]\d+(?:\.[xyzwrgba]+)?\s+([A-Za-z_]\w*)", "variable"),
    (r"\s*\.const(?:\.\w+)?\s+c\d+\s+([A-Za-z_]\w*)\s*=", "constant"),
    (r"\s*\.define\s+([A-Za-z_]\w*)", "constant"),
    (r"\s*\.alias\s+[a-z]\d+(?:\.[xyzwrgba]+)?\s+([A-Za-z_]\w*)", "variable"),
    (r"\s*\.macro\s+([A-Za-z_]\w*)", "macro"),
    (r"\s*\.buffer\s+b\d+\s+([A-Za-z_]\w*)", "buffer"))]
_INCLUDE = re.compile(r'\s*\.include\s+"([^"]*)"')
_STATEMENT = re.compile(r"\s*(?:[A-Za-z_]\w*\s*:\s*)?(?:\(!?\w*\)\s*)?(\.?\w*)$")
_SUFFIX = re.compile(r"\s*(?:[A-Za-z_]\w*\s*:\s*)?(?:\(!?\w*\)\s*)?(\w+)(?:\.\w+)*\.\w*$")
_FILES = {"r": "a temporary", "v": "an input", "c": "a constant", "o": "an output", "a": "the address register",
          "p": "a predicate, one bit for each lane", "s": "a special", "t": "a texture unit", "b": "a buffer"}
_REGISTER = re.compile(r"([rvcosptba])(\d+)$")
#: As the assembler's own limit on files in files.
_NESTED = 16


def code_of(line: str) -> str:
    """The line without its comment; texts in quotes stay."""
    at, quoted = 0, False
    while at < len(line):
        if line[at] == '"':
            quoted = not quoted
        elif not quoted and (line[at] == ";" or line.startswith("//", at)):
            return line[:at]
        at += 1
    return line


def names(lines: List[str], path: Optional[str] = None, depth: int = 0) -> List[Name]:
    """All that a text declares, and what the files declare that it includes."""
    found: List[Name] = []
    open_label: Optional[Name] = None
    open_macro: Optional[Name] = None
    for number, whole in enumerate(lines):
        line = code_of(whole)
        label = _LABEL.match(line)
        if label:
            open_label = Name(label.group(1), "label", Place(number, label.start(1)), whole.strip(), last_line=number)
            found.append(open_label)
        if open_label is not None and line.strip():
            open_label.last_line = number
        for pattern, kind in _DECLARATIONS:
            declaration = pattern.match(line)
            if declaration:
                name = Name(declaration.group(1), kind, Place(number, declaration.start(1)), whole.strip(),
                            detail=" ".join(line.split()))
                found.append(name)
                if kind == "macro":
                    open_macro = name
        if line.strip() == ".endmacro" and open_macro is not None:
            open_macro.last_line, open_macro = number, None
        include = _INCLUDE.match(line)
        if include and path is not None and depth < _NESTED:
            file = os.path.join(os.path.dirname(path), include.group(1))
            try:
                inner = pathlib.Path(file).read_text(errors="replace").split("\n")
            except (OSError, ValueError):
                continue  # the assembler says so
            for one in names(inner, file, depth + 1):
                one.file = one.file or file
                found.append(one)
    return found


def include_of(lines: List[str], file: str) -> int:
    """The line that includes a file, from 0; the first one where none does by that name."""
    for number, line in enumerate(lines):
        include = _INCLUDE.match(line)
        if include and os.path.basename(include.group(1)) == os.path.basename(file):
            return number
    return 0


def _instruction(word: str) -> str:
    one = _isa.INSTRUCTIONS[word]
    return (f"```tsa\n{one['syntax']}\n```\n{one['meaning']}\n\n{one['text']}\n\n*{one['unit']} unit, "
            f"{one['cycles']} cycles, types {one['types']}, {one['set']} set*").replace("\n\n\n\n", "\n\n")


def _declared_at(register: str, info: Optional[Dict[str, Any]]) -> str:
    """The variable of a register, of a program that assembled."""
    for group in ("inputs", "outputs", "uniforms", "samplers") if info else ():
        for one in (info or {})[group]:
            first = int(one["register"][1:])
            if one["register"][0] == register[0] and first <= int(register[1:]) < first + one["registers"]:
                return f": `{one['name']}`, {group[:-1]}, {one['type']}"
    for buffer in (info or {}).get("buffers", []):
        if register == f"b{buffer['slot']}":
            return f": `{buffer['name']}`"
    return ""


def meaning(lines: List[str], at: Place, known: List[Name], info: Optional[Dict[str, Any]]) -> Optional[str]:
    """What the word at a place means, as Markdown, where it is none of the text's own names."""
    line = lines[at.line]
    if at.column > len(code_of(line)):
        return None
    found = word_at(line, at.column)
    if found is None:
        return None
    word, start = found
    if start and line[start - 1] == ".":
        if word in _isa.DIRECTIVES and not line[:start - 1].strip():
            return f"```tsa\n{_isa.DIRECTIVES[word]['syntax']}\n```\n{_isa.DIRECTIVES[word]['meaning']}"
        return None
    if word in _isa.INSTRUCTIONS:
        return _instruction(word)
    if word in _isa.SPECIALS:
        return f"`{word}` ({_isa.SPECIALS[word]['register']}): {_isa.SPECIALS[word]['holds']}"
    register = _REGISTER.match(word)
    if register:
        aliases = [name.name for name in known if re.match(rf"\.alias\s+{word}\b", name.declared)]
        return (f"`{word}`: {_FILES[register.group(1)]}{_declared_at(word, info)}" +
                (f"; here called {', '.join(f'`{name}`' for name in aliases)}" if aliases else ""))
    return None


def completions(lines: List[str], at: Place, known: List[Name]) -> List[Completion]:
    """What can be typed at a place."""
    before = lines[at.line][:at.column]
    if len(code_of(lines[at.line])) < at.column:
        return []
    suffix = _SUFFIX.match(before)
    if suffix and suffix.group(1) in _isa.INSTRUCTIONS:
        return [Completion(word, "suffix") for word in _isa.SUFFIXES]
    statement = _STATEMENT.match(before)
    if statement:
        if statement.group(1).startswith("."):
            return [Completion(word, "directive", one["syntax"], one["meaning"])
                    for word, one in _isa.DIRECTIVES.items()]
        return [*(Completion(word, "instruction", one["syntax"], one["meaning"])
                  for word, one in _isa.INSTRUCTIONS.items()),
                *(Completion(name.name, "macro", name.declared) for name in known if name.kind == "macro")]
    if re.search(r"\.\w*$", before):
        return []  # components of a register
    if re.search(r"\bcall\s+\w*$", before):
        return [Completion(name.name, "label", name.declared) for name in known if name.kind == "label"]
    if before.lstrip().startswith("."):
        return [Completion(word, "type") for word in _isa.TYPES]
    return [*(Completion(name.name, name.kind, name.declared) for name in known if name.kind not in ("label", "macro")),
            *(Completion(word, "special", one["register"], one["holds"]) for word, one in _isa.SPECIALS.items())]


def included_at(line: str, path: str) -> Optional[str]:
    """The file that a line includes, if that is there."""
    include = _INCLUDE.match(line)
    file = os.path.join(os.path.dirname(path), include.group(1)) if include else ""
    return file if file and os.path.isfile(file) else None
