"""The slips that a developer makes, found in the tree that clang makes of a source: what could stand there by mistake, as
a range of bytes and what takes its place. Each compiles, mostly; no line moves. Most have a guarded form too, with what is
right and the slip side by side (schemata.py).

Nothing is planted in what a macro makes, in template arguments and static assertions, which are no run-time code.
"""

import dataclasses
import json
import pathlib
import re
import shlex

from clang import cindex
from clang.cindex import CursorKind, TypeKind

from schemata import IS_ON

KINDS = {
    "comparison": "a comparison with its end moved or turned round; the least for the greatest",
    "sign": "a sum for a difference, a minus or a negation left out",
    "constant": "a whole number one more",
    "statement": "a statement left out",
    "arguments": "two neighbouring arguments of one type exchanged",
    "logic": "`&&` for `||` and the reverse",
    "operand": "one side of `&&` or `||` left out",
    "field": "a field that is not set, initialised or compared",
    "early exit": "an `if` that ends its block early left out",
}

_COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
_SIGNS = {"+": "-", "-": "+", "+=": "-=", "-=": "+=", "++": "--", "--": "++"}
_EXTREMES = {"min": "max", "max": "min"}
# Calls that give the same whichever argument is named first: of anything, and of what has neither a NaN nor two zeros.
_SYMMETRIC = re.compile(rb"(?:::)?(?:std::)?swap\s*\(")
_SYMMETRIC_OF_INTEGERS = re.compile(rb"(?:::)?(?:std::)?(?:min|max|minmax|gcd|lcm)\b\s*(?:<[^()]*>\s*)?\(|"
                                    rb"__builtin_elementwise_(?:min|max)\s*\(")
_VECTORS = {TypeKind.VECTOR, TypeKind.EXTVECTOR}
_REALS = {TypeKind.HALF, TypeKind.FLOAT, TypeKind.DOUBLE, TypeKind.LONGDOUBLE, TypeKind.FLOAT128}
_BODIES = {CursorKind.COMPOUND_STMT, CursorKind.CASE_STMT, CursorKind.DEFAULT_STMT}
_LOOPS = {CursorKind.FOR_STMT, CursorKind.CXX_FOR_RANGE_STMT, CursorKind.WHILE_STMT}
_EXITS = {CursorKind.RETURN_STMT, CursorKind.CONTINUE_STMT, CursorKind.BREAK_STMT}
_NOT_RUN = {CursorKind.STATIC_ASSERT, CursorKind.TEMPLATE_NON_TYPE_PARAMETER, CursorKind.TEMPLATE_TYPE_PARAMETER,
            CursorKind.ENUM_CONSTANT_DECL, CursorKind.TYPE_REF, CursorKind.TYPE_ALIAS_DECL, CursorKind.TYPEDEF_DECL}
_NUMBER = re.compile(rb"(0[xX][0-9a-fA-F']+|[0-9][0-9']*)([uUlLzZ]*)$")
_COMMENT = re.compile(rb"/\*.*?\*/|//[^\n]*", re.S)
_COMMENT_OR_TEXT = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|/\*.*?\*/|//[^\n]*', re.S)
_NOT_IN_A_LINE = re.compile(r'R"|^\s*#', re.M)  # raw text, directives


@dataclasses.dataclass(frozen=True)
class Slip:
    file: str  # from the top of the tree
    line: int
    text: str  # of the line, without its indentation
    kind: str
    start: int  # of the bytes that are replaced
    end: int
    before: str
    after: str
    guards: tuple = ()  # ranges, and what is put before and behind each of them; none: it can only stand there alone

    def __post_init__(self):
        object.__setattr__(self, "guards", tuple(tuple(guard) for guard in self.guards))  # JSON has lists

    @property
    def name(self):
        """What it is known by in lists, also when lines have moved."""
        return f"{self.file}: {self.text}: {self.before} -> {' '.join(self.after.split())}".rstrip()

    def planted(self, source):
        """The bytes of the file with the slip in it."""
        return source[:self.start] + self.after.encode() + source[self.end:]


def arguments_of(command):
    """What libclang has to be told of a command of compile_commands.json: without the compiler, what it writes and
    precompiled headers."""
    words, kept = iter(shlex.split(command)[1:]), []
    for word in words:
        if word in ("-o", "-c", "-Xclang"):
            next(words)
        elif not word.startswith("-W"):
            kept.append(word)
    return kept


