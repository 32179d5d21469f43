"""Functions and structs: parameter directions of every type, overloads, order of side effects, globals, constants."""

from .suite import BOOL_TYPES, FLOAT_TYPES, INT_TYPES, MAT_TYPES, SIZES, Suite, base
from .values import M, V


def cases():
    s = Suite("functions", "Functions with every kind of parameter, overloads, side effects.")
    directions(s)
    arguments(s)
    overloads(s)
    order(s)
    globals_and_constants(s)
    long_functions(s)
    return s


def long_functions(s):
    """Functions that are too long to be inlined as often as they are called."""
    steps = list(range(3, 103))

    def scrambled(x, start, leaves):
        for k in steps:
            if leaves and k == 50 and x % 4 == 1:
                return x, start + 1
            x = (3 * x + k + start) % 1024
        return x, x + start

    def text(leaves):
        lines = []
        for k in steps:
            if leaves and k == 50:
                lines.append("if (mod(x, 4.0) == 1.0) { last = start + 1.0; return; }")
            lines.append(f"t = x * 3.0 + {k}.0 + start;")
            lines.append("x = t - 1024.0 * floor(t / 1024.0);")
        return ("void scramble(inout float x, in float start, out float last) {\nfloat t;\n" + "\n".join(lines) +
                "\nlast = x + start;\n}")

    def run(calls, leaves, skips):
        def value(a):
            x, total = a, 0
            for k in range(calls):
                if skips and k % 3 == 0 and not a > k:
                    continue
                x, last = scrambled(x, k % 8, leaves)
                total += last
            return V(x, total)
        return value

    for name, calls, leaves, skips in [("called_300_times", 300, False, False), ("left_early", 40, True, False),
                                       ("called_by_some_lanes", 100, True, True)]:
        body = ["float x = a, total = 0.0, last;"]
        for k in range(calls):
            condition = f"if (a > {k}.0) " if skips and k % 3 == 0 else ""
            body.append(f"{condition}{{ scramble(x, {k % 8}.0, last); total += last; }}")
        s.expr(name, "vec2", "vec2(x, total)", run(calls, leaves, skips), "\n".join(body), args={"a": "float"},
               dom={"a": lambda r: r.randint(0, 90)}, decl=text(leaves))


def directions(s):
    for kind in FLOAT_TYPES + INT_TYPES + BOOL_TYPES + MAT_TYPES:
        boolean = base(kind) == "bool"
        twice = (lambda a: a) if boolean else (lambda a: a + a)
        code = "a" if boolean else "a + a"
        args = {"a": kind, "b": kind}
        s.expr(f"in_{kind}", kind, "f(a)", lambda a, b, t=twice: t(a), args=args,
               decl=f"{kind} f(in {kind} a) {{ return {code}; }}")
        s.expr(f"in_is_a_copy_{kind}", kind, "a", lambda a, b: a, "f(a, b);", args=args,
               decl=f"void f({kind} a, {kind} b) {{ a = b; }}")
        s.expr(f"out_{kind}", kind, "b", lambda a, b: a, "f(a, b);", args=args,
               decl=f"void f({kind} a, out {kind} b) {{ b = a; }}")
        s.expr(f"inout_{kind}", kind, "b", lambda a, b, t=twice: t(b), "f(b);", args=args,
               decl=f"void f(inout {kind} a) {{ a = {code}; }}")
        if SIZES[kind] > 1 and base(kind) != "mat":
            part = {"float": "float", "int": "int", "bool": "bool"}[base(kind)]
            s.expr(f"out_component_{kind}", kind, "a", lambda a, b: a.at(1, b[0]), "f(b.x, a.y);", args=args,
                   decl=f"void f({part} v, out {part} o) {{ o = v; }}")
            pair = kind[:-1] + "2"
            s.expr(f"out_swizzle_{kind}", kind, "a", lambda a, b: a.replaced("yx", b.xy), "f(b.xy, a.yx);", args=args,
                   decl=f"void f({pair} v, out {pair} o) {{ o = v; }}")
            s.expr(f"inout_swizzle_{kind}", kind, "a", lambda a, b: a.replaced("yx", V(a.x, a.y)), "f(a.yx);",
                   args=args,
                   decl=f"void f(inout {pair} o) {{ o = o.yx; }}")
    s.expr("const_in", "float", "f(a)", lambda a: 3 * a, args={"a": "float"},
           decl="float f(const in float x) { return x * 3.0; }")
    s.expr("const_in_default", "float", "f(a)", lambda a: 3 * a, args={"a": "float"},
           decl="float f(const float x) { return x * 3.0; }")
    s.expr("precision_on_parameters", "float", "f(a, b)", lambda a, b: a - b, args={"a": "float", "b": "float"},
           decl="highp float f(in mediump float x, lowp float y) { return x - y; }",
           dom={k: lambda r: r.randint(-2, 2) for k in "ab"})
    s.expr("unnamed_parameter", "float", "f(a, 1.0)", lambda a: a, args={"a": "float"},
           decl="float f(float x, float) { return x; }")
    s.expr("void_parameter_list", "float", "f() + g()", lambda a: 5, args={"a": "float"},
           decl="float f(void) { return 2.0; }\nfloat g() { return 3.0; }")


