"""GLSL ES 3.00: integers, bits, matrices, arrays and structures as values, switch, several outputs.

Integers and bits are computed with Python's own, which have no width; what a shader's words make of them is `word`.
"""

import math
import random
import struct

from .suite import Suite

MASK = 0xFFFFFFFF
EDGES = (0, 1, 2, 3, 7, 31, 32, 33, 0x7FFFFFFF, 0x80000000, 0x80000001, 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFF, 0x10000, 12345)


def word(x):
    return x & MASK


def signed(x):
    x &= MASK
    return x - (1 << 32) if x >> 31 else x


def bits_of(x):
    """Of a number rounded to single."""
    if math.isnan(x):
        return 0x7FC00000
    try:
        return struct.unpack("<I", struct.pack("<f", x))[0]
    except OverflowError:
        return 0x7F800000 if x > 0 else 0xFF800000


def float_of(bits):
    return struct.unpack("<f", struct.pack("<I", bits & MASK))[0]


def single(x):
    return float_of(bits_of(x))


def half_bits(x):
    """A single as the nearest half, ties to even."""
    if math.isnan(x):
        return 0x7E00
    try:
        return struct.unpack("<H", struct.pack("<e", x))[0]
    except OverflowError:
        return 0x7C00 if x > 0 else 0xFC00


def half_value(bits):
    return struct.unpack("<e", struct.pack("<H", bits & 0xFFFF))[0]


def divide(a, b):
    """Truncated; what 0 and the smallest number give is the instruction set's."""
    if b == 0:
        return -1
    q = abs(a) // abs(b)
    return -q if (a < 0) != (b < 0) else q


def remainder(a, b):
    return a if b == 0 else a - b * divide(a, b)


def size_of(kind):
    if kind.startswith("mat"):
        return int(kind[3]) * int(kind[-1])
    return int(kind[-1]) if kind[-1].isdigit() else 1


def scalar_of(kind):
    return {"i": "int", "u": "uint", "b": "bool"}.get(kind[0], "float")


def spell(kind, x):
    scalar = scalar_of(kind)
    if scalar == "int":
        return f"{signed(int(x))}i"
    if scalar == "uint":
        return f"{word(int(x))}u"
    if scalar == "bool":
        return "1" if x else "0"
    if math.isnan(x):
        return "nan"
    if math.isinf(x):
        return "inf" if x > 0 else "-inf"
    return repr(float(x))


def listed(x):
    return list(x) if isinstance(x, (list, tuple)) else [x]


class Third(Suite):
    """Cases of version 3.00 with inputs, outputs and uniforms of any type."""

    def shader(self, name, body, fn, ins=None, outs=None, decl="", uniforms=None, tol=None, stage=None, run=""):
        """`ins`: name to (type, values of each lane); `outs`: name to type; `fn` takes a lane's inputs by name and
        gives the values of the outputs in their order."""
        ins, outs, uniforms = ins or {}, outs or {}, uniforms or {}
        if stage is None:
            stage = "vertex" if any(k.startswith("mat") for k in outs.values()) or len(name) % 3 == 0 else "fragment"
        lines = ["#version 300 es"]
        if stage == "fragment":
            lines.append("precision highp float; precision highp int;")
        for arg, (kind, _) in ins.items():
            flat = "flat " if stage == "fragment" and scalar_of(kind) != "float" else ""
            lines.append(f"{flat}in {kind} {arg};")
        for k, (arg, kind) in enumerate(outs.items()):
            if stage == "fragment":
                lines.append(f"layout(location = {k}) out {kind} {arg};")
            else:
                lines.append(f"{'' if scalar_of(kind) == 'float' else 'flat '}out {kind} {arg};")
        for arg, (kind, _) in uniforms.items():
            lines.append(f"uniform {kind} {arg};")
        if decl:
            lines.append(decl.strip("\n"))
        lines.append("void main() {")
        if stage == "vertex":
            lines.append("    gl_Position = vec4(0.0);")
        lines += ["    " + line if line.strip() else line for line in body.strip("\n").split("\n")]
        lines.append("}")
        lanes = max([len(rows) for _, rows in ins.values()] + [1])
        statements = []
        for arg, (kind, rows) in ins.items():
            statements.append(f"input {arg}: " + " | ".join(
                " ".join(spell(kind, x) for x in listed(row)) for row in rows))
        for arg, (kind, values) in uniforms.items():
            statements.append(f"uniform {arg}: " + " ".join(spell(kind, x) for x in listed(values)))
        results = []
        for lane in range(lanes):
            values = {}
            for arg, (kind, rows) in ins.items():
                row = [single(x) if scalar_of(kind) == "float" else x for x in listed(rows[lane % len(rows)])]
                values[arg] = row if size_of(kind) > 1 else row[0]
            result = fn(**values)
            results.append([result] if len(outs) == 1 else list(result))
        for k, (arg, kind) in enumerate(outs.items()):
            rows = [" ".join(spell(kind, x) for x in listed(result[k])) for result in results]
            tolerance = f" {(tol or {}).get(arg, '')}".rstrip()
            statements.append(f"expect {arg}{tolerance}: " + " | ".join(rows))
        if run:
            statements.append(run)
        self.raw(name, "\n".join(lines), "\n".join(statements), stage)

    def refused(self, name, source, error, stage="fragment"):
        self.raw(name, source, f"expect error: {error}", stage)


def numbers(name, count, kind, lanes=16):
    """Words with edges among them, as numbers of the kind."""
    r = random.Random(name)
    convert = signed if kind == "int" else word
    rows = [[convert(r.choice(EDGES) if r.random() < 0.6 else r.getrandbits(32)) for _ in range(count)]
            for _ in range(lanes)]
    return [row if count > 1 else row[0] for row in rows]


def each(fn, *operands):
    """Component by component; scalars go with every component."""
    size = max(len(o) if isinstance(o, list) else 1 for o in operands)
    at = lambda o, k: o[k] if isinstance(o, list) else o
    result = [fn(*(at(o, k) for o in operands)) for k in range(size)]
    return result if any(isinstance(o, list) for o in operands) else result[0]


OPERATORS = (
    ("add", "+", lambda a, b: a + b),
    ("subtract", "-", lambda a, b: a - b),
    ("multiply", "*", lambda a, b: a * b),
    ("divide", "/", divide),
    ("modulo", "%", remainder),
    ("and", "&", lambda a, b: a & b),
    ("or", "|", lambda a, b: a | b),
    ("xor", "^", lambda a, b: a ^ b),
    ("left", "<<", lambda a, b: a << (word(b) & 31)),
    ("right", ">>", lambda a, b: a >> (word(b) & 31)),
)
KINDS = {"int": ("int", "ivec2", "ivec3", "ivec4"), "uint": ("uint", "uvec2", "uvec3", "uvec4")}


