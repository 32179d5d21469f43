"""Every function of chapter 8 of the GLSL ES 1.00 specification on every type it is declared for.

The specification demands no precision. The bounds here are reasoned from single precision: an elementary function
within 2 units in the last place (docs/isa.md), one rounding for each further operation, and for sin, cos and what is
made of them an absolute error of 2^-22 near the zeros.
"""

import math
import random

from .suite import FLOAT_TYPES, SIZES, Suite, between, nonzero
from .values import M, V, dot, f32, length


def lift(function):
    """A function of scalars on vectors, scalars standing for all components."""
    def lifted(first, *others):
        return first.map(function, *others) if isinstance(first, tuple) else function(first, *others)
    return lifted


def gen(s, name, function, domains, tol, letters="xyz", code=None, scalars=(), lanes=32, suffix=""):
    """The function on float, vec2, vec3 and vec4; `scalars`: arguments that also come as float with vectors."""
    names = list(letters[: len(domains)])
    lifted = lift(function)
    code = code or f"{name}({', '.join(names)})"
    dom = dict(zip(names, domains))
    call = lambda **values: lifted(*(values[n] for n in names))
    for kind in FLOAT_TYPES:
        s.expr(f"{name}_{kind}{suffix}", kind, code, call, args={n: kind for n in names}, dom=dom, tol=tol, lanes=lanes)
        if scalars and kind != "float":
            if 0 in scalars:
                order = lambda **v: v["y"].map(lambda y, x: function(x, y), v["x"])
                if len(names) == 3:
                    order = lambda **v: v["z"].map(lambda z, x, y: function(x, y, z), v["x"], v["y"])
            else:
                order = call
            s.expr(f"{name}_{kind}_scalar{suffix}", kind, code, order,
                   args={n: "float" if k in scalars else kind for k, n in enumerate(names)}, dom=dom, tol=tol,
                   lanes=lanes)


def cases():
    s = Suite("builtins", "Every built-in function but the texture lookups, on every type.")
    angles(s)
    exponentials(s)
    common(s)
    geometry(s)
    relational(s)
    return s


def angles(s):
    wide = between(-720, 720)
    gen(s, "radians", math.radians, [wide], "ulp 2")
    gen(s, "degrees", math.degrees, [between(-7, 7)], "ulp 2")
    turn = between(-7, 7)
    trig = "ulp 3 abs 2.4e-7"
    gen(s, "sin", math.sin, [turn], trig)
    gen(s, "cos", math.cos, [turn], trig)
    gen(s, "sin", math.sin, [between(-3000, 3000)], trig, suffix="_large")
    gen(s, "cos", math.cos, [between(-3000, 3000)], trig, suffix="_large")
    gen(s, "tan", math.tan, [between(-1.3, 1.3)], "ulp 8 abs 2.4e-7")
    unit = between(-1, 1)
    # Near +-1 the functions are steep only in acos(x) ~ sqrt(2 (1 - x)), which a difference 1 - x gives exactly.
    gen(s, "asin", math.asin, [unit], "ulp 8 abs 5e-7")
    gen(s, "acos", math.acos, [unit], "ulp 8 abs 5e-7")
    gen(s, "atan", math.atan, [between(-10, 10)], "ulp 8 abs 2.4e-7")
    gen(s, "atan", math.atan2, [nonzero(0.125, 9), nonzero(0.125, 9)], "ulp 8 abs 5e-7", letters="yx", suffix="2")
    points = [0.0, 1.0, -1.0, 0.5, -0.5]
    half = math.pi / 2
    tight = "abs 5e-7"
    s.expr("sin_points", "float", "sin(x)", lambda x: math.sin(x), args={"x": "float"}, tol=tight, lanes=8,
           dom={"x": [f32(k * half / 2) for k in range(8)]})
    s.expr("cos_points", "float", "cos(x)", lambda x: math.cos(x), args={"x": "float"}, tol=tight, lanes=8,
           dom={"x": [f32(k * half / 2) for k in range(8)]})
    s.expr("asin_points", "float", "asin(x)", math_call(math.asin), args={"x": "float"}, tol=tight, lanes=5,
           dom={"x": points})
    s.expr("acos_points", "float", "acos(x)", math_call(math.acos), args={"x": "float"}, tol=tight, lanes=5,
           dom={"x": points})
    s.expr("atan_points", "float", "atan(x)", math_call(math.atan), args={"x": "float"}, tol="abs 5e-7", lanes=10,
           dom={"x": points + [1e-3, 100.0, -1e6, 1e30, -1e30]})
    axes = [(0.0, 1.0), (1.0, 0.0), (-1.0, 0.0), (0.0, -1.0), (1.0, 1.0), (1.0, -1.0), (-1.0, -1.0), (-1.0, 1.0),
            (1e-3, 5.0), (-1e-3, -5.0), (5.0, 1e-3), (-5.0, -1e-3), (1e20, 1e20), (-1e-20, 1e-20), (2.0, 0.5),
            (-2.0, -0.5)]
    s.expr("atan2_quadrants", "float", "atan(y, x)", lambda y, x: math.atan2(y, x), args={"y": "float", "x": "float"},
           tol="ulp 4 abs 5e-7", dom={"y": [a[0] for a in axes], "x": [a[1] for a in axes]})
    s.expr("sin_tiny", "float", "sin(x)", math_call(math.sin), args={"x": "float"}, tol="ulp 3 abs 2.4e-7", lanes=4,
           dom={"x": [1e-6, -1e-6, 1e-20, 0.0]})


