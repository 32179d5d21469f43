#!/usr/bin/env python3
"""Writes isa/*.shadertest: every instruction, type, modifier, write mask and control form of the ISA.

Expectations are computed here, in exact rational or double precision arithmetic rounded to single, from the
meaning of the instructions; nothing of Tessera takes part. Run it without arguments; the output is committed.
"""

import math
import os
import struct
from fractions import Fraction

NAN = float("nan")
INF = float("inf")
CANONICAL_NAN = 0x7FC00000
LAST_COLORS = 32  # the first input that is no varying: it is not declared


# --- Single precision -------------------------------------------------------------------------------------------


def bits(x):
    """Representation of a value rounded to single; NaN is the canonical one."""
    if math.isnan(x):
        return CANONICAL_NAN
    try:
        return struct.unpack("<I", struct.pack("<f", x))[0]
    except OverflowError:
        return 0x7F800000 if x > 0 else 0xFF800000


def value(b):
    return struct.unpack("<f", struct.pack("<I", b & 0xFFFFFFFF))[0]


def f32(x):
    return value(bits(x))


def round_fraction(q):
    """A rational rounded once to single, ties to even."""
    if q == 0:
        return 0.0
    sign = -1.0 if q < 0 else 1.0
    q = abs(q)
    exponent = q.numerator.bit_length() - q.denominator.bit_length()
    if q < Fraction(2) ** exponent:
        exponent -= 1
    unit = Fraction(2) ** max(exponent - 23, -149)
    n = round(q / unit)  # Python rounds halves to even
    return sign * f32(float(n * unit))


def fma(a, b, c):
    if not all(map(math.isfinite, (a, b, c))):
        return a * b + c
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    if exact == 0:
        return a * b + c  # the sign of zero follows the usual sum
    return round_fraction(exact)


def divide(a, b):
    if b == 0:
        if a == 0 or math.isnan(a):
            return NAN
        return math.copysign(INF, math.copysign(1, a) * math.copysign(1, b))
    return f32(a / b)


def minimum(a, b):
    return b if b < a else a


def maximum(a, b):
    return b if a < b else a


def floor(a):
    if not math.isfinite(a) or a == 0:
        return a
    return math.copysign(float(math.floor(a)), a) if -1 < a < 1 and math.floor(a) == 0 else float(math.floor(a))


def trunc(a):
    return a if not math.isfinite(a) else math.copysign(float(math.trunc(a)), a)


def nearest(a):
    return a if not math.isfinite(a) else math.copysign(float(round(a)), a)


def fraction(a):
    return NAN if not math.isfinite(a) else f32(a - floor(a))


def saturate(a):
    return 1.0 if a > 1 else a if a > 0 else 0.0


def flag(condition):
    return 1.0 if condition else 0.0


# --- Integers ---------------------------------------------------------------------------------------------------


def signed(n):
    n &= 0xFFFFFFFF
    return n - (1 << 32) if n >> 31 else n


def quotient(a, b):
    return -1 if b == 0 else int(Fraction(a, b))  # truncates


def remainder(a, b):
    return a if b == 0 else a - b * quotient(a, b)


def to_integer(x, low, high):
    if math.isnan(x):
        return 0
    return low if x <= low else high if x >= high else math.trunc(x)


# --- Writing cases ----------------------------------------------------------------------------------------------


class Bits(int):
    """A number of the file given as bits."""


def text(x):
    if isinstance(x, Bits):
        return "0x%08x" % (x & 0xFFFFFFFF)
    if isinstance(x, int):
        return "%di" % x
    if math.isnan(x):
        return "nan"
    if math.isinf(x):
        return "inf" if x > 0 else "-inf"
    short = repr(x)
    return short if len(short) <= 12 else "0x%08x" % bits(x)


def exact_text(x):
    """Values that are compared by their bits."""
    return text(x) if isinstance(x, (float, Bits)) else "%di" % signed(x)


def double_text(x):
    """All digits, so that ulp is counted from the true value."""
    return repr(x) if isinstance(x, float) and math.isfinite(x) else text(x)


def lanes_text(lanes, show=text):
    return " | ".join(" ".join(show(x) for x in lane) for lane in lanes)


class File:
    def __init__(self, name, about):
        self.name = name
        self.cases = []
        self.text = "# %s\n# Written by generate_isa.py; do not edit.\n" % about

    def case(self, name, code, inputs=(), expect=(), stage="fragment", extra=(), declare=()):
        """`inputs`: (name, lanes); `expect`: (name, tolerance, lanes), where lanes are lists of components."""
        assert name not in self.cases, name
        self.cases.append(name)
        out = ["", "[case %s]" % name, "[%s tsa]" % stage, ".%s" % stage]
        for number, (register, _) in enumerate(inputs):
            if register.startswith("v") and int(register[1:]) < LAST_COLORS:
                out.append(".input %s i%d vec4" % (register, number))
        out += list(declare)
        depth = 1
        for line in (l.strip() for l in code.strip().splitlines()):
            bare = line.split(")")[-1].strip() if line.startswith("(") else line
            word = bare.split()[0] if bare else ""
            if word in ("else", "endif", "endloop"):
                depth -= 1
            out.append("    " * depth + line)
            if word in ("if", "else", "loop"):
                depth += 1
        out.append("[run]")
        for register, lanes in inputs:
            out.append("input %s: %s" % (register, lanes_text(lanes)))
        out += list(extra)
        for target, tolerance, lanes in expect:
            show = exact_text if tolerance == "bits" else double_text
            out.append("expect %s %s: %s" % (target, tolerance, lanes_text(lanes, show)))
        self.text += "\n".join(out) + "\n"

    def write(self, folder):
        with open(os.path.join(folder, self.name + ".shadertest"), "w") as f:
            f.write(self.text)
        return len(self.cases)


def by_four(values):
    """A list of values as lanes of four components."""
    values = list(values)
    while len(values) % 4:
        values.append(values[-1])
    return [values[k : k + 4] for k in range(0, len(values), 4)]


# --- Arithmetic -------------------------------------------------------------------------------------------------

TINY = value(1)
HUGE = value(0x7F7FFFFF)
FLOATS = [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.25, f32(0.1), TINY, -TINY, value(0x00800000), HUGE, INF, -INF, NAN, 1e10]
INTEGERS = [0, 1, -1, 2, -7, 100, 12345, -98765, 0x7FFFFFFF, -0x80000000, 31, 32, 33, 65536, -2, 3]

FLOAT_BINARY = {
    "add": lambda a, b: f32(a + b),
    "mul": lambda a, b: f32(a * b),
    "min": minimum,
    "max": maximum,
    "slt": lambda a, b: flag(a < b),
    "sge": lambda a, b: flag(a >= b),
    "seq": lambda a, b: flag(a == b),
    "sne": lambda a, b: flag(a != b),
    "div": divide,
}
INTEGER_BINARY = {
    "add": lambda a, b: a + b,
    "mul": lambda a, b: a * b,
    "min": min,
    "max": max,
    "slt": lambda a, b: flag(a < b),
    "sge": lambda a, b: flag(a >= b),
    "seq": lambda a, b: flag(a == b),
    "sne": lambda a, b: flag(a != b),
    "div": quotient,
    "mod": remainder,
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
    "shl": lambda a, b: a << (b & 31),
    "shr": lambda a, b: a >> (b & 31),
}
FLOAT_UNARY = {"mov": lambda a: a, "flr": floor, "frc": fraction, "trc": trunc, "rne": nearest}


