"""Arrays, matrices and structs by constant, uniform-dependent, loop-dependent and lane-dependent index."""

from .suite import Suite
from .values import M, V

FLOATS = [1.5, -2.25, 3.0, 0.125, -7.0, 11.5, 0.5, -0.75]


def wide(kind, k):
    """The k-th element of a table of the type."""
    size = {"float": 1, "vec2": 2, "vec3": 3, "vec4": 4}[kind]
    values = [FLOATS[(k + 3 * c) % 8] + c for c in range(size)]
    return values[0] if size == 1 else V(*values)


def literal(value):
    return repr(value) if isinstance(value, float) else f"vec{len(value)}({', '.join(map(repr, value))})"


def pad(kind, expression):
    return {"float": f"vec4({expression}, 0.0, 0.0, 0.0)", "vec2": f"vec4({expression}, 0.0, 0.0)",
            "vec3": f"vec4({expression}, 0.0)", "vec4": expression}[kind]


def cases():
    s = Suite("arrays", "Arrays, matrix columns and structs under every kind of index.")
    index = lambda r: r.randint(0, 3)
    for kind in ("float", "vec2", "vec3", "vec4"):
        table = [wide(kind, k) for k in range(4)]
        fill = f"{kind} t[4];\n" + "\n".join(f"t[{k}] = {literal(v)};" for k, v in enumerate(table))
        get = lambda v: V(v)
        s.case(f"read_constant_{kind}", f"{fill}\nresult = {pad(kind, 't[2] + a * t[1]')};",
               lambda a, table=table: V(table[2] + a * table[1]), {"a": "float"})
        s.case(f"read_uniform_index_{kind}", f"{fill}\nresult = {pad(kind, 't[u_i] * a')};",
               lambda a, table=table: V(table[3] * a), {"a": "float"}, uniforms={"u_i": ("int u_i", 3)})
        for stage in ("vertex", "fragment"):
            s.case(f"read_lane_index_{kind}_{stage}", f"{fill}\nresult = {pad(kind, 't[i]')};",
                   lambda i, table=table: V(table[i]), {"i": "int"}, dom={"i": index}, stage=stage)
            s.case(f"write_lane_index_{kind}_{stage}",
                   f"{fill}\nt[i] = {kind}(a);\nresult = {pad(kind, 't[0] + 2.0 * t[1] + 4.0 * t[2] + 8.0 * t[3]')};",
                   lambda i, a, table=table: V(sum_table(kind, table, i, a)), {"i": "int", "a": "float"},
                   dom={"i": index}, stage=stage)
            s.case(f"uniform_array_lane_index_{kind}_{stage}", f"result = {pad(kind, 'u_t[i] + u_t[3 - i]')};",
                   lambda i, table=table: V(table[i] + table[3 - i]), {"i": "int"}, dom={"i": index},
                   uniforms={"u_t": (f"{kind} u_t[4]", table)}, stage=stage)
        s.case(f"read_loop_index_{kind}",
               f"{fill}\n{kind} sum = {kind}(0.0);\nfor (int k = 0; k < 4; ++k) sum += t[k] * a;\n"
               f"result = {pad(kind, 'sum')};",
               lambda a, table=table: V((table[0] + table[1] + table[2] + table[3]) * a), {"a": "float"})
        s.case(f"write_loop_index_{kind}",
               f"{kind} t[4];\nfor (int k = 0; k < 4; ++k) t[k] = {kind}(a) * float(k);\n"
               f"result = {pad(kind, 't[1] + t[3] * t[2]')};",
               lambda a, kind=kind: V(*[a + 3 * a * 2 * a] * (1 if kind == "float" else int(kind[3]))),
               {"a": "float"})
        s.case(f"write_uniform_index_{kind}",
               f"{fill}\nt[u_i] = {kind}(a);\nt[u_i - 1] += {kind}(1.0);\n"
               f"result = {pad(kind, 't[0] + t[1] + t[2] + t[3]')};",
               lambda a, table=table, kind=kind: V(table[0] + table[3] + table[1] + 1.0 + a),
               {"a": "float"}, uniforms={"u_i": ("int u_i", 2)})
        s.case(f"write_in_divergent_branch_{kind}",
               f"{fill}\nif (a > 0.0) t[i] = {kind}(a); else t[3 - i] = {kind}(-a);\n"
               f"result = {pad(kind, 't[0] + 2.0 * t[1] + 4.0 * t[2] + 8.0 * t[3]')};",
               lambda i, a, table=table, kind=kind: V(sum_table(kind, table, i if a > 0 else 3 - i, abs(a))),
               {"i": "int", "a": "float"}, dom={"i": index})
        s.case(f"compound_lane_index_{kind}",
               f"{fill}\nt[i] *= a;\nt[i] += 1.0;\nt[(i + 1) - (i / 3) * 4] -= a;\n"
               f"result = {pad(kind, 't[0] + 2.0 * t[1] + 4.0 * t[2] + 8.0 * t[3]')};",
               lambda i, a, table=table: V(compound(table, i, a)), {"i": "int", "a": "float"}, dom={"i": index})
    more(s, index)
    integers(s, index)
    matrices(s)
    structs(s, index)
    beyond(s)
    return s