def arguments(s):
    args = {"a": "float", "b": "float"}
    s.expr("array_in", "float", "total(t)", lambda a, b: a + 2 * b + 3, "float t[3];\nt[0] = a; t[1] = b; t[2] = 1.0;",
           args=args,
           decl="float total(float t[3]) {\n    float r = 0.0;\n    for (int k = 0; k < 3; ++k) r += t[k] * float(k + "
                "1);\n    return r;\n}")
    s.expr("array_in_is_a_copy", "vec2", "vec2(t[0], x)", lambda a, b: V(a, b),
           "float t[2];\nt[0] = a; t[1] = b;\nfloat x = f(t);",
           args=args, decl="float f(in float t[2]) {\n    t[0] = 100.0;\n    return t[1];\n}")
    s.expr("array_out", "vec3", "vec3(t[0], t[1], t[2])", lambda a, b: V(a, b, a + b), "float t[3];\nfill(t, a, b);",
           args=args,
           decl="void fill(out float t[3], float a, float b) {\n    t[0] = a;\n    t[1] = b;\n    t[2] = t[0] + "
                "t[1];\n}")
    s.expr("array_inout", "vec4", "vec4(t[0], t[1])", lambda a, b: V(b * 2, 2.0, a * 2, 2.0),
           "vec2 t[2];\nt[0] = vec2(a, 1.0);\nt[1] = vec2(b, 1.0);\nturn(t);", args=args,
           decl="void turn(inout vec2 t[2]) {\n    vec2 hold = t[0] * 2.0;\n    t[0] = t[1] * 2.0;\n    t[1] = hold;\n}")
    s.expr("array_out_lane_index", "vec4", "vec4(t[0], t[1], t[2], t[3])",
           lambda i, a: V(0, 0, 0, 0).at(i, a), "float t[4];\nput(t, i, a);", args={"i": "int", "a": "float"},
           dom={"i": lambda r: r.randint(0, 3)},
           decl="void put(out float t[4], int i, float a) {\n    for (int k = 0; k < 4; ++k) t[k] = 0.0;\n    t[i] = "
                "a;\n}")
    struct = "struct S { vec2 v; int n; float f[2]; };\n"
    fill = "S x;\nx.v = vec2(a, b);\nx.n = 3;\nx.f[0] = a;\nx.f[1] = b;\n"
    s.expr("struct_in", "float", "f(x)", lambda a, b: a + b + 3 + b, fill, args=args,
           decl=struct + "float f(S x) { return x.v.x + x.v.y + float(x.n) + x.f[1]; }")
    s.expr("struct_out", "vec4", "vec4(x.v, x.n, x.f[1])", lambda a, b: V(b, a, 4, a - b), "S x;\nf(a, b, x);",
           args=args,
           decl=struct + "void f(float a, float b, out S x) {\n    x.v = vec2(b, a);\n    x.n = 4;\n    x.f[0] = "
                         "0.0;\n    x.f[1] = a - b;\n}")
    s.expr("struct_inout", "vec4", "vec4(x.v, x.n, x.f[1])", lambda a, b: V(a * 2, b * 2, 4, a), fill + "f(x);",
           args=args,
           decl=struct + "void f(inout S x) {\n    x.v *= 2.0;\n    x.n++;\n    x.f[1] = x.f[0];\n}")
    simple = "struct P { vec2 v; float w; };\n"
    s.expr("struct_returned", "vec3", "vec3(f(a, b).v, f(b, a).w)", lambda a, b: V(a, b, a - b), args=args,
           decl=simple + "P f(float a, float b) { return P(vec2(a, b), b - a); }")
    s.expr("struct_member_out", "vec3", "vec3(p.v, p.w)", lambda a, b: V(a, b, a + b), "P p;\nf(a, b, p.v, p.w);",
           args=args,
           decl=simple + "void f(float a, float b, out vec2 v, out float w) {\n    v = vec2(a, b);\n    w = a + b;\n}")
    lane = {"i": "int", "a": "float"}
    dom = {"i": lambda r: r.randint(0, 2)}
    s.expr("element_out_lane_index", "vec3", "vec3(t[0], t[1], t[2])", lambda i, a: V(1, 2, 3).at(i, a),
           "float t[3];\nt[0] = 1.0; t[1] = 2.0; t[2] = 3.0;\nset(t[i], a);", args=lane, dom=dom,
           decl="void set(out float o, float v) { o = v; }")
    s.expr("element_inout_swizzle_lane_index", "vec3", "t[0] + 2.0 * t[1] + 4.0 * t[2]",
           lambda i, a: V(*[1.0 + 4.0 + 12.0] * 3) + V(0, a, 0) * (2.0 ** i),
           "vec3 t[3];\nt[0] = vec3(1.0); t[1] = vec3(2.0); t[2] = vec3(3.0);\nadd(t[i].zy, a);", args=lane, dom=dom,
           decl="void add(inout vec2 o, float v) { o.y += v; }")
    s.expr("matrix_column_out", "mat3", "m", lambda m, i: m.column(i, V(7, 8, 9)), "set(m[i]);",
           args={"m": "mat3", "i": "int"},
           dom=dom, decl="void set(out vec3 v) { v = vec3(7.0, 8.0, 9.0); }")
    s.expr("matrix_element_inout", "mat2", "m", lambda m, i: m.column(i, m[i].at(1, m[i][1] * 2)), "twice(m[i].y);",
           args={"m": "mat2", "i": "int"}, dom={"i": lambda r: r.randint(0, 1)},
           decl="void twice(inout float f) { f *= 2.0; }")
    s.expr("index_evaluated_once", "vec4", "vec4(t[0], t[1], t[2], k)", lambda i, a: V(*V(1, 2, 3).at(i, a), i + 1),
           "float t[3];\nt[0] = 1.0; t[1] = 2.0; t[2] = 3.0;\nint k = i;\nset(t[k++], a);", args=lane, dom=dom,
           decl="void set(out float o, float v) { o = v; }")
    s.expr("compound_index_evaluated_once", "vec4", "vec4(t[0], t[1], t[2], k)",
           lambda i, a: V(*V(1, 2, 3).at(i, V(1, 2, 3)[i] + a), i + 1),
           "float t[3];\nt[0] = 1.0; t[1] = 2.0; t[2] = 3.0;\nint k = i;\nt[k++] += a;", args=lane, dom=dom)
    s.expr("index_chosen_before_the_call", "vec3", "vec3(t[0], t[1], k)", lambda a: V(a, 2, 1),
           "float t[2];\nt[0] = 1.0; t[1] = 2.0;\nint k = 0;\nset(t[k], k, a);", args={"a": "float"},
           decl="void set(out float o, inout int k, float v) {\n    k = 1;\n    o = v;\n}")
    s.expr("same_variable_in_and_out", "float", "a", lambda a: a + 1 + a, "f(a, a);", args={"a": "float"},
           decl="void f(in float x, out float y) {\n    y = x + 1.0;\n    y += x;\n}")
    s.expr("argument_is_global", "vec2", "vec2(g, r)", lambda a: V(a * 2, a), "g = a;\nfloat r = f(g);",
           args={"a": "float"},
           decl="float g;\nfloat f(float x) {\n    g = x * 2.0;\n    return x;\n}")
    s.expr("inout_of_global_copies_at_return", "vec2", "vec2(g, seen)", lambda a: V(a + 1, a), "g = a;\nf(g);",
           args={"a": "float"},
           decl="float g, seen;\nvoid f(inout float x) {\n    x += 1.0;\n    seen = g;\n}")
    s.expr("sampler_argument", "vec4", "look(u_t, a)", lambda a: V(3, 2, 0, 0), args={"a": "vec2"},
           dom={"a": [V(0.875, 0.625)]},
           decl="uniform sampler2D u_t;\nvec4 look(sampler2D t, vec2 at) { return texture2D(t, at); }",
           run="texture u_t: index 4x4", stage="fragment")


