"""Every operator on every type it allows, constructors, conversions and swizzles."""

import itertools

from .suite import BOOL_TYPES, FLOAT_TYPES, INT_TYPES, MAT_TYPES, SIZES, Suite, base, nonzero
from .values import M, SETS, V, divide, idiv

OPERATIONS = {
    "add": ("+", lambda a, b: a + b),
    "sub": ("-", lambda a, b: a - b),
    "mul": ("*", lambda a, b: a * b),
    "div": ("/", lambda a, b: divide(a, b) if not isinstance(a, tuple) and not isinstance(b, tuple) else a / b),
}
RELATIONS = {
    "lt": ("<", lambda a, b: a < b),
    "gt": (">", lambda a, b: a > b),
    "le": ("<=", lambda a, b: a <= b),
    "ge": (">=", lambda a, b: a >= b),
    "eq": ("==", lambda a, b: a == b),
    "ne": ("!=", lambda a, b: a != b),
}


def scalar(kind):
    return {"float": "float", "mat": "float", "int": "int", "bool": "bool"}[base(kind)]


def cases():
    s = Suite("operators", "Every operator on every type that allows it.")
    arithmetic(s)
    assignments(s)
    comparisons(s)
    logic(s)
    side_effects(s)
    return s


def tolerance(operation, kind):
    """Sums and products of the inputs are exact; a quotient is one rounding, or a reciprocal's and a product's."""
    return "ulp 2" if operation == "div" and base(kind) != "int" else "exact"


def divisors(kind):
    return (lambda r: r.choice((-1, 1)) * r.randint(1, 9)) if base(kind) == "int" else nonzero(0.125, 3)


def arithmetic(s):
    for kind in FLOAT_TYPES + INT_TYPES + MAT_TYPES:
        pairs = [(kind, kind)]
        if kind not in ("float", "int"):
            pairs += [(kind, scalar(kind)), (scalar(kind), kind)]
        for (left, right), (name, (symbol, fn)) in itertools.product(pairs, OPERATIONS.items()):
            dom = {"b": divisors(right)} if name == "div" else None
            s.expr(f"{name}_{left}_{right}", kind, f"a {symbol} b", fn, args={"a": left, "b": right}, dom=dom,
                   tol=tolerance(name, kind))
        s.expr(f"negate_{kind}", kind, "-a", lambda a: -a, args={"a": kind})
        s.expr(f"plus_{kind}", kind, "+a", lambda a: a, args={"a": kind})
    for n in (2, 3, 4):
        s.expr(f"mul_mat{n}_vec{n}", f"vec{n}", "m * v", lambda m, v: m * v, args={"m": f"mat{n}", "v": f"vec{n}"})
        s.expr(f"mul_vec{n}_mat{n}", f"vec{n}", "v * m", lambda m, v: v * m, args={"m": f"mat{n}", "v": f"vec{n}"})
        s.expr(f"mul_chain_mat{n}", f"vec{n}", "v * a * b", lambda v, a, b: v * a * b,
               args={"v": f"vec{n}", "a": f"mat{n}", "b": f"mat{n}"},
               dom={k: (lambda r: r.randint(-8, 8) / 4) for k in "vab"})
    s.expr("precedence", "float", "a + b * c - -a / 2.0 * (b - c)",
           lambda a, b, c: a + b * c + a / 2 * (b - c), args={"a": "float", "b": "float", "c": "float"})
    s.expr("precedence_int", "int", "a - b * c / 3 + -a", lambda a, b, c: -idiv(b * c, 3),
           args={"a": "int", "b": "int", "c": "int"})
    s.expr("left_associative", "int", "a - b - c", lambda a, b, c: a - b - c, args={"a": "int", "b": "int", "c": "int"})
    s.expr("int_division_signs", "ivec4", "a / ivec4(3, -3, 4, -4)", lambda a: V(*map(idiv, a, (3, -3, 4, -4))),
           args={"a": "ivec4"}, dom={"a": lambda r: r.randint(-100, 100)})
    s.expr("int_products_15_bits", "int", "a * b", lambda a, b: a * b, args={"a": "int", "b": "int"},
           dom={"a": lambda r: r.randint(-181, 181), "b": lambda r: r.randint(-181, 181)}, lanes=32)


