"""Control flow: branches, the three loops, break, continue, return and discard at every depth, trip counts that differ
from lane to lane. Each Python function is the same algorithm in Python."""

from .suite import Suite
from .values import V, idiv

SMALL = {"n": lambda r: r.randint(0, 7), "m": lambda r: r.randint(-2, 5)}


def cases():
    s = Suite("control", "Branches, loops and jumps, with lanes that go different ways.")

    def program(name, body, fn, args="n m", decl="", **options):
        """`n` and `m` are small ints, `a` and `b` floats; the body computes int r (or vec4 result itself)."""
        kinds = {k: "float" if k in "ab" else "int" for k in args.split()}
        dom = {**{k: v for k, v in SMALL.items() if k in kinds}, **options.pop("dom", {})}
        if "result" not in body:
            body = f"int r = 0;\n{body.strip()}\nresult = vec4(r, n, 0.0, 1.0);"
            inner = fn
            fn = lambda **v: (lambda r: None if r is None else V(r, v["n"], 0, 1))(inner(**v))
        s.case(name, body, fn, kinds, decl=decl, dom=dom, lanes=options.pop("lanes", 32), **options)

    for stage in ("fragment", "vertex"):
        both(stage, lambda name, *rest, **options: program(f"{name}_{stage}", *rest, stage=stage, **options))
    returns(program)
    discards(program)
    unusual(program)
    return s


def both(stage, program):
    branches(program)
    loops(program)
    jumps(program)


def branches(program):
    program("if", "if (n > 3) r = m;", lambda n, m: m if n > 3 else 0)
    program("if_else", "if (n > m) r = n - m; else r = m - n;", lambda n, m: abs(n - m))
    program("if_empty", "if (n > 3) { } else r = 1;\nif (m > 3) ; else r += 2;", lambda n, m: (n <= 3) + 2 * (m <= 3))

    def chain(n, m):
        if n == 0:
            return 10
        if n < 3 and m > 0:
            return 20 + m
        if n < 5 or m < 0:
            return 30 - m
        return 40

    program("else_if_chain", "if (n == 0) r = 10;\nelse if (n < 3 && m > 0) r = 20 + m;\n"
            "else if (n < 5 || m < 0) r = 30 - m;\nelse r = 40;", chain)

    def nested(n, m):
        if n > 2:
            if m > 1:
                return 1 if n > 5 else 2
            return 3 if m < 0 else 4
        return 5 if m > n else 6

    program("if_nested", "if (n > 2) {\n    if (m > 1) {\n        if (n > 5) r = 1; else r = 2;\n    } else {\n"
            "        if (m < 0) r = 3; else r = 4;\n    }\n} else if (m > n) r = 5; else r = 6;", nested)
    program("dangling_else", "if (n > 2) if (m > 1) r = 1; else r = 2;", lambda n,
            m: (1 if m > 1 else 2) if n > 2 else 0)
    program("if_constant", "if (true) r = n;\nif (false) r = 99;\nif (1 > 2) r += 50; else r += 1;", lambda n, m: n + 1)
    program("if_uniform", "if (u_on) r = n; else r = m;\nif (u_off) r += 100;", lambda n, m: n,
            uniforms={"u_on": ("bool u_on", 1), "u_off": ("bool u_off", 0)})
    program("if_scope", "int x = n;\nif (n > 2) {\n    int x = m;\n    x += 1;\n    r = x;\n}\nr = r * 10 + x;",
            lambda n, m: (m + 1 if n > 2 else 0) * 10 + n)
    program("both_sides_write_components", "vec4 v = vec4(0.0);\nif (n > 3) {\n    v.xz = vec2(n, m);\n} else {\n"
            "    v.yw = vec2(m, n);\n}\nresult = v + v.wzyx;",
            lambda n, m: (lambda v: v + v.wzyx)(V(n, 0, m, 0) if n > 3 else V(0, m, 0, n)))