def overloads(s):
    kinds = ("float", "int", "bool", "vec2", "ivec2", "vec3", "mat2")
    decl = "\n".join(f"float f({k} x) {{ return {n + 1}.0; }}" for n, k in enumerate(kinds))
    decl += "\nfloat f(float x, int y) { return 20.0; }\nfloat f(int x, float y) { return 21.0; }\nfloat f() { return 22.0; }"
    for n, kind in enumerate(kinds):
        s.expr(f"overload_{kind}", "float", "f(a)", lambda a, n=n: n + 1, args={"a": kind}, decl=decl)
    s.expr("overload_two", "vec3", "vec3(f(a, i), f(i, a), f())", lambda a, i: V(20, 21, 22),
           args={"a": "float", "i": "int"}, decl=decl)
    s.expr("prototype_first", "float", "f(a)", lambda a: 2 * a + 1, args={"a": "float"},
           decl="float g(float);\nfloat f(float x) { return g(x) + 1.0; }\nfloat g(float x) { return 2.0 * x; }")
    s.expr("prototype_qualifiers", "float", "b", lambda a: 2 * a, "float b;\ng(a, b);", args={"a": "float"},
           decl="void g(in float x, out float y);\nvoid g(in float x, out float y) { y = 2.0 * x; }")
    s.expr("overloaded_built_in", "vec2", "vec2(max(a), max(a, 0.0))", lambda a: V(5, max(a, 0)), args={"a": "float"},
           decl="float max(float x) { return 5.0; }")
    s.raw("redefined_built_in", "precision highp float;\nfloat abs(float x) { return x - 1.0; }\n"
          "void main() { gl_FragColor = vec4(abs(2.0)); }", "expect error: redefinition of built-in function")
    s.expr("local_hides_function", "float", "f + a", lambda a: a + 3, "float f = 3.0;", args={"a": "float"},
           decl="float f(float x) { return x; }")
    s.expr("parameter_hides_global", "vec2", "vec2(f(a), g)", lambda a: V(a + 1, 10), "g = 10.0;", args={"a": "float"},
           decl="float g;\nfloat f(float g) {\n    g += 1.0;\n    return g;\n}")