def integers():
    s = Third("essl300_integers", "GLSL ES 3.00: operators and functions of integers.")
    for scalar, kinds in KINDS.items():
        for name, op, fn in OPERATORS:
            for size in (1, 2, 3, 4):
                kind = kinds[size - 1]
                case = f"{scalar}{size}_{name}"
                ins = {"a": (kind, numbers(case + "a", size, scalar)), "b": (kind, numbers(case + "b", size, scalar))}
                s.shader(case, f"o = a {op} b;", lambda a, b: each(fn, a, b), ins, {"o": kind})
            # A scalar with a vector, and the assignment.
            ins = {"a": (kinds[2], numbers(name + "m", 3, scalar)), "b": (scalar, numbers(name + "n", 1, scalar))}
            s.shader(f"{scalar}_{name}_mixed", f"o = a {op} b;", lambda a, b: each(fn, a, b), ins, {"o": kinds[2]})
            s.shader(f"{scalar}_{name}_assign", f"o = a;\no {op}= b;", lambda a, b: each(fn, a, b), ins,
                     {"o": kinds[2]})
        # Quotients of constants.
        u = "u" if scalar == "uint" else ""
        s.shader(f"{scalar}_constants_by_zero",
                 f"const {kinds[3]} k = {kinds[3]}(7{u}, 9{u}, 0{u}, 5{u}) / {kinds[3]}(0{u}, 2{u}, 0{u}, 1{u});\no = k;\np = 6{u} / 0{u};\nq = 6{u} % 0{u};",
                 lambda: ([-1, 4, -1, 5], -1, 6), {}, {"o": kinds[3], "p": scalar, "q": scalar})
        # Shifts take counts of the other kind.
        other = "uint" if scalar == "int" else "int"
        for name, op, fn in OPERATORS[-2:]:
            ins = {"a": (kinds[1], numbers(name + "p", 2, scalar)), "b": (KINDS[other][1], numbers(name + "q", 2, other))}
            s.shader(f"{scalar}_{name}_by_{other}", f"o = a {op} b;", lambda a, b: each(fn, a, b), ins, {"o": kinds[1]})
        one = {"a": (kinds[3], numbers(scalar + "one", 4, scalar))}
        s.shader(f"{scalar}_unary", "o = -a;\np = ~a;\nq = +a;",
                 lambda a: ([-x for x in a], [~x for x in a], a), one, {"o": kinds[3], "p": kinds[3], "q": kinds[3]})
        suffix = "u" if scalar == "uint" else ""
        s.shader(f"{scalar}_increments", f"{kinds[3]} t = a;\no = t++ + ++t;\np = t-- - --t;\nq = t;",
                 lambda a: ([2 * x + 2 for x in a], [2] * 4, a), one, {"o": kinds[3], "p": kinds[3], "q": kinds[3]})
        pair = {"a": (scalar, numbers(scalar + "l", 1, scalar, 32)), "b": (scalar, numbers(scalar + "r", 1, scalar, 32))}
        s.shader(f"{scalar}_compare",
                 "o = ivec4(a < b, a <= b, a > b, a >= b);\np = ivec4(a == b, a != b, a < a, a >= a);",
                 lambda a, b: ([a < b, a <= b, a > b, a >= b], [a == b, a != b, False, True]), pair,
                 {"o": "ivec4", "p": "ivec4"})
        two = {"a": (kinds[3], numbers(scalar + "v", 4, scalar)), "b": (kinds[3], numbers(scalar + "w", 4, scalar))}
        s.shader(f"{scalar}_relations",
                 "o = ivec4(lessThan(a, b));\np = ivec4(greaterThanEqual(a, b));\nq = ivec4(equal(a, b.xyzx));",
                 lambda a, b: (each(lambda x, y: x < y, a, b), each(lambda x, y: x >= y, a, b),
                               each(lambda x, y: x == y, a, b[:3] + b[:1])), two,
                 {"o": "ivec4", "p": "ivec4", "q": "ivec4"})
        s.shader(f"{scalar}_extremes", "o = min(a, b);\np = max(a, b);\nq = clamp(a, min(b, b.x), max(b, b.x));",
                 lambda a, b: (each(min, a, b), each(max, a, b),
                               [min(max(x, min(y, b[0])), max(y, b[0])) for x, y in zip(a, b)]), two,
                 {"o": kinds[3], "p": kinds[3], "q": kinds[3]})
        s.shader(f"{scalar}_literals", f"o = a ^ {kinds[3]}(0x7fffffff{suffix}, 017{suffix}, 0{suffix}, 12{suffix});",
                 lambda a: each(lambda x, y: x ^ y, a, [0x7FFFFFFF, 15, 0, 12]), one, {"o": kinds[3]})
    one = {"a": ("ivec4", numbers("absolute", 4, "int"))}
    s.shader("int_absolute", "o = abs(a);\np = sign(a);",
             lambda a: ([abs(x) for x in a], [(x > 0) - (x < 0) for x in a]), one, {"o": "ivec4", "p": "ivec4"})
    s.shader("bits_between", "o = uvec4(a);\np = ivec4(o);", lambda a: (a, a), one, {"o": "uvec4", "p": "ivec4"})
    s.shader("uint_of_large_literal", "o = a + 0xffffffffu + 4294967295u;", lambda a: a - 2,
             {"a": ("uint", numbers("large", 1, "uint"))}, {"o": "uint"})
    floats = [0.0, -0.0, 0.99, -0.99, 1.5, -1.5, 2147483520.0, 2147483648.0, -2147483648.0, -2147483904.0, 4294967040.0,
              4294967296.0, 1e20, -1e20, math.inf, -math.inf, math.nan, 3e9]

    def saturated(x, low, high):
        return 0 if math.isnan(x) else low if x <= low else high if x >= high else math.trunc(x)
    s.shader("from_float", "o = int(a);\np = uint(a);\nq = uvec2(vec2(a)).y;",
             lambda a: (saturated(a, -2**31, 2**31 - 1), saturated(a, 0, MASK), saturated(a, 0, MASK)),
             {"a": ("float", floats)}, {"o": "int", "p": "uint", "q": "uint"})
    s.shader("to_float", "o = vec2(float(a), float(b));", lambda a, b: [single(a), single(b)],
             {"a": ("int", numbers("tof", 1, "int")), "b": ("uint", numbers("tou", 1, "uint"))}, {"o": "vec2"})
    s.shader("to_bool", "o = ivec4(bool(a), bool(b), bvec2(uvec2(b, a)));",
             lambda a, b: [a != 0, b != 0, b != 0, a != 0],
             {"a": ("int", numbers("tob", 1, "int")), "b": ("uint", numbers("tobu", 1, "uint"))}, {"o": "ivec4"})
    s.shader("from_bool", "bool t = a > 3;\no = ivec3(t, !t, true);\np = uvec2(t, false);\nq = float(t);",
             lambda a: ([a > 3, a <= 3, 1], [a > 3, 0], float(a > 3)), {"a": ("int", [1, 2, 3, 4, 5, -6])},
             {"o": "ivec3", "p": "uvec2", "q": "float"})
    s.shader("index_by_uint", "int t[4] = int[4](5, 6, 7, 8);\no = t[a & 3u] + int(vec3(1.0, 2.0, 3.0)[a % 3u]);",
             lambda a: 5 + (a & 3) + 1 + a % 3, {"a": ("uint", numbers("index", 1, "uint"))}, {"o": "int"})
    s.shader("hash", "uint h = a;\nfor (int i = 0; i < 4; i++) {\n    h ^= h >> 16u;\n    h *= 0x45d9f3bu;\n}\no = h;",
             hashed, {"a": ("uint", numbers("hash", 1, "uint", 32))}, {"o": "uint"})
    s.shader("ternary_of_ints", "o = a > b ? a : b;\np = a > b ? uvec2(1u) : uvec2(0u, 9u);",
             lambda a, b: (max(a, b), [1, 1] if a > b else [0, 9]),
             {"a": ("int", numbers("t1", 1, "int")), "b": ("int", numbers("t2", 1, "int"))}, {"o": "int", "p": "uvec2"})
    s.shader("uniforms", "o = u + v.zyx;\np = i - 1;", lambda a: ([4, 11, 18], 4), {"a": ("int", [0])},
             {"o": "uvec3", "p": "int"},
             uniforms={"u": ("uint", 1), "v": ("uvec3", [17, 10, 3]), "i": ("int", 5)})
    return s


def hashed(a):
    for _ in range(4):
        a ^= a >> 16
        a = word(a * 0x45D9F3B)
    return a