def sum_table(kind, table, i, a):
    full = a if kind == "float" else V(*[a] * len(table[0]))
    t = list(table)
    t[i] = full
    return t[0] + 2.0 * t[1] + 4.0 * t[2] + 8.0 * t[3]


def compound(table, i, a):
    t = list(table)
    t[i] = t[i] * a
    t[i] = t[i] + 1.0
    t[(i + 1) % 4] = t[(i + 1) % 4] - a
    return t[0] + 2.0 * t[1] + 4.0 * t[2] + 8.0 * t[3]


def more(s, index):
    table = [wide("vec3", k) for k in range(4)]
    fill = "vec3 t[4];\n" + "\n".join(f"t[{k}] = {literal(v)};" for k, v in enumerate(table))
    s.case("swizzle_of_lane_index", f"{fill}\nresult = vec4(t[i].zx, t[j].yy);",
           lambda i, j: V(table[i].zx, table[j].yy), {"i": "int", "j": "int"}, dom={"i": index, "j": index})

    def swizzled(i, a):
        t = list(table)
        t[i] = t[i].replaced("zx", a)
        return t[0] + 2.0 * t[1] + 4.0 * t[2] + 8.0 * t[3]

    s.case("write_swizzle_of_lane_index",
           f"{fill}\nt[i].zx = a;\nresult = vec4(t[0] + 2.0 * t[1] + 4.0 * t[2] + 8.0 * t[3], 0.0);",
           swizzled, {"i": "int", "a": "vec2"}, dom={"i": index})

    def component(i, j, a):
        t = list(table)
        t[i] = t[i].at(j, a)
        return V(t[0] + 2.0 * t[1] + 4.0 * t[2] + 8.0 * t[3], t[i][j])

    s.case("write_component_of_element",
           f"{fill}\nt[i][j] = a;\nresult = vec4(t[0] + 2.0 * t[1] + 4.0 * t[2] + 8.0 * t[3], t[i][j]);",
           component, {"i": "int", "j": "int", "a": "float"}, dom={"i": index, "j": lambda r: r.randint(0, 2)})
    s.case("index_of_index", f"{fill}\nint n[4];\nn[0] = 2; n[1] = 3; n[2] = 0; n[3] = 1;\n"
           "result = vec4(t[n[n[i]]] + t[n[i]], 0.0);", lambda i: table[i] + table[(i + 2) % 4], {"i": "int"},
           dom={"i": index})
    s.case("swap_elements", f"{fill}\nvec3 hold = t[i];\nt[i] = t[j];\nt[j] = hold;\n"
           "result = vec4(t[0] + 2.0 * t[1] + 4.0 * t[2] + 8.0 * t[3], 0.0);",
           lambda i, j: sum_list(swapped(table, i, j)), {"i": "int", "j": "int"}, dom={"i": index, "j": index})
    s.case("loop_index_backwards_divergent_count",
           "float t[8];\nfor (int k = 0; k < 8; ++k) t[k] = a + float(k);\nfloat sum = 0.0;\n"
           "for (int k = 7; k >= 0; --k) {\n    if (k < n) break;\n    sum += t[k] * float(k);\n}\nresult = vec4(sum);",
           lambda a, n: V(*[sum((a + k) * k for k in range(n, 8))] * 4), {"a": "float", "n": "int"},
           dom={"n": lambda r: r.randint(0, 7)})
    s.case("sort_per_lane",
           "float t[4];\nt[0] = v.x; t[1] = v.y; t[2] = v.z; t[3] = v.w;\n"
           "for (int i = 0; i < 3; ++i)\n    for (int j = 0; j < 3; ++j)\n        if (t[j] > t[j + 1]) {\n"
           "            float hold = t[j];\n            t[j] = t[j + 1];\n            t[j + 1] = hold;\n        }\n"
           "result = vec4(t[0], t[1], t[2], t[3]);", lambda v: V(*sorted(v)), {"v": "vec4"}, lanes=32)
    s.case("insertion_sort_while",
           "float t[4];\nt[0] = v.x; t[1] = v.y; t[2] = v.z; t[3] = v.w;\n"
           "for (int i = 1; i < 4; ++i) {\n    float key = t[i];\n    int j = i;\n"
           "    while (j > 0) {\n        if (t[j - 1] <= key) break;\n        t[j] = t[j - 1];\n        j--;\n    }\n"
           "    t[j] = key;\n}\nresult = vec4(t[0], t[1], t[2], t[3]);", lambda v: V(*sorted(v)), {"v": "vec4"},
           lanes=32)
    s.case("histogram", "float t[4];\nfor (int k = 0; k < 4; ++k) t[k] = 0.0;\n"
           "for (int k = 0; k < 6; ++k) {\n    int cell = i + k * k - ((i + k * k) / 4) * 4;\n    t[cell] += 1.0;\n}\n"
           "result = vec4(t[0], t[1], t[2], t[3]);",
           lambda i: V(*(float(sum((i + k * k) % 4 == c for k in range(6))) for c in range(4))), {"i": "int"},
           dom={"i": index})
    s.case("two_arrays_interleaved",
           "float a[4];\nvec2 b[4];\nfor (int k = 0; k < 4; ++k) {\n    a[k] = float(k * k);\n    b[k] = vec2(k, "
           "-k);\n}\n"
           "a[i] += b[j].x;\nb[j] += vec2(a[i]);\nresult = vec4(a[i], b[j], a[j]);",
           lambda i, j: V(float(i * i + j), j + float(i * i + j), -j + float(i * i + j),
                          float(i * i + j) if i == j else float(j * j)),
           {"i": "int", "j": "int"}, dom={"i": index, "j": index})
    s.case("array_of_one", "float t[1];\nt[i] = a;\nt[0] += 1.0;\nresult = vec4(t[i]);",
           lambda i, a: V(*[a + 1] * 4), {"i": "int", "a": "float"}, dom={"i": lambda r: 0})
    s.case("array_of_64",
           "float t[64];\nfor (int k = 0; k < 64; ++k) t[k] = float(k) * a;\nresult = vec4(t[i], t[63 - i], 0.0, 1.0);",
           lambda i, a: V(i * a, (63 - i) * a, 0, 1), {"i": "int", "a": "float"}, dom={"i": lambda r: r.randint(0, 63)})
    s.case("constant_size_from_const",
           "const int n = 2 + 1;\nfloat t[n];\nt[0] = a; t[1] = 2.0 * a; t[n - 1] = 3.0 * a;\n"
           "result = vec4(t[0], t[1], t[2], float(n));", lambda a: V(a, 2 * a, 3 * a, 3), {"a": "float"})
    for size in (2, 3, 4):
        v = f"vec{size}"
        s.case(f"vector_component_lane_index_{v}", "result = vec4(v[i]);", lambda v, i: V(*[v[i]] * 4),
               {"v": v, "i": "int"}, dom={"i": lambda r, n=size: r.randrange(n)})
        s.case(f"vector_component_write_lane_index_{v}", f"v[i] = 9.0;\nresult = {pad(v, 'v')};",
               lambda v, i: v.at(i, 9.0), {"v": v, "i": "int"}, dom={"i": lambda r, n=size: r.randrange(n)})
        s.case(f"vector_component_loop_{v}",
               f"float sum = 0.0;\nfor (int k = 0; k < {size}; ++k) sum += v[k] * float(k + 1);\n"
               "result = vec4(sum);", lambda v: V(*[sum(x * (k + 1) for k, x in enumerate(v))] * 4), {"v": v})
    rows = [V(k + 0.5, -k, k * k, 1.0) for k in range(16)]
    s.raw("varying_array_read", "precision highp float;\nvarying vec2 v_t[3];\nvarying float v_i;\n"
          "void main() { gl_FragColor = vec4(v_t[int(v_i)], v_t[2]); }",
          "input v_t[0]: " + " | ".join(f"{r[0]} {r[1]}" for r in rows) + "\ninput v_t[1]: "
          + " | ".join(f"{-r[0]} {r[2]}" for r in rows) + "\ninput v_t[2]: "
          + " | ".join(f"{r[2]} {r[0]}" for r in rows) + "\ninput v_i: " + " | ".join(str(k % 3) for k in range(16))
          + "\nexpect gl_FragColor: " + " | ".join(
              " ".join(map(str, ((r[0], r[1]), (-r[0], r[2]), (r[2], r[0]))[k % 3] + (r[2], r[0])))
              for k, r in enumerate(rows)))
    s.raw("varying_array_write", "attribute vec2 a;\nattribute float i;\nvarying vec2 v_t[3];\n"
          "void main() {\n    for (int k = 0; k < 3; ++k) v_t[k] = a * float(k);\n    v_t[int(i)] += vec2(10.0);\n"
          "    gl_Position = vec4(0.0);\n}",
          "input a: " + " | ".join(f"{r[0]} {r[1]}" for r in rows) + "\ninput i: "
          + " | ".join(str(k % 3) for k in range(16)) + "".join(
              f"\nexpect v_t[{e}]: " + " | ".join(
                  f"{r[0] * e + (10 if k % 3 == e else 0)} {r[1] * e + (10 if k % 3 == e else 0)}"
                  for k, r in enumerate(rows)) for e in range(3)), stage="vertex")