def in_a_line(text):
    """The same code without line breaks and comments; None if it cannot be."""
    if _NOT_IN_A_LINE.search(text):
        return None
    kept = _COMMENT_OR_TEXT.sub(lambda found: " " if found[0].startswith("/") else found[0], text)
    return " ".join(kept.split("\n"))


class Finder:
    """Finds the slips of one source, or of a header by a source that includes it."""

    def __init__(self, root, unit, arguments, file):
        self.file = file
        self.path = str(pathlib.Path(root) / file)
        self.source = pathlib.Path(self.path).read_bytes()
        self.lines = [0]
        for line in self.source.split(b"\n"):
            self.lines.append(self.lines[-1] + len(line) + 1)
        options = cindex.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD
        self.tree = cindex.Index.create().parse(unit, arguments, options=options)
        errors = [each for each in self.tree.diagnostics if each.severity >= cindex.Diagnostic.Error]
        if errors:
            raise ValueError(f"{file}: {errors[0]}")
        self.slips = {}
        self.macros = []

    def all(self):
        inside = [cursor for cursor in self.tree.cursor.get_children()
                  if cursor.location.file and cursor.location.file.name == self.path]
        self.macros = [self.range(cursor) for cursor in inside if cursor.kind == CursorKind.MACRO_INSTANTIATION]
        for cursor in inside:
            if cursor.kind not in (CursorKind.MACRO_DEFINITION, CursorKind.MACRO_INSTANTIATION,
                                   CursorKind.INCLUSION_DIRECTIVE):
                self.walk(cursor)
        return sorted(self.slips.values(), key=lambda slip: (slip.start, slip.end, slip.kind, slip.after))

    @staticmethod
    def range(cursor):
        return cursor.extent.start.offset, cursor.extent.end.offset

    def text(self, start, end):
        return self.source[start:end].decode()

    def of(self, cursor):
        return self.text(*self.range(cursor))

    def add(self, kind, start, end, after, guards=()):
        before = self.text(start, end)
        if start >= end or before == after or any(start < last and first < end for first, last in self.macros):
            return
        after += "\n" * (before.count("\n") - after.count("\n"))
        line = self.source.count(b"\n", 0, start) + 1
        text = self.source[self.lines[line - 1]:self.lines[line] - 1].decode().strip()
        slip = Slip(self.file, line, text, kind, start, end, " ".join(before.split()), after, guards)
        if not self.slips.setdefault((start, end, after), slip).guards:
            self.slips[start, end, after] = slip

    def instead(self, cursor, start, end, after):
        """The guard of an expression in a part of which something else stands."""
        first, last = self.range(cursor)
        code = in_a_line(self.text(first, start) + after + self.text(end, last))
        if code is None:
            return ()
        # Where one operand of `&&` is left, or what `!` negated, it may be a pointer or an optional.
        cast = "(bool)" if cursor.type.get_canonical().kind == TypeKind.BOOL else ""
        return ((first, last, f"({IS_ON} ? {cast}({code}) : (", "))"),)

    @staticmethod
    def left_out(start, end):
        """The guard of a statement that is left out."""
        return ((start, end, f"if ({IS_ON}) {{}} else ", ""),)

    def exchanged(self, *ranges):
        """The guard of two arguments, each of which may stand in the other's place."""
        codes = [in_a_line(self.text(*each)) for each in ranges]
        if None in codes:
            return ()
        return tuple((*each, f"({IS_ON} ? ({code}) : (", "))") for each, code in zip(ranges, reversed(codes)))

    def walk(self, cursor, parent=None):
        if cursor.kind in _NOT_RUN:
            return
        children = list(cursor.get_children())
        if cursor.kind in _BODIES:
            for child in children:
                self.statement(child)
        elif cursor.kind == CursorKind.IF_STMT:
            for child in children[1:]:
                self.statement(child)
        elif cursor.kind in _LOOPS and children:
            self.statement(children[-1])
        if cursor.kind in (CursorKind.BINARY_OPERATOR, CursorKind.COMPOUND_ASSIGNMENT_OPERATOR):
            self.binary(cursor, children)
        elif cursor.kind == CursorKind.UNARY_OPERATOR:
            self.unary(cursor, children)
        elif cursor.kind == CursorKind.INTEGER_LITERAL:
            self.number(cursor)
        elif cursor.kind == CursorKind.CALL_EXPR:
            self.call(cursor, parent)
        elif cursor.kind == CursorKind.INIT_LIST_EXPR:
            self.designators(cursor)
        elif cursor.kind == CursorKind.CONSTRUCTOR:
            self.initialisers(cursor, children)
        for child in children:
            self.walk(child, cursor)

    def operator(self, left, right):
        """Where the operator between two operands stands, and which it is."""
        start, end = self.range(left)[1], self.range(right)[0]
        between = _COMMENT.sub(lambda found: b" " * len(found[0]), self.source[start:end])
        word = between.strip()
        at = start + between.find(word)
        return word.decode(errors="replace"), at, at + len(word)

    def binary(self, cursor, children):
        if len(children) != 2:
            return
        (first, left_end), (right_start, last) = self.range(children[0]), self.range(children[1])
        operator, start, end = self.operator(*children)

        def add(kind, start, end, after):
            self.add(kind, start, end, after, self.instead(cursor, start, end, after))

        if operator in _COMPARISONS:
            add("comparison", start, end, _COMPARISONS[operator])
        elif operator in _SIGNS:
            add("sign", start, end, _SIGNS[operator])
        elif operator in ("&&", "||"):
            add("logic", start, end, "||" if operator == "&&" else "&&")
            fields = operator == "&&" and all(self.compares_field(child) for child in children[1:])
            add("field" if fields else "operand", left_end, last, "")
            add("field" if fields else "operand", first, right_start, "")

    @staticmethod
    def compares_field(cursor):
        """Whether it is a comparison of members, as in an operator== that is written out."""
        operands = list(cursor.get_children())
        return cursor.kind == CursorKind.BINARY_OPERATOR and len(operands) == 2 and all(
            any(each.kind == CursorKind.MEMBER_REF_EXPR for each in operand.walk_preorder()) for operand in operands)

    def unary(self, cursor, children):
        start, end = self.range(cursor)
        operand = self.range(children[0]) if children else (start, start)
        before, after = self.text(start, operand[0]).strip(), self.text(operand[1], end).strip()
        if before in ("-", "!"):
            place = start, operand[0], ""
        elif before in ("++", "--"):
            place = start, start + 2, _SIGNS[before]
        elif after in ("++", "--"):
            place = end - 2, end, _SIGNS[after]
        else:
            return
        self.add("sign", *place, self.instead(cursor, *place))

    def number(self, cursor):
        start, end = self.range(cursor)
        found = _NUMBER.match(self.source[start:end])
        if found:
            digits = found[1].decode().replace("'", "")
            octal = len(digits) > 1 and digits[0] == "0" and digits[1] not in "xX"
            value = int(digits, 8 if octal else 0) + 1
            new = hex(value) if digits[:2] in ("0x", "0X") else oct(value).replace("o", "") if octal else str(value)
            new += found[2].decode()
            self.add("constant", start, end, new, self.instead(cursor, start, end, new))

    def call(self, cursor, parent):
        arguments = [each for each in cursor.get_arguments() if each is not None and each.extent.start.offset]
        for one, other in zip(arguments, arguments[1:]) if not self.is_symmetric(cursor, arguments) else ():
            (a, b), (c, d) = self.range(one), self.range(other)
            if a < b <= c < d and self.text(b, c).strip() == "," and self.text(a, b) != self.text(c, d) and \
                    one.type.get_canonical().spelling == other.type.get_canonical().spelling:
                after = self.text(c, d) + self.text(b, c) + self.text(a, b)
                self.add("arguments", a, d, after, self.exchanged((a, b), (c, d)) if self.constructs(cursor, parent)
                         else self.instead(cursor, a, d, after))
        name = cursor.spelling
        if name in _EXTREMES:
            start, end = self.range(cursor)
            found = re.match(rb"(?:std::|::)?(min|max)\b", self.source[start:end])
            if found:
                place = start + found.start(1), start + found.end(1), _EXTREMES[name]
                self.add("comparison", *place, self.instead(cursor, *place))

    def constructs(self, cursor, parent):
        """Whether a call is no expression of its own: what follows a name that is declared, or is a list in braces."""
        start = self.range(cursor)[0]
        return self.source[start:start + 1] == b"{" or parent is not None and (
            parent.kind == CursorKind.CONSTRUCTOR or parent.location.offset == start and
            parent.kind in (CursorKind.VAR_DECL, CursorKind.FIELD_DECL))

    def is_symmetric(self, cursor, arguments):
        """Whether a call gives the same with its two arguments exchanged: nothing can see that they are."""
        start = self.range(cursor)[0]
        if len(arguments) != 2:
            return False
        if _SYMMETRIC.match(self.source, start):
            return True
        kind = arguments[0].type.get_canonical()
        if kind.kind in _VECTORS:
            kind = kind.element_type.get_canonical()
        return kind.kind not in _REALS and _SYMMETRIC_OF_INTEGERS.match(self.source, start) is not None

    def statement(self, cursor):
        """One that stands by itself, left out."""
        start, end = self.range(cursor)
        if cursor.kind == CursorKind.UNEXPOSED_EXPR:
            cursor = next(cursor.get_children(), cursor)
        children = list(cursor.get_children())
        if cursor.kind == CursorKind.BINARY_OPERATOR and len(children) == 2:
            field = children[0].kind == CursorKind.MEMBER_REF_EXPR
            self.add("field" if field else "statement", start, end, "(void)0", self.left_out(start, end))
        elif cursor.kind in (CursorKind.CALL_EXPR, CursorKind.COMPOUND_ASSIGNMENT_OPERATOR, CursorKind.UNARY_OPERATOR):
            self.add("statement", start, end, "(void)0", self.left_out(start, end))
        elif cursor.kind == CursorKind.IF_STMT and len(children) == 2:
            body = children[1]
            if body.kind == CursorKind.COMPOUND_STMT:
                body = ([*body.get_children()] or [body])[-1]
            if body.kind in _EXITS:
                # The statement's own semicolon lies behind what clang says is its end.
                self.add("early exit", start, end, ";" if self.text(end - 1, end) == "}" else "(void)0",
                         self.left_out(start, end))

    def designators(self, cursor):
        """`{.a = 1, .b = 2}` without one of them."""
        start, end = self.range(cursor)
        for found in re.finditer(rb"\.\w+ = ", self.source[start:end]):
            first = start + found.start()
            last = self.end_of_part(start + found.end(), end)
            if last:
                self.add("field", first, last + (self.source[last:last + 1] == b","), "",
                         self.unset(cursor, first, start + found.end(), last))

    def unset(self, cursor, first, value, last):
        """The guard of `.a = value` in a list of this type: what the member is where it is not named."""
        before = self.source[self.source.index(b"{", self.range(cursor)[0]) + 1:first]
        kind = re.sub(r"\(anonymous namespace\)::|\bconst ", "", cursor.type.get_canonical().spelling)
        nested = any(before.count(a) != before.count(b) for a, b in ((b"{", b"}"), (b"(", b")")))
        if nested or self.source[value:value + 1] == b"{" or kind in ("", "void"):
            return ()
        member = self.source[first:value].decode().rstrip(" =")
        return ((value, last, f"({IS_ON} ? ({kind}{{}}{member}) : (", "))"),)

    def initialisers(self, cursor, children):
        """A constructor's `: a_(a), b_(b)` without one of them."""
        for index, child in enumerate(children):
            if child.kind != CursorKind.MEMBER_REF or index + 1 == len(children):
                continue
            start = child.location.offset
            following = re.compile(rb"\w+\s*[({]").match(self.source, start)
            if not following:
                continue
            last = self.end_of_part(following.end() - 1, len(self.source))
            if last is None:
                continue
            if self.source[last:last + 1] == b",":
                self.add("field", start, last + 1, "")
            else:
                lead = self.source.rfind(b",", 0, start)
                colon = self.source.rfind(b":", 0, start)
                if max(lead, colon) >= 0 and not self.source[max(lead, colon) + 1:start].strip():
                    self.add("field", max(lead, colon), last, "")

    def end_of_part(self, at, end):
        """Where the comma or bracket behind a part of a list stands, from a place inside of it; None if not plain."""
        depth = 0
        while at < end:
            letter = self.source[at:at + 1]
            if letter in (b'"', b"'"):
                return None
            if letter in (b"(", b"[", b"{"):
                depth += 1
            elif letter in (b")", b"]", b"}"):
                if depth == 0:
                    return at
                depth -= 1
                if depth == 0 and self.source[at + 1:at + 2] not in (b".", b"(", b"[", b"{"):
                    rest = re.compile(rb"\s*").match(self.source, at + 1).end()
                    if self.source[rest:rest + 1] in (b",", b"{", b"}"):
                        return at + 1 if self.source[rest:rest + 1] == b"{" else rest
            elif letter == b"," and depth == 0:
                return at
            at += 1
        return None


def slips(root, build, file, unit=None):
    """The slips of `file`, which `unit`, itself if it is a source, includes. ValueError: clang cannot read it."""
    unit = str(pathlib.Path(root) / (unit or file))
    commands = json.loads((pathlib.Path(build) / "compile_commands.json").read_text())
    command = next(each["command"] for each in commands if each["file"] == unit)
    return Finder(root, unit, arguments_of(command), file).all()