def floats_of(name, count, low, high, lanes=16):
    r = random.Random(name)
    rows = [[single(r.uniform(low, high)) for _ in range(count)] for _ in range(lanes)]
    return [row if count > 1 else row[0] for row in rows]


def round_even(x):
    return float(round(x)) if math.isfinite(x) else x


def functions():
    s = Third("essl300_functions", "GLSL ES 3.00: built-in functions.")
    values = [0.0, 0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 0.49999997, -3.75, 8388609.0, -1e30, 1.0, 3.2, -7.9, 1e-40, 65536.5]
    v = {"a": ("float", values)}
    s.shader("trunc", "o = trunc(a);", lambda a: float(math.trunc(a)), v, {"o": "float"})
    s.shader("round", "o = vec2(round(a), roundEven(a));", lambda a: [round_even(a)] * 2, v, {"o": "vec2"})
    s.shader("modf", "vec2 whole;\nvec2 f = modf(vec2(a, -a), whole);\no = vec4(whole, f);",
             lambda a: [math.trunc(a), -math.trunc(a), single(a - math.trunc(a)), -single(a - math.trunc(a))], v,
             {"o": "vec4"})
    s.shader("modf_into_component", "vec3 t = vec3(1.0, 2.0, 3.0);\nfloat f = modf(a, t.y);\no = vec4(t, f);",
             lambda a: [1.0, math.trunc(a), 3.0, single(a - math.trunc(a))], v, {"o": "vec4"})
    odd = [0.0, -0.0, 1.0, math.inf, -math.inf, math.nan, 1e38, -1e38]
    s.shader("nan_and_infinity", "o = ivec4(isnan(a), isinf(a), isnan(vec2(a, 1.0)));\np = isnan(a) ? 7 : 9;",
             lambda a: ([math.isnan(a), math.isinf(a), math.isnan(a), 0], 7 if math.isnan(a) else 9),
             {"a": ("float", odd)}, {"o": "ivec4", "p": "int"})
    s.shader("nan_of_zero_by_zero", "float n = a / a;\no = ivec3(isnan(n), n != n, n == n);",
             lambda a: [1, 1, 0] if a == 0 or math.isinf(a) or math.isnan(a) else [0, 0, 1], {"a": ("float", odd)},
             {"o": "ivec3"})
    words = {"a": ("uint", numbers("words", 1, "uint", 32))}
    s.shader("bits_of_floats", "o = floatBitsToInt(a);\np = floatBitsToUint(-a);\nq = uintBitsToFloat(p);",
             lambda a: (bits_of(a), bits_of(-a), -a), {"a": ("float", [1.0, -1.0, 0.0, -0.0, 1e-45, 3e38, 0.1])},
             {"o": "int", "p": "uint", "q": "float"})
    s.shader("bits_negated_then_shifted", "o = floatBitsToUint(-a) >> 31u;\np = floatBitsToInt(abs(a)) & 1;",
             lambda a: (bits_of(-a) >> 31, bits_of(abs(a)) & 1), {"a": ("float", [1.0, -1.0, 2.5, 0.1, -0.1])},
             {"o": "uint", "p": "int"})
    pairs = [[0.0, 1.0], [-1.0, 0.5], [2.0, -3.0], [0.1, 0.9], [1 / 3, -1 / 3], [0.50000763, 0.25], [1e-6, -1e-6]]
    clamp = lambda x, low: min(max(x, low), 1.0)

    def snorm(x):
        return round_even(single(clamp(x, -1.0) * 32767))

    def unorm(x):
        return round_even(single(clamp(x, 0.0) * 65535))
    s.shader("pack_normalised", "o = packSnorm2x16(a);\np = packUnorm2x16(a);",
             lambda a: (int(snorm(a[0])) & 0xFFFF | (int(snorm(a[1])) & 0xFFFF) << 16,
                        int(unorm(a[0])) | int(unorm(a[1])) << 16), {"a": ("vec2", pairs)}, {"o": "uint", "p": "uint"})
    s.shader("unpack_normalised", "o = unpackSnorm2x16(a);\np = unpackUnorm2x16(a);",
             lambda a: ([max(single((h ^ 0x8000) - 0x8000) / 32767, -1.0) for h in (a & 0xFFFF, a >> 16)],
                        [h / 65535 for h in (a & 0xFFFF, a >> 16)]), words, {"o": "vec2", "p": "vec2"},
             tol={"o": "ulp 0.6", "p": "ulp 0.6"})
    halves = [[1.0, -2.0], [65504.0, 65520.0], [65519.0, -1e9], [math.inf, math.nan], [6e-8, 2e-8], [0.1, -0.0],
              [2049.0, 2051.0], [6.1e-5, 6.097e-5], [1.00048828125, 1.0004882]]
    s.shader("pack_half", "o = packHalf2x16(a);", lambda a: half_bits(a[0]) | half_bits(a[1]) << 16,
             {"a": ("vec2", halves)}, {"o": "uint"})
    s.shader("unpack_half", "o = unpackHalf2x16(a);", lambda a: [half_value(a), half_value(a >> 16)], words,
             {"o": "vec2"})
    s.shader("mix_by_bools", "o = mix(a, vec3(9.0), bvec3(a.x > 0.0, a.y > 0.0, false));",
             lambda a: [9.0 if a[0] > 0 else a[0], 9.0 if a[1] > 0 else a[1], a[2]],
             {"a": ("vec3", floats_of("mix", 3, -1, 1))}, {"o": "vec3"})
    x = {"a": ("float", [0.0, 0.1, -0.1, 1.0, -1.0, 3.0, -3.0, 10.0, -10.0, 40.0, 1e-3, -1e-3])}
    for name, fn in (("sinh", math.sinh), ("cosh", math.cosh), ("tanh", math.tanh), ("asinh", math.asinh)):
        s.shader(name, f"o = {name}(a);", lambda a, fn=fn: fn(a), x, {"o": "float"}, tol={"o": "ulp 200 abs 1e-6"})
    s.shader("acosh", "o = acosh(a);", lambda a: math.acosh(a),
             {"a": ("float", [1.0, 1.25, 2.0, 10.0, 1e6])}, {"o": "float"}, tol={"o": "ulp 100 abs 1e-5"})
    s.shader("atanh", "o = atanh(a);", lambda a: math.atanh(a), {"a": ("float", [0.0, 0.5, -0.5, 0.99, -0.01])},
             {"o": "float"}, tol={"o": "ulp 100 abs 1e-6"})
    # Constant expressions: an array's size holds what the compiler folded.
    for name, expression, size in (
            ("sinh", "int(sinh(1.5) * 10.0)", int(math.sinh(1.5) * 10)), ("cosh", "int(cosh(1.5) * 10.0)", int(math.cosh(1.5) * 10)),
            ("tanh", "int(tanh(0.5) * 100.0)", int(math.tanh(0.5) * 100)), ("asinh", "int(asinh(3.0) * 10.0)", int(math.asinh(3) * 10)),
            ("acosh", "int(acosh(3.0) * 10.0)", int(math.acosh(3) * 10)), ("atanh", "int(atanh(0.5) * 100.0)", int(math.atanh(0.5) * 100)),
            ("trunc", "int(trunc(2.75))", 2), ("round", "int(round(2.5) + roundEven(3.5))", 6),
            ("isnan", "int(isnan(1.0)) + int(isinf(1.0)) + 1", 1), ("bits", "floatBitsToInt(1.0) >> 23", 127),
            ("unsigned_bits", "floatBitsToUint(2.0) >> 23u", 128), ("from_bits", "int(intBitsToFloat(0x40e00000))", 7),
            ("pack_half", "packHalf2x16(vec2(1.0, 0.0)) >> 10u", 15), ("pack_snorm", "packSnorm2x16(vec2(1.0, 0.0)) >> 8u", 127),
            ("pack_unorm", "packUnorm2x16(vec2(0.5, 0.0)) >> 9u", 64), ("unpack_half", "int(unpackHalf2x16(0x4400u).x)", 4),
            ("unpack_snorm", "int(unpackSnorm2x16(0x7fffu).x * 3.0)", 3), ("determinant", "int(determinant(mat2(3.0, 1.0, 2.0, 4.0)))", 10),
            ("inverse", "int(inverse(mat2(0.25, 0.0, 0.0, 0.5))[0].x)", 4), ("transpose", "int(transpose(mat2x3(1.0, 2.0, 3.0, 4.0, 5.0, 6.0))[0].y)", 4),
            ("outer", "int(outerProduct(vec2(2.0, 3.0), vec2(5.0, 7.0))[1].x)", 14), ("mix", "int(mix(3.0, 5.0, true))", 5),
            ("integers", "min(7, max(3, 5)) + clamp(9, 1, 4) + abs(-6) + sign(-3)", 14), ("unsigned", "max(3u, 5u) + 0xffu % 16u", 20),
            ("shifts", "(1 << 4) | (256 >> 3) ^ 5", 53), ("length", "float[3](1.0, 2.0, 3.0).length()", 3)):
        s.shader(f"constant_{name}", f"float t[{expression}];\no = t.length();", lambda a, size=size: size, {"a": ("int", [0])},
                 {"o": "int"})
    s.shader("tanh_of_large", "o = vec2(tanh(a), asinh(a / a));", lambda a: [1.0 if a > 0 else -1.0, math.asinh(1.0)],
             {"a": ("float", [100.0, -100.0, 3e38, -3e38])}, {"o": "vec2"}, tol={"o": "abs 1e-6"})
    return s