def swapped(table, i, j):
    t = list(table)
    t[i], t[j] = t[j], t[i]
    return t


def sum_list(t):
    return t[0] + 2.0 * t[1] + 4.0 * t[2] + 8.0 * t[3]


def integers(s, index):
    values = [7, -3, 12, 5]
    fill = "int t[4];\n" + "\n".join(f"t[{k}] = {v};" for k, v in enumerate(values))
    s.case("int_array_lane_index", f"{fill}\nt[i] += t[j] * 2;\nresult = vec4(t[0], t[1], t[2], t[3]);",
           lambda i, j: V(*(v + (2 * values[j] if k == i else 0) for k, v in enumerate(values))),
           {"i": "int", "j": "int"}, dom={"i": index, "j": index})
    s.case("bool_array_lane_index",
           "bool t[4];\nfor (int k = 0; k < 4; ++k) t[k] = k == i;\nt[j] = !t[j];\n"
           "result = vec4(t[0], t[1], t[2], t[3]);",
           lambda i, j: V(*(float((k == i) != (k == j)) for k in range(4))),
           {"i": "int", "j": "int"}, dom={"i": index, "j": index})
    s.case("ivec_array_lane_index",
           "ivec3 t[4];\nfor (int k = 0; k < 4; ++k) t[k] = ivec3(k, k * k, -k);\nt[i].y = 100;\n"
           "result = vec4(vec3(t[j]), float(t[i].y));",
           lambda i, j: V(float(j), 100.0 if i == j else float(j * j), float(-j), 100.0),
           {"i": "int", "j": "int"}, dom={"i": index, "j": index})
    s.case("bvec_array_lane_index",
           "bvec2 t[4];\nfor (int k = 0; k < 4; ++k) t[k] = bvec2(k > 1, k == i);\nresult = vec4(vec2(t[j]), "
           "vec2(t[i]));",
           lambda i, j: V(float(j > 1), float(i == j), float(i > 1), 1.0), {"i": "int", "j": "int"},
           dom={"i": index, "j": index})
    s.case("uniform_int_array", "result = vec4(u_t[i], u_t[3 - i], u_t[0], u_v[i].y);",
           lambda i: V(float(values[i]), float(values[3 - i]), 7.0, float(10 * i + 1)), {"i": "int"}, dom={"i": index},
           uniforms={"u_t": ("int u_t[4]", values), "u_v": ("ivec2 u_v[4]", [0, 1, 10, 11, 20, 21, 30, 31])})
    s.case("uniform_bool_array", "result = vec4(u_t[i], u_t[3 - i], u_t[0], 1.0);",
           lambda i: V(float(i in (0, 3)), float(i in (0, 3)), 1.0, 1.0), {"i": "int"}, dom={"i": index},
           uniforms={"u_t": ("bool u_t[4]", [1, 0, 0, 1])})
    s.case("uniform_matrix_array", "result = vec4(u_m[i][1], u_m[1][i]);",
           lambda i: V(10.0 * i + 2, 10.0 * i + 3, 10.0 + 2 * i, 11.0 + 2 * i), {"i": "int"},
           dom={"i": lambda r: r.randint(0, 1)}, uniforms={"u_m": ("mat2 u_m[2]", [0, 1, 2, 3, 10, 11, 12, 13])})