def order(s):
    count = "int n;\nint next() { return ++n; }\n"
    args = {"a": "int"}
    s.expr("statements_in_order", "vec4", "vec4(x, y, z, n)", lambda a: V(a + 1, a + 2, a + 3, a + 3),
           "n = a;\nint x = next();\nint y = next();\nint z = next();", args=args, decl=count)
    s.expr("call_chain", "int", "f(f(f(a)))", lambda a: 8 * a + 7, args=args, decl="int f(int x) { return 2 * x + 1; }")
    s.expr("call_in_condition", "vec2", "vec2(k, n)", lambda a: V(max(0, 4 - a), max(5, a + 1)),
           "n = a;\nint k = 0;\nwhile (next() < 5) ++k;", args=args, decl=count, dom={"a": lambda r: r.randint(0, 6)})
    s.expr("call_in_for_step", "vec2", "vec2(k, n)", lambda a: V(max(0, 6 - a), max(6, a)),
           "int k = 0;\nfor (n = a; n < 6; next()) ++k;", args=args, decl=count, dom={"a": lambda r: r.randint(0, 8)})
    s.expr("side_effect_in_index", "vec3", "vec3(t[0], t[1], n)", lambda a: V(a, 5, 1),
           "int t[2];\nt[0] = a; t[1] = 4;\nn = 0;\nt[next()] += 1;",
           args=args, decl=count)
    s.expr("unused_result_keeps_effect", "int", "n", lambda a: a + 2, "n = a;\nnext();\nnext();", args=args, decl=count)
    s.expr("call_in_divergent_branch", "int", "n", lambda a: a + 1 if a > 0 else a + 2,
           "n = a;\nif (a > 0) next(); else { next(); next(); }",
           args=args, decl=count)
    s.expr("deep_calls", "float", "f7(a)", lambda a: a * 128 + 127, args={"a": "float"},
           decl="float f0(float x) { return x; }\n" + "\n".join(
               f"float f{k}(float x) {{ return f{k - 1}(x) + f{k - 1}(x + 1.0 - 1.0) + 1.0; }}" for k in range(1, 8)))