# Matrices are lists of columns.

def columns(values, rows):
    return [values[k:k + rows] for k in range(0, len(values), rows)]


def flat(matrix):
    return [x for column in matrix for x in column]


def product(a, b):
    return [[sum(a[k][r] * column[k] for k in range(len(a))) for r in range(len(a[0]))] for column in b]


def transposed(m):
    return [[column[r] for column in m] for r in range(len(m[0]))]


def determinant(m):
    if len(m) == 1:
        return m[0][0]
    return sum((-1) ** k * m[k][0] * determinant([c[1:] for j, c in enumerate(m) if j != k]) for k in range(len(m)))


def inverse(m):
    n, d = len(m), determinant(m)
    def cofactor(c, r):
        minor = [[x for i, x in enumerate(column) if i != r] for k, column in enumerate(m) if k != c]
        return (-1) ** (c + r) * determinant(minor)
    return [[cofactor(r, c) / d for r in range(n)] for c in range(n)]


def eighths(name, count, lanes=8):
    r = random.Random(name)
    return [[r.randint(-16, 16) / 8 for _ in range(count)] for _ in range(lanes)]


def matrices():
    s = Third("essl300_matrices", "GLSL ES 3.00: matrices that are not square, and functions of matrices.")
    for c in (2, 3, 4):
        for r in (2, 3, 4):
            kind = f"mat{c}x{r}"
            m = {"m": (kind, eighths(kind, c * r))}
            s.shader(f"transpose_{c}x{r}", "o = transpose(m);", lambda m: flat(transposed(columns(m, r))), m,
                     {"o": f"mat{r}x{c}"})
            both = dict(m, n=(f"mat{r}x{c}", eighths(kind + "n", c * r)))
            s.shader(f"product_{c}x{r}", "o = m * n;",
                     lambda m, n: flat(product(columns(m, r), columns(n, c))), both, {"o": f"mat{r}x{r}"})
            s.shader(f"with_vectors_{c}x{r}", "o = m * x;\np = y * m;",
                     lambda m, x, y: (product(columns(m, r), [x])[0],
                                      [sum(a * b for a, b in zip(y, column)) for column in columns(m, r)]),
                     dict(m, x=(f"vec{c}", eighths(kind + "x", c)), y=(f"vec{r}", eighths(kind + "y", r))),
                     {"o": f"vec{r}", "p": f"vec{c}"})
            s.shader(f"outer_{c}x{r}", f"o = outerProduct(y, x);", lambda x, y: [a * b for a in x for b in y],
                     {"x": (f"vec{c}", eighths(kind + "ox", c)), "y": (f"vec{r}", eighths(kind + "oy", r))},
                     {"o": kind})
            s.shader(f"components_{c}x{r}",
                     f"{kind} t = m;\nt[{c - 1}] *= 2.0;\nt[0][{r - 1}] = 5.0;\nt += m;\no = matrixCompMult(t, m) - {kind}(1.0);",
                     lambda m: component_ops(columns(m, r)), m, {"o": kind})
            s.shader(f"from_larger_{c}x{r}", f"o = {kind}(m);",
                     lambda m: [columns(m, 4)[k][i] for k in range(c) for i in range(r)],
                     {"m": ("mat4", eighths(kind + "l", 16))}, {"o": kind})
            s.shader(f"from_smaller_{c}x{r}", f"o = {kind}(m);",
                     lambda m: [columns(m, 2)[k][i] if k < 2 and i < 2 else float(k == i)
                                for k in range(c) for i in range(r)], {"m": ("mat2", eighths(kind + "s", 4))},
                     {"o": kind})
    for n in (2, 3, 4):
        kind = f"mat{n}"
        m = {"m": (kind, eighths("square" + kind, n * n))}
        m["m"] = (kind, [row for row in m["m"][1] if abs(determinant(columns(row, n))) > 0.5])
        s.shader(f"determinant_{n}", "o = determinant(m);", lambda m: determinant(columns(m, n)), m, {"o": "float"},
                 tol={"o": "ulp 4 abs 1e-5"})
        s.shader(f"inverse_{n}", "o = inverse(m);", lambda m: flat(inverse(columns(m, n))), m, {"o": kind},
                 tol={"o": "ulp 16 abs 2e-5"})
    return s


def component_ops(m):
    t = [list(column) for column in m]
    t[-1] = [x * 2 for x in t[-1]]
    t[0][-1] = 5.0
    t = [[a + b for a, b in zip(x, y)] for x, y in zip(t, m)]
    return [a * b - float(k == i) for k, (x, y) in enumerate(zip(t, m)) for i, (a, b) in enumerate(zip(x, y))]