def matrices(s):
    for size in (2, 3, 4):
        kind, vec = f"mat{size}", f"vec{size}"
        choose = lambda r, n=size: r.randrange(n)
        both = {"i": choose, "j": choose}
        for stage in ("vertex", "fragment"):
            s.case(f"{kind}_column_lane_index_{stage}", f"result = {pad(vec, 'm[i]')};", lambda m, i: m[i],
                   {"m": kind, "i": "int"}, dom=both, stage=stage)
            s.case(f"{kind}_element_lane_index_{stage}", "result = vec4(m[i][j]);", lambda m, i, j: V(*[m[i][j]] * 4),
                   {"m": kind, "i": "int", "j": "int"}, dom=both, stage=stage)
        s.case(f"{kind}_column_write_lane_index", "m[i] = v;\nresult = m;", lambda m, i, v: m.column(i, v),
               {"m": kind, "i": "int", "v": vec}, dom=both, out=kind)
        s.case(f"{kind}_element_write_lane_index", "m[i][j] = 5.0;\nresult = m;",
               lambda m, i, j: m.column(i, m[i].at(j, 5.0)), {"m": kind, "i": "int", "j": "int"}, dom=both, out=kind)
        s.case(f"{kind}_element_loop", f"float sum = 0.0;\nfor (int i = 0; i < {size}; ++i)\n"
               f"    for (int j = 0; j < {size}; ++j)\n        sum += m[i][j] * float(i * {size} + j);\nresult = "
               f"vec4(sum);",
               lambda m: V(*[sum(x * k for k, x in enumerate(m.flat()))] * 4), {"m": kind})
        s.case(f"{kind}_column_constant_index", "m[1] += v;\nm[0].yx = m[1].xy;\nresult = m;",
               lambda m, v: m.column(1, m[1] + v).column(0, m[0].replaced("yx", (m[1] + v).xy)),
               {"m": kind, "v": vec}, out=kind)
        s.case(f"{kind}_uniform_lane_index", f"result = vec4(u_m[i][j], u_m[j][0], 0.0, 1.0);",
               lambda i, j, n=size: V(float(i * n + j), float(j * n), 0.0, 1.0), {"i": "int", "j": "int"}, dom=both,
               uniforms={"u_m": (f"{kind} u_m", [float(k) for k in range(size * size)])})
        s.case(f"{kind}_column_swizzle_lane_index", "m[i].yx *= 2.0;\nresult = m;",
               lambda m, i: m.column(i, m[i].replaced("xy", m[i].xy * 2.0)), {"m": kind, "i": "int"}, dom=both,
               out=kind)
        s.case(f"{kind}_transposed_by_loop", f"{kind} t;\nfor (int i = 0; i < {size}; ++i)\n"
               f"    for (int j = 0; j < {size}; ++j)\n        t[i][j] = m[j][i];\nresult = t;",
               lambda m, n=size: M(*([m[j][i] for j in range(n)] for i in range(n))), {"m": kind}, out=kind)
    s.case("array_of_matrices", "mat2 t[3];\nfor (int k = 0; k < 3; ++k) t[k] = m * float(k);\nt[i][j] += vec2(1.0);\n"
           "t[i][1][j] = 4.0;\nresult = vec4(t[i][0], t[i][1]);",
           lambda m, i,
           j: (lambda t: V(t.column(1, t[1].at(j, 4.0)).flat()))((m * float(i)).column(j, m[j] * float(i) + 1.0)),
           {"m": "mat2", "i": "int", "j": "int"}, dom={"i": lambda r: r.randint(0, 2), "j": lambda r: r.randint(0, 1)})


