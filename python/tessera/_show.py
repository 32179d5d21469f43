"""How objects show themselves: tables as text and HTML, programs with their words in colours."""

from __future__ import annotations

import html
import re
from typing import Any, List, Sequence

_TOKENS = re.compile(r"""
    (?P<comment>;.*$|//.*$)|(?P<directive>(?<![\w.])\.[a-z]\w*)|(?P<string>"[^"]*")
    |(?P<register>\b(?:[rvcostb]\d+|a0|p[1-3])(?:\.[xyzwrgba]+)?\b)
    |(?P<number>(?<![\w.])(?:0[xX][0-9a-fA-F]+|\d+\.?\d*(?:[eE][+-]?\d+)?)(?!\w))
    |(?P<instruction>(?:^|(?<=\s))[a-z]\w*(?:\.\w+)*(?=\s|$))""", re.VERBOSE)
_COLORS = {"comment": "#6a737d", "directive": "#6f42c1", "string": "#032f62", "register": "#005cc5",
           "number": "#b35900", "instruction": "#22863a"}
_CELL = "padding:1px 8px;text-align:right;font-family:monospace;white-space:pre"


def code(text: str, title: str) -> str:
    """Assembly with its words in colours, as HTML."""
    lines = []
    for line in text.splitlines():
        made, at = [], 0
        for token in _TOKENS.finditer(line):
            kind = token.lastgroup or ""
            made.append(html.escape(line[at:token.start()]))
            made.append(f'<span style="color:{_COLORS[kind]}">{html.escape(token.group())}</span>')
            at = token.end()
        lines.append("".join(made) + html.escape(line[at:]))
    body = "\n".join(lines)
    return (f'<div><b>{html.escape(title)}</b><pre style="line-height:1.3;max-height:32em;overflow:auto">{body}</pre>'
            "</div>")


def cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.6g}"
    return str(value)


def html_table(columns: Sequence[str], rows: Sequence[Sequence[Any]], title: str = "") -> str:
    head = "".join(f'<th style="{_CELL}">{html.escape(str(name))}</th>' for name in columns)
    body = "".join("<tr>" + "".join(
        f'<td style="{_CELL}{";text-align:left" if isinstance(value, str) else ""}">{html.escape(cell(value))}</td>'
        for value in row) + "</tr>" for row in rows)
    caption = f"<caption>{html.escape(title)}</caption>" if title else ""
    return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def text_table(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    cells: List[List[str]] = [list(map(str, columns)), *[[cell(value) for value in row] for row in rows]]
    widths = [max(len(row[i]) for row in cells) for i in range(len(columns))]
    left = [all(isinstance(row[i], str) for row in rows) and bool(rows) for i in range(len(columns))]
    lines = ["  ".join(text.ljust(width) if is_left else text.rjust(width)
                       for text, width, is_left in zip(row, widths, left)).rstrip() for row in cells]
    return "\n".join(lines)