def assignments(s):
    for kind in FLOAT_TYPES + INT_TYPES + MAT_TYPES:
        rights = [kind] + ([scalar(kind)] if kind not in ("float", "int") else [])
        for right, (name, (symbol, fn)) in itertools.product(rights, OPERATIONS.items()):
            dom = {"b": divisors(right)} if name == "div" else None
            s.expr(f"assign_{name}_{kind}_{right}", kind, "a", fn, f"a {symbol}= b;", args={"a": kind, "b": right},
                   dom=dom,
                   tol=tolerance(name, kind))
        one = 1 if base(kind) == "int" else 1.0
        if base(kind) == "mat":
            continue
        for name, symbol, step in (("increment", "++", one), ("decrement", "--", -one)):
            s.expr(f"pre_{name}_{kind}", kind, "c", lambda a, step=step: (a + step) * 11,
                   f"{kind} c = {symbol}a;\nc = c * {kind}(10) + a;", args={"a": kind})
            s.expr(f"post_{name}_{kind}", kind, "c", lambda a, step=step: a * 10 + (a + step),
                   f"{kind} c = a{symbol};\nc = c * {kind}(10) + a;", args={"a": kind})
    for n in (2, 3, 4):
        s.expr(f"post_increment_mat{n}", f"mat{n}", "c + a", lambda a: a + (a + 1.0), f"mat{n} c = a++;",
               args={"a": f"mat{n}"})
        s.expr(f"pre_decrement_mat{n}", f"mat{n}", "c + a", lambda a: (a - 1.0) + (a - 1.0), f"mat{n} c = --a;",
               args={"a": f"mat{n}"})
        s.expr(f"assign_mul_vec{n}_mat{n}", f"vec{n}", "v", lambda v, m: v * m, "v *= m;",
               args={"v": f"vec{n}", "m": f"mat{n}"})
        s.expr(f"assign_mul_self_mat{n}", f"mat{n}", "m", lambda m: m * m, "m *= m;", args={"m": f"mat{n}"})
    s.expr("assignment_is_a_value", "vec4", "vec4(a, b, c, 0.0)", lambda a: V(a + 1, a + 1, 2 * a + 2, 0),
           "float b, c;\nc = (b = a = a + 1.0) + b;", args={"a": "float"})
    s.expr("assignment_right_associative", "vec3", "vec3(a, b, c)", lambda a: V(a, a, a), "float b, c;\nc = b = a;",
           args={"a": "float"})
    s.expr("compound_chain", "vec2", "vec2(a, b)", lambda a, b: V(a + b * 2, b * 2), "a += b *= 2.0;",
           args={"a": "float", "b": "float"})
    s.expr("self_swizzle_assignment", "vec4", "v", lambda v: v.wxzy, "v = v.wxzy;", args={"v": "vec4"})
    s.expr("self_swizzle_write", "vec4", "v", lambda v: v.replaced("yzw", v.xyz), "v.yzw = v.xyz;", args={"v": "vec4"})
    s.expr("swap_with_temporary", "vec4", "vec4(a, b)", lambda a, b: V(b, a), "vec2 t = a;\na = b;\nb = t;",
           args={"a": "vec2", "b": "vec2"})
    s.expr("vector_equals_itself_times_component", "vec3", "v", lambda v: v * v.y, "v *= v.y;", args={"v": "vec3"})