def globals_and_constants(s):
    args = {"a": "float"}
    s.expr("global_initialiser", "vec4", "vec4(g, v.yx, float(n)) * a", lambda a: V(2.5, 2, 1, 7) * a, args=args,
           decl="float g = 2.5;\nvec2 v = vec2(1.0, 2.0);\nint n = 3 + 4;")
    s.expr("global_initialised_each_time", "float", "g", lambda a: 1 + a, "g += a;", args=args, decl="float g = 1.0;")
    s.expr("global_from_constant", "float", "g * a", lambda a: 6 * a, args=args,
           decl="const float k = 2.0;\nfloat g = k * 3.0;")
    s.expr("const_scalar", "vec4", "vec4(f, i, b, m) * a", lambda a: V(1.5, -4, 1, 6) * a, args=args,
           decl="const float f = 3.0 / 2.0;\nconst int i = -(1 + 3);\nconst bool b = !false && 2 > 1;\nconst float m "
                "= float(i + 10);")
    s.expr("const_vector", "vec4", "(v + w) * a", lambda a: V(3, 6, 6, 2) * a, args=args,
           decl="const vec4 v = vec4(1.0, vec2(2.0, 4.0), true);\nconst vec4 w = v.yzyx * vec4(1.0, 1.0, 1.0, 1.0);")
    s.expr("const_matrix", "vec2", "m * (c * a)", lambda a: V(1 * 3 + 3 * 4, 2 * 3 + 4 * 4) * a, args=args,
           decl="const mat2 m = mat2(1.0, 2.0, 3.0, 4.0);\nconst vec2 c = m[1];")
    s.expr("const_built_ins", "vec4", "vec4(x, y, z, w) * a", lambda a: V(2, 8, 0.25, 5) * a, args=args, tol="ulp 4",
           decl="const float x = sqrt(4.0);\nconst float y = pow(2.0, 3.0);\nconst float z = mix(0.0, 1.0, 0.25);\n"
                "const float w = length(vec2(3.0, 4.0));")
    s.expr("const_struct", "vec3", "vec3(p.v, p.n) * a", lambda a: V(1, 2, 3) * a, args=args,
           decl="struct P { vec2 v; int n; };\nconst P p = P(vec2(1.0, 2.0), 3);")
    s.expr("const_local", "float", "k * a", lambda a: 5 * a, "const int n = 2;\nconst float k = float(n * 2) + 1.0;",
           args=args)
    s.expr("const_array_size", "float", "t[n - 1]", lambda a: a, "float t[n];\nt[2] = a;", args=args,
           decl="const int n = 6 / 2;")
    s.expr("const_ternary", "float", "k * a", lambda a: 3 * a, args=args, decl="const float k = 2 > 1 ? 3.0 : 4.0;")
    s.expr("literals", "vec4", "vec4(1., .5, 1e1, 25E-2) * a", lambda a: V(1, 0.5, 10, 0.25) * a, args=args)
    s.expr("literals_int", "vec4", "vec4(0x1F, 017, 10, 0XaB)", lambda a: V(31, 15, 10, 171), args=args)
    s.expr("struct_with_anonymous_type", "vec2", "vec2(s.x, s.y)", lambda a: V(a, 2 * a), "s.x = a;\ns.y = 2.0 * a;",
           args=args,
           decl="struct { float x, y; } s;")
    s.expr("struct_declared_with_variable", "vec2", "vec2(p.x, q.x)", lambda a: V(a, -a), "p.x = a;\nq = P(-a);",
           args=args,
           decl="struct P { float x; } p;\nP q;")
    s.expr("struct_local_type", "float", "p.x + p.y[1]", lambda a: 3 * a,
           "struct P { float x; float y[2]; };\nP p;\np.x = a;\np.y[1] = 2.0 * a;", args=args)
    s.expr("struct_nested_assignment", "vec4", "vec4(o.i.v, p.i.v)", lambda a: V(a, 2 * a, a, 9),
           "O o = O(I(vec2(a, 2.0 * a)), 1.0);\nO p = o;\np.i.v.y = 9.0;", args=args,
           decl="struct I { vec2 v; };\nstruct O { I i; float f; };")
    s.expr("struct_copied_in_branch", "vec2", "p.v", lambda a: V(a, 1) if a > 0 else V(-a, 2),
           "P p = P(vec2(a, 1.0));\nP q = P(vec2(-a, 2.0));\nif (a <= 0.0) p = q;", args=args,
           decl="struct P { vec2 v; };")
    s.expr("struct_in_loop", "vec2", "p.v", lambda a, n: V(a + n, 2.0 ** n),
           "P p = P(vec2(a, 1.0));\nfor (int k = 0; k < n; ++k) p = step1(p);",
           args={"a": "float", "n": "int"}, dom={"n": lambda r: r.randint(0, 6)},
           decl="struct P { vec2 v; };\nP step1(P p) { return P(vec2(p.v.x + 1.0, p.v.y * 2.0)); }")
    s.expr("multiple_declarators", "vec4", "vec4(x, y, z[1], w)", lambda a: V(a, a + 1, 5, a + 1),
           "float x = a, y = x + 1.0, z[2], w = y;\nz[1] = 5.0;",
           args=args)
    s.expr("uniform_struct", "vec4", "vec4(u_s.v, u_s.i.k, u_s.b) * a", lambda a: V(1.5, 2.5, 4, 1) * a, args=args,
           decl="struct I { int k; };\nstruct S { vec2 v; I i; bool b; };\nuniform S u_s;",
           run="uniform u_s.v: 1.5 2.5\nuniform u_s.i.k: 4\nuniform u_s.b: 1")
    s.expr("uniform_struct_passed", "float", "f(u_s) * a", lambda a: 1.5 * a + 4 * a, args=args,
           decl="struct S { vec2 v; int k; };\nuniform S u_s;\nfloat f(S s) { return s.v.x + float(s.k); }",
           run="uniform u_s.v: 1.5 2.5\nuniform u_s.k: 4")
    s.expr("uniform_struct_array_member", "vec2", "vec2(u_s.t[1], u_s.t[i]) * a", lambda a, i: V(20, 10 + 10 * i) * a,
           args={"a": "float", "i": "int"}, dom={"i": lambda r: r.randint(0, 2)},
           decl="struct S { float t[3]; };\nuniform S u_s;",
           run="uniform u_s.t[0]: 10\nuniform u_s.t[1]: 20\nuniform u_s.t[2]: 30")
    for kind in FLOAT_TYPES + INT_TYPES + BOOL_TYPES + MAT_TYPES:
        values = [k % 2 if base(kind) == "bool" else k + 1.0 for k in range(SIZES[kind])]
        value = (lambda a, v=values, n=kind: M.of(int(n[3]), v)) if base(kind) == "mat" else (lambda a, v=values: V(*v))
        s.expr(f"uniform_{kind}", kind, "u", value, args=args, uniforms={"u": (f"{kind} u", values)})