def switches():
    s = Third("essl300_switch", "GLSL ES 3.00: switch.")
    ints = {"a": ("int", list(range(-2, 14)))}
    uints = {"a": ("uint", list(range(0, 16)))}
    s.shader("breaks", "o = 9;\nswitch (a) {\n    case 0: o = 1; break;\n    case 1: o = 2; break;\n    case 5: { o = 3; break; }\n"
             "    default: o = 4; break;\n}", lambda a: {0: 1, 1: 2, 5: 3}.get(a, 4), ints, {"o": "int"})
    s.shader("falls_through", "o = 0;\nswitch (a) {\n    case 0: o += 1;\n    case 1: o += 10;\n    case 2: o += 100; break;\n"
             "    case 3: o += 1000;\n}", lambda a: {0: 111, 1: 110, 2: 100, 3: 1000}.get(a, 0), ints, {"o": "int"})
    s.shader("default_first", "o = 0;\nswitch (a) {\n    default: o += 1;\n    case 3: o += 10; break;\n    case 4: o += 100;\n}",
             lambda a: {3: 10, 4: 100}.get(a, 11), ints, {"o": "int"})
    s.shader("default_between", "o = 0;\nswitch (a) {\n    case 1: o = 5; break;\n    case 2:\n    default: o += 7;\n    case 3: o += 20;\n}",
             lambda a: {1: 5, 3: 20}.get(a, 27), ints, {"o": "int"})
    s.shader("labels_together", "switch (a) {\n    case 1u: case 3u: case 5u: o = 1; break;\n    case 0u:\n    case 2u: o = 2; break;\n"
             "    default: o = 3;\n}", lambda a: 1 if a in (1, 3, 5) else 2 if a in (0, 2) else 3, uints, {"o": "int"})
    s.shader("break_inside", "o = 0;\nswitch (a) {\n    case 1:\n    case 2: o = 1; if (a == 1) break; o = 2;\n    case 3: o += 10; break;\n"
             "    default: if (a > 8) { o = 50; break; } else o = 60; o += 1;\n}",
             lambda a: {1: 1, 2: 12, 3: 10}.get(a, 50 if a > 8 else 61), ints, {"o": "int"})

    def looped(a):
        total = 0
        for i in range(8):
            if i == a:
                continue
            if i == 3:
                total += 100
                continue
            total += {1: 10, 5: 1000}.get(i, 1)
            total += 10000
        return total
    s.shader("continue_inside", "o = 0;\nfor (int i = 0; i < 8; i++) {\n    switch (i == a ? -1 : i) {\n        case -1: continue;\n"
             "        case 1: o += 10; break;\n        case 3: if (a != 3) { o += 100; continue; } break;\n        case 5: o += 1000; break;\n"
             "        default: o += 1;\n    }\n    o += 10000;\n}", looped, ints, {"o": "int"})
    s.shader("return_inside", "o = f(a) + f(a + 1);",
             lambda a: sum({1: 7, 2: 8, 3: 28}.get(x, 100) for x in (a, a + 1)), ints, {"o": "int"},
             decl="int f(int x) {\n    int t = 0;\n    switch (x) {\n        case 1: return 7;\n        case 2: t = 8; break;\n"
                  "        case 3: t = 20; if (x == 3) { return t + 8; }\n        default: return 100;\n    }\n    return t;\n}")
    s.shader("nested", "o = 0;\nswitch (a & 1) {\n    case 0:\n        switch (a >> 1) {\n            case 0: o = 1; break;\n            case 1: o = 2;\n"
             "            default: o += 3;\n        }\n        o += 100;\n        break;\n    case 1: o = 7;\n}",
             lambda a: 7 if a & 1 else 100 + {0: 1, 1: 5}.get(a >> 1, 3), ints, {"o": "int"})
    s.shader("of_a_constant", "switch (2) {\n    case 1: o = 1; break;\n    case 2: o = 2 + a; break;\n}", lambda a: 2 + a,
             ints, {"o": "int"})
    s.shader("selector_changes", "int t = a;\no = 0;\nswitch (t) {\n    case 1: t = 2; o += 1;\n    case 2: t = 3; o += 10; break;\n    case 3: o += 100;\n}\no += t * 1000;",
             lambda a: {1: 3011, 2: 3010, 3: 3100}.get(a, a * 1000), ints, {"o": "int"})
    s.shader("loops_inside", "o = 0;\nswitch (a) {\n    case 2: for (int i = 0; i < 9; i++) { if (i == 4) break; o += i; }\n"
             "    case 3: while (true) { o += 100; if (o > 150) break; }\n        break;\n    default: o = -1;\n}",
             lambda a: {2: 206, 3: 200}.get(a, -1), ints, {"o": "int"})
    return s


