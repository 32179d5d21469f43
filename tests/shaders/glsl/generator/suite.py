"""Builds cases: a body that assigns `result`, its arguments with varied values per lane, and a Python function that
computes what the body must give.

Arguments reach the shader as varyings or attributes; ints and bools are converted in the prologue because ES 1.00 has
no such inputs. Unless a case names its stage, one in three runs as a vertex shader.
"""

import random
import zlib

from .values import M, V, f32, numbers

SIZES = {"float": 1, "int": 1, "bool": 1}
for _n in (2, 3, 4):
    SIZES.update({f"vec{_n}": _n, f"ivec{_n}": _n, f"bvec{_n}": _n, f"mat{_n}": _n * _n})

FLOAT_TYPES = ("float", "vec2", "vec3", "vec4")
INT_TYPES = ("int", "ivec2", "ivec3", "ivec4")
BOOL_TYPES = ("bool", "bvec2", "bvec3", "bvec4")
MAT_TYPES = ("mat2", "mat3", "mat4")


def base(kind):
    """float, int, bool or mat."""
    if kind.startswith("mat"):
        return "mat"
    return {"i": "int", "b": "bool"}.get(kind[0], "float")


def carrier(kind):
    """The floating-point type that carries an argument into the shader."""
    if base(kind) in ("float", "mat"):
        return kind
    return "float" if SIZES[kind] == 1 else f"vec{SIZES[kind]}"


def make(kind, values):
    """A Python value of the GLSL type."""
    convert = {"int": int, "bool": bool}.get(base(kind), float)
    values = [convert(v) for v in values]
    if base(kind) == "mat":
        return M.of(int(kind[3]), values)
    return values[0] if SIZES[kind] == 1 else V(*values)


def default_number(kind):
    """Small multiples of 1/8: sums and products of a few of them are exact in single precision."""
    if base(kind) == "int":
        return lambda r: r.randint(-9, 9)
    if base(kind) == "bool":
        return lambda r: r.randint(0, 1)
    return lambda r: r.randint(-24, 24) / 8


def between(low, high, unit=None):
    """Numbers of a range, rounded to single or to multiples of `unit`."""
    if unit is not None:
        return lambda r: r.randint(round(low / unit), round(high / unit)) * unit
    return lambda r: f32(r.uniform(low, high))


def nonzero(low, high, unit=1 / 8):
    """A magnitude of a range with either sign."""
    return lambda r: r.choice((-1, 1)) * between(low, high, unit)(r)


def packed(kind, expression):
    """An expression of the type as a vec4 for `result`."""
    size = SIZES[kind]
    if kind == "mat2":
        return f"vec4(({expression})[0], ({expression})[1])"
    if kind == "vec4":
        return expression
    if kind == "float" or size == 1:
        return f"vec4({expression})"
    if size == 4:
        return f"vec4({expression})"
    return f"vec4({expression}, {', '.join(['0.0'] * (4 - size))})"


def spell(x):
    """Shortest text that reads back as the double."""
    if x == int(x) and abs(x) < 1e15:
        return str(int(x))
    return repr(x)