def comparisons(s):
    few = lambda r: r.randint(-2, 2)
    for kind in ("float", "int"):
        for name, (symbol, fn) in RELATIONS.items():
            s.expr(f"{name}_{kind}", "bool", f"a {symbol} b", fn, args={"a": kind, "b": kind},
                   dom={"a": few, "b": few})
    bit = lambda r: r.randint(0, 1)
    for kind in FLOAT_TYPES[1:] + INT_TYPES[1:] + BOOL_TYPES + MAT_TYPES:
        def rarely_different(size):
            """b differs from a in at most one component, and each component in some lane."""
            a = [[(k * 7 + c * 3) % 5 % (2 if base(kind) == "bool" else 5) for c in range(size)] for k in range(16)]
            b = [[(1 - x if base(kind) == "bool" else x + 1) if c == k - 3 else x for c, x in enumerate(row)]
                 for k, row in enumerate(a)]
            return {"a": [V(*row) for row in a], "b": [V(*row) for row in b]}
        dom = rarely_different(SIZES[kind])
        lanes = 16
        for name in ("eq", "ne"):
            symbol, fn = RELATIONS[name]
            s.expr(f"{name}_{kind}", "bool", f"a {symbol} b", fn, args={"a": kind, "b": kind}, dom=dom, lanes=lanes)
    decl = "struct Part { vec2 v; int n; };\nstruct Whole { Part p; bool b; mat2 m; };"
    build = "Whole s = Whole(Part(v, n), b, m);\nWhole t = Whole(Part(v, n), b, m);\n"
    change = ("if (which == 1) t.p.v.y += 1.0;\nelse if (which == 2) t.p.n++;\nelse if (which == 3) t.b = !t.b;\n"
              "else if (which == 4) t.m[1][0] -= 1.0;")
    args = {"v": "vec2", "n": "int", "b": "bool", "m": "mat2", "which": "int"}
    dom = {"which": list(range(5))}
    s.expr("eq_struct", "bool", "s == t", lambda v, n, b, m, which: which == 0, build + change, args=args, dom=dom,
           decl=decl)
    s.expr("ne_struct", "bool", "s != t", lambda v, n, b, m, which: which != 0, build + change, args=args, dom=dom,
           decl=decl)
    s.expr("zeros_are_equal", "bvec2", "bvec2(a == -a, a < -a)", lambda a: V(True, False), args={"a": "float"},
           dom={"a": lambda r: 0.0})


def logic(s):
    args = {"a": "bool", "b": "bool"}
    for name, symbol, fn in (("and", "&&", lambda a, b: a and b), ("or", "||", lambda a, b: a or b),
                             ("xor", "^^", lambda a, b: a != b)):
        s.expr(name, "bool", f"a {symbol} b", fn, args=args)
        s.expr(f"{name}_of_comparisons", "bool", f"x > 0.0 {symbol} y > x", lambda x, y, fn=fn: fn(x > 0, y > x),
               args={"x": "float", "y": "float"})
    s.expr("not", "bool", "!a", lambda a: not a, args={"a": "bool"})
    s.expr("not_twice", "bool", "!!a", lambda a: a, args={"a": "bool"})
    s.expr("precedence_logic", "bool", "a || b && c ^^ d", lambda a, b, c, d: a or ((b and c) != d),
           args={k: "bool" for k in "abcd"}, lanes=32)
    for kind in FLOAT_TYPES + INT_TYPES + BOOL_TYPES + MAT_TYPES:
        s.expr(f"ternary_{kind}", kind, "c ? a : b", lambda c, a, b: a if c else b,
               args={"c": "bool", "a": kind, "b": kind})
    s.expr("ternary_nested", "int", "a < 0 ? -1 : a > 0 ? 1 : 0", lambda a: (a > 0) - (a < 0), args={"a": "int"})
    s.expr("ternary_of_struct", "vec3", "vec3(r.v, r.f)", lambda c, v, f: V(v, f) if c else V(v * 2.0, -f),
           "S x = S(v, f);\nS y = S(v * 2.0, -f);\nS r;\nif (c) r = x; else r = y;",
           args={"c": "bool", "v": "vec2", "f": "float"},
           decl="struct S { vec2 v; float f; };")


