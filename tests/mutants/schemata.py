"""Many slips in one tree, each behind a number: built once, each runs when TESSERA_SLIP names its number (mutant schemata;
Untch, Offutt and Harrold, 1993). Without a number the tree does what it does without slips.

What is right and the slip stand side by side where the slip stands: `(::tessera_slip(17) ? (a <= b) : (a < b))`,
`if (::tessera_slip(18)) {} else count();`. A slip that cannot stand so, as in a constant expression, does not compile:
what the compiler says of it names the place.
"""

import re

IS_ON = "\0"  # stands in a guard for the question whether its slip is on
VARIABLE = "TESSERA_SLIP"  # numbers, with commas between them

# Each object has the numbers for itself, before any of its other initialisers runs. Whether one is on is not known to the
# compiler: a slip in a constant expression has to fail, or it would seem to live.
_HEADER = """#pragma once
#include <cstdlib>
#pragma clang diagnostic ignored "-Weverything"
namespace tessera_slips {
static unsigned char on[%d];
__attribute__((constructor(101))) static void read() {
    const char* at = std::getenv("%s");
    while (at != nullptr && *at != 0) {
        char* end = nullptr;
        on[std::strtoul(at, &end, 10) %% sizeof on] = 1;
        at = *end != 0 ? end + 1 : end;
    }
}
}
static inline bool tessera_slip(int number) { return tessera_slips::on[number] != 0; }
"""
_SAID = re.compile(r"(/[^:\n]+):(\d+):(\d+): (error|fatal error|note|warning): (.*)")


def header(count):
    """The header of slips with the numbers below `count`."""
    return _HEADER % (count, VARIABLE)


class Guarded:
    """A source with the numbered slips in it, {number: slip}. `header` is the path that it includes."""

    def __init__(self, source, numbered, header):
        edits = []
        for number, slip in numbered.items():
            for start, end, lead, tail in slip.guards:
                lead = lead.replace(IS_ON, f"::tessera_slip({number})")
                # What ends at a place comes before what begins there; the wider is outside of the narrower, and a
                # statement outside of an expression. The order of equal ones does not matter: their ends are alike.
                edits.append(((start, 1, -end, tail != ""), number, lead.encode()))
                edits.append(((end, 0, -start, tail == ""), number, tail.encode()))
        edits.sort(key=lambda edit: edit[0])
        parts, at, length, open_at = [], 0, 0, {}
        self.ranges = []  # (begin, end, number) in the text without its first lines
        for (place, begins, *_), number, text in edits:
            parts += [source[at:place], text]
            length += place - at
            if begins:
                open_at.setdefault(number, []).append(length)
            length += len(text)
            if not begins:
                self.ranges.append((open_at[number].pop(0), length, number))
            at = place
        body = b"".join([*parts, source[at:]])
        self.lines = [0, *(found.end() for found in re.finditer(b"\n", body))]
        # The lines keep their numbers.
        self.text = f'#include "{header}"\n#line 1\n'.encode() + body

    def at(self, line, column):
        """The number of the innermost slip at a place of which the compiler speaks; None: there is none."""
        place = self.lines[min(line, len(self.lines)) - 1] + column - 1
        inside = [(end - begin, number) for begin, end, number in self.ranges if begin <= place < end]
        return min(inside, default=(0, None))[1]

    def of_line(self, line):
        """The numbers on a line."""
        begin, end = self.lines[line - 1], [*self.lines, len(self.text)][line]
        return {number for first, last, number in self.ranges if first < end and begin < last}

    def all(self):
        return {number for _, _, number in self.ranges}


def culprits(said, guarded):
    """The numbers of slips that do not compile, by what ninja and clang said; `guarded` are {path: Guarded}. Of an error
    that speaks of no slip's place: those of the first line that has any, or all of the file."""
    found, errors = set(), []
    for path, line, column, kind, text in _SAID.findall(said):
        if kind.endswith("error"):
            errors.append([])
        if errors and kind != "warning":
            errors[-1].append((path, int(line), int(column), text))
        elif kind == "warning":
            errors.append([])
    for error in filter(None, errors):
        named = [(text, guarded[path].at(line, column)) for path, line, column, text in error if path in guarded]
        # A constant expression that asks for a slip is told with the place that asks.
        asked = [number for text, number in named if "tessera_slip" in text and number is not None]
        at = asked or [number for _, number in named if number is not None]
        if at:
            found.add(at[0])
        else:
            places = [(guarded[path], line) for path, line, *_ in error if path in guarded]
            lines = [*filter(None, (one.of_line(line) for one, line in places)), *(one.all() for one, _ in places)]
            found.update(*lines[:1])
    return found