def structs(s, index):
    decl = "struct Item { vec2 at; float weight; int id; };"
    fill = ("Item t[4];\nfor (int k = 0; k < 4; ++k) {\n    t[k].at = vec2(k, 2 * k);\n    t[k].weight = a * "
            "float(k);\n"
            "    t[k].id = 10 + k;\n}\n")
    s.case("struct_array_lane_index", fill + "result = vec4(t[i].at, t[i].weight, t[i].id);",
           lambda a, i: V(float(i), 2.0 * i, a * i, 10.0 + i), {"a": "float", "i": "int"}, decl=decl, dom={"i": index})
    s.case("struct_array_copy_element",
           fill + "t[i] = t[j];\nt[j].id = 99;\nresult = vec4(t[i].at, t[i].weight, t[i].id);",
           lambda a, i, j: V(float(j), 2.0 * j, a * j, 99.0 if i == j else 10.0 + j),
           {"a": "float", "i": "int", "j": "int"}, decl=decl, dom={"i": index, "j": index})
    s.case("struct_array_member_component",
           fill + "t[i].at.y = -1.0;\nt[i].at[c] += 5.0;\nresult = vec4(t[i].at, t[3 - i].at);",
           lambda a, i, c: V(V(float(i), -1.0).at(c, (float(i), -1.0)[c] + 5), 3.0 - i, 2.0 * (3 - i)),
           {"a": "float", "i": "int", "c": "int"}, decl=decl, dom={"i": index, "c": lambda r: r.randint(0, 1)})
    nest = "struct Inner { float f[3]; vec3 v; };\nstruct Outer { Inner part[2]; mat2 m; };"
    fill = ("Outer o;\nfor (int p = 0; p < 2; ++p) {\n    for (int k = 0; k < 3; ++k) o.part[p].f[k] = a + float(3 * "
            "p + k);\n"
            "    o.part[p].v = vec3(p, a, 1.0);\n}\no.m = mat2(1.0, 2.0, 3.0, 4.0);\n")
    half = lambda r: r.randint(0, 1)
    third = lambda r: r.randint(0, 2)
    s.case("nested_arrays_in_structs",
           fill + "result = vec4(o.part[i].f[j], o.part[1 - i].v[j], o.m[i][1], o.part[0].f[2]);",
           lambda a, i, j: V(a + 3 * i + j, (1.0 - i, a, 1.0)[j], 2.0 + 2 * i, a + 2),
           {"a": "float", "i": "int", "j": "int"},
           decl=nest, dom={"i": half, "j": third})
    s.case("nested_arrays_in_structs_write",
           fill + "o.part[i].f[j] = 50.0;\no.part[i].v[j] = 60.0;\no.m[i][1] = 70.0;\n"
           "result = vec4(o.part[0].f[1] + o.part[1].f[1], o.part[0].v.y + o.part[1].v.y, o.m[0].y, o.m[1].y);",
           lambda a, i, j: V((50.0 if (i, j) == (0, 1) else a + 1) + (50.0 if (i, j) == (1, 1) else a + 4),
                             60.0 + a if j == 1 else 2 * a, 70.0 if i == 0 else 2.0, 70.0 if i == 1 else 4.0),
           {"a": "float", "i": "int", "j": "int"}, decl=nest, dom={"i": half, "j": third})
    uniform = "struct Light { vec3 color; float power; int kind; };\nuniform Light u_light[3];"
    run = "".join(f"uniform u_light[{k}].color: {k} {k + 0.5} {-k}\nuniform u_light[{k}].power: {2.5 * k}\n"
                  f"uniform u_light[{k}].kind: {7 + k}\n" for k in range(3))
    expected = lambda i: V(i + 0.5, -float(i), 2.5 * i, 7.0 + i)
    for stage in ("vertex", "fragment"):
        s.case(f"uniform_struct_array_lane_index_{stage}",
               "result = vec4(u_light[i].color.yz, u_light[i].power, u_light[i].kind);", expected, {"i": "int"},
               decl=uniform, run=run, dom={"i": third}, stage=stage)
    s.case("uniform_struct_array_constant_index",
           "result = vec4(u_light[2].color.yz, u_light[1].power * a, u_light[0].kind);",
           lambda a: V(2.5, -2.0, 2.5 * a, 7.0), {"a": "float"}, decl=uniform, run=run)
    s.case("uniform_struct_element_copy",
           "Light l = u_light[i];\nl.power += a;\nresult = vec4(l.color.xy, l.power, l.kind);",
           lambda a, i: V(float(i), i + 0.5, 2.5 * i + a, 7.0 + i), {"a": "float", "i": "int"}, decl=uniform, run=run,
           dom={"i": third})