def side_effects(s):
    count = "int calls;\nbool seen(bool value) {\n    ++calls;\n    return value;\n}"
    reset = "calls = 0;\nbool r = "
    args = {"a": "bool", "b": "bool", "c": "bool"}
    for name, code, fn in (
        ("and", "seen(a) && seen(b)", lambda a, b, c: (a and b, 2 if a else 1)),
        ("or", "seen(a) || seen(b)", lambda a, b, c: (a or b, 1 if a else 2)),
        ("xor", "seen(a) ^^ seen(b)", lambda a, b, c: (a != b, 2)),
        ("and_or", "seen(a) && seen(b) || seen(c)", lambda a, b, c: (a and b or c, (2 if a else 1) + (not (a and b)))),
        ("or_and", "(seen(a) || seen(b)) && seen(c)", lambda a, b, c: ((a or b) and c, (1 if a else 2) + (a or b))),
        ("ternary", "c ? seen(a) : seen(a) && seen(b)", lambda a, b, c: (a if c else a and b, 1 if c or not a else 2)),
    ):
        s.expr(f"short_circuit_{name}", "vec2", "vec2(r, calls)", lambda a, b, c, fn=fn: V(*fn(a, b, c)),
               f"{reset}{code};",
               args=args, decl=count, lanes=32)
    s.expr("short_circuit_increment", "vec3", "vec3(i, j, r)", lambda i, j: V(i + 1, j + (i > 0), i > 0 and j > 0),
           "bool r = i++ > 0 && j++ > 0;", args={"i": "int", "j": "int"})
    s.expr("short_circuit_assignment", "vec2", "vec2(i, r)", lambda i: V(5 if i <= 3 else i, True),
           "bool r = i > 3 || (i = 5) == 5;", args={"i": "int"})
    s.expr("short_circuit_guards_loop", "int", "n", lambda a: max(0, min(a, 4)),
           "int n = 0;\nwhile (n < 4 && n < a) ++n;", args={"a": "int"})
    s.expr("ternary_evaluates_one", "vec3", "vec3(i, j, r)", lambda c, i, j: V(i + c, j + (not c), i + 1 if c else j),
           "int r = c ? ++i : j++;", args={"c": "bool", "i": "int", "j": "int"})
    s.expr("ternary_calls_one", "vec2", "vec2(r, calls)", lambda c: V(2.0 if c else 1.0, 1.0),
           "calls = 0;\nfloat r = c ? f(2.0) : f(1.0);", args={"c": "bool"},
           decl="int calls;\nfloat f(float x) {\n    calls++;\n    return x;\n}")
    s.expr("comma", "vec3", "vec3(i, j, r)", lambda i, j: V(i + 1, i + 1 + j, (i + 1 + j) * 2),
           "int r = (i++, j += i, j * 2);", args={"i": "int", "j": "int"})
    s.expr("comma_in_for", "vec2", "vec2(i, j)", lambda n: V(n, 10 - n),
           "int i, j;\nfor (i = 0, j = 10; i < n; i++, j--) ;", args={"n": "int"}, dom={"n": lambda r: r.randint(0, 8)})
    s.expr("post_increment_of_swizzle", "vec4", "vec4(w, v.xy)", lambda v: V(v.yx, v.xy + 1.0),
           "vec2 w = v.yx++;", args={"v": "vec2"})
    s.expr("pre_decrement_of_component", "vec3", "v * w", lambda v: v.at(2, v.z - 1) * (v.z - 1), "float w = --v.z;",
           args={"v": "vec3"})
    s.expr("left_before_right", "int", "r", lambda i: i * 10 + i + 1, "int a = i++;\nint r = a * 10 + i;",
           args={"i": "int"})


# --- Constructors -----------------------------------------------------------------------------------------------------


def convert(kind, x):
    return {"float": float, "int": int, "bool": bool}[base(kind)](x)


def constructors():
    s = Suite("constructors", "Every form of constructor, and conversions between the scalar types.")
    families = {"float": FLOAT_TYPES, "int": INT_TYPES, "bool": BOOL_TYPES}
    special = {"float": lambda r: r.choice((0, 0, -2.75, -1, -0.5, 0.5, 0.999, 1, 2.5, 7.75, 100)),
               "int": lambda r: r.choice((0, 0, -3, -1, 1, 2, 1000)), "bool": lambda r: r.randint(0, 1)}
    for (source, kinds), (target, names) in itertools.product(families.items(), families.items()):
        for have, want in zip(kinds, names):
            s.expr(f"{want}_of_{have}", want, f"{want}(a)",
                   lambda a, t=target: a.map(lambda x: convert(t, x)) if isinstance(a, tuple) else convert(t, a),
                   args={"a": have}, dom={"a": special[source]}, lanes=24)
    for target, names in families.items():
        for size in (2, 3, 4):
            kind = names[size - 1]
            for source in families:
                s.expr(f"{kind}_splat_{source}", kind, f"{kind}(a)", lambda a, t=target,
                       n=size: V(*[convert(t, a)] * n),
                       args={"a": source}, dom={"a": special[source]})
            for longer in range(size + 1, 5):
                s.expr(f"{kind}_of_longer_vec{longer}", kind, f"{kind}(a)",
                       lambda a, t=target, n=size: V(*a[:n]).map(lambda x: convert(t, x)), args={"a": f"vec{longer}"},
                       dom={"a": special["float"]})
    # All ways to split a vector in pieces, piece types taking turns.
    for size in (2, 3, 4):
        for number, pieces in enumerate(p for k in range(2, size + 1) for p in itertools.product((1, 2, 3), repeat=k)
                                        if sum(p) == size):
            for target, names in families.items():
                source = list(families)
                args = {f"p{k}": families[source[(number + k + len(target)) % 3]][n - 1] for k, n in enumerate(pieces)}
                kind = names[size - 1]
                s.expr(f"{kind}_of_{'_'.join(args.values())}", kind, f"{kind}({', '.join(args)})",
                       lambda t=target, **p: V(*p.values()).map(lambda x: convert(t, x)), args=args,
                       dom={k: special[base(v)] for k, v in args.items()})
    s.expr("last_piece_cut", "vec3", "vec3(a, b)", lambda a, b: V(a, b.xy), args={"a": "float", "b": "vec4"})
    s.expr("last_piece_cut_ivec", "ivec4", "ivec4(a, b)", lambda a, b: V(a, b.xy), args={"a": "ivec2", "b": "ivec3"})
    for kind in ("float", "int", "bool"):
        for have in ("vec2", "ivec3", "bvec4", "vec4"):
            s.expr(f"{kind}_of_{have}", kind, f"{kind}(a)", lambda a, t=kind: convert(t, a[0]), args={"a": have},
                   dom={"a": special[base(have)]})
    matrix_constructors(s)
    struct_constructors(s)
    return s