def values():
    s = Third("essl300_values", "GLSL ES 3.00: arrays and structures as values, outputs, built-in variables.")
    v = {"a": ("vec3", eighths("values", 3))}
    s.shader("array_constructor", "float[3] t = float[3](a.z, a.y, a.x);\nfloat u[] = float[](a.x, 1.0, a.y, 2.0);\no = vec4(t[0], t[2], u[2], float(u.length()));",
             lambda a: [a[2], a[0], a[1], 4.0], v, {"o": "vec4"})
    s.shader("array_assignment", "vec2 t[2], u[2];\nt[0] = a.xy;\nt[1] = a.yz;\nu = t;\nt[0] = vec2(0.0);\no = vec4(u[0], u[1]);",
             lambda a: a[:2] + a[1:], v, {"o": "vec4"})
    s.shader("array_comparison", "float[2] t = float[2](a.x, a.y), u = float[2](a.x, a.z);\no = ivec3(t == u, t != u, t == float[2](a.x, a.y));",
             lambda a: [a[1] == a[2], a[1] != a[2], 1], v, {"o": "ivec3"})
    s.shader("array_returned", "o = vec3(f(a)[0], f(a)[1], g(float[2](a.x, a.y)));", lambda a: [a[0] + a[1], a[2], a[1] - a[0]],
             v, {"o": "vec3"}, decl="float[2] f(vec3 x) { return float[2](x.x + x.y, x.z); }\nfloat g(const float x[2]) { return x[1] - x[0]; }")
    s.shader("array_changed_by_function", "float t[2] = float[2](a.x, a.y);\nh(t);\no = vec2(t[0], t[1]);",
             lambda a: [a[1], a[0]], v, {"o": "vec2"},
             decl="void h(inout float x[2]) { float y = x[0]; x[0] = x[1]; x[1] = y; }")
    table = [3, 1, 4, 1, 5, 9, 2, 6]
    s.shader("const_array", "o = kTable[a & 7] + kTable[2] + kTable.length();", lambda a: table[a & 7] + 4 + 8,
             {"a": ("int", list(range(16)))}, {"o": "int"},
             decl="const int kTable[8] = int[8](3, 1, 4, 1, 5, 9, 2, 6);")
    s.shader("const_array_of_structures", "S t = kAll[a];\no = t.x * float(kAll[1].n) + t.v.y;",
             lambda a: [1.0, 2.0, 3.0][a] * 20 + [0.25, 0.5, 0.75][a], {"a": ("int", [0, 1, 2, 1])}, {"o": "float"},
             decl="struct S { float x; int n; vec2 v; };\nconst S kAll[3] = S[3](S(1.0, 10, vec2(0.0, 0.25)), S(2.0, 20, vec2(0.0, 0.5)), S(3.0, 30, vec2(0.0, 0.75)));")
    s.shader("structure_comparison", "S t = S(a.x, ivec2(1, 2), mat2(1.0)), u = t;\nu.m[1].x += a.y;\no = ivec2(t == u, t != S(a.x, ivec2(1, 2), mat2(1.0)));",
             lambda a: [a[1] == 0, 0], v, {"o": "ivec2"}, decl="struct S { float x; ivec2 n; mat2 m; };")
    s.shader("structure_with_array", "S t;\nt.x = int[3](1, 2, 3);\nt.x[a] = 7;\nS u = t;\no = ivec3(u.x[0], u.x[1], u.x[2]);",
             lambda a: [7 if a == k else k + 1 for k in range(3)], {"a": ("int", [0, 1, 2])}, {"o": "ivec3"},
             decl="struct S { int x[3]; };")
    s.shader("ternary_of_arrays", "float[2] t = a.x > 0.0 ? float[2](1.0, 2.0) : float[2](a.y, a.z);\no = vec2(t[0], t[1]);",
             lambda a: [1.0, 2.0] if a[0] > 0 else a[1:], v, {"o": "vec2"})
    s.shader("array_chosen_at_run_time", "int t[5];\nfor (int i = 0; i < 5; i++) t[i] = i * i;\nt[a] = 100;\no = t[a] + t[4 - a];",
             lambda a: 100 + (100 if a == 2 else (4 - a) ** 2), {"a": ("int", [0, 1, 2, 3, 4])}, {"o": "int"})
    s.shader("several_outputs", "first = a;\nsecond = ivec2(a.xy * 8.0);\nthird = uint(abs(a.z) * 8.0);\ngl_FragDepth = a.x;",
             lambda a: (a, [int(x * 8) for x in a[:2]], int(abs(a[2]) * 8)), v,
             {"first": "vec3", "second": "ivec2", "third": "uint"}, stage="fragment")
    s.raw("output_array", "#version 300 es\nprecision highp float;\nin vec2 a;\nlayout(location = 1) out vec2 o[2];\n"
          "void main() { o[0] = a; o[1] = a.yx; }", "input a: 1 2 | 3 4\nexpect o1.xy: 1 2 | 3 4\nexpect o2.xy: 2 1 | 4 3")
    s.raw("vertex_and_instance", "#version 300 es\nflat out ivec2 o;\nvoid main() { o = ivec2(gl_VertexID, gl_InstanceID); gl_Position = vec4(0.0); }",
          "input gl_InstanceID: 5i 7i | 6i 8i\nexpect o: 7i 5i | 8i 6i", "vertex")
    s.raw("hidden_built_ins", "#version 300 es\nflat out ivec4 o;\nvoid main() { o = ivec4(gl_MaxDrawBuffers >= 4, gl_MinProgramTexelOffset, gl_MaxProgramTexelOffset, gl_MaxVertexAttribs >= 16); gl_Position = vec4(0.0); }",
          "expect o: 1i -8i 7i 1i", "vertex")
    outs = "".join(f"layout(location = {k}) out {('vec4', 'ivec4', 'uvec4', 'vec2')[k % 4]} o{k};\n" for k in range(8))
    s.raw("eight_outputs", "#version 300 es\nprecision highp float; precision highp int;\nin vec4 a;\n" + outs +
          "void main() { o0 = a; o1 = ivec4(a); o2 = uvec4(a) + uint(gl_MaxDrawBuffers); o3 = a.zw; o4 = -a; o5 = ivec4(5); o6 = uvec4(6); o7 = a.xy; }",
          "input a: 1.5 2.5 3 4\nexpect o0: 1.5 2.5 3 4\nexpect o1: 1i 2i 3i 4i\nexpect o2: 9u 10u 11u 12u\nexpect o3: 3 4\n"
          "expect o4: -1.5 -2.5 -3 -4\nexpect o5: 5i 5i 5i 5i\nexpect o6: 6u 6u 6u 6u\nexpect o7: 1.5 2.5")
    s.refused("ninth_output", "#version 300 es\nprecision highp float;\nlayout(location = 8) out vec4 o;\nvoid main() { o = vec4(1.0); }", "too large")
    # Constants that an index chooses: in constant registers, and where no room is left.
    numbers = [0.25 * k * k - 3.0 for k in range(20)]
    vectors = [[k * 7 - 20, k ^ 5, -k] for k in range(9)]
    matrices = [[float(k), -0.5 * k, 2.0 + k, 0.125 * k] for k in range(6)]
    tables = (f"const float n[20] = float[]({', '.join(map(repr, numbers))});\n"
              f"const ivec3 v[9] = ivec3[]({', '.join('ivec3(%d, %d, %d)' % tuple(x) for x in vectors)});\n"
              f"const mat2 m[6] = mat2[]({', '.join('mat2(%r, %r, %r, %r)' % tuple(x) for x in matrices)});\n"
              "struct S { bool b; uint u; };\n"
              f"const S t[5] = S[]({', '.join('S(%s, %du)' % (('false', 'true')[k & 1], k * 1000) for k in range(5))});\n")
    indices = {"i": ("int", [0, 1, 2, 3, 4, 2])}
    read = "o = vec2(n[4 * i + 3], n[i]) + m[i + 1] * vec2(1.0, 2.0);\np = v[2 * i].zyx + (t[i].b ? int(t[i].u) : -1);"

    def chosen(i):
        a, b, c, d = matrices[i + 1]
        x, y, z = vectors[2 * i]
        k = i * 1000 if i & 1 else -1
        return [numbers[4 * i + 3] + a + 2 * c, numbers[i] + b + 2 * d], [z + k, y + k, x + k]
    for stage in ("vertex", "fragment"):
        s.shader(f"tables_{stage}", read, chosen, indices, {"o": "vec2", "p": "ivec3"}, decl=tables, stage=stage)
    s.shader("tables_without_room", read + "\no += u[i].xy + b[i].xy;", chosen, indices, {"o": "vec2", "p": "ivec3"},
             decl=tables + "uniform vec4 u[240];\nuniform B { vec4 b[250]; };", stage="fragment")
    s.raw("unset_variables", "#version 300 es\nprecision highp float;\nin float z;\nlayout(location = 0) out ivec4 o;\nlayout(location = 1) out ivec4 p;\n"
          "struct S { float a; int b; };\nvoid main() { float n = z / z; o = ivec4(isnan(n), isinf(1.0 / z), isnan(0.0 / 0.0), isnan(sqrt(z - 1.0)));\n"
          "float u; ivec3 v; mat2 m; bool b; float x[3]; S s; int k; for (int i = 0; i < 3; i++) k += i;\n"
          "p = ivec4(u == 0.0, v == ivec3(0), m == mat2(0.0) && !b && k == 3, x[2] == 0.0 && s.b == 0); }",
          "input z: 0\nexpect o: 1i 1i 1i 1i\nexpect p: 1i 1i 1i 1i")
    s.raw("lookups", "#version 300 es\nprecision highp float;\nuniform sampler2D s; uniform samplerCube c;\nin vec4 a;\nlayout(location = 0) out vec4 o;\nlayout(location = 1) out vec4 p;\n"
          "void main() { o = textureLod(s, a.xy, 0.0) + textureProjLod(s, vec3(a.xy * 2.0, 2.0), 0.0) + textureProjLod(s, vec4(a.xy, 0.0, 1.0), 0.0) + textureGrad(s, a.xy, vec2(0.0), vec2(0.0)); p = textureLod(c, a.xyz, 0.0); }",
          "texture s: index 8x8\ntexture c: index 4x4 cube\ninput a: 0.1 0.4 2.0 1.0 | 0.9 0.6 -2.0 1.0\nexpect o.xy: 0 12 | 28 16\nexpect p.w: 4 | 5")
    s.refused("version_100_has_no_uint", "precision highp float;\nvoid main() { uint x = 1u; gl_FragColor = vec4(float(x)); }", "GLSL ES 1.00")
    s.refused("several_outputs_want_locations", "#version 300 es\nprecision highp float;\nout vec4 a; out vec4 b;\nvoid main() { a = b = vec4(1.0); }", "must have a location")
    s.refused("outputs_apart", "#version 300 es\nprecision highp float;\nlayout(location = 1) out vec4 a; layout(location = 0) out vec4 b[2];\nvoid main() { a = vec4(1.0); b[0] = a; b[1] = a; }",
              "overlapping use of location 1")
    s.refused("no_such_output", "#version 300 es\nprecision highp float;\nlayout(location = 99) out vec4 a;\nvoid main() { a = vec4(1.0); }", "ERROR")
    return s


# --- Lookups: the pattern "index" has the texel, its level and its layer as numbers ---