def math_call(function):
    return lambda x: function(x)


def exponentials(s):
    # pow(x, y) = 2^(y log2 x): up to 1 + 2.1 |y log2 x| units, here of |y log2 x| <= 33.3.
    gen(s, "pow", math.pow, [between(0.01, 8), between(-5, 5)], "ulp 71")
    # exp(x) = 2^(x log2 e): rounding the product costs |x| / 2 units.
    gen(s, "exp", math.exp, [between(-6, 6)], "ulp 12")
    gen(s, "log", math.log, [between(0.01, 60)], "ulp 4 abs 2.4e-7")
    gen(s, "exp2", lambda x: 2.0 ** x, [between(-20, 20)], "ulp 2")
    gen(s, "log2", math.log2, [between(0.001, 2000)], "ulp 3")
    gen(s, "sqrt", math.sqrt, [between(0, 1000)], "ulp 1")
    gen(s, "inversesqrt", lambda x: 1 / math.sqrt(x), [between(0.001, 1000)], "ulp 2")
    s.expr("exp2_of_integers", "float", "exp2(x)", lambda x: 2.0 ** x, args={"x": "float"},
           dom={"x": lambda r: r.randint(-30, 30)})
    s.expr("log2_of_powers", "float", "log2(x)", math_call(math.log2), args={"x": "float"},
           dom={"x": lambda r: 2.0 ** r.randint(-30, 30)})
    s.expr("pow_squares", "float", "pow(x, 2.0)", lambda x: x * x, args={"x": "float"}, tol="ulp 4",
           dom={"x": between(0.125, 9, 0.125)})
    s.expr("pow_points", "vec4", "vec4(pow(x, 1.0), pow(x, 0.0), pow(1.0, x), pow(x, 0.5))",
           lambda x: V(x, 1, 1, math.sqrt(x)), args={"x": "float"}, tol="ulp 4", dom={"x": between(0.125, 9)})
    # Constant exponents that are whole or halves are products: half a unit each, doubled by each square.
    for name, power, units in (("24", 24, 24), ("2_5", 2.5, 3), ("_3", -3, 4), ("_1_5", -1.5, 3), ("127", 127, 127)):
        s.expr("pow_chain_" + name, "float", "pow(x, %s)" % float(power), lambda x, p=power: x**p, args={"x": "float"},
               tol="ulp %d" % units, dom={"x": between(0.7, 1.6)})
    s.expr("pow_chains", "vec3", "pow(v, vec3(3.0, 1.5, 2.0))", lambda v: V(v[0] ** 3, v[1] ** 1.5, v[2] ** 2),
           args={"v": "vec3"}, tol="ulp 4", dom={"v": between(0.125, 9)})
    s.expr("sqrt_of_squares", "float", "sqrt(x * x)", math_call(abs), args={"x": "float"})
    s.expr("exp_log_zero_one", "vec4", "vec4(exp(x), log(x + 1.0), exp2(x), sqrt(x))", lambda x: V(1, 0, 1, 0),
           args={"x": "float"}, dom={"x": [0.0]}, lanes=4)


def sign(x):
    return float((x > 0) - (x < 0))


def clamp(x, low, high):
    return min(max(x, low), high)