def matrix_constructors(s):
    for n in (2, 3, 4):
        kind, vec = f"mat{n}", f"vec{n}"
        s.expr(f"{kind}_diagonal", kind, f"{kind}(a)", lambda a, n=n: M.diagonal(n, a), args={"a": "float"})
        s.expr(f"{kind}_diagonal_int", kind, f"{kind}(a)", lambda a, n=n: M.diagonal(n, float(a)), args={"a": "int"})
        s.expr(f"{kind}_diagonal_bool", kind, f"{kind}(a)", lambda a, n=n: M.diagonal(n, float(a)), args={"a": "bool"})
        columns = {f"c{k}": vec for k in range(n)}
        s.expr(f"{kind}_of_columns", kind, f"{kind}({', '.join(columns)})", lambda **c: M(*c.values()), args=columns)
        mixed = ", ".join(f"a * {k}.0" for k in range(n * n))
        s.expr(f"{kind}_of_scalars", kind, f"{kind}({mixed})", lambda a, n=n: M.of(n, [a * k for k in range(n * n)]),
               args={"a": "float"})
        integers = ", ".join(f"i + {k}" for k in range(n * n))
        s.expr(f"{kind}_of_ints", kind, f"{kind}({integers})", lambda i,
               n=n: M.of(n, [float(i + k) for k in range(n * n)]),
               args={"i": "int"})
    s.expr("mat2_of_vec4", "mat2", "mat2(v)", lambda v: M.of(2, v), args={"v": "vec4"})
    s.expr("mat2_of_mixed", "mat2", "mat2(v, i, b)", lambda v, i, b: M.of(2, [v.x, v.y, float(i), float(b)]),
           args={"v": "vec2", "i": "int", "b": "bool"})
    s.expr("mat2_of_vec3_float", "mat2", "mat2(v, f)", lambda v, f: M.of(2, [*v, f]), args={"v": "vec3", "f": "float"})
    s.expr("mat3_of_mixed", "mat3", "mat3(a, b, f, c)", lambda a, b, f, c: M.of(3, [*a, *map(float, b), f, *c]),
           args={"a": "vec4", "b": "ivec2", "f": "float", "c": "vec2"})
    s.expr("mat4_of_mixed", "mat4", "mat4(a, b, c, a, f, f)", lambda a, b, c,
           f: M.of(4, [*a, *b, *map(float, c), *a, f, f]),
           args={"a": "vec3", "b": "vec4", "c": "bvec4", "f": "float"})
    s.expr("mat4_of_vec2s", "mat4", "mat4(a, b, a, b, b, a, b, a)",
           lambda a, b: M.of(4, [*a, *b, *a, *b, *b, *a, *b, *a]), args={"a": "vec2", "b": "vec2"})
    s.expr("vec4_of_mat2_columns", "vec4", "vec4(m[1], m[0])", lambda m: V(m[1], m[0]), args={"m": "mat2"})
    s.expr("constructor_is_indexable", "vec2", "mat2(a, a, 2.0 * a, a)[1]", lambda a: V(2 * a, a), args={"a": "float"})
    s.expr("constructor_is_swizzlable", "vec3", "vec4(a, 1.0, 2.0).zxw.yxz", lambda a: V(a.x, 1.0, 2.0),
           args={"a": "vec2"})