def lookups():
    s = Third("essl300_lookups", "GLSL ES 3.00: lookups of texels, with offsets, of integers, in arrays, and sizes.")
    width, height, last = 8, 4, 3

    def look(name, statements, fn, lanes, outs, samplers="uniform sampler2D s;", textures=("s",), stage="fragment"):
        """`lanes`: values of `a`, a vec4, and of `i`, an ivec4."""
        s.shader(name, statements, fn, {"a": ("vec4", [a for a, _ in lanes]), "i": ("ivec4", [i for _, i in lanes])}, outs,
                 decl=samplers, stage=stage, run="\n".join(f"texture {t}: index {width}x{height}" for t in textures))

    def texel(u, v, offset=(0, 0), level=0):
        w, h = max(width >> level, 1), max(height >> level, 1)
        return [(math.floor(u * w) + offset[0]) % w, (math.floor(v * h) + offset[1]) % h]

    r = random.Random("lookups")
    lanes = [([r.randint(1, 63) / 64, r.randint(1, 63) / 64, r.randint(-3, 13) / 4, r.choice((1.0, 2.0, 4.0))],
              [r.randint(-2, 9), r.randint(-2, 5), r.randint(0, 3), r.randint(-1, 3)]) for _ in range(16)]

    def fetched(x, y, level, layer=0):
        inside = 0 <= level <= last and 0 <= x < max(width >> level, 1) and 0 <= y < max(height >> level, 1) and 0 <= layer < 3
        return [x, y, level, layer] if inside else [0, 0, 0, 0]
    for stage in ("vertex", "fragment"):
        look(f"texels_{stage}", "o = texelFetch(s, i.xy, i.z);\np = texelFetchOffset(s, i.xy, i.w, ivec2(-3, 2));",
             lambda a, i: (fetched(i[0], i[1], i[2]), fetched(i[0] - 3, i[1] + 2, i[3])), lanes, {"o": "vec4", "p": "vec4"},
             stage=stage)
        look(f"sizes_{stage}", "o = textureSize(s, i.w);\np = textureSize(t, 1);",
             lambda a, i: ([max(width >> i[3], 1), max(height >> i[3], 1)] if 0 <= i[3] <= last else [0, 0], [4, 2, 3]), lanes,
             {"o": "ivec2", "p": "ivec3"}, "uniform sampler2D s; uniform highp sampler2DArray t;", ("s", "t"), stage)
        look(f"offsets_{stage}",
             "o = textureLodOffset(s, a.xy, 0.0, ivec2(7, -8)).xy;\np = textureProjLodOffset(s, vec3(a.xy * a.w, a.w), 1.0, ivec2(1, 1)).xy;\n"
             "q = textureGradOffset(s, a.xy, vec2(0.0), vec2(0.0), ivec2(-1, 3)).xy;",
             lambda a, i: (texel(a[0], a[1], (7, -8)), texel(a[0], a[1], (1, 1), 1), texel(a[0], a[1], (-1, 3))), lanes,
             {"o": "vec2", "p": "vec2", "q": "vec2"}, stage=stage)
        look(f"integers_{stage}",
             "o = textureLod(s, a.xy, 0.0);\np = texelFetch(t, i.xy, i.z) + 1;\nq = ~texelFetch(s, i.xy, 0).x;",
             lambda a, i: (texel(a[0], a[1]) + [0, 0], [x + 1 for x in fetched(i[0], i[1], i[2])], ~fetched(i[0], i[1], 0)[0]), lanes,
             {"o": "uvec4", "p": "ivec4", "q": "uint"}, "uniform highp usampler2D s; uniform highp isampler2D t;", ("s", "t"), stage)
        look(f"arrays_{stage}",
             "o = textureLod(s, a.xyz, 0.0);\np = texelFetch(s, i.xyw, i.z);\nq = textureGrad(t, a.xyz, vec2(0.0), vec2(0.0)).w;",
             lambda a, i: (texel(a[0], a[1]) + [0, min(max(round(a[2]), 0), 2)], fetched(i[0], i[1], i[2], i[3]),
                           min(max(round(a[2]), 0), 2)), lanes,
             {"o": "vec4", "p": "vec4", "q": "int"}, "uniform highp sampler2DArray s; uniform highp isampler2DArray t;", ("s", "t"), stage)
    look("derived", "o = texture(s, a.xy);\np = textureOffset(s, a.xy, ivec2(2, 1), -20.0).xy;\nq = textureProj(t, vec4(a.xy, 0.0, 1.0)).xy;",
         lambda a, i: (texel(a[0], a[1]) + [0, 0], texel(a[0], a[1], (2, 1)), texel(a[0], a[1])), [lanes[0]] * 16,
         {"o": "vec4", "p": "vec2", "q": "uvec2"}, "uniform sampler2D s; uniform highp usampler2D t;", ("s", "t"))
    s.refused("offset_too_large", "#version 300 es\nprecision highp float;\nuniform sampler2D s;\nout vec4 o;\nvoid main() { o = textureOffset(s, vec2(0.5), ivec2(8, 0)); }", "ERROR")
    s.refused("offset_not_constant", "#version 300 es\nprecision highp float;\nuniform sampler2D s; uniform ivec2 k;\nout vec4 o;\nvoid main() { o = textureOffset(s, vec2(0.5), k); }", "ERROR")
    return s


# --- Uniform blocks: std140, computed here from the rules of OpenGL ES 3.0 section 2.11.6.4 ---