class Suite:
    """The cases of one file."""

    def __init__(self, name, about):
        self.name, self.about = name, about
        self.text, self.names = [], set()

    def write(self, folder):
        with open(f"{folder}/{self.name}.shadertest", "w", newline="\n") as out:
            out.write(f"# {self.about}\n# Written by generate_glsl.py.\n")
            out.writelines(self.text)
        return len(self.names)

    def raw(self, name, source, run, stage="fragment"):
        """A case whose program and statements are given as text."""
        name = f"{self.name}.{name}"
        assert name not in self.names, name
        self.names.add(name)
        self.text.append(f"\n[case {name}]\n[{stage} glsl]\n{source.strip()}\n[run]\n{run.strip()}\n")

    def lane_values(self, name, args, dom, lanes):
        """For each lane a dictionary of argument values."""
        result = [{} for _ in range(lanes)]
        for arg, kind in args.items():
            source = (dom or {}).get(arg, default_number(kind))
            if isinstance(source, (list, tuple)):
                rows = [list(numbers(source[k % len(source)])) for k in range(lanes)]
            else:
                r = random.Random(f"{name}:{arg}")
                rows = [[source(r) for _ in range(SIZES[kind])] for _ in range(lanes)]
            for k, row in enumerate(rows):
                result[k][arg] = make(kind, [f32(x) for x in row])
        return result

    def case(self, name, body, fn, args=None, tol="exact", decl="", uniforms=None, stage=None, lanes=16, dom=None,
             out=None, builtins=None, head="", run="", precision="highp"):
        """`fn` gets the arguments of a lane (and built-in inputs) by name and gives the components of `result`, '*'
        for any, or None for a discarded lane. `out`: the type of the result if it is a matrix larger than a vec4.
        `uniforms`: name to (declaration, values). `builtins`: gl_... to a list of values per lane."""
        args, uniforms, builtins = args or {}, uniforms or {}, builtins or {}
        if stage is None:
            stage = "vertex" if out or (zlib.crc32(name.encode()) % 3 == 0 and not builtins) else "fragment"
        lane_values = self.lane_values(name, args, dom, lanes)
        target = "gl_FragColor" if stage == "fragment" else "gl_Position"
        qualifier = "varying" if stage == "fragment" else "attribute"
        lines, prologue, statements = [head] if head else [], [], []
        if stage == "fragment" and precision:
            lines.append(f"precision {precision} float;")
        for declaration, _ in uniforms.values():
            lines.append(f"uniform {declaration};")
        for arg, kind in args.items():
            direct = carrier(kind) == kind
            lines.append(f"{qualifier} {carrier(kind)} {'in_' + arg};")
            prologue.append(f"    {kind} {arg} = {'in_' + arg};" if direct else f"    {kind} {arg} = {kind}(in_{arg});")
            rows = [" ".join(map(spell, numbers(v[arg]))) for v in lane_values]
            statements.append(f"input in_{arg}: {' | '.join(rows)}")
        if out:
            lines.append(f"varying {out} v_out;")
        for builtin, rows in builtins.items():
            statements.append(f"input {builtin}: " + " | ".join(" ".join(map(spell, numbers(r))) for r in rows))
        for uniform, (_, values) in uniforms.items():
            if values is not None:
                statements.append(f"uniform {uniform}: {' '.join(map(spell, numbers(values)))}")
        if decl:
            lines.append(decl.strip("\n"))
        result_type = out or "vec4"
        lines.append("void main() {")
        lines += prologue
        lines.append(f"    {result_type} result;")
        lines += ["    " + line if line.strip() else line for line in body.strip("\n").split("\n")]
        if out:
            lines += ["    v_out = result;", "    gl_Position = vec4(0.0);"]
        else:
            lines.append(f"    {target} = result;")
        lines.append("}")
        for k, values in enumerate(lane_values):
            values.update({b[3:]: rows[k % len(rows)] for b, rows in builtins.items()})
        expected = [fn(**v) for v in lane_values]
        statements += self.expectations("v_out" if out else target, expected, tol, bool(out))
        if run:
            statements.append(run.strip("\n"))
        self.raw(name, "\n".join(lines), "\n".join(statements), stage)

    def expectations(self, target, expected, tol, matrix):
        statements = []
        if any(e is None for e in expected):
            statements.append("expect discard: " + " | ".join("1" if e is None else "0" for e in expected))
        rows = [None if e is None else (e if isinstance(e, (tuple, list)) else [e]) for e in expected]
        rows = [None if r is None else [x for p in r for x in ([p] if p == "*" else numbers(p))] for r in rows]
        sizes = {len(r) for r in rows if r is not None}
        assert len(sizes) <= 1, sizes
        size = sizes.pop() if sizes else 1
        if tol == "exact":
            for r in rows:
                for x in r or []:
                    assert x == "*" or x == f32(x), f"{x!r} is no single"
        head = f"expect {target}"
        if not matrix and size < 4:
            head += "." + "xyzw"[:size]
        if tol != "exact":
            head += f" {tol}"
        digits = spell if tol == "exact" else lambda x: spell(float(f"{x:.10g}"))
        text = [" ".join(["*"] * size if r is None else [x if x == "*" else digits(x) for x in r]) for r in rows]
        statements.append(f"{head}: {' | '.join(text)}")
        return statements

    def expr(self, name, kind, expression, fn, body="", **options):
        """A case with one expression of the type as its result; larger matrices go out as a varying."""
        lead = body.rstrip("\n") + "\n" if body else ""
        if kind in ("mat3", "mat4"):
            self.case(name, f"{lead}result = {expression};", fn, out=kind, **options)
        else:
            self.case(name, f"{lead}result = {packed(kind, expression)};", fn, **options)