def pairs(values):
    """Every value against a shifted copy of the list, four shifts: 64 pairs."""
    n = len(values)
    first = [values[k % n] for k in range(4 * n)]
    second = [values[(k * 7 + 3 + k // n) % n] for k in range(4 * n)]
    return first, second


def arithmetic():
    file = File("arithmetic", "Arithmetic instructions, every type.")
    a, b = pairs(FLOATS)
    c = [FLOATS[(k * 5 + 2) % len(FLOATS)] for k in range(len(a))]
    for name, function in FLOAT_BINARY.items():
        want = [function(x, y) for x, y in zip(a, b)]
        file.case(name + "_f32", "%s o0, v0, v1\nret" % name, [("v0", by_four(a)), ("v1", by_four(b))],
                  [("o0", "bits", by_four(want))])
    floats = FLOATS + [1.5, 2.5, -0.5, -1.5, 8388609.0, -0.75, 4194304.5, 0.99999994]
    for name, function in FLOAT_UNARY.items():
        want = [function(x) for x in floats]
        file.case(name + "_f32", "%s o0, v0\nret" % name, [("v0", by_four(floats))], [("o0", "bits", by_four(want))])
    three = [("v0", by_four(a)), ("v1", by_four(b)), ("v2", by_four(c))]
    file.case("mad_f32", "mad o0, v0, v1, v2\nret", three,
              [("o0", "bits", by_four(fma(x, y, z) for x, y, z in zip(a, b, c)))])
    near = [value(0x3F800001 + 12345 * k) for k in range(32)]
    back = [-f32(x * x) for x in near]
    file.case("mad_f32_rounds_once", "mad o0, v0, v0, v1\nret", [("v0", by_four(near)), ("v1", by_four(back))],
              [("o0", "bits", by_four(fma(x, x, y) for x, y in zip(near, back)))])
    file.case("mul_add_f32_rounds_twice", "mul r0, v0, v0\nadd o0, r0, v1\nret",
              [("v0", by_four(near)), ("v1", by_four(back))], [("o0", "bits", by_four(0.0 for _ in near))])
    file.case("sel_f32", "sel o0, v0, v1, v2\nret", three,
              [("o0", "bits", by_four(y if x != 0 else z for x, y, z in zip(a, b, c)))])

    i, j = pairs(INTEGERS)
    k = [INTEGERS[(n * 3 + 1) % len(INTEGERS)] for n in range(len(i))]
    for suffix, read in (("i32", signed), ("u32", lambda n: n & 0xFFFFFFFF)):
        x, y, z = [[read(n) for n in l] for l in (i, j, k)]
        inputs = [("v0", by_four(map(Bits, x))), ("v1", by_four(map(Bits, y))), ("v2", by_four(map(Bits, z)))]
        for name, function in INTEGER_BINARY.items():
            want = [function(p, q) for p, q in zip(x, y)]
            file.case("%s_%s" % (name, suffix), "%s.%s o0, v0, v1\nret" % (name, suffix), inputs[:2],
                      [("o0", "bits", by_four(want))])
        file.case("mad_" + suffix, "mad.%s o0, v0, v1, v2\nret" % suffix, inputs,
                  [("o0", "bits", by_four(p * q + r for p, q, r in zip(x, y, z)))])
        file.case("sel_" + suffix, "sel.%s o0, v0, v1, v2\nret" % suffix, inputs,
                  [("o0", "bits", by_four(q if p != 0 else r for p, q, r in zip(x, y, z)))])
        file.case("mov_" + suffix, "mov.%s o0, v0\nret" % suffix, inputs[:1], [("o0", "bits", by_four(x))])
        file.case("not_" + suffix, "not.%s o0, v0\nret" % suffix, inputs[:1], [("o0", "bits", by_four(~n for n in x))])
        file.case("i2f_" + suffix, "i2f.%s o0, v0\nret" % suffix, inputs[:1],
                  [("o0", "bits", by_four(round_fraction(Fraction(n)) for n in x))])
        low, high = (-(2**31), 2**31 - 1) if suffix == "i32" else (0, 2**32 - 1)
        reals = FLOATS + [2147483520.0, 2147483648.0, -2147483648.0, -2147483904.0, 4294967040.0, 4294967296.0, -0.9, 7.99]
        file.case("f2i_" + suffix, "f2i.%s o0, v0\nret" % suffix, [("v0", by_four(reals))],
                  [("o0", "bits", by_four(to_integer(r, low, high) for r in reals))])

    vectors = [[f32(0.37 * (n + 1) - 3), f32(1.7 - 0.31 * n), f32(0.11 * n * n - 2), f32(n - 7.3)] for n in range(16)]
    others = [[f32(2.1 - 0.7 * n), f32(0.9 * n - 4), f32(3.3 - n), f32(0.01 * n + 1)] for n in range(16)]

    def dot(p, q, count):
        total = f32(p[0] * q[0])
        for n in range(1, count):
            total = f32(total + f32(p[n] * q[n]))
        return [total] * 4

    both = [("v0", vectors), ("v1", others)]
    file.case("dp3", "dp3 o0, v0, v1\nret", both, [("o0", "bits", [dot(p, q, 3) for p, q in zip(vectors, others)])])
    file.case("dp4", "dp4 o0, v0, v1\nret", both, [("o0", "bits", [dot(p, q, 4) for p, q in zip(vectors, others)])])
    special = [[INF, 1.0, 1.0, 1.0], [INF, -INF, 0.0, 0.0], [NAN, 0.0, 0.0, 0.0], [HUGE, HUGE, -HUGE, 0.0]]
    one = [[1.0] * 4] * 4
    file.case("dp4_special", "dp4 o0, v0, v1\nret", [("v0", special), ("v1", one)],
              [("o0", "bits", [dot(p, q, 4) for p, q in zip(special, one)])])
    return file


# --- Transcendental and lighting --------------------------------------------------------------------------------


def transcendental():
    file = File("transcendental", "Transcendental and lighting instructions, within their documented bounds.")
    positive = [0.25, 1.0, 2.0, 3.0, 0.1, 10.0, 123.456, 1e-5, 1e5, 7e-20, 3e30, 0.99, 1.01, 5e-40, 65536.0, 0.7]
    mixed = [0.0, 1.0, -1.0, 0.5, -0.5, 3.14159, -10.0, 20.7, 100.25, -77.7, 0.001, -0.001, 1e-6, 2.5, 30.0, -30.0]
    angles = [0.0, 1.0, -1.0, 3.14159265, 1.57079633, -0.7, 6.0, 100.0, -1000.5, 12345.678, 1e-4, 32768.0, 50000.0, -99999.0,
              2.35619449, 0.1]
    positive, mixed, angles = [[f32(x) for x in l] for l in (positive, mixed, angles)]

    def unary(name, values, function, tolerance):
        file.case(name, "%s o0, v0\nret" % name, [("v0", by_four(values))],
                  [("o0", tolerance, by_four(function(x) for x in values))])

    nonzero = [x for x in mixed if x != 0]
    file.case("rcp", "rcp o0, v0\nret", [("v0", by_four(nonzero))],
              [("o0", "bits", by_four(round_fraction(1 / Fraction(x)) for x in nonzero))])
    file.case("sqt", "sqt o0, v0\nret", [("v0", by_four(positive))],
              [("o0", "bits", by_four(f32(math.sqrt(x)) for x in positive))])
    unary("rsq", positive, lambda x: 1 / math.sqrt(x), "ulp 1.1")
    unary("ex2", mixed, lambda x: 2.0**x, "ulp 1.1")
    unary("lg2", positive, math.log2, "ulp 2.1 abs 1e-30")
    unary("sin", angles, math.sin, "abs 1.2e-7")
    unary("cos", angles, math.cos, "abs 1.2e-7")
    whole = [float(n) for n in (-149, -126, -10, -1, 0, 1, 2, 3, 10, 100, 127, 128, -150, 64, -64, 7)]
    file.case("ex2_integers", "ex2 o0, v0\nret", [("v0", by_four(whole))],
              [("o0", "bits", by_four(0.0 if n == -150 else INF if n == 128 else f32(math.ldexp(1, int(n))) for n in whole))])
    powers = [math.ldexp(1, n) for n in (-149, -140, -126, -1, 0, 1, 2, 10, 31, 64, 100, 127)]
    file.case("lg2_powers_of_two", "lg2 o0, v0\nret", [("v0", by_four(powers))],
              [("o0", "bits", by_four(math.log2(x) for x in powers))])

    special = [0.0, -0.0, INF, -INF, NAN, -1.0, 1.0, 4.0]
    table = {
        "rcp": [INF, -INF, 0.0, -0.0, NAN, -1.0, 1.0, 0.25],
        "rsq": [INF, INF, 0.0, NAN, NAN, NAN, 1.0, 0.5],
        "sqt": [0.0, -0.0, INF, NAN, NAN, NAN, 1.0, 2.0],
        "ex2": [1.0, 1.0, INF, 0.0, NAN, 0.5, 2.0, 16.0],
        "lg2": [-INF, -INF, INF, NAN, NAN, NAN, 0.0, 2.0],
    }
    for name, want in table.items():
        file.case(name + "_special", "%s o0, v0\nret" % name, [("v0", by_four(special))], [("o0", "bits", by_four(want))])
    file.case("sin_cos_special", "sin o0, v0\ncos o1, v0\nret", [("v0", [[0.0, -0.0, INF, NAN]])],
              [("o0", "bits", [[0.0, -0.0, NAN, NAN]]), ("o1", "bits", [[1.0, 1.0, NAN, NAN]])])

    bases = [f32(x) for x in (0.5, 2.0, 3.0, 10.0, 1.0001, 0.999, 123.0, 1e-10, 1e10, 7.5, 0.1, 1.5, 5.0, 0.3, 2.0, 9.0)]
    exponents = [f32(x) for x in (2.0, 0.5, -1.5, 10.0, 5000.0, -3000.0, 3.0, 2.5, -3.0, 30.0, -20.0, 100.0, 1.0, 64.0, -126.0, 0.5)]
    # The error grows with the power's logarithm: 1 + 2.1 |y log2 x| units.
    pairs = sorted(zip(bases, exponents), key=lambda pair: abs(pair[1] * math.log2(pair[0])))
    for name, some in (("pow", pairs[:8]), ("pow_far", pairs[8:])):
        bound = 1 + 2.1 * abs(some[-1][1] * math.log2(some[-1][0]))
        file.case(name, "pow o0, v0, v1\nret", [("v0", by_four(x for x, y in some)), ("v1", by_four(y for x, y in some))],
                  [("o0", "ulp %.0f" % math.ceil(bound), by_four(x**y for x, y in some))])
    x = [0.0, 0.0, -0.0, 0.0, -1.0, -2.0, INF, INF, 2.0, 0.5, NAN, NAN, 1.0, 5.0, 3.0, 2.0]
    y = [2.0, 0.0, 1.0, -1.0, 2.0, 0.0, 1.0, -1.0, INF, INF, 1.0, 0.0, INF, NAN, -0.0, -149.0]
    want = [0.0, 1.0, 0.0, INF, NAN, 1.0, INF, 0.0, INF, 0.0, NAN, 1.0, NAN, NAN, 1.0, TINY]
    file.case("pow_special", "pow o0, v0, v1\nret", [("v0", by_four(x)), ("v1", by_four(y))], [("o0", "bits", by_four(want))])

    lights = [[0.5, 0.25, 0.0, 2.0], [-0.5, 0.9, 0.0, 8.0], [1.0, -0.3, 7.0, 3.0], [0.8, 0.95, 0.0, 60.0], [0.0, 1.0, 0.0, 1.0],
              [0.3, 0.0, 0.0, 0.0], [NAN, 0.5, 0.0, 1.0], [2.0, 3.0, 0.0, 0.5]]
    lights = [[f32(n) for n in l] for l in lights]

    def lit(a):
        positive_x = a[0] > 0
        return [1.0, a[0] if positive_x else 0.0, max(a[1], 0.0) ** a[3] if positive_x else 0.0, 1.0]

    # 0.95^60 is 2^-4.4.
    file.case("lit", "lit o0, v0\nret", [("v0", lights)], [("o0", "ulp 11", [lit(a) for a in lights])])
    vectors = [[1.0, 2.0, 2.0, 9.0], [0.0, 0.0, 5.0, 0.0], [-3.0, 4.0, 0.0, 1.0], [f32(0.1), f32(0.2), f32(-0.3), 0.0],
               [1e-3, 1e3, 1.0, 0.0], [7.0, -7.0, 7.0, 0.0]]
    vectors = [[f32(n) for n in v] for v in vectors]

    def normal(v):
        length = math.sqrt(v[0] ** 2 + v[1] ** 2 + v[2] ** 2)
        return [v[0] / length, v[1] / length, v[2] / length, length]

    file.case("nrm", "nrm o0, v0\nret", [("v0", vectors)], [("o0", "ulp 2.5", [normal(v) for v in vectors])])
    file.case("nrm_zero", "nrm o0, v0\nret", [("v0", [[0.0, 0.0, -0.0, 3.0]])], [("o0", "bits", [[NAN, NAN, NAN, 0.0]])])
    file.case("transcendental_repeats_a_component", "ex2 o0, v0.yyxw\npow o1.xz, v0.x, v1.yyzw\nret",
              [("v0", [[2.0, 3.0, 4.0, 5.0]]), ("v1", [[1.0, 2.0, 3.0, 4.0]])],
              [("o0", "bits", [[8.0, 8.0, 4.0, 32.0]]), ("o1", "bits", [[4.0, 0.0, 8.0, 0.0]])])
    return file


# --- Operands ---------------------------------------------------------------------------------------------------


def operands():
    file = File("operands", "Source modifiers, swizzles, write masks, immediates, register files, relative addressing.")
    v = [[1.0, -2.0, 3.5, -0.0], [NAN, -INF, 0.25, -4.0]]
    n = [[Bits(5), Bits(-3 & 0xFFFFFFFF), Bits(0x80000000), Bits(0)]]

    def flip(x, negate, absolute):
        b = bits(x)
        b = b & 0x7FFFFFFF if absolute else b
        return b ^ 0x80000000 if negate else b

    def flip_integer(x, negate, absolute):
        x = signed(x)
        x = abs(x) if absolute else x
        return -x if negate else x

    for name, spelling, negate, absolute in (("negate", "-v0", 1, 0), ("absolute", "|v0|", 0, 1),
                                             ("negate_absolute", "-|v0|", 1, 1)):
        file.case(name + "_f32", "mov o0, %s\nret" % spelling, [("v0", v)],
                  [("o0", "bits", [[flip(x, negate, absolute) for x in lane] for lane in v])])
        for suffix in ("i32", "u32"):
            file.case("%s_%s" % (name, suffix), "mov.%s o0, %s\nret" % (suffix, spelling), [("v0", n)],
                      [("o0", "bits", [[flip_integer(x, negate, absolute) for x in lane] for lane in n])])
    file.case("modifiers_of_all_sources", "mad o0, -v0, |v1|, -|v2|\nret",
              [("v0", [[2.0, -3.0, 4.0, 0.5]]), ("v1", [[-1.5, 2.0, -2.0, 8.0]]), ("v2", [[1.0, -1.0, 5.0, -6.0]])],
              [("o0", "bits", [[-4.0, 5.0, -13.0, -10.0]])])

    wide = [[0.5, -1.0, 2.0, 1.0], [NAN, -0.0, INF, -INF]]
    file.case("saturate_mov", "mov.sat o0, v0\nret", [("v0", wide)], [("o0", "bits", [[saturate(x) for x in l] for l in wide])])
    file.case("saturate_mad", "mad.sat o0, v0, v0, v0\nret", [("v0", [[0.25, -0.5, 3.0, 0.5]])],
              [("o0", "bits", [[saturate(x * x + x) for x in (0.25, -0.5, 3.0, 0.5)]])])
    file.case("saturate_dp3", "dp3.sat o0, v0, v0\nret", [("v0", [[0.5, 0.25, 0.5, 9.0], [2.0, 0.0, 0.0, 0.0]])],
              [("o0", "bits", [[0.5625] * 4, [1.0] * 4])])
    file.case("saturate_i2f", "i2f.sat.i32 o0, v0\nret", [("v0", [[Bits(0), Bits(1), Bits(7), Bits(0xFFFFFFFF)]])],
              [("o0", "bits", [[0.0, 1.0, 1.0, 0.0]])])

    start, new = [1.0, 2.0, 3.0, 4.0], [10.0, 20.0, 30.0, 40.0]
    for mask in range(1, 16):
        letters = "".join("xyzw"[c] for c in range(4) if mask >> c & 1)
        file.case("write_mask_" + letters, "mov r0, v0\nmov r0.%s, v1\nmov o0, r0\nmov o1.%s, v1\nret" % (letters, letters),
                  [("v0", [start]), ("v1", [new])],
                  [("o0", "bits", [[new[c] if mask >> c & 1 else start[c] for c in range(4)]]),
                   ("o1", "bits", [[new[c] if mask >> c & 1 else 0.0 for c in range(4)]])])
    for swizzle in ("x", "w", "yx", "wzyx", "xxyy", "zwxy", "yyyw", "xyz"):
        full = swizzle + swizzle[-1] * (4 - len(swizzle))
        file.case("swizzle_" + swizzle, "mov o0, v0.%s\nadd o1, v0.%s, v0\nret" % (swizzle, swizzle), [("v0", [start])],
                  [("o0", "bits", [[start["xyzw".index(c)] for c in full]]),
                   ("o1", "bits", [[start["xyzw".index(c)] + start[k] for k, c in enumerate(full)]])])
    file.case("swizzle_in_place", "mov r0, v0\nmov r0, r0.wzyx\nadd r0.xy, r0.yx, r0.zw\nmov o0, r0\nret", [("v0", [start])],
              [("o0", "bits", [[3.0 + 2.0, 4.0 + 1.0, 2.0, 1.0]])])

    file.case("immediate_f32", "add o0, v0, 0.5\nmul o1, -2.0, v0\nret", [("v0", [start])],
              [("o0", "bits", [[x + 0.5 for x in start]]), ("o1", "bits", [[-2 * x for x in start]])])
    file.case("immediate_i32", "add.i32 o0, v0, -3\nret", [("v0", n)], [("o0", "bits", [[signed(x) - 3 for x in n[0]]])])
    file.case("immediate_bits", "mov o0, 0x7fa00001\nmov o1, -(0x7fa00001)\nret", [],
              [("o0", "bits", [[0x7FA00001] * 4]), ("o1", "bits", [[0xFFA00001] * 4])])
    file.case("constants", "mul o0, c0, v0\nadd o1, c1.wzyx, c0\nmad o2, v0, c0.x, c1\nmad o3, c0, v0, v0\nret", [("v0", [start])],
              [("o0", "bits", [[2.0, 6.0, 12.0, 20.0]]), ("o1", "bits", [[10.0, 10.0, 10.0, 10.0]]),
               ("o2", "bits", [[2 * start[k] + 5.0 + k for k in range(4)]]),
               ("o3", "bits", [[(2.0 + k) * start[k] + start[k] for k in range(4)]])],
              declare=[".uniform c0 u_a vec4", ".const c1 = 5.0, 6.0, 7.0, 8.0"], extra=["uniform u_a: 2 3 4 5"])
    file.case("uniform_types", "i2f.i32 o0, c0.x\nmov o1, c1\nmad o2.xy, c3.xy, v0.x, v0.y\nret", [("v0", [start])],
              [("o0", "bits", [[-7.0] * 4]), ("o1", "bits", [[1.0, 0.0, 0.0, 0.0]]), ("o2.xy", "bits", [[5.0, 6.0]])],
              declare=[".uniform c0 u_int int", ".uniform c1 u_flags bvec2", ".uniform c2 u_matrix mat2"],
              extra=["uniform u_int: -7", "uniform u_flags: true false", "uniform u_matrix: 1 2 3 4"])
    file.case("uniform_array_element", "mov o0, c1\nmov o1, c2\nret", [],
              [("o0", "bits", [[5.0, 6.0, 7.0, 8.0]]), ("o1", "bits", [[9.0, 10.0, 11.0, 12.0]])],
              declare=[".uniform c0 u_list vec4[3]"], extra=["uniform u_list: 1 2 3 4 5 6 7 8", "uniform u_list[2]: 9 10 11 12"])
    lanes = [[float(k)] * 4 for k in range(32)]
    file.case("lane_special", "mov.i32 o0, lane\ni2f.i32 o1, lane.x\nret", [("v0", lanes)],
              [("o0", "bits", [[Bits(k), Bits(0), Bits(0), Bits(0)] for k in range(32)]), ("o1", "bits", lanes)])
    file.case("fragment_specials", "mov o0, frag_coord\nmov o1, front_facing\nmov o2.xy, point_coord\nret", [],
              [("o0", "bits", [[10.5, 20.5, 0.25, 2.0]]), ("o1", "bits", [[1.0] * 4]), ("o2.xy", "bits", [[0.5, 0.75]])],
              extra=["input gl_FragCoord: 10.5 20.5 0.25 2", "input gl_FrontFacing: true", "input gl_PointCoord: 0.5 0.75"])
    file.case("output_as_source", "mov o0, v0\nadd o0.x, o0, o0\nmov o1, o0.yxzw\nret", [("v0", [start])],
              [("o0", "bits", [[2.0, 2.0, 3.0, 4.0]]), ("o1", "bits", [[2.0, 2.0, 3.0, 4.0]])])
    file.case("unwritten_registers_are_zero", "mov o0, r5\nmov o1.x, v0\nmov o2, o3\nret", [("v0", [start])],
              [("o0", "bits", [[0.0] * 4]), ("o1", "bits", [[1.0, 0.0, 0.0, 0.0]]), ("o2", "bits", [[0.0] * 4])])
    file.case("predicate_as_source", "slt p1, v0.x, 2.5\nmov o0, p1\nmov.i32 o1, p1\nmov o2, -p1\nret",
              [("v0", [[1.0] * 4, [3.0] * 4])],
              [("o0", "bits", [[1.0] * 4, [0.0] * 4]), ("o1", "bits", [[1] * 4, [0] * 4]),
               ("o2", "bits", [[-1.0] * 4, [-0.0] * 4])])
    zeros = [[0.0] * 4, [-0.0] * 4, [NAN] * 4, [TINY] * 4]
    file.case("predicate_from_float_and_integer", "mov p1, v0\nmov.i32 p2, v0\nmov o0, p1\nmov o1, p2\nret", [("v0", zeros)],
              [("o0", "bits", [[0.0] * 4, [0.0] * 4, [1.0] * 4, [1.0] * 4]),
               ("o1", "bits", [[0.0] * 4, [1.0] * 4, [1.0] * 4, [1.0] * 4])])
    file.case("guards", "slt p1, v0.x, 2.5\nslt p2, 1.5, v0.x\nmov r0, 9.0\n(p1) mov r0.x, 1.0\n(!p1) mov r0.y, 2.0\n"
              "(p2) add r0.z, r0.z, v0.x\n(p1) slt p3, 1.5, v0.x\n(p3) mov r0.w, 4.0\nmov o0, r0\nret",
              [("v0", [[1.0] * 4, [2.0] * 4, [3.0] * 4])],
              [("o0", "bits", [[1.0, 9.0, 9.0, 9.0], [1.0, 9.0, 11.0, 4.0], [9.0, 2.0, 12.0, 9.0]])])

    address = [[Bits(k & 0xFFFFFFFF)] * 4 for k in (0, 1, 2, 3, -1, 4, -5, 0x7FFFFFFF, -0x80000000, 1000)]
    numbers = [signed(a[0]) for a in address]
    setup = "\n".join("mov r%d, %d.0" % (k, 10 + k) for k in range(4))
    table = [".const c%d = %d.0, 0, 0, 0" % (k, 20 + k) for k in range(4)]

    def pick(list_, k):
        return list_[k] if 0 <= k < len(list_) else 0.0

    file.case("relative_temporaries", setup + "\nmov.i32 a0.x, v0\nmov o0, r[a0.x]\nmov o1, r[a0.x + 2]\nret", [("v0", address)],
              [("o0", "bits", [[pick([10.0, 11.0, 12.0, 13.0], k)] * 4 for k in numbers]),
               ("o1", "bits", [[pick([10.0, 11.0, 12.0, 13.0], signed(k + 2))] * 4 for k in numbers])])
    file.case("relative_constants", "mov.i32 a0.x, v0\nmov o0, c[a0.x].x\nadd o1, c[a0.x + 1].x, c0.x\nret", [("v0", address)],
              [("o0", "bits", [[pick([20.0, 21.0, 22.0, 23.0], k)] * 4 for k in numbers]),
               ("o1", "bits", [[pick([20.0, 21.0, 22.0, 23.0], signed(k + 1)) + 20] * 4 for k in numbers])], declare=table)
    file.case("relative_constants_uniform", "mov.i32 a0.x, 2\nmov o0, c[a0.x].x\nmov o1, -|c[a0.x + 9]|\nret",
              [("v0", [[0.0] * 4] * 3)], [("o0", "bits", [[22.0] * 4]), ("o1", "bits", [[-0.0] * 4])], declare=table)
    file.case("relative_inputs", "mov.i32 a0.x, v0\nmov o0, v[a0.x + 1]\nret",
              [("v0", address), ("v1", [[5.0] * 4]), ("v2", [[6.0] * 4])],
              [("o0", "bits", [[pick([a[0], 5.0, 6.0], signed(k + 1)) if k + 1 else a[0]] * 4 for a, k in zip(address, numbers)])])
    stored = []
    for k in numbers:
        registers = [10.0, 11.0, 12.0, 13.0]
        if 0 <= k < 4:
            registers[k] = 99.0
        stored.append(registers)
    file.case("relative_destination", setup + "\nmov.i32 a0.x, v0\nmov r[a0.x], 99.0\nmov o0.x, r0\nmov o0.y, r1\nmov o0.z, r2\n"
              "mov o0.w, r3\nret", [("v0", address)], [("o0", "bits", stored)])
    file.case("relative_output", "mov.i32 a0.x, v0\nmov o0, 0.0\nmov o1, 0.0\nmov o[a0.x], v1\nret",
              [("v0", [[Bits(0)] * 4, [Bits(1)] * 4, [Bits(2)] * 4]), ("v1", [[7.0] * 4])],
              [("o0", "bits", [[7.0] * 4, [0.0] * 4, [0.0] * 4]), ("o1", "bits", [[0.0] * 4, [7.0] * 4, [0.0] * 4])])
    file.case("relative_colour", "mov.i32 a0.x, v0\nmov o[a0.x + 2], v1\nret",
              [("v0", [[Bits(k)] * 4 for k in (-2, 0, 5, 6, -3)]), ("v1", [[7.0] * 4])],
              [("o%d" % o, "bits", [[7.0] * 4 if k == n else [0.0] * 4 for k in range(5)]) for n, o in enumerate((0, 2, 7))])
    file.case("temporaries_beyond_those_named", "mov.i32 a0.x, v0\nmov r[a0.x], v1\nmov o0, r[a0.x]\nret",
              [("v0", [[Bits(k)] * 4 for k in (0, 7, 8)]), ("v1", [[3.0] * 4])],
              [("o0", "bits", [[3.0] * 4, [3.0] * 4, [0.0] * 4])], declare=[".temps 8"])
    return file


# --- Control ----------------------------------------------------------------------------------------------------


def control():
    file = File("control", "Control flow in every form, with lanes that part and meet.")
    count = 32
    lanes = [[float(k)] * 4 for k in range(count)]
    inputs = [("v0", lanes)]

    def run(name, code, function, stage="fragment", **more):
        """`function` computes o0.x of a lane from its number."""
        target = "o0.x"
        file.case(name, code, inputs, [(target, "bits", [[float(function(k))] for k in range(count)])], stage, **more)

    run("if", "mov r0, 1.0\nslt p1, v0.x, 7.5\n(p1) if\nmov r0, 2.0\nendif\nmov o0, r0\nret", lambda k: 2 if k < 8 else 1)
    run("if_negated", "mov r0, 1.0\nslt p1, v0.x, 7.5\n(!p1) if\nmov r0, 2.0\nendif\nmov o0, r0\nret", lambda k: 1 if k < 8 else 2)
    run("if_else", "slt p1, v0.x, 20.5\n(p1) if\nadd r0, v0, 100.0\nelse\nmul r0, v0, 2.0\nendif\nmov o0, r0\nret",
        lambda k: k + 100 if k <= 20 else 2 * k)
    run("if_all_lanes", "sge p1, v0.x, 0.0\n(p1) if\nmov r0, 3.0\nelse\nmov r0, 4.0\nendif\nmov o0, r0\nret", lambda k: 3)
    run("if_no_lane", "slt p1, v0.x, 0.0\n(p1) if\nmov r0, 3.0\nelse\nmov r0, 4.0\nendif\nmov o0, r0\nret", lambda k: 4)
    run("if_unguarded", "if\nmov r0, 3.0\nelse\nmov r0, 4.0\nendif\nmov o0, r0\nret", lambda k: 3)
    run("if_empty", "slt p1, v0.x, 3.5\n(p1) if\nelse\nendif\nmov o0, v0\nret", lambda k: k)
    run("if_nested", """slt p1, v0.x, 15.5
        (p1) if
            slt p2, v0.x, 7.5
            (p2) if
                slt p3, v0.x, 3.5
                (p3) if
                    mov r0, 1.0
                else
                    mov r0, 2.0
                endif
            else
                mov r0, 3.0
            endif
        else
            slt p2, v0.x, 23.5
            (p2) if
                mov r0, 4.0
            else
                mov r0, 5.0
            endif
        endif
        mov o0, r0
        ret""", lambda k: 1 if k < 4 else 2 if k < 8 else 3 if k < 16 else 4 if k < 24 else 5)

    def loop_sum(k):
        return sum(range(k + 1))

    run("loop_brk", """mov r0, 0.0
        mov r1, 0.0
        loop
            slt p1, v0.x, r1.x
            (p1) brk
            add r0, r0, r1
            add r1, r1, 1.0
        endloop
        mov o0, r0
        ret""", loop_sum)
    run("loop_same_count_for_all", """mov r0, 0.0
        mov r1, 0.0
        loop
            sge p1, r1.x, 5.0
            (p1) brk
            add r0, r0, v0
            add r1, r1, 1.0
        endloop
        mov o0, r0
        ret""", lambda k: 5 * k)
    run("loop_left_at_once", "mov r0, 1.0\nloop\nbrk\nmov r0, 2.0\nendloop\nmov o0, r0\nret", lambda k: 1)
    run("loop_cont", """mov r0, 0.0
        mov r1, 0.0
        loop
            add r1, r1, 1.0
            slt p1, v0.x, r1.x
            (p1) brk
            mul r2, r1, 0.5
            frc r2, r2
            sne p2, r2.x, 0.0
            (p2) cont
            add r0, r0, r1
        endloop
        mov o0, r0
        ret""", lambda k: sum(n for n in range(1, k + 1) if n % 2 == 0))
    run("loop_cont_unguarded_in_if", """mov r0, 0.0
        mov r1, 0.0
        loop
            add r1, r1, 1.0
            slt p1, 8.5, r1.x
            (p1) brk
            slt p2, r1.x, v0.x
            (p2) if
                cont
            endif
            add r0, r0, 1.0
        endloop
        mov o0, r0
        ret""", lambda k: sum(1 for n in range(1, 9) if not n < k))

    def nested(k):
        total = 0
        for i in range(4):
            for j in range(10):
                if j > i + k % 3:
                    break
                if (i + j) % 2:
                    continue
                total += 1
            if total > 5:
                break
        return total

    run("loops_nested", """mul r6, v0, 0x3eaaaaab
        add r7, r6, 0.01
        flr r6, r7
        mad r6, r6, c0, v0
        mov r0, 0.0
        mov r1, 0.0
        loop
            sge p1, r1.x, 4.0
            (p1) brk
            mov r2, 0.0
            loop
                sge p1, r2.x, 10.0
                (p1) brk
                add r3, r1, r6
                slt p2, r3.x, r2.x
                (p2) brk
                add r3, r1, r2
                add r2, r2, 1.0
                mul r3, r3, 0.5
                frc r3, r3
                sne p3, r3.x, 0.0
                (p3) cont
                add r0, r0, 1.0
            endloop
            slt p1, 5.0, r0.x
            (p1) brk
            add r1, r1, 1.0
        endloop
        mov o0, r0
        ret""", nested, declare=[".const c0 = -3.0, -3.0, -3.0, -3.0"])
    run("brk_inside_two_ifs", """mov r0, 0.0
        loop
            add r0, r0, 1.0
            slt p1, v0.x, 16.0
            (p1) if
                sge p2, r0.x, 3.0
                (p2) if
                    brk
                endif
            else
                sge p2, r0.x, 6.0
                (p2) brk
            endif
        endloop
        mov o0, r0
        ret""", lambda k: 3 if k < 16 else 6)
    run("call", "mov r0, v0\ncall double\ncall double\nmov o0, r0\nret\ndouble:\nadd r0, r0, r0\nret", lambda k: 4 * k)
    run("call_guarded", "mov r0, v0\nslt p1, v0.x, 10.0\n(p1) call double\nmov o0, r0\nret\ndouble:\nadd r0, r0, r0\nret",
        lambda k: 2 * k if k < 10 else k)
    run("call_nested", """mov r0, v0
        call outer
        mov o0, r0
        ret
        outer:
        call inner
        add r0, r0, 1.0
        call inner
        ret
        inner:
        mul r0, r0, 3.0
        ret""", lambda k: (3 * k + 1) * 3)
    run("call_in_loop", """mov r0, 0.0
        mov r1, 0.0
        loop
            sge p1, r1.x, v0.x
            (p1) brk
            call step
        endloop
        mov o0, r0
        ret
        step:
        add r1, r1, 1.0
        add r0, r0, r1
        ret""", loop_sum)
    run("loop_in_call_with_ret_inside", """mov r0, 0.0
        call search
        add r0, r0, 100.0
        mov o0, r0
        ret
        search:
        loop
            sge p1, r0.x, v0.x
            (p1) ret
            sge p2, r0.x, 10.0
            (p2) brk
            add r0, r0, 1.0
        endloop
        mov r0, 50.0
        ret""", lambda k: 100 + (k if k <= 10 else 50))
    run("ret_guarded_in_subroutine", """mov r0, v0
        call half
        mov o0, r0
        ret
        half:
        slt p1, v0.x, 8.0
        (p1) ret
        mul r0, r0, 0.5
        ret""", lambda k: k if k < 8 else k / 2)
    run("ret_in_if_in_subroutine", """mov r0, v0
        call work
        add r0, r0, 1.0
        mov o0, r0
        ret
        work:
        slt p1, v0.x, 8.0
        (p1) if
            mov r0, 50.0
            ret
        else
            mov r0, 60.0
        endif
        add r0, r0, v0
        ret""", lambda k: 51 if k < 8 else 61 + k)
    run("ret_guarded_ends_the_thread", "mov o0, 1.0\nslt p1, v0.x, 8.0\n(p1) ret\nmov o0, 2.0\nret", lambda k: 1 if k < 8 else 2)
    run("ret_in_loop_ends_the_thread", """mov o0, 1.0
        mov r0, 0.0
        loop
            add r0, r0, 1.0
            slt p1, v0.x, 4.0
            (p1) ret
            slt p1, v0.x, r0.x
            (p1) brk
        endloop
        mov o0, r0
        ret""", lambda k: 1 if k < 4 else k + 1)
    run("ret_of_all_lanes_in_if", "mov o0, 1.0\nif\nret\nendif\nmov o0, 2.0\nret", lambda k: 1)
    run("vertex_control", "mov r0, 1.0\nslt p1, v0.x, 7.5\n(p1) if\nmov r0, 2.0\nendif\nmov o0, r0\nret",
        lambda k: 2 if k < 8 else 1, stage="vertex")

    flags = [[float(k % 3 == 0)] for k in range(count)]
    file.case("kil", "mov o0, v0\nslt p1, v1.x, 0.5\n(!p1) kil\nadd o0, o0, 1.0\nret",
              [("v0", lanes), ("v1", [[f[0]] * 4 for f in flags])],
              [("discard", "exact", flags), ("o0", "bits", [[k + 1.0] * 4 for k in range(count)])])
    file.case("kil_in_branches", """slt p1, v0.x, 4.0
        (p1) if
            slt p2, v0.x, 2.0
            (p2) kil
        else
            slt p2, 29.5, v0.x
            (p2) kil
        endif
        mov o0, v0
        ret""", inputs, [("discard", "exact", [[float(k < 2 or k > 29)] for k in range(count)]), ("o0", "bits", lanes)])
    file.case("kil_unguarded", "mov o0, v0\nkil\nret", inputs, [("discard", "exact", [[1.0]])])
    square = [[float(k * k % 97)] * 4 for k in range(16)]
    odd = [[float(k % 2)] * 4 for k in range(16)]
    file.case("kil_keeps_helpers_for_derivatives", "mov p1, v1\n(p1) kil\nadd r0, v0, v0\nddx o0, r0\nret",
              [("v0", square), ("v1", odd)],
              [("discard", "exact", [[f[0]] for f in odd]),
               ("o0", "bits", [[2 * (square[k | 1][0] - square[k & ~1][0])] * 4 for k in range(16)])])
    file.case("helper_lanes", "add r0, v0, v0\nddy o0, r0\nret", [("v0", square)],
              [("o0", "bits", [[2 * (square[k | 4][0] - square[k & ~4][0])] * 4 for k in range(16)])], extra=["helper 0x00f0"])
    file.case("endless_loop_runs_out_of_budget", "loop\nendloop\nret", [], [], extra=["budget 500", "expect budget"])
    return file


# --- Derivatives and textures -----------------------------------------------------------------------------------


def textures():
    file = File("texture", "Derivatives and texture lookups; the runner's textures tell texel, level and face.")
    values = [[f32(0.13 * k * k - k), float(k % 5), float(-k), f32(1.0 / (k + 1))] for k in range(32)]

    def difference(k, bit):
        return [f32(a - b) for a, b in zip(values[k | bit], values[k & ~bit])]

    file.case("ddx", "ddx o0, v0\nret", [("v0", values)], [("o0", "bits", [difference(k, 1) for k in range(32)])])
    file.case("ddy", "ddy o0, v0\nret", [("v0", values)], [("o0", "bits", [difference(k, 4) for k in range(32)])])
    file.case("ddx_of_modified", "ddx.sat o0, -v0.wzyx\nret", [("v0", values)],
              [("o0", "bits", [[saturate(-d) for d in reversed(difference(k, 1))] for k in range(32)])])

    sampler, cube = ".sampler t0 u_image 2d", ".sampler t0 u_image cube"
    coordinates = [[f32((k % 4 + 0.5) / 16), f32((k // 4 + 0.5) / 8), 0.0, 0.0] for k in range(16)]
    index = "texture u_image: index 16x8"

    def texel(k):
        return [float(k % 4), float(k // 4), 0.0, 0.0]

    file.case("tex", "tex o0, v0, t0, 2d\nret", [("v0", coordinates)], [("o0", "bits", [texel(k) for k in range(16)])],
              declare=[sampler], extra=[index])
    file.case("tex_checker", "tex o0, v0, t0, 2d\nret", [("v0", coordinates)],
              [("o0", "bits", [[float((k % 4 + k // 4) % 2)] * 3 + [1.0] for k in range(16)])],
              declare=[sampler], extra=["texture u_image: checker 16x8"])
    file.case("tex_mask_and_swizzle", "mov o0, 5.0\ntex o0.yw, v0.yx, t0, 2d\nret", [("v0", [[c[1], c[0], 0.0, 0.0] for c in coordinates])],
              [("o0", "bits", [[5.0, float(k // 4), 5.0, 0.0] for k in range(16)])], declare=[sampler], extra=[index])
    file.case("tex_repeats", "add r0, v0, c0\ntex o0, r0, t0, 2d\nret", [("v0", coordinates)],
              [("o0", "bits", [texel(k) for k in range(16)])], declare=[sampler, ".const c0 = -3.0, 2.0, 0, 0"], extra=[index])
    for steps, level in ((2.0, 1), (4.0, 2), (16.0, 4), (1.4, 0), (1.5, 1)):
        spread = [[f32(c[0] * steps), f32(c[1] * steps), 0.0, 0.0] for c in coordinates]
        file.case("tex_level_%s" % str(steps).replace(".", "_"), "tex o0, v0, t0, 2d\nret", [("v0", spread)],
                  [("o0.z", "bits", [[float(level)]])], declare=[sampler], extra=[index])
    biases = [[float(k % 5)] * 4 for k in range(16)]
    file.case("txb", "txb o0, v0, v1.x, t0, 2d\nret", [("v0", coordinates), ("v1", biases)],
              [("o0.z", "bits", [[float(min(k % 5, 4))] for k in range(16)])], declare=[sampler], extra=[index])
    levels = [[f32(l)] * 4 for l in (-3.0, 0.0, 0.4, 0.6, 1.0, 2.2, 3.7, 9.0)]
    file.case("txl", "txl o0, v0, v1.x, t0, 2d\nret", [("v0", coordinates[:8]), ("v1", levels)],
              [("o0.z", "bits", [[float(l)] for l in (0, 0, 0, 1, 1, 2, 4, 4)])], declare=[sampler], extra=[index])
    file.case("txl_in_vertex_program", "txl o0, v0, v1.x, t0, 2d\nret", [("v0", coordinates[:8]), ("v1", levels)],
              [("o0.z", "bits", [[float(l)] for l in (0, 0, 0, 1, 1, 2, 4, 4)])], "vertex", declare=[sampler], extra=[index])
    file.case("tex_in_vertex_program", "tex o0, v0, t0, 2d\nret", [("v0", [[3.75 * c[0], c[1], 0.0, 0.0] for c in coordinates])],
              [("o0.z", "bits", [[0.0]])], "vertex", declare=[sampler], extra=[index])
    def integers(rows):
        return [[Bits(x & 0xffffffff) for x in row] for row in rows]

    moved = [[float((k % 4 - 8) % 16), float((k // 4 + 7) % 8), 0.0, 0.0] for k in range(16)]
    file.case("tex_with_offset", "tex o0, v0, t0, 2d, (-8, 7)\nret", [("v0", coordinates)], [("o0", "bits", moved)],
              declare=[sampler], extra=[index])
    file.case("txl_with_offset", "txl o0, v0, 0.0, t0, 2d, (-8, 7, 0)\nret".replace("0.0", "c0.x"), [("v0", coordinates)], [("o0", "bits", moved)],
              declare=[sampler, ".const c0 = 0, 0, 0, 0"], extra=[index])
    file.case("tex_of_integers", "tex.i32 r0, v0, t0, 2d\ni2f.i32 o0, r0\nret", [("v0", coordinates)],
              [("o0", "bits", [texel(k) for k in range(16)])], declare=[sampler], extra=[index])
    file.case("tex_of_layers", "add r0, v0, c0\ntex o0, r0, t0, 2darray\nret", [("v0", coordinates)],
              [("o0", "bits", [texel(k)[:3] + [2.0] for k in range(16)])],
              declare=[".sampler t0 u_image 2darray", ".const c0 = 0, 0, 1.5, 0"], extra=[index])
    for stage in ("fragment", "vertex"):
        columns, rows, last = 16, 8, 4
        asked = [(k - 2, k % 11 - 1, k % 6, k % 7 - 1) for k in range(20 if stage == "fragment" else 8)]
        words = integers([[x, y, layer - 1, level] for x, y, layer, level in asked])

        def fetched(x, y, level, layer=0):
            inside = 0 <= level <= last and 0 <= x < max(columns >> level, 1) and 0 <= y < max(rows >> level, 1) and 0 <= layer < 3
            return [float(v) for v in ((x, y, level, layer) if inside else (0, 0, 0, 0))]
        file.case("txf_in_%s_program" % stage, "txf o0, v0, v0.w, t0, 2d, (1, -1)\nret", [("v0", words)],
                  [("o0", "bits", [fetched(x + 1, y - 1, level) for x, y, layer, level in asked])], stage, declare=[sampler], extra=[index])
        file.case("txf_of_layers_in_%s_program" % stage, "txf.u32 r0, v0, c0.x, t0, 2darray\ni2f.u32 o0, r0\nret", [("v0", words)],
                  [("o0", "bits", [fetched(x, y, 0, layer - 1) for x, y, layer, level in asked])], stage,
                  declare=[".sampler t0 u_image 2darray", ".const c0 = 0, 0, 0, 0"], extra=[index])
        sizes = [[float(max(columns >> l, 1)), float(max(rows >> l, 1)), 3.0, 0.0] if 0 <= l <= last else [0.0] * 4 for _, _, _, l in asked]
        file.case("txs_in_%s_program" % stage, "txs.i32 r0, v0.w, t0, 2darray\ni2f.i32 o0, r0\nret", [("v0", words)],
                  [("o0", "bits", sizes)], stage, declare=[".sampler t0 u_image 2darray"], extra=[index])
    steps = [f32(s / 16) for s in (1, 2, 4, 8)]
    file.case("txd", "txd o0, v0, v1, v2, t0, 2d\nret",
              [("v0", coordinates[:4]), ("v1", [[s, 0.0, 0.0, 0.0] for s in steps]), ("v2", [[0.0, 0.0, 0.0, 0.0]] * 4)],
              [("o0.z", "bits", [[0.0], [1.0], [2.0], [3.0]])], declare=[sampler], extra=[index])
    file.case("txd_in_y", "txd o0, v0, v2, v1, t0, 2d\nret",
              [("v0", coordinates[:4]), ("v1", [[0.0, s, 0.0, 0.0] for s in steps]), ("v2", [[0.0, 0.0, 0.0, 0.0]] * 4)],
              [("o0.z", "bits", [[0.0], [0.0], [1.0], [2.0]])], declare=[sampler], extra=[index])
    directions = [[1.0, 0.1, 0.1], [-1.0, 0.1, 0.1], [0.1, 1.0, 0.1], [0.1, -1.0, 0.1], [0.1, 0.1, 1.0], [0.1, 0.1, -1.0]]
    file.case("txl_cube_faces", "txl o0, v0, c0.x, t0, cube\nret",
              [("v0", [[f32(x) for x in d] + [0.0] for d in directions])], [("o0.w", "bits", [[float(k)] for k in range(6)])],
              declare=[cube, ".const c0 = 0, 0, 0, 0"], extra=["texture u_image: index 8x8 cube"])
    file.case("tex_relative_unit", "mov.i32 a0.x, v1\ntex o0, v0, t[a0.x], 2d\nret",
              [("v0", [[0.0, 0.0, 0.0, 0.0]] * 4), ("v1", [[Bits(k)] * 4 for k in (0, 1, 0, 1)])],
              [("o0", "bits", [[0.0, 0.0, 0.0, 1.0], [0.5, 0.5, 0.0, 1.0]] * 2)],
              declare=[".sampler t0 u_images 2d[2]"],
              extra=["texture u_images[0]: checker 4x4", "texture u_images[1]: gradient 1x1"])
    file.case("tex_without_texture", "tex o0, v0, t0, 2d\nret", [("v0", coordinates)], [("o0", "bits", [[0.0, 0.0, 0.0, 1.0]])],
              declare=[sampler])
    file.case("tex_last_unit", "tex o0, v0, t31, 2d\ntex o1, v0, t16, 2d\nret", [("v0", coordinates)],
              [("o0", "bits", [texel(k) for k in range(16)]), ("o1", "bits", [[0.0, 0.0, 0.0, 1.0]])],
              declare=[".sampler t31 u_image 2d", ".sampler t16 u_none 2d"], extra=[index])
    file.case("tex_in_divergent_code", "mov r0, 7.0\nmov p1, v1\n(p1) if\ntxl r0, v0, v1.w, t0, 2d\nendif\nmov o0, r0\nret",
              [("v0", coordinates), ("v1", [[float(k % 3 == 0), 0.0, 0.0, 0.0] for k in range(16)])],
              [("o0", "bits", [texel(k) if k % 3 == 0 else [7.0] * 4 for k in range(16)])], declare=[sampler], extra=[index])
    return file


# --- Programs that are refused, and interfaces ------------------------------------------------------------------


def programs():
    file = File("programs", "Interfaces of both stages, and programs that must be refused.")
    file.case("vertex_outputs", "mov o0, v0\nmov o1.x, v0.w\nadd o2, v0, v0\nmov o3.xy, v0.yx\nret", [("v0", [[1.0, 2.0, 3.0, 4.0]])],
              [("gl_Position", "bits", [[1.0, 2.0, 3.0, 4.0]]), ("gl_PointSize", "bits", [[4.0]]),
               ("v_sum", "bits", [[2.0, 4.0, 6.0, 8.0]]), ("v_two", "bits", [[2.0, 1.0]])], "vertex",
              declare=[".output o2 v_sum vec4", ".output o3 v_two vec2"])
    file.case("fragment_outputs", "mov o0, v0\nmov o8.x, v0.z\nret", [("v0", [[1.0, 2.0, 0.5, 4.0]])],
              [("gl_FragColor", "bits", [[1.0, 2.0, 0.5, 4.0]]), ("gl_FragDepth", "bits", [[0.5]])])
    file.case("last_vertex_registers", "mov o0, v15\nadd o32, v14, v15\nmov o31.y, v15.w\nret",
              [("v14", [[1.0, 2.0, 3.0, 4.0]]), ("v15", [[0.5, 0.25, 8.0, 1.0]])],
              [("gl_Position", "bits", [[0.5, 0.25, 8.0, 1.0]]), ("v_last", "bits", [[1.5, 2.25, 11.0, 5.0]]),
               ("v_before", "bits", [[0.0, 1.0]])], "vertex",
              declare=[".output o31 v_before vec2", ".output o32 v_last vec4"])
    file.case("last_fragment_registers", "add o0, v30, v35\nmov o3, v12\nmov o9, v32\nmov o8.x, v13.x\nret",
              [("v12", [[9.0, 8.0, 7.0, 6.0]]), ("v13", [[0.75, 0.0, 0.0, 0.0]]), ("v30", [[1.0, 2.0, 3.0, 4.0]]),
               ("v32", [[5.0, 6.0, 7.0, 8.0]]), ("v35", [[0.5, 0.25, 0.125, 16.0]])],
              [("o0", "bits", [[1.5, 2.25, 3.125, 20.0]]), ("o3", "bits", [[9.0, 8.0, 7.0, 6.0]]),
               ("o9", "bits", [[5.0, 6.0, 7.0, 8.0]]), ("gl_FragDepth", "bits", [[0.75]])])
    file.case("relative_to_the_last_registers",
              "f2i a0.x, v0.x\nmov o0, v[a0.x + 1]\nmov o1, v[a0.x + 29]\nret",
              [("v0", [[0.0] * 4, [1.0] * 4, [28.0] * 4, [29.0] * 4, [30.0] * 4]),
               ("v1", [[1.0, 2.0, 3.0, 4.0]]), ("v29", [[5.0, 6.0, 7.0, 8.0]]), ("v30", [[9.0, 10.0, 11.0, 12.0]])],
              [("o0", "bits", [[1.0, 2.0, 3.0, 4.0], [0.0] * 4, [5.0, 6.0, 7.0, 8.0], [9.0, 10.0, 11.0, 12.0], [0.0] * 4]),
               ("o1", "bits", [[5.0, 6.0, 7.0, 8.0], [9.0, 10.0, 11.0, 12.0], [0.0] * 4, [0.0] * 4, [0.0] * 4])])
    file.case("matrix_times_vector", "mul r0, c0, v0.x\nmad r0, c1, v0.y, r0\nmad r0, c2, v0.z, r0\nmad o0, c3, v0.w, r0\nret",
              [("v0", [[1.0, 2.0, 3.0, 1.0], [-1.0, 0.5, 2.0, 1.0]])],
              [("gl_Position", "bits", [[2.0 * x + 10, 2.5 * y + 20, 6.0 * z + 20, 1.0] for x, y, z in ((1, 2, 3), (-1, 0.5, 2))])], "vertex",
              declare=[".uniform c0 u_m mat4"], extra=["uniform u_m: 2 0 0 0 0 2.5 0 0 0 0 6 0 10 20 20 1"])
    refused = {
        "unknown_instruction": ("mda o0, v0, v0, v0\nret", "mda"),
        "missing_ret": ("mov o0, v0", "ret"),
        "else_without_if": ("else\nendif\nret", "else"),
        "loop_not_closed": ("loop\nret", "loop"),
        "brk_outside_loop": ("brk\nret", "brk"),
        "type_not_allowed": ("sin.i32 o0, v0\nret", "i32"),
        "write_to_input": ("mov v0, v0\nret", "destination"),
        "bad_swizzle": ("mov o0, v0.xq\nret", "swizzle"),
        "call_to_nowhere": ("call nowhere\nret", "nowhere"),
        "varying_32": ("mov o0, v31\nret", "v0 to v30, v32 to v39"),
        "ninth_last_color": ("mov o0, v40\nret", "v0 to v39"),
        "eleventh_output": ("mov o10, v0\nret", "o0 to o9"),
        "unit_32": ("tex o0, v0, t32, 2d\nret", "t31"),
        "recursive_call": ("call f\nret\nf:\ncall f\nret", "recursive"),
    }
    for name, (code, error) in refused.items():
        file.case("refused_" + name, code, [("v0", [[0.0] * 4])], [], extra=["expect error: " + error])
    return file


def main():
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "isa")
    os.makedirs(folder, exist_ok=True)
    total = sum(make().write(folder) for make in (arithmetic, transcendental, operands, control, textures, programs))
    print("%d cases" % total)


if __name__ == "__main__":
    main()