def up(n, multiple):
    return -(-n // multiple) * multiple


class Member:
    """A member of a block or structure: a type, or a list of members that is one."""

    def __init__(self, name, kind, count=0, row_major=False):
        self.name, self.kind, self.count, self.row_major = name, kind, count, row_major


def extent(kind, count, row_major):
    """Size and alignment."""
    if count:
        size, _ = extent(kind, 0, row_major)
        return up(size, 16) * count, 16
    if isinstance(kind, list):
        at = 0
        for m in kind:
            size, align = extent(m.kind, m.count, row_major)
            at = up(at, align) + size
        return up(at, 16), 16
    if kind.startswith("mat"):
        columns_, rows = int(kind[3]), int(kind[-1])
        return 16 * (rows if row_major else columns_), 16
    n = size_of(kind)
    return 4 * n, {1: 4, 2: 8, 3: 16, 4: 16}[n]


def leaves(members, prefix, at, major=None):
    """Name, type, count, offset and order of all that is no structure."""
    for m in members:
        row_major = m.row_major if major is None else major
        size, align = extent(m.kind, m.count, row_major)
        at = up(at, align)
        if isinstance(m.kind, list):
            stride = extent(m.kind, 0, row_major)[0]
            for k in range(m.count or 1):
                name = f"{prefix}{m.name}[{k}]." if m.count else f"{prefix}{m.name}."
                yield from leaves(m.kind, name, at + k * stride, row_major)
        else:
            yield f"{prefix}{m.name}", m.kind, m.count, at, row_major
        at += size


def block_values(name, kind, count):
    r = random.Random(name)
    n = size_of(kind) * (count or 1)
    scalar = scalar_of(kind)
    return [r.randint(-40, 40) / 4 if scalar == "float" else r.getrandbits(32) if scalar in ("int", "uint")
            else r.randint(0, 1) for _ in range(n)]


def blocks():
    s = Third("essl300_blocks", "GLSL ES 3.00: uniform blocks, their bytes where std140 has them.")

    def check(name, declaration, members, expression, kind, fn, stage=None, ins=None, decl=""):
        values, memory = {}, {}
        for n, k, c, offset, row_major in leaves(members, "", 0):
            values[n] = block_values(name + n, k, c)
            columns_, rows = (int(k[3]), int(k[-1])) if k.startswith("mat") else (1, size_of(k))
            stride = extent(k, 1, row_major)[0] if c else 0
            for i, x in enumerate(values[n]):
                element, column, row = i // (columns_ * rows), i // rows % columns_, i % rows
                within = 16 * row + 4 * column if row_major and columns_ > 1 else 16 * column + 4 * row
                memory[offset + element * stride + within] = f"{int(x)}i" if scalar_of(k) == "bool" else spell(k, x)
        runs = []
        for at in sorted(memory):
            if runs and runs[-1][0] + 4 * len(runs[-1][1]) == at:
                runs[-1][1].append(memory[at])
            else:
                runs.append((at, [memory[at]]))
        s.shader(name, f"o = {expression};", lambda **lane: fn(values, **lane), ins or {"a": ("int", [0, 1, 2, 3])},
                 {"o": kind}, decl=declaration + decl, stage=stage,
                 run="\n".join(f"uniform B@{at}: " + " ".join(words) for at, words in runs))

    plain = [Member("x", "float"), Member("v", "vec2"), Member("w", "vec3"), Member("n", "int"), Member("u", "uvec2"),
             Member("b", "bvec3"), Member("f", "float", 3), Member("m", "mat3x2"), Member("last", "vec4")]
    check("members", "layout(std140) uniform B { float x; vec2 v; vec3 w; int n; uvec2 u; bvec3 b; float f[3]; mat3x2 m; vec4 last; };\n",
          plain, "vec4(x, v.y, w.z, float(n & 255)) + last.wzyx + vec4(f[a], m[2].y, float(u.y >> 30u), float(b.z))", "vec4",
          lambda v, a: [p + q + r for p, q, r in zip(
              [v["x"][0], v["v"][1], v["w"][2], v["n"][0] & 255], v["last"][::-1],
              [v["f"][a] if a < 3 else 0, v["m"][5], v["u"][1] >> 30, v["b"][2]])],
          ins={"a": ("int", [0, 1, 2])})
    check("integers", "uniform B { uvec4 u; ivec3 n; uint last[2]; };\n",
          [Member("u", "uvec4"), Member("n", "ivec3"), Member("last", "uint", 2)], "u ^ uvec4(n, last[a & 1])", "uvec4",
          lambda v, a: [x ^ word(y) for x, y in zip(v["u"], v["n"] + [v["last"][a & 1]])])
    for c in (2, 3, 4):
        for r in (2, 3, 4):
            kind = f"mat{c}x{r}"
            declaration = (f"layout(std140) uniform B {{ {kind} p; layout(row_major) {kind} q[2]; vec2 t; }};\n")
            members = [Member("p", kind), Member("q", kind, 2, True), Member("t", "vec2")]
            n = c * r
            check(f"matrices_{c}x{r}", declaration, members, "p + q[a] * t.x", kind,
                  lambda v, a, n=n: [x + y * v["t"][0] for x, y in zip(v["p"], v["q"][a * n:a * n + n])],
                  ins={"a": ("int", [0, 1])})
            check(f"columns_{c}x{r}", declaration, members, f"q[1][a] + p[a] + vec{r}(q[a][{c - 1}][{r - 1}])", f"vec{r}",
                  lambda v, a, c=c, r=r, n=n: [x + y + v["q"][a * n + n - 1] for x, y in zip(
                      v["q"][n + a * r:n + a * r + r], v["p"][a * r:a * r + r])], ins={"a": ("int", [0, 1])})
    inner = [Member("c", "vec3"), Member("k", "int"), Member("m", "mat2")]
    outer = [Member("first", "float"), Member("s", inner), Member("t", inner, 3), Member("end", "float")]
    check("structures", "struct S { vec3 c; int k; mat2 m; };\nlayout(std140) uniform B { float first; S s; S t[3]; float end; };\n",
          outer, "vec4(s.c.xy + t[a].m[1], t[a].c.z + first, float(t[2].k & 127) + end)", "vec4",
          lambda v, a: [v["s.c"][0] + v[f"t[{a}].m"][2], v["s.c"][1] + v[f"t[{a}].m"][3], v[f"t[{a}].c"][2] + v["first"][0],
                        (v["t[2].k"][0] & 127) + v["end"][0]], ins={"a": ("int", [0, 1, 2])})
    check("structure_as_a_value", "struct S { vec3 c; int k; mat2 m; };\nuniform B { float first; S s; S t[3]; float end; };\n",
          outer, "f(t[a]) + f(s)", "float",
          lambda v, a: sum(v[n + ".c"][0] + v[n + ".m"][3] for n in ("s", f"t[{a}]")), ins={"a": ("int", [0, 1, 2])},
          decl="float f(S x) { x.c.x += x.m[1].y; return x.c.x; }")
    check("row_major_block", "layout(std140, row_major) uniform B { mat4x3 m; layout(column_major) mat4x3 n; };\n",
          [Member("m", "mat4x3", 0, True), Member("n", "mat4x3")], "m * vec4(1.0, 2.0, 4.0, 8.0) + n[a]", "vec3",
          lambda v, a: [sum(v["m"][3 * c + r] * 2 ** c for c in range(4)) + v["n"][3 * a + r] for r in range(3)])
    check("far", "layout(std140) uniform B { vec4 big[1000]; vec4 end; };\n", [Member("big", "vec4", 1000), Member("end", "vec4")],
          "big[a * 333] + big[700] + end", "vec4",
          lambda v, a: [v["big"][4 * 333 * a + k] + v["big"][2800 + k] + v["end"][k] for k in range(4)])
    s.raw("instances", "#version 300 es\nprecision highp float;\nuniform B { vec4 val; float row[2]; } b[3];\nuniform C { vec4 val; } c;\n"
          "uniform float y;\nin float a;\nout vec4 o;\nvoid main() { o = b[0].val + b[2].val * a + vec4(b[1].row[1] + y) + c.val; }",
          "input a: 1 | 2\nuniform B[0]/B.val: 1 2 3 4\nuniform B[2]/B.val: 10 20 30 40\nuniform B[1]/B.row: 7 100\nuniform C.val: 0.5 0 0 0\n"
          "uniform y: 1000\nexpect o: 1111.5 1122 1133 1144 | 1121.5 1142 1163 1184")
    s.raw("many", "#version 300 es\nprecision highp float;\n" + "".join(
              f"uniform B{i} {{ vec4 x{i}[{100 + i}]; }};\n" for i in range(12)) +
          "flat in int a;\nout vec4 o;\nvoid main() { o = " + " + ".join(f"x{i}[a + {i}]" for i in range(12)) + "; }",
          "input a: 0i | 5i | 99i\n" + "\n".join(f"uniform x{i}[{i}]: {1 << i}\nuniform x{i}[{i + 5}]: {2 << i}\nuniform x{i}[{i + 99}]: {3 << i}"
                                              for i in range(12)) +
          "\nexpect o.x: 4095 | 8190 | 12285")
    s.refused("too_many", "#version 300 es\nprecision highp float;\n" + "".join(
        f"uniform B{i} {{ vec4 x{i}; }};\n" for i in range(13)) + "out vec4 o;\nvoid main() { o = x0; }", "limit 12")
    s.refused("too_large", "#version 300 es\nprecision highp float;\nuniform B { vec4 x[4097]; };\nout vec4 o;\nvoid main() { o = x[0]; }",
              "limit 65536")
    pair = ("#version 300 es\nlayout(std140) uniform B { vec4 val; mat2 m; }{v};\nvoid main() { gl_Position = {p}val; }\n[fragment glsl]\n"
            "#version 300 es\nprecision highp float;\nlayout(std140{l}) uniform B { vec4 {n}; mat2 m; }{f};\nout vec4 o;\nvoid main() { o = {q}{n}; }")
    def both(v="", f="", l="", n="val"):
        text = pair
        for key, value in (("{v}", " " + v if v else ""), ("{f}", " " + f if f else ""), ("{l}", l), ("{n}", n),
                           ("{p}", v + "." if v else ""), ("{q}", f + "." if f else "")):
            text = text.replace(key, value)
        return text
    s.raw("shared_by_stages", both("a", "b"), "uniform B.val: 1 2 3 4\nexpect o: 1 2 3 4", "vertex")
    s.refused("named_in_one_stage", both("a"), "its members named in another way", "vertex")
    s.refused("other_order", both(l=", row_major"), "another order of matrices than in the vertex shader", "vertex")
    s.refused("other_member", both(n="other"), "another member 'other'", "vertex")
    return s