# Indices far outside every array, and outside every register of a program: docs/isa.md (operands) says that such reads
# give 0 and such writes are dropped. An index that is no number is 0.
FAR = ("12", "30", "100", "-100", "250", "1000", "-1000", "4096", "-4096", "16777216", "-16777216", "2147483520",
       "-2147483648", "3e38", "-3e38", "inf", "-inf")


def beyond(s):
    table = [V(1.5, -2.0, 3.0, 4.0), V(5.0, 6.5, -7.0, 8.0), V(9.0, -10.0, 11.5, 12.0), V(-13.0, 14.0, 15.0, 16.5)]
    indices = ("0", "3", "nan", "1") + FAR
    near = {"0": 0, "3": 3, "nan": 0, "1": 1}
    lanes = lambda of: " | ".join(" ".join(map(repr, of(near.get(i)))) for i in indices)
    read = lanes(lambda k: V(0.0, 0.0, 0.0, 0.0) if k is None else table[k])
    # After writing 100 to the element that is there.
    written = lambda e: lanes(lambda k: V(100.0, 100.0, 100.0, 100.0) if k == e else table[e])
    flat = " ".join(repr(x) for row in table for x in row)
    fill = "vec4 t[4];\n" + "\n".join(f"t[{k}] = vec4({', '.join(map(repr, v))});" for k, v in enumerate(table))
    for stage, carried, out in (("vertex", "attribute", "gl_Position"), ("fragment", "varying", "gl_FragColor")):
        head = f"precision highp float;\n{carried} float i;\n"

        def case(name, globals_, body, run):
            s.raw(f"{name}_{stage}", f"{head}{globals_}void main() {{\n{body}\n}}",
                  f"input i: {' | '.join(indices)}\n{run}", stage=stage)

        case("uniform_array_beyond", "uniform vec4 u_t[4];\n", f"{out} = u_t[int(i)];",
             f"uniform u_t: {flat}\nexpect {out}: {read}")
        case("matrix_column_beyond", "uniform mat4 u_t;\n", f"{out} = u_t[int(i)];",
             f"uniform u_t: {flat}\nexpect {out}: {read}")
        case("local_array_beyond", "", f"{fill}\n{out} = t[int(i)];", f"expect {out}: {read}")
        for element in range(4):
            case(f"local_array_write_beyond_{element}", "", f"{fill}\nt[int(i)] = vec4(100.0);\n{out} = t[{element}];",
                 f"expect {out}: {written(element)}")
    s.raw("varying_array_beyond", "precision highp float;\nvarying vec4 v_t[4];\nvarying float i;\n"
          "void main() { gl_FragColor = v_t[int(i)]; }",
          "".join(f"input v_t[{k}]: {' '.join(map(repr, v))}\n" for k, v in enumerate(table))
          + f"input i: {' | '.join(indices)}\nexpect gl_FragColor: {read}")
    s.raw("varying_array_write_beyond", "attribute float i;\nvarying vec4 v_t[4];\nvoid main() {\n"
          + "\n".join(f"v_t[{k}] = vec4({', '.join(map(repr, v))});" for k, v in enumerate(table))
          + "\nv_t[int(i)] = vec4(100.0);\ngl_Position = vec4(0.0);\n}",
          f"input i: {' | '.join(indices)}" + "".join(f"\nexpect v_t[{e}]: {written(e)}" for e in range(4)),
          stage="vertex")