def smoothstep(a, b, x):
    t = clamp((x - a) / (b - a), 0.0, 1.0)
    return t * t * (3 - 2 * t)


def common(s):
    some = lambda r: r.choice((0.0, 0.5, -0.5, 1.0, -1.0, 2.75, -2.75, 3.0, -3.0, 100.125, -100.125, 1e-3, -1e-3, 3e9,
                               -3e9))
    gen(s, "abs", lambda x: abs(x), [lambda r: f32(some(r))], "exact")
    gen(s, "sign", sign, [lambda r: f32(some(r))], "exact")
    gen(s, "floor", lambda x: float(math.floor(x)), [lambda r: f32(some(r))], "exact")
    gen(s, "ceil", lambda x: float(math.ceil(x)), [lambda r: f32(some(r))], "exact")
    gen(s, "fract", lambda x: x - math.floor(x), [between(-8, 8, 1 / 64)], "exact")
    eighth = between(-6, 6, 1 / 8)
    # A power of two divides exactly, so the result is exact; other divisors stay off the jumps.
    gen(s, "mod", lambda x, y: x - y * math.floor(x / y), [eighth, lambda r: r.choice((0.5, 1.0, 2.0, -2.0, 4.0))],
        "exact",
        letters="xy", scalars=(1,))
    gen(s, "mod", lambda x, y: x - y * math.floor(x / y),
        [lambda r: f32(r.randint(-20, 20) * 0.7 + 0.3), lambda r: f32(0.7)], "abs 4e-6", letters="xy",
        suffix="_inexact")
    for name, fn in (("min", min), ("max", max)):
        gen(s, name, fn, [eighth, eighth], "exact", letters="xy", scalars=(1,))
    gen(s, "clamp", clamp, [eighth, between(-3, -1, 0.125), between(0, 3, 0.125)], "exact", scalars=(1, 2))
    gen(s, "mix", lambda x, y, a: x * (1 - a) + y * a, [eighth, eighth, between(-1, 2, 1 / 16)], "exact", letters="xya",
        scalars=(2,))
    gen(s, "step", lambda edge, x: 0.0 if x < edge else 1.0, [between(-1, 1, 0.25), between(-1, 1, 0.25)], "exact",
        letters="xy", scalars=(0,))
    gen(s, "smoothstep", smoothstep, [between(-2, -1, 0.125), between(0, 3, 0.125), between(-3, 4, 1 / 16)], "ulp 8",
        scalars=(0, 1))
    s.expr("clamp_to_unit", "vec4", "clamp(a, 0.0, 1.0)", lambda a: a.map(lambda x: clamp(x, 0.0, 1.0)),
           args={"a": "vec4"})
    s.expr("min_max_nest", "vec3", "max(min(a, b), -b)", lambda a, b: a.map(min, b).map(max, -b),
           args={"a": "vec3", "b": "vec3"})
    s.expr("mix_ends", "vec2", "vec2(mix(x, y, 0.0), mix(x, y, 1.0))", lambda x, y: V(x, y),
           args={"x": "float", "y": "float"})
    s.expr("mod_negative", "vec4", "vec4(mod(x, 2.0), mod(-x, 2.0), mod(x, -2.0), mod(-x, -2.0))",
           lambda x: V(x % 2, -x % 2, x % -2, -x % -2), args={"x": "float"})


def normalized(a):
    return a / length(a) if isinstance(a, tuple) else sign(a)


def refract(i, n, eta):
    """Section 8.4; the result is zero where light is reflected totally."""
    d = dot(n, i)
    k = 1 - eta * eta * (1 - d * d)
    if k < 0:
        return i * 0.0
    return i * eta - n * (eta * d + math.sqrt(k))


def unit_vectors(size, seed):
    """Unit vectors, rounded to single."""
    r = random.Random(seed)
    rows = []
    for _ in range(16):
        v = V(*(r.uniform(-1, 1) for _ in range(size)))
        rows.append(v / length(v))
    return rows


def faceforward(n, i, reference):
    return n if dot(reference, i) < 0 else -n


