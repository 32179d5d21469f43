"""Texture lookups, derivatives, built-in variables and constants, varyings, attributes, precision, preprocessor."""

import math

from .suite import FLOAT_TYPES, MAT_TYPES, SIZES, Suite, spell
from .values import M, V, numbers


def cases():
    s = Suite("interface", "Built-in variables and constants, varyings and attributes of every type, derivatives.")
    variables(s)
    derivatives(s)
    passing(s)
    precision(s)
    return s


def lanes_text(rows):
    return " | ".join(" ".join(map(spell, numbers(r))) for r in rows)


def variables(s):
    pixels = [V(k % 4 + 0.5, k // 4 + 0.5, k / 16, 1.0) for k in range(16)]
    s.case("gl_FragCoord", "result = gl_FragCoord;", lambda FragCoord: FragCoord, builtins={"gl_FragCoord": pixels})
    s.case("gl_FragCoord_in_function", "result = vec4(f(), 0.0, 1.0);", lambda FragCoord: V(FragCoord.yx, 0, 1),
           builtins={"gl_FragCoord": pixels}, decl="vec2 f() { return gl_FragCoord.yx; }")
    s.case("gl_FragCoord_checker",
           "if (mod(floor(gl_FragCoord.x) + floor(gl_FragCoord.y), 2.0) < 1.0) discard;\nresult = vec4(1.0);",
           lambda FragCoord: None if (int(FragCoord.x) + int(FragCoord.y)) % 2 == 0 else V(1, 1, 1, 1),
           builtins={"gl_FragCoord": pixels})
    s.case("gl_FrontFacing", "result = gl_FrontFacing ? vec4(1.0, 2.0, 3.0, 4.0) : vec4(5.0);",
           lambda FrontFacing: V(1, 2, 3, 4) if FrontFacing else V(5, 5, 5, 5),
           builtins={"gl_FrontFacing": [1, 0, 0, 1] * 4})
    s.case("gl_FrontFacing_logic",
           "bool back = !gl_FrontFacing;\nresult = vec4(gl_FrontFacing, back, gl_FrontFacing == back, 1.0);",
           lambda FrontFacing: V(FrontFacing, 1 - FrontFacing, 0, 1), builtins={"gl_FrontFacing": [1, 0, 0, 1] * 4})
    s.case("gl_PointCoord", "result = vec4(gl_PointCoord, gl_PointCoord.y - gl_PointCoord.x, 0.0);",
           lambda PointCoord: V(PointCoord, PointCoord.y - PointCoord.x, 0),
           builtins={"gl_PointCoord": [p.xy / 4 for p in pixels]})
    s.raw("gl_FragData", "precision highp float;\nvarying vec4 a;\nvoid main() {\n    gl_FragData[0] = a.wzyx;\n"
          "    gl_FragData[0].x += 1.0;\n}", "input a: 1 2 3 4 | 5 6 7 8\nexpect gl_FragData[0]: 5 3 2 1 | 9 7 6 5")
    s.raw("gl_FragColor_read_back", "precision highp float;\nvarying vec4 a;\nvoid main() {\n    gl_FragColor = a;\n"
          "    gl_FragColor.yz = gl_FragColor.xw * 2.0;\n    gl_FragColor *= gl_FragColor.x;\n}",
          "input a: 1 2 3 4 | 5 6 7 8\nexpect gl_FragColor: 1 2 8 4 | 25 50 80 40")
    s.raw("gl_FragColor_in_function",
          "precision highp float;\nvarying float a;\nvoid put(float x) { gl_FragColor = vec4(x, gl_FragColor.xyz); }\n"
          "void main() {\n    gl_FragColor = vec4(0.0);\n    for (int k = 0; k < 4; ++k) put(a + float(k));\n}",
          "input a: 1 | 5\nexpect gl_FragColor: 4 3 2 1 | 8 7 6 5")
    s.raw("gl_Position_and_size", "attribute vec4 a;\nvoid main() {\n    gl_Position = a;\n    gl_Position.z *= 2.0;\n"
          "    gl_PointSize = gl_Position.w + 1.0;\n}",
          "input a: 1 2 3 4 | 5 6 7 8\nexpect gl_Position: 1 2 6 4 | 5 6 14 8\n"
          "expect gl_PointSize: 5 | 9", stage="vertex")
    s.raw("gl_FragDepthEXT", "#extension GL_EXT_frag_depth : require\nprecision highp float;\nvarying float a;\n"
          "void main() {\n    gl_FragColor = vec4(1.0);\n    gl_FragDepthEXT = a * 0.5;\n}",
          "input a: 1 | 0.5\nexpect gl_FragDepth: 0.5 | 0.25\nexpect gl_FragColor: 1 1 1 1 | 1 1 1 1")
    for stage in ("vertex", "fragment"):
        s.case(f"gl_DepthRange_{stage}", "result = vec4(gl_DepthRange.near, gl_DepthRange.far, gl_DepthRange.diff, a);",
               lambda a: V(0.25, 0.75, 0.5, a), {"a": "float"}, stage=stage,
               decl="const int mentioned = 0; // gl_DepthRange",
               run="uniform gl_DepthRange.near: 0.25\nuniform gl_DepthRange.far: 0.75\nuniform gl_DepthRange.diff: 0.5")
        limits = {"gl_MaxVertexAttribs": 16, "gl_MaxVertexUniformVectors": 256, "gl_MaxVaryingVectors": 31,
                  "gl_MaxVertexTextureImageUnits": 16, "gl_MaxCombinedTextureImageUnits": 32,
                  "gl_MaxTextureImageUnits": 16,
                  "gl_MaxFragmentUniformVectors": 256, "gl_MaxDrawBuffers": 1}
        for name, value in limits.items():
            s.case(f"{name}_{stage}",
                   f"const int limit = {name};\nfloat t[{name}];\nt[{name} - 1] = a;\nresult = vec4(limit, t[limit - "
                   f"1], 0.0, 1.0);",
                   lambda a, value=value: V(value, a, 0, 1), {"a": "float"}, stage=stage, lanes=8)


def derivatives(s):
    extension = "#extension GL_OES_standard_derivatives : enable"
    for kind in FLOAT_TYPES:
        size = SIZES[kind]
        weights = [(1.5 + c, -0.25 * (c + 1), 2.0 * c) for c in range(size)]
        at = lambda x, y, weights=weights: V(*(wx * x + wy * y + w for wx, wy, w in weights))
        rows = [at(k % 4, k // 4) for k in range(16)]
        dom = {"a": rows}
        dx, dy = V(*(w[0] for w in weights)), V(*(w[1] for w in weights))
        same = {"args": {"a": kind}, "dom": dom, "stage": "fragment", "head": extension}
        s.expr(f"dFdx_{kind}", kind, "dFdx(a)", lambda a, d=dx: d, **same)
        s.expr(f"dFdy_{kind}", kind, "dFdy(a)", lambda a, d=dy: d, **same)
        s.expr(f"fwidth_{kind}", kind, "fwidth(a)", lambda a, x=dx, y=dy: x.map(abs) + y.map(abs), **same)
        s.expr(f"derivative_of_expression_{kind}", kind, "dFdx(a * 2.0 + 1.0) + dFdy(-a)", lambda a, x=dx,
               y=dy: x * 2.0 - y, **same)
    s.case("derivative_after_discard_beside",
           "float d = dFdx(a);\nif (a > 5.0) discard;\nresult = vec4(d, a, 0.0, 1.0);",
           lambda a: None if a > 5 else V(2, a, 0, 1), {"a": "float"},
           dom={"a": [2.0 * (k % 4) + k // 4 for k in range(16)]},
           stage="fragment", head=extension)
    s.case("derivative_in_uniform_branch", "result = u_on ? vec4(fwidth(a)) : vec4(0.0);", lambda a: V(3, 3, 3, 3),
           {"a": "float"},
           dom={"a": [2.0 * (k % 4) + k // 4 for k in range(16)]}, uniforms={"u_on": ("bool u_on", 1)},
           stage="fragment", head=extension)


def passing(s):
    """Varyings and attributes of every type, in both stages at once and alone."""
    for kind in FLOAT_TYPES + MAT_TYPES:
        size = SIZES[kind]
        rows = [V(*((k * 5 + c * 3) % 17 / 4 - 2 for c in range(size))) for k in range(8)]
        vertex = f"attribute {kind} a;\nvarying {kind} v;\nvoid main() {{\n    v = a * 2.0;\n    gl_Position = vec4(1.0);\n}}"
        s.raw(f"varying_out_{kind}", vertex,
              f"input a: {lanes_text(rows)}\nexpect v: {lanes_text([r * 2.0 for r in rows])}", stage="vertex")
        fragment = (f"[fragment glsl]\nprecision highp float;\nvarying {kind} v;\nvoid main() {{ gl_FragColor = "
                    + {"float": "vec4(v)", "vec2": "v.xyxy", "vec3": "v.xyzx", "vec4": "v"}.get(kind,
                        "vec4(v[0][0], v[0][1], v[1][0], v[1][1])")
                    + "; }")
        pick = {"float": (0, 0, 0, 0), "vec2": (0, 1, 0, 1), "vec3": (0, 1, 2, 0), "vec4": (0, 1, 2, 3)}.get(
            kind, (0, 1, int(kind[3]) if kind[0] == "m" else 0, int(kind[3]) + 1 if kind[0] == "m" else 0))
        expected = lanes_text([V(*(r[k] for k in pick)) for r in rows])
        s.raw(f"varying_linked_{kind}", vertex + "\n" + fragment,
              f"input v: {lanes_text(rows)}\nexpect gl_FragColor: {expected}", stage="vertex")
        s.raw(f"varying_linked_vertex_{kind}", vertex + "\n" + fragment,
              f"stage vertex\ninput a: {lanes_text(rows)}\nexpect v: {lanes_text([r * 2.0 for r in rows])}",
              stage="vertex")
    many = [("float", "f"), ("vec2", "g"), ("vec3", "h"), ("vec2", "i"), ("float", "j"), ("vec4", "k")]
    declarations = "\n".join(f"varying {t} {n};" for t, n in many)
    vertex = f"attribute vec4 a;\n{declarations}\nvoid main() {{\n    f = a.x; g = a.yz; h = a.wzy; i = a.xx; j = a.w; k = a;\n    gl_Position = a;\n}}"
    fragment = f"precision highp float;\n{declarations}\nvoid main() {{ gl_FragColor = vec4(f + j, g.y + h.x, i.y + h.z, k.w + g.x); }}"
    s.raw("varyings_packed_out", f"{vertex}\n[fragment glsl]\n{fragment}",
          "stage vertex\ninput a: 1 2 3 4 | 5 6 7 8\nexpect f: 1 | 5\n"
          "expect g: 2 3 | 6 7\nexpect h: 4 3 2 | 8 7 6\nexpect i: 1 1 | 5 5\nexpect j: 4 | 8\nexpect k: 1 2 3 4 | 5 "
          "6 7 8", stage="vertex")
    s.raw("varyings_packed_in", f"{vertex}\n[fragment glsl]\n{fragment}",
          "input f: 1 | 2\ninput g: 2 3 | 3 4\ninput h: 4 5 6 | 5 6 7\n"
          "input i: 7 8 | 8 9\ninput j: 10 | 20\ninput k: 0 0 0 100 | 0 0 0 200\nexpect gl_FragColor: 11 7 14 102 | "
          "22 9 16 203", stage="vertex")
    s.raw("varying_written_in_branch",
          "attribute float a;\nvarying vec3 v;\nvoid set(float x) { v.yz = vec2(x, -x); }\nvoid main() {\n"
          "    v = vec3(0.0);\n    if (a > 0.0) set(a); else v.x = a;\n    v.z += 1.0;\n    gl_Position = vec4(v, "
          "1.0);\n}",
          "input a: 1 | -2 | 3 | -4\nexpect v: 0 1 0 | -2 0 1 | 0 3 -2 | -4 0 1\nexpect gl_Position: 0 1 0 1 | -2 0 1 "
          "1 | 0 3 -2 1 | -4 0 1 1",
          stage="vertex")
    s.raw("varying_read_back",
          "attribute float a;\nvarying float v;\nvoid main() {\n    v = a;\n    v *= v;\n    gl_Position = vec4(v);\n}",
          "input a: 1 | -2 | 3\nexpect v: 1 | 4 | 9", stage="vertex")
    s.raw("invariant_varying",
          "invariant gl_Position;\nattribute vec4 a;\ninvariant varying vec2 v;\nvoid main() {\n    v = a.xy * a.zw;\n"
          "    gl_Position = a * 2.0 + a;\n}\n[fragment glsl]\nprecision highp float;\ninvariant varying vec2 v;\n"
          "void main() { gl_FragColor = vec4(v, v); }",
          "stage vertex\ninput a: 1 2 3 4 | 5 6 7 8\nexpect v: 3 8 | 35 48\nexpect gl_Position: 3 6 9 12 | 15 18 21 24",
          stage="vertex")
    s.raw("invariant_later",
          "attribute vec4 a;\nvarying vec2 v;\ninvariant v, gl_Position;\nvoid main() {\n    v = a.xy;\n    "
          "gl_Position = a;\n}",
          "input a: 1 2 3 4\nexpect v: 1 2", stage="vertex")
    s.raw("invariant_pragma", "#pragma STDGL invariant(all)\nattribute vec4 a;\nvoid main() { gl_Position = a + 1.0; }",
          "input a: 1 2 3 4\nexpect gl_Position: 2 3 4 5", stage="vertex")
    s.raw("attributes_of_every_type",
          "attribute float a;\nattribute vec2 b;\nattribute vec3 c;\nattribute vec4 d;\nattribute mat2 m;\nattribute "
          "mat3 n;\n"
          "attribute mat4 o;\nvoid main() { gl_Position = d * a + vec4(m * b, 0.0, 0.0) + vec4(n * c, 0.0) + o[3]; }",
          "input a: 2\ninput b: 1 2\ninput c: 1 2 3\ninput d: 1 1 1 1\ninput m: 1 2 3 4\ninput n: 1 0 0 0 1 0 0 0 1\n"
          "input o: 0 0 0 0 0 0 0 0 0 0 0 0 100 200 300 400\nexpect gl_Position: 110 214 305 402", stage="vertex")


def precision(s):
    for level in ("lowp", "mediump", "highp"):
        s.raw(f"precision_{level}",
              f"precision {level} float;\nprecision {level} int;\nvarying {level} vec4 a;\nuniform {level} int k;\n"
              f"void main() {{\n    {level} vec4 x = a + a;\n    {level} int i = k * 2;\n    gl_FragColor = x * "
              f"float(i);\n}}",
              "input a: 0.25 0.5 0.75 1\nuniform k: 2\nexpect gl_FragColor: 2 4 6 8")
    s.raw("precision_mixed",
          "precision mediump float;\nvarying highp vec4 a;\nvarying lowp float b;\nlowp float f(highp float x, "
          "mediump float y) { return x - y; }\n"
          "void main() { gl_FragColor = vec4(f(a.x, b), a.yzw); }",
          "input a: 0.25 0.5 0.75 1\ninput b: 0.5\nexpect gl_FragColor: -0.25 0.5 0.75 1")
    s.raw("precision_scoped",
          "precision lowp float;\nvarying vec4 a;\nvoid main() {\n    precision highp float;\n    { precision mediump "
          "int; int k = 2; gl_FragColor = a * float(k); }\n}",
          "input a: 1 2 3 4\nexpect gl_FragColor: 2 4 6 8")
    s.raw("precision_default_vertex", "attribute vec4 a;\nuniform int k;\nvoid main() { gl_Position = a * float(k); }",
          "input a: 1 2 3 4\nuniform k: 3\nexpect gl_Position: 3 6 9 12", stage="vertex")
    s.raw("precision_samplers",
          "precision lowp sampler2D;\nprecision mediump samplerCube;\nprecision mediump float;\nuniform sampler2D "
          "u_t;\nvarying vec2 a;\n"
          "void main() { gl_FragColor = texture2D(u_t, a); }",
          "input a: 0.625 0.375\ntexture u_t: index 4x4\nexpect gl_FragColor: 2 1 0 0")
    s.raw("precision_missing", "varying vec4 a;\nvoid main() { gl_FragColor = a; }", "expect error: ERROR")


# --- Textures ---------------------------------------------------------------------------------------------------------


def grid(scale=1.0):
    """Texel centres of a 4x4 texture, one step for each pixel: level of detail 0."""
    return [V((k % 4 + 0.5) / 4 * scale, (k // 4 + 0.5) / 4 * scale) for k in range(16)]


def texel(at, level, size=4):
    n = max(size >> level, 1)
    return V(math.floor(at.x * n) % n, math.floor(at.y * n) % n, level, 0)


def textures():
    s = Suite("textures", "Texture lookups: 2D and cube, projected, with bias and with explicit level of detail.")
    run = "texture u_t: index 4x4"
    decl = "uniform sampler2D u_t;"
    def flat(name, code, fn, args, dom, stage="fragment", **more):
        s.case(name, f"result = {code};", fn, args, decl=decl, run=more.pop("run", run), dom=dom, stage=stage, **more)

    at = {"a": grid()}
    flat("texture2D", "texture2D(u_t, a)", lambda a: texel(a, 0), {"a": "vec2"}, at)
    flat("texture2D_swizzle", "texture2D(u_t, a).yxwz + vec4(0.0, 0.0, 5.0, 0.0)",
         lambda a: texel(a, 0).yxwz + V(0, 0, 5, 0), {"a": "vec2"}, at)
    flat("texture2D_wraps", "texture2D(u_t, a)", lambda a: texel(a, 0), {"a": "vec2"},
         {"a": [g + V(3, -2) for g in grid()]})
    flat("texture2D_minified", "texture2D(u_t, a * 2.0)", lambda a: texel(a * 2, 1), {"a": "vec2"}, at)
    for bias in (0, 1, 2):
        flat(f"texture2D_bias_{bias}", f"texture2D(u_t, a, {bias}.0)", lambda a, bias=bias: texel(a, bias),
             {"a": "vec2"}, at)
        flat(f"texture2DProj_vec3_bias_{bias}", f"texture2DProj(u_t, vec3(a * q, q), {bias}.0)", lambda a, q,
             bias=bias: texel(a, bias),
             {"a": "vec2", "q": "float"}, {**at, "q": lambda r: r.choice((0.5, 1.0, 2.0, -4.0))})
        flat(f"texture2DProj_vec4_bias_{bias}", f"texture2DProj(u_t, vec4(a * q, 9.0, q), {bias}.0)", lambda a, q,
             bias=bias: texel(a, bias),
             {"a": "vec2", "q": "float"}, {**at, "q": lambda r: r.choice((0.5, 1.0, 2.0, -4.0))})
    flat("texture2D_bias_lane", "texture2D(u_t, a, b)", lambda a, b: texel(a, int(b)), {"a": "vec2", "b": "float"},
         {**at, "b": lambda r: r.randint(0, 2)})
    flat("texture2DProj_vec3", "texture2DProj(u_t, vec3(a * q, q))", lambda a, q: texel(a, 0),
         {"a": "vec2", "q": "float"},
         {**at, "q": lambda r: r.choice((0.5, 1.0, 2.0, -4.0))})
    flat("texture2DProj_vec4", "texture2DProj(u_t, vec4(a * q, 9.0, q))", lambda a, q: texel(a, 0),
         {"a": "vec2", "q": "float"},
         {**at, "q": lambda r: r.choice((0.5, 1.0, 2.0, -4.0))})
    lod = {**at, "l": lambda r: r.randint(0, 2), "q": lambda r: r.choice((0.5, 1.0, 2.0, -4.0))}
    extension = {"head": "#extension GL_EXT_shader_texture_lod : enable"}
    for stage, suffix, more in (("vertex", "", {}), ("fragment", "EXT", extension)):
        flat(f"texture2DLod_{stage}", f"texture2DLod{suffix}(u_t, a, l)", lambda a, l: texel(a, int(l)),
             {"a": "vec2", "l": "float"}, lod, stage, **more)
        flat(f"texture2DProjLod_vec3_{stage}", f"texture2DProjLod{suffix}(u_t, vec3(a * q, q), l)", lambda a, l,
             q: texel(a, int(l)),
             {"a": "vec2", "l": "float", "q": "float"}, lod, stage, **more)
        flat(f"texture2DProjLod_vec4_{stage}", f"texture2DProjLod{suffix}(u_t, vec4(a * q, 3.0, q), l)", lambda a, l,
             q: texel(a, int(l)),
             {"a": "vec2", "l": "float", "q": "float"}, lod, stage, **more)
    flat("texture2DGradEXT", "texture2DGradEXT(u_t, a, vec2(0.25 * s, 0.0), vec2(0.0, 0.25))", lambda a,
         s: texel(a, int(math.log2(s))),
         {"a": "vec2", "s": "float"}, {**at, "s": lambda r: r.choice((1, 2, 4))}, **extension)
    flat("texture2DProjGradEXT", "texture2DProjGradEXT(u_t, vec3(a * 2.0, 2.0), vec2(0.0), vec2(0.25 * s, 0.0))",
         lambda a, s: texel(a, int(math.log2(s))), {"a": "vec2", "s": "float"},
         {**at, "s": lambda r: r.choice((1, 2, 4))}, **extension)
    flat("texture2D_vertex", "texture2D(u_t, a)", lambda a: texel(a, 0), {"a": "vec2"}, at, "vertex")
    flat("texture2DProj_vertex", "texture2DProj(u_t, vec3(a * 2.0, 2.0))", lambda a: texel(a, 0), {"a": "vec2"}, at,
         "vertex")
    flat("dependent_lookup", "texture2D(u_t, (texture2D(u_t, a).yx + 0.5) / 4.0)",
         lambda a: texel(texel(a, 0).yx / 4.0 + 0.125, 0), {"a": "vec2"}, at)
    s.case("lookup_in_uniform_loop",
           "result = vec4(0.0);\nfor (int k = 0; k < 3; ++k) result += texture2D(u_t, a + vec2(float(k) / 4.0, 0.0));",
           lambda a: texel(a, 0) + texel(a + V(0.25, 0), 0) + texel(a + V(0.5, 0), 0), {"a": "vec2"}, decl=decl,
           run=run, dom=at, stage="fragment")
    s.case("lookup_in_divergent_branch_explicit_level",
           "result = vec4(7.0);\nif (l > 0.0) result = texture2DLodEXT(u_t, a, l);",
           lambda a, l: texel(a, int(l)) if l > 0 else V(7, 7, 7, 7), {"a": "vec2", "l": "float"}, decl=decl, run=run,
           dom=lod, stage="fragment", **extension)
    s.case("two_samplers", "result = texture2D(u_t, a) + texture2D(u_s, a.yx) * 10.0;",
           lambda a: texel(a, 0) + texel(a.yx, 0) * 10.0, {"a": "vec2"},
           decl=decl + "\nuniform sampler2D u_s;", run=run + "\ntexture u_s: index 4x4", dom=at, stage="fragment")
    for stage in ("vertex", "fragment"):
        s.case(f"sampler_array_{stage}", "result = texture2D(u_t[0], a) + texture2D(u_t[1], a) * 10.0;",
               lambda a: texel(a, 0) + V((math.floor(a.x * 4) + math.floor(a.y * 4)) % 2 * 10,
                                         (math.floor(a.x * 4) + math.floor(a.y * 4)) % 2 * 10,
                                         (math.floor(a.x * 4) + math.floor(a.y * 4)) % 2 * 10, 10), {"a": "vec2"},
               decl="uniform sampler2D u_t[2];", run="texture u_t[0]: index 4x4\ntexture u_t[1]: checker 4x4", dom=at,
               stage=stage)
        s.case(f"sampler_array_loop_{stage}",
               "result = vec4(0.0);\nfor (int k = 0; k < 3; ++k) result += texture2D(u_t[k], a) * float(k + 1);",
               lambda a: texel(a, 0, 4) + texel(a, 0, 8) * 2.0 + texel(a, 0, 2) * 3.0, {"a": "vec2"},
               decl="uniform sampler2D u_t[3];",
               run="texture u_t[0]: index 4x4\ntexture u_t[1]: index 8x8\ntexture u_t[2]: index 2x2",
               dom={"a": [V((k % 4 + 0.5) / 8, (k // 4 + 0.5) / 8) for k in range(16)]}, stage=stage)
        s.case(f"sampler_parameter_{stage}", "result = f(u_t, a) - f(u_s, a);",
               lambda a: texel(a, 0, 4) - texel(a, 0, 2), {"a": "vec2"},
               decl="uniform sampler2D u_t, u_s;\nvec4 f(sampler2D t, vec2 at) { return texture2D(t, at); }",
               run="texture u_t: index 4x4\ntexture u_s: index 2x2",
               dom={"a": [V((k % 4 + 0.5) / 8, (k // 4 + 0.5) / 8) for k in range(16)]}, stage=stage)
    s.case("sampler_in_struct", "result = texture2D(u_m.t, a * u_m.scale);", lambda a: texel(a, 0), {"a": "vec2"},
           decl="struct Map { sampler2D t; float scale; };\nuniform Map u_m;",
           run="texture u_m.t: index 4x4\nuniform u_m.scale: 1", dom=at, stage="fragment")
    s.case("sampler_in_struct_parameter", "result = look(u_m, a);", lambda a: texel(a, 0), {"a": "vec2"},
           decl="struct Map { sampler2D t; float scale; };\nuniform Map u_m;\nvec4 look(Map m, vec2 at) { return "
                "texture2D(m.t, at * m.scale); }",
           run="texture u_m.t: index 4x4\nuniform u_m.scale: 1", dom=at, stage="fragment")
    s.case("sampler_arrays_in_structs",
           "result = vec4(0.0);\nfor (int i = 0; i < 2; ++i)\n"
           "    for (int k = 0; k < 2; ++k) result += texture2D(u_m[i].t[k], a) * u_m[i].scale[k];",
           lambda a: texel(a, 0, 4) + texel(a, 0, 8) * 2.0 + texel(a, 0, 2) * 3.0 + texel(a, 0, 16) * 4.0,
           {"a": "vec2"}, decl="struct Maps { sampler2D t[2]; float scale[2]; };\nuniform Maps u_m[2];",
           run="texture u_m[0].t[0]: index 4x4\ntexture u_m[0].t[1]: index 8x8\ntexture u_m[1].t[0]: index 2x2\n"
               "texture u_m[1].t[1]: index 16x16\nuniform u_m[0].scale[0]: 1\nuniform u_m[0].scale[1]: 2\n"
               "uniform u_m[1].scale[0]: 3\nuniform u_m[1].scale[1]: 4",
           dom={"a": [V((k % 4 + 0.5) / 16, (k // 4 + 0.5) / 16) for k in range(16)]}, stage="fragment")
    cubes(s)
    return s


def cube_texel(d, level=0, size=4):
    """Table 3.21 of the OpenGL ES 2.0 specification."""
    x, y, z = d
    face = max(((abs(x), -0, 0 if x > 0 else 1), (abs(y), -1, 2 if y > 0 else 3), (abs(z), -2, 4 if z > 0 else 5)))[2]
    sc, tc, ma = ((-z, -y, x), (z, -y, -x), (x, z, y), (x, -z, -y), (x, -y, z), (-x, -y, -z))[face]
    n = max(size >> level, 1)
    at = V((sc / ma + 1) / 2, (tc / ma + 1) / 2)
    return V(min(math.floor(at.x * n), n - 1), min(math.floor(at.y * n), n - 1), level, face)


def cubes(s):
    directions = []
    for k in range(24):
        major, sign, u, v = k % 3, 1 if k % 2 else -1, (-0.6, 0.3, 0.7, -0.2)[k % 4], (0.55, -0.65, 0.1, -0.3)[k // 6]
        d = [u, v]
        d.insert(major, float(sign))
        directions.append(V(*d) * (1 + k % 3))
    decl = "uniform samplerCube u_c;"
    run = "texture u_c: index 4x4 cube"
    # Neighbouring pixels look anywhere, so only lookups with an explicit level have a known one.
    s.case("textureCubeLod_vertex", "result = textureCubeLod(u_c, a, l);", lambda a, l: cube_texel(a, int(l)),
           {"a": "vec3", "l": "float"}, decl=decl, run=run,
           dom={"a": directions, "l": lambda r: r.randint(0, 2)}, stage="vertex", lanes=24)
    s.case("textureCubeLodEXT_fragment", "result = textureCubeLodEXT(u_c, a, l);", lambda a, l: cube_texel(a, int(l)),
           {"a": "vec3", "l": "float"}, decl=decl,
           run=run, dom={"a": directions, "l": lambda r: r.randint(0, 2)}, stage="fragment", lanes=24,
           head="#extension GL_EXT_shader_texture_lod : enable")
    s.case("textureCube_vertex", "result = textureCube(u_c, a);", lambda a: cube_texel(a), {"a": "vec3"}, decl=decl,
           run=run, dom={"a": directions},
           stage="vertex", lanes=24)
    for face in range(6):
        major, sign = face // 2, 1.0 if face % 2 == 0 else -1.0
        rows = []
        for g in grid():
            d = [g.x * 2 - 1, g.y * 2 - 1]
            d.insert(major, sign)
            rows.append(V(*d))
        s.case(f"textureCube_face_{face}", "result = textureCube(u_c, a);", lambda a: cube_texel(a), {"a": "vec3"},
               decl=decl, run=run,
               dom={"a": rows}, stage="fragment")
        s.case(f"textureCube_face_{face}_bias", "result = textureCube(u_c, a * 3.0, 1.0);", lambda a: cube_texel(a, 1),
               {"a": "vec3"}, decl=decl, run=run,
               dom={"a": rows}, stage="fragment")


# --- Preprocessor -----------------------------------------------------------------------------------------------------


def preprocessor():
    s = Suite("preprocessor", "Directives, macros and predefined names.")

    def numbers_of(name, text, expected, extra=""):
        """`text` defines R, a vec4."""
        s.raw(name, f"{text.strip()}\nprecision highp float;\nvoid main() {{ gl_FragColor = {extra or 'R'}; }}",
              "expect gl_FragColor: " + " ".join(map(str, expected)))

    def value_of(name, text, expected):
        numbers_of(name, text + "\n#define R vec4(X)" , [expected] * 4)

    value_of("define", "#define X 3.0", 3)
    value_of("define_expression", "#define X 1.0 + 2.0 * 3.0", 7)
    value_of("define_nested", "#define A 2.0\n#define B A * A\n#define X B + A", 6)
    value_of("define_later_names", "#define X B\n#define B A\n#define A 4.0", 4)
    value_of("define_self_reference", "#define A A\n#define X A + 1.0\nconst highp float A = 5.0;", 6)
    value_of("define_empty", "#define NOTHING\n#define X NOTHING 3.0 NOTHING", 3)
    value_of("undef_redefine", "#define X 1.0\n#undef X\n#define X 2.0", 2)
    value_of("undef_unknown", "#undef NEVER\n#define X 2.0", 2)
    value_of("redefine_same", "#define X 1.0\n#define X 1.0", 1)
    value_of("function_macro", "#define SQUARE(x) ((x) * (x))\n#define X SQUARE(1.0 + 2.0)", 9)
    value_of("function_macro_two", "#define MIX(a, b) (a * 10.0 + b)\n#define X MIX(2.0, 3.0)", 23)
    value_of("function_macro_nested", "#define F(x) (x + 1.0)\n#define G(x) F(F(x)) * 2.0\n#define X G(F(1.0))", 8)
    value_of("function_macro_commas_in_parentheses", "#define FIRST(a, b) a\n#define X FIRST(max(1.0, 2.0), 3.0)", 2)
    value_of("function_macro_no_arguments", "#define F() 4.0\n#define X F()", 4)
    value_of("function_macro_without_call", "#define F(x) 9.0\nconst highp float F = 2.0;\n#define X F", 2)
    value_of("function_macro_space_before_call", "#define F(x) (x + 1.0)\n#define X F (2.0)", 3)
    value_of("object_macro_with_parenthesis", "#define F (2.0)\n#define X F * 2.0", 4)
    value_of("function_macro_across_lines",
             "#define F(a, b) (a - b)\nconst highp float k = F(5.0,\n    2.0);\n#define X k", 3)
    value_of("macro_builds_declaration",
             "#define DECLARE(type, name, value) const type name = value;\nDECLARE(highp float, k, 8.0)\n#define X k",
             8)
    value_of("macro_of_function",
             "#define DOUBLE(name) float name(float x) { return x + x; }\nprecision highp float;\nDOUBLE(twice)\n"
             "#define X twice(3.0)", 6)
    value_of("macro_argument_used_twice", "#define F(x) x x\n#define X 1.0 F(+ 1.0)", 3)
    value_of("macro_argument_empty", "#define F(x) 2.0 x\n#define X F()", 2)
    value_of("macro_argument_shadows_macro", "#define a 9.0\n#define F(a) (a)\n#define X F(1.0)", 1)
    value_of("keyword_macro", "#define real highp float\nconst real k = 2.0;\n#define X k", 2)
    conditions = {
        "one": ("1", 1), "zero": ("0", 0), "compare": ("3 > 2", 1), "arithmetic": ("2 + 3 * 4 == 14", 1),
        "division": ("7 / 2 == 3 && 7 % 4 == 3", 1),
        "shift": ("(1 << 4) == 16 && (32 >> 2) == 8", 1), "bits": ("(6 & 3) == 2 && (6 | 1) == 7 && (6 ^ 3) == 5", 1),
        "not": ("!0", 1),
        "complement": ("~0 == -1", 1), "negative": ("-1 < 0", 1), "precedence": ("1 + 1 << 1 == 4", 1),
        "and_or": ("0 && 1 || 1", 1),
        "parentheses": ("0 && (1 || 1)", 0), "hexadecimal": ("0x10 == 16", 1), "octal": ("010 == 8", 1),
        "macro": ("A == 5", 1),
        "macro_function": ("F(2) == 4", 1), "defined": ("defined A", 1),
        "defined_parentheses": ("defined(A) && !defined(NEVER)", 1),
        "defined_not": ("defined NEVER", 0), "not_equal": ("A != 5", 0), "less_equal": ("A <= 5 && A >= 5", 1),
        "unary_plus": ("+3 == 3", 1),
    }
    for name, (condition, holds) in conditions.items():
        value_of(f"if_{name}",
                 f"#define A 5\n#define F(x) (x * 2)\n#if {condition}\n#define X 1.0\n#else\n#define X 0.0\n#endif",
                 holds)
    value_of("ifdef", "#define A\n#ifdef A\n#define X 1.0\n#else\n#define X 2.0\n#endif", 1)
    value_of("ifndef", "#ifndef A\n#define X 1.0\n#else\n#define X 2.0\n#endif", 1)
    for k in range(4):
        value_of(f"elif_{k}",
                 f"#define A {k}\n#if A == 0\n#define X 10.0\n#elif A == 1\n#define X 11.0\n#elif A == 2\n#define X "
                 f"12.0\n#else\n#define X 13.0\n#endif", 10 + k)
    value_of("if_nested",
             "#if 1\n#if 0\n#define X 1.0\n#else\n#if 1\n#define X 2.0\n#endif\n#endif\n#else\n#define X 3.0\n#endif",
             2)
    value_of("if_skipped_nonsense",
             "#if 0\n this is \" not ' GLSL @ $\n#if nonsense(\n#endif\n#unknown\n#else\n#define X 1.0\n#endif", 1)
    value_of("elif_after_taken", "#if 1\n#define X 1.0\n#elif 1\n#define X 2.0\n#endif", 1)
    value_of("spaces_in_directives", "  #  define   X   3.0  ", 3)
    value_of("comment_in_directive", "#define X /* two */ 2.0 // three", 2)
    value_of("comment_across_lines", "#define X 2.0 /* this\n#define X 3.0\n*/", 2)
    value_of("comment_between_tokens", "#define X 1.0/* */+/* */2.0", 3)
    value_of("empty_directive", "#\n#define X 1.0\n#", 1)
    numbers_of("line_number", "\n\nprecision highp float;\nconst float k = float(__LINE__);\n#define R vec4(k)",
               [2] * 4)
    numbers_of("line_directive", "#line 100\nconst highp float k = float(__LINE__);\n#define R vec4(k)", [100] * 4)
    numbers_of("version", "#define R vec4(__VERSION__, GL_ES, 0, 1)", [100, 1, 0, 1])
    numbers_of("version_directive", "#version 100\n#define R vec4(__VERSION__)", [100] * 4)
    numbers_of("file_number", "#define R vec4(__FILE__)", [0] * 4)
    value_of("ifdef_gl_es", "#ifdef GL_ES\n#define X 1.0\n#else\n#define X 0.0\n#endif", 1)
    value_of("ifdef_high_precision", "#ifdef GL_FRAGMENT_PRECISION_HIGH\n#define X 1.0\n#else\n#define X 0.0\n#endif",
             1)
    value_of("ifdef_extension", "#ifdef GL_OES_standard_derivatives\n#define X 1.0\n#else\n#define X 0.0\n#endif", 1)
    value_of("extension_warn_unknown", "#extension GL_NEVER_heard : warn\n#define X 1.0", 1)
    value_of("extension_all_warn", "#extension all : warn\n#define X 1.0", 1)
    value_of("pragmas", "#pragma optimize(off)\n#pragma debug(on)\n#pragma anything at all\n#define X 1.0", 1)
    errors = {
        "error_directive": "#error stop here", "unterminated_if": "#if 1", "else_without_if": "#else",
        "endif_without_if": "#endif",
        "undefined_in_if": "#if NEVER == 0\n#endif", "extension_require_unknown": "#extension GL_NEVER_heard : require",
        "version_late": "precision highp float;\n#version 100", "version_unknown": "#version 99",
        "redefine_other": "#define A 1\n#define A 2",
        "redefine_predefined": "#define __LINE__ 3", "define_gl_name": "#define GL_something 1",
        "unknown_directive": "#include <x>",
        "macro_arguments": "#define F(a, b) a\nconst int k = F(1);",
    }
    for name, text in errors.items():
        s.raw(f"refused_{name}", f"{text}\nvoid main() {{ gl_FragColor = vec4(1.0); }}", "expect error: ERROR")
    return s