def struct_constructors(s):
    decl = "struct In { float f; ivec2 i; };\nstruct Out { In a; vec3 v; bool b; mat2 m; };"
    s.expr("struct_of_members", "vec4", "vec4(s.f, vec2(s.i), 1.0)", lambda f, i: V(f, i, 1.0), "In s = In(f, i);",
           args={"f": "float", "i": "ivec2"}, decl=decl)
    s.expr("struct_nested", "vec4", "vec4(s.a.f + s.v.z, s.a.i.y, s.b, s.m[1].x)",
           lambda f, i, v, b, m: V(f + v.z, i.y, b, m[1].x), "Out s = Out(In(f, i), v, b, m);",
           args={"f": "float", "i": "ivec2", "v": "vec3", "b": "bool", "m": "mat2"}, decl=decl)
    s.expr("struct_member_of_constructor", "vec2", "vec2(In(f, i).i)", lambda f, i: V(*map(float, i)),
           args={"f": "float", "i": "ivec2"}, decl=decl)


# --- Swizzles ---------------------------------------------------------------------------------------------------------


def swizzles():
    s = Suite("swizzles", "Swizzles of every length and letter set, read and written.")
    # Reads: each length of source and result; letter sets take turns; all of a source's components repeated.
    number = 0
    for have in (2, 3, 4):
        for want in (1, 2, 3, 4):
            picks = list(itertools.product(range(have), repeat=want))
            for pick in picks[:: max(1, len(picks) // 6)]:
                letters = "".join(SETS[number % 3][k] for k in pick)
                number += 1
                kind = ("vec", "ivec", "bvec")[number % 3]
                result = f"{kind}{want}" if want > 1 else {"vec": "float", "ivec": "int", "bvec": "bool"}[kind]
                s.expr(f"read_{kind}{have}_{letters}", result, f"a.{letters}",
                       lambda a, pick=pick: V(*(a[k] for k in pick)) if len(pick) > 1 else a[pick[0]],
                       args={"a": f"{kind}{have}"}, stage="fragment" if number % 2 else "vertex", lanes=8)
    for have in (2, 3, 4):
        for want in range(1, have + 1):
            picks = list(itertools.permutations(range(have), want))
            for pick in picks[:: max(1, len(picks) // 5)]:
                letters = "".join(SETS[number % 3][k] for k in pick)
                number += 1
                part = f"vec{want}" if want > 1 else "float"
                kind = f"vec{have}"
                sign = ("=", "+=", "*=")[number % 3]
                fn = {"=": lambda old, new: new, "+=": lambda old, new: old + new, "*=": lambda old,
                      new: old * new}[sign]

                def expected(a, b, pick=pick, fn=fn):
                    for k, c in enumerate(pick):
                        a = a.at(c, fn(a[c], b[k] if isinstance(b, tuple) else b))
                    return a

                s.expr(f"write_{kind}_{letters}_{ {'=': 'set', '+=': 'add', '*=': 'mul'}[sign]}", kind, "a", expected,
                       f"a.{letters} {sign} b;", args={"a": kind, "b": part}, lanes=8)
    s.expr("chain_read", "vec2", "a.wzyx.yz.yx", lambda a: a.yz, args={"a": "vec4"})
    s.expr("chain_write", "vec4", "a", lambda a, b: a.replaced("xw", b.yx), "a.wzyx.xw = b;",
           args={"a": "vec4", "b": "vec2"})
    s.expr("swizzle_of_expression", "vec3", "(a + b).zzx", lambda a, b: (a + b).zzx, args={"a": "vec3", "b": "vec3"})
    s.expr("swizzle_of_call", "vec2", "max(a, b).yx", lambda a, b: a.map(max, b).yx, args={"a": "vec3", "b": "vec3"})
    s.expr("swizzle_of_column", "vec2", "m[1].zx", lambda m: m[1].zx, args={"m": "mat3"})
    s.expr("swizzle_index", "float", "a.wzyx[1]", lambda a: a.z, args={"a": "vec4"})
    s.expr("swizzle_both_sides", "vec4", "a", lambda a: V(a.y, a.x, a.w, a.z), "a.xyzw = a.yxwz;",
           args={"a": "vec4"})
    s.expr("rotate_thrice", "vec3", "a", lambda a: a, "a.xyz = a.yzx;\na.xyz = a.yzx;\na = a.yzx;", args={"a": "vec3"})
    return s