def loops(program):
    program("for", "for (int i = 0; i < 5; ++i) r += i * m;", lambda n, m: 10 * m)
    program("for_lane_count", "for (int i = 0; i < n; i++) r += i + m;", lambda n, m: sum(i + m for i in range(n)))
    program("for_down", "for (int i = n; i > 0; --i) r = r * 2 + i;", lambda n,
            m: fold(range(n, 0, -1), lambda r, i: r * 2 + i))
    program("for_step", "for (int i = 0; i < 20; i += 3) r += i;\nr += m;", lambda n, m: 63 + m)
    program("for_float", "for (float f = 0.0; f < 2.0; f += 0.25) r += int(f * 4.0);\nr *= m;", lambda n, m: 28 * m)
    program("for_float_lane", "for (float f = a; f < 2.0; f += 0.5) r++;", lambda n,
            a: sum(a + 0.5 * k < 2 for k in range(20)),
            args="n a")
    program("for_no_init", "int i = m;\nfor (; i < 4; ++i) r += i;\nr = r * 10 + i;",
            lambda n, m: sum(range(m, 4)) * 10 + max(m, 4))
    program("for_no_step", "for (int i = 0; i < n;) {\n    r += i;\n    i += 2;\n}", lambda n, m: sum(range(0, n, 2)))
    program("for_no_condition", "for (int i = 0; ; ++i) {\n    if (i >= n) break;\n    r += i;\n}", lambda n,
            m: sum(range(n)))
    program("for_ever", "for (;;) {\n    if (++r > n + 3) break;\n}", lambda n, m: n + 4)
    program("for_never", "for (int i = 0; i < 0; ++i) r = 99;\nfor (int i = 5; i < n - 5; ++i) r = 98;\nr += m;",
            lambda n, m: m)
    program("for_empty_body", "int i;\nfor (i = 0; i < n; i++) ;\nr = i;", lambda n, m: n)
    program("for_index_changed", "for (int i = 0; i < 12; ++i) {\n    if (i == n) i += 2;\n    r += i;\n}",
            index_changed)
    program("for_uniform_count", "for (int i = 0; i < u_n; ++i) r += n + i;", lambda n, m: 6 * n + 15,
            uniforms={"u_n": ("int u_n", 6)})
    program("for_declares_in_scope",
            "int i = 100;\nfor (int i = 0; i < 3; ++i) {\n    int k = i * i;\n    r += k;\n}\nr += i + m;",
            lambda n, m: 105 + m)
    program("while", "while (r < n) r += 2;", lambda n, m: (n + 1) // 2 * 2)
    program("while_lane", "int x = n * 3 + 1;\nwhile (x > m) {\n    x -= 4;\n    r++;\n}", lambda n,
            m: max(0, -((m - (n * 3 + 1)) // 4)))
    program("while_side_effect", "int x = n;\nwhile (x-- > 0) r += x;\nr = r * 10 + x;", lambda n,
            m: sum(range(n)) * 10 - 1)
    program("while_declares", "int k = n;\nwhile (bool go = k > 2) {\n    k--;\n    if (go) r++;\n}", lambda n,
            m: max(0, n - 2))
    program("do_once", "do r++; while (r < m);", lambda n, m: max(1, m))
    program("do_lane", "int x = n;\ndo {\n    r += x;\n    x -= 2;\n} while (x > m);", do_lane)
    program("do_side_effect", "int x = n;\ndo {\n    r += 1;\n} while (x-- > 2);", lambda n, m: max(1, n - 1))
    program("nested_for", "for (int i = 0; i < n; ++i)\n    for (int j = i; j < 5; ++j)\n        r += i * j + m;",
            lambda n, m: sum(i * j + m for i in range(n) for j in range(i, 5)))
    program("nested_three",
            "for (int i = 0; i < 3; ++i) {\n    int j = 0;\n    while (j < n) {\n        int k = j;\n        do {\n"
            "            r += i + j + k;\n            k += 2;\n        } while (k < m);\n        j++;\n    }\n}",
            nested_three)
    program("unrolled_then_dynamic", "for (int i = 0; i < 4; ++i) {\n    for (int j = 0; j < n; ++j) r += i;\n}",
            lambda n, m: 6 * n)
    program("collatz",
            "int x = n + 1;\nwhile (x != 1) {\n    if (x - x / 2 * 2 == 0) x /= 2; else x = 3 * x + 1;\n    r++;\n}",
            collatz)
    program("gcd",
            "int x = n + 12, y = m + 3;\nwhile (y != 0) {\n    int t = x - x / y * y;\n    x = y;\n    y = t;\n}\nr = "
            "x;", gcd)
    program("fibonacci_vectors",
            "ivec2 f = ivec2(0, 1);\nfor (int i = 0; i < n; ++i) f = ivec2(f.y, f.x + f.y);\nr = f.x * 100 + f.y;",
            fibonacci)
    program("newton_root",
            "float x = 1.0;\nfor (int i = 0; i < 8; ++i) x = 0.5 * (x + float(n + 1) / x);\nresult = vec4(x);",
            lambda n, m: V(*[(n + 1) ** 0.5] * 4), tol="ulp 4")


def jumps(program):
    program("break", "for (int i = 0; i < 10; ++i) {\n    if (i == n) break;\n    r += i;\n}\nr += m;", lambda n,
            m: sum(range(n)) + m)
    program("continue", "for (int i = 0; i < 8; ++i) {\n    if (i == n) continue;\n    r += i;\n}", lambda n, m: 28 - n)
    program("continue_runs_step",
            "int i = 0;\nfor (; i < 8; i += 2) {\n    if (i > n) continue;\n    r++;\n}\nr = r * 10 + i;",
            lambda n, m: sum(i <= n for i in range(0, 8, 2)) * 10 + 8)
    program("continue_while",
            "int i = 0;\nwhile (i < 9) {\n    i++;\n    if (i - i / 3 * 3 == 0) continue;\n    if (i == n) continue;\n"
            "    r += i;\n}", lambda n, m: sum(i for i in range(1, 10) if i % 3 and i != n))
    program("continue_do", "int i = 0;\ndo {\n    i++;\n    if (i == n) continue;\n    r += i;\n} while (i < m);",
            lambda n, m: sum(i for i in range(1, max(1, m) + 1) if i != n))
    program("break_do", "int i = 0;\ndo {\n    if (i > m) break;\n    r += ++i;\n} while (i < n);", break_do)
    program("break_and_continue",
            "for (int i = 0; i < 20; ++i) {\n    if (i == n) continue;\n    if (i > n + m) break;\n    r += i;\n}",
            lambda n, m: sum(i for i in range(0, n + m + 1) if i != n))
    program("break_inner",
            "for (int i = 0; i < 4; ++i) {\n    for (int j = 0; j < 6; ++j) {\n        if (j > i + m) break;\n"
            "        r += j;\n    }\n    r += 100;\n}", lambda n,
            m: 400 + sum(j for i in range(4) for j in range(6) if j <= i + m))
    program("break_outer_by_flag",
            "bool done = false;\nfor (int i = 0; i < 5; ++i) {\n    for (int j = 0; j < 5; ++j) {\n"
            "        if (i * j > n) { done = true; break; }\n        r++;\n    }\n    if (done) break;\n}", outer_flag)
    program("continue_inner",
            "for (int i = 0; i < n; ++i) {\n    if (i == 2) continue;\n    for (int j = 0; j < 5; ++j) {\n"
            "        if (j == i || j == m) continue;\n        r += 10 * i + j;\n    }\n}",
            lambda n, m: sum(10 * i + j for i in range(n) if i != 2 for j in range(5) if j not in (i, m)))
    program("break_deep_in_ifs",
            "for (int i = 0; i < 10; ++i) {\n    if (i > 1) {\n        if (n > 3) {\n            if (i > n) break;\n"
            "            else r += 2;\n        } else {\n            if (i > m) continue;\n        }\n        r += "
            "10;\n    }\n    r++;\n}",
            deep_ifs)
    program("break_both_sides",
            "for (int i = 0; i < 10; ++i) {\n    r += i;\n    if (n > 3) {\n        r += 100;\n        break;\n"
            "    } else {\n        r += 200;\n        break;\n    }\n}", lambda n, m: 100 if n > 3 else 200)
    program("break_last_statement", "while (true) {\n    r += n;\n    break;\n}", lambda n, m: n)
    program("loop_after_loop",
            "for (int i = 0; i < 9; ++i) {\n    if (i > n) break;\n    r++;\n}\nfor (int i = 0; i < 9; ++i) {\n"
            "    if (i > m) break;\n    r += 10;\n}", lambda n, m: n + 1 + 10 * max(0, m + 1))
    program("value_before_and_after_break",
            "float x = a;\nfor (int i = 0; i < 6; ++i) {\n    x += 1.0;\n    if (x > 2.0) break;\n"
            "    x += 0.5;\n}\nresult = vec4(x, a, float(n), 0.0);", value_break, args="n a")
    program("break_in_condition_chain",
            "int i = 0;\nwhile (i < 20 && r < 30) {\n    i++;\n    if (i < n) continue;\n    else if (i > 10 + m) "
            "break;\n"
            "    r += i;\n}\nr = r * 100 + i;", chain_break)


def fold(items, function, r=0):
    for i in items:
        r = function(r, i)
    return r


def index_changed(n, m):
    r = i = 0
    while i < 12:
        if i == n:
            i += 2
        r += i
        i += 1
    return r


def do_lane(n, m):
    r, x = 0, n
    while True:
        r += x
        x -= 2
        if not x > m:
            return r


def nested_three(n, m):
    r = 0
    for i in range(3):
        for j in range(n):
            k = j
            while True:
                r += i + j + k
                k += 2
                if not k < m:
                    break
    return r


def collatz(n, m):
    x, r = n + 1, 0
    while x != 1:
        x = x // 2 if x % 2 == 0 else 3 * x + 1
        r += 1
    return r


def gcd(n, m):
    x, y = n + 12, m + 3
    while y:
        x, y = y, x - idiv(x, y) * y
    return x


def fibonacci(n, m):
    f = (0, 1)
    for _ in range(n):
        f = (f[1], f[0] + f[1])
    return f[0] * 100 + f[1]


def break_do(n, m):
    i = r = 0
    while True:
        if i > m:
            break
        i += 1
        r += i
        if not i < n:
            break
    return r


def outer_flag(n, m):
    r = 0
    for i in range(5):
        for j in range(5):
            if i * j > n:
                return r
            r += 1
    return r


def deep_ifs(n, m):
    r = 0
    for i in range(10):
        if i > 1:
            if n > 3:
                if i > n:
                    break
                r += 2
            elif i > m:
                continue
            r += 10
        r += 1
    return r


def value_break(n, a):
    x = a
    for _ in range(6):
        x += 1
        if x > 2:
            break
        x += 0.5
    return V(x, a, n, 0)


def chain_break(n, m):
    i = r = 0
    while i < 20 and r < 30:
        i += 1
        if i < n:
            continue
        if i > 10 + m:
            break
        r += i
    return r * 100 + i


def returns(program):
    def find(n, m):
        for i in range(6):
            if i * i > n + m:
                return i
        return -1

    program("return_in_loop", "r = find(n, m);", find,
            decl="int find(int n, int m) {\n    for (int i = 0; i < 6; ++i) if (i * i > n + m) return i;\n    return "
                 "-1;\n}")

    def nested(n, m):
        total = 0
        for i in range(4):
            for j in range(4):
                if i == n:
                    return 1000 + total
                if j > m:
                    break
                if i + j == 5:
                    return 2000 + total
                total += i * j + 1
        return total

    text = ("int walk(int n, int m) {\n    int total = 0;\n    for (int i = 0; i < 4; ++i) {\n        for (int j = 0; "
            "j < 4; ++j) {\n"
            "            if (i == n) return 1000 + total;\n            if (j > m) break;\n"
            "            if (i + j == 5) return 2000 + total;\n            total += i * j + 1;\n        }\n    }\n    "
            "return total;\n}")
    program("return_in_nested_loops", "r = walk(n, m);", nested, decl=text)
    program("return_called_in_loop",
            "for (int k = 0; k < n; ++k) {\n    int x = walk(k, m);\n    if (x > 2000) continue;\n    r += x;\n"
            "    if (r > 3000) break;\n}", lambda n, m: called(nested, n, m), decl=text)
    program("return_in_ifs", "r = pick(n, m);", lambda n,
            m: (1 if n > 5 else 2) if n > 2 and m > 1 else (3 if n > 2 else 4),
            decl="int pick(int n, int m) {\n    if (n > 2) {\n        if (m > 1) {\n            if (n > 5) return 1;\n"
                 "            return 2;\n"
            "        }\n        return 3;\n    } else {\n        return 4;\n    }\n}")
    program("return_void", "calls = 0;\ncount(n);\ncount(m);\nr = calls;", lambda n,
            m: 1 + 10 * (n <= 3) + 1 + 10 * (m <= 3),
            decl="int calls;\nvoid count(int x) {\n    calls++;\n    if (x > 3) return;\n    calls += 10;\n}")
    program("return_skips_out_copy", "int o = 5;\nr = f(n, o);\nr = r * 100 + o;",
            lambda n, m: 107 if n > 3 else 209,
            decl="int f(int n, out int o) {\n    o = 7;\n    if (n > 3) return 1;\n    o = 9;\n    return 2;\n}")
    program("return_in_do_while", "r = f(n, m);", return_do,
            decl="int f(int n, int m) {\n    int k = 0;\n    do {\n        k += 2;\n        if (k > n) return k * 10;\n"
            "        if (k == m) continue;\n        k++;\n    } while (k < 7);\n    return k;\n}")
    program("return_from_main",
            "result = vec4(n, m, 0.0, 1.0);\ngl_FragColor = vec4(7.0);\nif (n > 3) return;\nresult.x = -1.0;",
            lambda n, m: V(7, 7, 7, 7) if n > 3 else V(-1, m, 0, 1), stage="fragment")
    program("return_from_main_in_loop",
            "gl_FragColor = vec4(0.0);\nfor (int i = 0; i < 8; ++i) {\n    gl_FragColor.x += 1.0;\n"
            "    if (i == n) return;\n    gl_FragColor.y += float(m);\n}\nresult = gl_FragColor;",
            lambda n, m: V(n + 1, n * m, 0, 0), stage="fragment")
    program("return_before_nested_call", "r = outer(n) * 10 + outer(m);", lambda n, m: outer(n) * 10 + outer(m),
            decl="int inner(int x) {\n    if (x < 2) return 1;\n    return 2;\n}\nint outer(int x) {\n    if (x > 4) "
                 "return 9;\n"
            "    int y = inner(x);\n    if (y == 1) return 8;\n    return y + inner(x - 3);\n}")


def outer(x):
    if x > 4:
        return 9
    return 8 if x < 2 else 2 + (1 if x - 3 < 2 else 2)


def called(walk, n, m):
    r = 0
    for k in range(n):
        x = walk(k, m)
        if x > 2000:
            continue
        r += x
        if r > 3000:
            break
    return r


def return_do(n, m):
    k = 0
    while True:
        k += 2
        if k > n:
            return k * 10
        if k != m:
            k += 1
        if not k < 7:
            return k


def discards(program):
    fragment = {"stage": "fragment"}
    program("discard", "if (n > 3) discard;\nr = m;", lambda n, m: None if n > 3 else m, **fragment)
    program("discard_else", "if (n > 3) r = 1; else discard;", lambda n, m: 1 if n > 3 else None, **fragment)
    program("discard_in_loop", "for (int i = 0; i < 6; ++i) {\n    if (i * m == n) discard;\n    r += i;\n}",
            lambda n, m: None if any(i * m == n for i in range(6)) else 15, **fragment)
    program("discard_in_lane_loop",
            "for (int i = 0; i < n; ++i) {\n    if (i > 3 && m > 1) discard;\n    r += i;\n}\nr += m;",
            lambda n, m: None if n > 4 and m > 1 else sum(range(n)) + m, **fragment)
    program("discard_in_function", "r = f(n) + f(m);", lambda n, m: None if n > 4 or m > 4 else 2 * n + 2 * m,
            decl="int f(int x) {\n    if (x > 4) discard;\n    return x * 2;\n}", **fragment)
    program("discard_after_break",
            "for (int i = 0; i < 9; ++i) {\n    if (i == n) break;\n    r++;\n}\nif (r - r / 2 * 2 == 0) discard;",
            lambda n, m: None if n % 2 == 0 else n, **fragment)
    program("discard_all", "discard;\nr = 1;", lambda n, m: None, **fragment)
    program("discard_none", "if (n > 100) discard;\nr = n;", lambda n, m: n, **fragment)
    program("discard_then_loop", "if (m < 0) discard;\nfor (int i = 0; i <= m; ++i) r += n;", lambda n,
            m: None if m < 0 else n * (m + 1),
            **fragment)
    program("discard_beside_loop_that_would_not_end",
            "int x = n;\nif (x == 0) discard;\nwhile (x < 100) x *= 2;\nr = x;",
            lambda n, m: None if n == 0 else next(n << k for k in range(8) if n << k >= 100), **fragment)
    program("discard_before_loop_in_function", "guard(n);\nr = climb(n) + m;", lambda n,
            m: None if n == 0 else m + climb(n),
            decl="void guard(int n) { if (n == 0) discard; }\nint climb(int n) {\n    int k = n;\n    for (; k < 50; "
                 "k += n) ;\n    return k;\n}", **fragment)
    program("discard_in_loop_that_would_not_end",
            "int x = n - 3;\ndo {\n    if (x == 0) discard;\n    x *= 2;\n    r++;\n"
            "} while (x < 40 && x > -40);", lambda n,
            m: None if n == 3 else next(k for k in range(9) if abs(n - 3) << k >= 40), **fragment)
    program("discard_and_index_held_back",
            "if (m < 1) discard;\nfor (int i = 0; i < 9; ++i) {\n    if (r < n * m) i--;\n    r += m;\n}",
            lambda n, m: None if m < 1 else n * m + 9 * m, **fragment)


def climb(n):
    k = n
    while k < 50:
        k += n
    return k


def unusual(program):
    program("shadowed_names",
            "int n2 = n;\n{\n    int n2 = m;\n    { int n2 = 100; r += n2; }\n    r += n2;\n}\nr += n2;",
            lambda n, m: 100 + m + n)
    program("initialiser_sees_outer", "int x = n;\n{\n    int x = x + 1;\n    r = x;\n}\nr = r * 10 + x;", lambda n,
            m: (n + 1) * 10 + n)
    program("statement_expressions", "n + m;\n;\n(r = 4, m);\n{}\nr += m;", lambda n, m: 4 + m)
    program("deep_nesting", deep(12), lambda n, m: sum(1 for k in range(12) if all(n + j != 7 for j in range(k + 1))))
    program("many_lanes_each_own_count",
            "int x = n * 8 + m + 2;\nfor (int i = 0; i < 100; ++i) {\n    if (i >= x) break;\n"
            "    if (i / 3 * 3 == i) continue;\n    r += i;\n}", lambda n,
            m: sum(i for i in range(n * 8 + m + 2) if i % 3))
    program("bisection",
            "float low = 0.0, high = 8.0;\nfor (int i = 0; i < 12; ++i) {\n    float middle = (low + high) * 0.5;\n"
            "    if (middle > a) high = middle; else low = middle;\n}\nresult = vec4(low, high, n, 1.0);", bisect,
            args="n a",
            dom={"a": lambda r: r.randint(0, 255) / 32 + 1 / 64})
    program("mandelbrot", "vec2 z = vec2(0.0);\nfor (int i = 0; i < 20; ++i) {\n    if (dot(z, z) > 4.0) break;\n"
            "    z = vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + vec2(a, b);\n    r++;\n}\nresult = vec4(r, 0.0, "
            "0.0, 0.0);".replace(
                "vec2 z", "int r = 0;\nvec2 z", 1), mandelbrot, args="a b",
                dom={"a": lambda r: r.choice((-2.5, -1.5, 0.75, 1.0, 2.0)),
                                                                             "b": lambda r: r.choice((0.75, 1.0, 1.5))})


def deep(levels):
    text = ""
    for k in range(levels):
        text += "    " * k + f"if (n + {k} != 7) {{\n" + "    " * (k + 1) + "r++;\n"
    for k in reversed(range(levels)):
        text += "    " * k + "}\n"
    return text


def bisect(n, a):
    low, high = 0.0, 8.0
    for _ in range(12):
        middle = (low + high) / 2
        low, high = (low, middle) if middle > a else (middle, high)
    return V(low, high, n, 1)


def mandelbrot(a, b):
    z, c, r = 0j, complex(a, b), 0
    for _ in range(20):
        if abs(z) ** 2 > 4:
            break
        z = z * z + c
        r += 1
    return V(r, 0, 0, 0)