def geometry(s):
    quarter = lambda r: r.choice((-1, 1)) * r.randint(1, 8) / 4
    for kind in FLOAT_TYPES:
        one, two = {"a": kind}, {"a": kind, "b": kind}
        dom = {k: quarter for k in "abc"}
        s.expr(f"length_{kind}", "float", "length(a)", lambda a: length(a), args=one, dom=dom, tol="ulp 2")
        s.expr(f"distance_{kind}", "float", "distance(a, b)", lambda a, b: length(a - b), args=two, dom=dom,
               tol="ulp 2")
        s.expr(f"dot_{kind}", "float", "dot(a, b)", lambda a, b: dot(a, b), args=two, dom=dom)
        s.expr(f"normalize_{kind}", kind, "normalize(a)", normalized, args=one, dom=dom, tol="ulp 4")
        s.expr(f"faceforward_{kind}", kind, "faceforward(a, b, c)", lambda a, b, c: faceforward(a, b, c),
               args={"a": kind, "b": kind, "c": kind}, dom=dom)
        s.expr(f"reflect_{kind}", kind, "reflect(a, b)", lambda a, b: a - b * (2 * dot(b, a)), args=two, dom=dom)
        size = SIZES[kind]
        if size == 1:
            vectors = {"a": [1.0, -1.0], "b": [1.0, 1.0, -1.0, -1.0]}
        else:
            vectors = {"a": unit_vectors(size, 11), "b": unit_vectors(size, 12)}
        s.expr(f"refract_{kind}", kind, "refract(a, b, eta)", lambda a, b, eta: refract(a, b, eta),
               args={"a": kind, "b": kind, "eta": "float"},
               dom={**vectors, "eta": lambda r: r.choice((0.5, 0.75, 1.0, 1.25))},
               tol="abs 4e-6")
        if size > 1:
            s.expr(f"refract_total_{kind}", kind, "refract(a, b, 4.0)", lambda a, b: a * 0.0,
                   args={"a": kind, "b": kind},
                   dom={"a": [V(*[0.0] * (size - 1), 1.0)], "b": [V(0.75, 0.5, *[0.0] * (size - 2))]}, lanes=4)
    s.expr("cross", "vec3", "cross(a, b)",
           lambda a, b: V(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x),
           args={"a": "vec3", "b": "vec3"})
    s.expr("cross_self", "vec3", "cross(a, a)", lambda a: V(0, 0, 0), args={"a": "vec3"})
    for n in (2, 3, 4):
        s.expr(f"matrixCompMult_mat{n}", f"mat{n}", "matrixCompMult(a, b)",
               lambda a, b: M(*(x * y for x, y in zip(a, b))), args={"a": f"mat{n}", "b": f"mat{n}"})


def relational(s):
    few = lambda r: r.randint(-2, 2)
    functions = {
        "lessThan": lambda a, b: a < b, "lessThanEqual": lambda a, b: a <= b, "greaterThan": lambda a, b: a > b,
        "greaterThanEqual": lambda a, b: a >= b, "equal": lambda a, b: a == b, "notEqual": lambda a, b: a != b,
    }
    for name, fn in functions.items():
        prefixes = ("vec", "ivec") + (("bvec",) if "qual" in name and "Than" not in name else ())
        for prefix in prefixes:
            for n in (2, 3, 4):
                kind = f"{prefix}{n}"
                dom = None if prefix == "bvec" else {"a": few, "b": few}
                s.expr(f"{name}_{kind}", f"bvec{n}", f"{name}(a, b)", lambda a, b, fn=fn: a.map(fn, b),
                       args={"a": kind, "b": kind}, dom=dom)
    for n in (2, 3, 4):
        mostly = {"a": [V(*(x != (k - 2) for x in range(n))) for k in range(8)] + [V(*([0] * n))] +
                       [V(*(x == k for x in range(n))) for k in range(4)]}
        s.expr(f"any_bvec{n}", "bool", "any(a)", lambda a: any(a), args={"a": f"bvec{n}"}, dom=mostly)
        s.expr(f"all_bvec{n}", "bool", "all(a)", lambda a: all(a), args={"a": f"bvec{n}"}, dom=mostly)
        s.expr(f"not_bvec{n}", f"bvec{n}", "not(a)", lambda a: a.map(lambda x: not x), args={"a": f"bvec{n}"})
    s.expr("all_of_comparison", "bool", "all(lessThan(a, b)) || any(equal(a, b))",
           lambda a, b: all(a.map(lambda x, y: x < y, b)) or any(a.map(lambda x, y: x == y, b)),
           args={"a": "vec3", "b": "vec3"}, dom={"a": few, "b": few})
