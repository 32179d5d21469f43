"""Random expressions and random programs, written in GLSL and in Python at the same time from a fixed seed.

Floats are pairs of a value and a bound of the error that single precision may have made, so that the tolerance of a
case follows from its own computation. Branches and indices depend on integers only, which are exact.
"""

import random

from .suite import SIZES, Suite
from .values import M, V, idiv

UNIT = 2.0 ** -24
WORST = 1e-4  # programs whose bound is larger tell little and are replaced
LANES = 16


class E:
    """A float with a bound of its error."""

    def __init__(self, value, error=0.0):
        self.value, self.error = value, error

    @staticmethod
    def of(x):
        return x if isinstance(x, E) else E(float(x))

    def rounded(self):
        return E(self.value, self.error + (abs(self.value) + self.error) * UNIT)

    def __add__(self, o):
        if isinstance(o, tuple):
            return NotImplemented
        o = E.of(o)
        return E(self.value + o.value, self.error + o.error).rounded()

    def __sub__(self, o):
        if isinstance(o, tuple):
            return NotImplemented
        o = E.of(o)
        return E(self.value - o.value, self.error + o.error).rounded()

    def __mul__(self, o):
        if isinstance(o, tuple):
            return NotImplemented
        o = E.of(o)
        return E(self.value * o.value,
                 abs(self.value) * o.error + abs(o.value) * self.error + self.error * o.error).rounded()

    __radd__ = __add__
    __rmul__ = __mul__

    def __rsub__(self, o):
        return E.of(o) - self

    def __neg__(self):
        return E(-self.value, self.error)

    def lipschitz(self, value, slope=1.0, own=0.0):
        """A function whose slope is bounded, with an error of its own."""
        return E(value, slope * self.error + own)


def f_min(a, b):
    a, b = E.of(a), E.of(b)
    return E(min(a.value, b.value), max(a.error, b.error))


def f_max(a, b):
    a, b = E.of(a), E.of(b)
    return E(max(a.value, b.value), max(a.error, b.error))


def f_abs(a):
    return E(abs(a.value), a.error)


def f_clamp(a):
    return f_min(f_max(a, -4.0), 4.0)


def each(function):
    return lambda a, *rest: a.map(function, *rest) if isinstance(a, tuple) else function(a, *rest)


def dot(a, b):
    total = a[0] * b[0]
    for x, y in zip(a[1:], b[1:]):
        total = total + x * y
    return total


# --- Functions that random programs call, in both languages ---

LIBRARY = """
int wrap(int x) { return x - x / 101 * 101; }
struct Item { vec2 v; int n; };
int find(int values[4], int x) {
    for (int k = 0; k < 4; ++k) {
        if (values[k] == x) return k;
        for (int j = 0; j < k; ++j) if (values[j] + values[k] > x + 20) return 10 + j;
    }
    return -1;
}
bool push(inout float values[4], int at, float x) {
    if (x == 100.0) return false;
    for (int k = 3; k > 0; --k) {
        if (k <= at) break;
        values[k] = values[k - 1];
    }
    values[at] = x;
    return at > 1;
}
void bump(inout Item item, int k, out int old) {
    old = item.n;
    if (k < 0) {
        item.v.y = 0.5;
        return;
    }
    item.n = wrap(item.n + k);
    item.v = item.v.yx;
}
vec2 walk(inout vec2 v, int n) {
    int k = 0;
    while (true) {
        v = clamp(v.yx + vec2(0.25, float(k)), -4.0, 4.0);
        if (++k > n) return v;
        do {
            if (k == 3) return vec2(-1.0, v.x);
            k++;
            if (k - k / 2 * 2 == 0) continue;
            v.x = -v.x;
        } while (k < 2);
    }
    return vec2(9.0);
}
"""


def find(values, x):
    for k in range(4):
        if values[k] == x:
            return k
        for j in range(k):
            if values[j] + values[k] > x + 20:
                return 10 + j
    return -1


def push(values, at, x):
    for k in (3, 2, 1):
        if k <= at:
            break
        values[k] = values[k - 1]
    values[at] = x
    return at > 1


def bump(items, i, k):
    v, n = items[i]
    items[i] = (V(v.x, E(0.5)), n) if k < 0 else (v.yx, NAMESPACE["wrap"](n + k))
    return n


def walk(v, n):
    """The result and the new v."""
    k = 0
    while True:
        v = each(f_clamp)(v.yx + V(E(0.25), E(k)))
        k += 1
        if k > n:
            return v, v
        while True:
            if k == 3:
                return V(E(-1.0), v.x), v
            k += 1
            if k % 2:
                v = V(-v.x, v.y)
            if not k < 2:
                break


NAMESPACE = {"V": V, "E": E, "idiv": idiv, "f_min": each(f_min), "f_max": each(f_max), "f_abs": each(f_abs),
             "f_clamp": each(f_clamp),
             "dot": dot, "M": M, "find": find, "push": push, "bump": bump, "walk": walk,
             "wrap": lambda x: x - idiv(x, 101) * 101}


def cases():
    s = Suite("random", "Random expressions and programs from a fixed seed.")
    for k in range(100):
        expression_case(s, k)
    for k in range(100):
        program_case(s, k)
    return s


class Writer:
    """Writes expressions as (GLSL, Python) pairs over the variables in scope: name to type."""

    def __init__(self, seed, variables):
        self.r = random.Random(seed)
        self.variables = dict(variables)
        self.fixed = set()  # loop counters: read, never assigned

    def pick(self, *options):
        return self.r.choice(options)

    def leaf(self, kind):
        names = [n for n, t in self.variables.items() if t == kind]
        if names and self.r.random() < 0.8:
            name = self.r.choice(names)
            return name, name
        if kind == "float":
            value = self.r.randint(-12, 12) / 4
            return f"({value})", f"E({value})"
        if kind == "int":
            value = self.r.randint(-9, 9)
            return f"({value})", f"({value})"
        if kind == "bool":
            return self.expression("bool", 1)
        part = [self.leaf("float") for _ in range(SIZES[kind])]
        return f"{kind}({', '.join(p[0] for p in part)})", f"V({', '.join(p[1] for p in part)})"

    def expression(self, kind, depth):
        if depth <= 0:
            return self.leaf(kind)
        return {"float": self.number, "int": self.integer, "bool": self.condition}.get(kind,
            lambda d: self.vector(kind, d))(depth)

    def ternary(self, kind, depth):
        c, a, b = self.condition(depth - 1), self.expression(kind, depth - 1), self.expression(kind, depth - 1)
        return f"({c[0]} ? {a[0]} : {b[0]})", f"({a[1]} if {c[1]} else {b[1]})"

    def number(self, depth):
        sub = lambda: self.expression("float", depth - 1)
        choice = self.r.randrange(9)
        if choice <= 3:
            op, a, b = self.pick("+", "-", "*"), sub(), sub()
            code = f"({a[0]} {op} {b[0]})", f"({a[1]} {op} {b[1]})"
            return code if op != "*" else (f"clamp({code[0]}, -4.0, 4.0)", f"f_clamp({code[1]})")
        if choice == 4:
            name, a, b = self.pick("min", "max"), sub(), sub()
            return f"{name}({a[0]}, {b[0]})", f"f_{name}({a[1]}, {b[1]})"
        if choice == 5:
            a = sub()
            return self.pick((f"abs({a[0]})", f"f_abs({a[1]})"), (f"(-{a[0]})", f"(-{a[1]})"))
        if choice == 6:
            return self.ternary("float", depth)
        if choice == 7:
            a = self.integer(depth - 1)
            return f"float({a[0]}) * 0.0625", f"E(({a[1]}) * 0.0625)"
        kind = self.pick("vec2", "vec3", "vec4")
        a = self.expression(kind, depth - 1)
        if self.r.random() < 0.3:
            b = self.expression(kind, depth - 1)
            return f"clamp(dot({a[0]}, {b[0]}), -4.0, 4.0)", f"f_clamp(dot({a[1]}, {b[1]}))"
        c = self.r.choice("xyzw"[: SIZES[kind]])
        return f"{a[0]}.{c}", f"{a[1]}.{c}"

    def integer(self, depth):
        if depth <= 0:
            return self.leaf("int")
        sub = lambda: self.expression("int", depth - 1)
        choice = self.r.randrange(7)
        if choice <= 2:
            op, a, b = self.pick("+", "-"), sub(), sub()
            return f"({a[0]} {op} {b[0]})", f"({a[1]} {op} {b[1]})"
        if choice == 3:
            a, b = sub(), sub()
            return f"wrap(wrap({a[0]}) * wrap({b[0]}))", f"wrap(wrap({a[1]}) * wrap({b[1]}))"
        if choice == 4:
            a, b = sub(), self.r.choice((2, 3, 5, -2, 7))
            return f"({a[0]} / ({b}))", f"idiv({a[1]}, {b})"
        if choice == 5:
            a = self.condition(depth - 1)
            return f"int({a[0]})", f"int({a[1]})"
        return self.ternary("int", depth)

    def condition(self, depth):
        a, b = self.expression("int", depth - 1), self.expression("int", depth - 1)
        choice = self.r.randrange(7)
        if choice <= 2 or depth <= 0:
            op = self.pick("<", ">", "<=", ">=", "==", "!=")
            return f"({a[0]} {op} {b[0]})", f"({a[1]} {op} {b[1]})"
        c, d = self.condition(depth - 1), self.condition(depth - 1)
        if choice == 3:
            return f"(!{c[0]})", f"(not {c[1]})"
        if choice == 4:
            return f"({c[0]} && {d[0]})", f"({c[1]} and {d[1]})"
        if choice == 5:
            return f"({c[0]} || {d[0]})", f"({c[1]} or {d[1]})"
        return f"({c[0]} ^^ {d[0]})", f"({c[1]} != {d[1]})"

    def vector(self, kind, depth):
        size = SIZES[kind]
        sub = lambda: self.expression(kind, depth - 1)
        choice = self.r.randrange(7)
        if choice <= 2:
            op, a = self.pick("+", "-", "*"), sub()
            b = sub() if self.r.random() < 0.6 else self.expression("float", depth - 1)
            if self.r.random() < 0.2:
                a = self.expression("float", depth - 1)
                b = sub()
            code = f"({a[0]} {op} {b[0]})", f"({a[1]} {op} {b[1]})"
            return code if op != "*" else (f"clamp({code[0]}, -4.0, 4.0)", f"f_clamp({code[1]})")
        if choice == 3:
            other = self.pick("vec2", "vec3", "vec4")
            a = self.expression(other, depth - 1)
            letters = "".join(self.r.choice("xyzw"[: SIZES[other]]) for _ in range(size))
            return f"{a[0]}.{letters}", f"{a[1]}.{letters}"
        if choice == 4:
            name, a, b = self.pick("min", "max"), sub(), sub()
            return f"{name}({a[0]}, {b[0]})", f"f_{name}({a[1]}, {b[1]})"
        if choice == 5:
            cut = self.r.randint(1, size - 1)
            kinds = {1: "float", 2: "vec2", 3: "vec3"}
            a, b = self.expression(kinds[cut], depth - 1), self.expression(kinds[size - cut], depth - 1)
            return f"{kind}({a[0]}, {b[0]})", f"V({a[1]}, {b[1]})"
        return self.ternary(kind, depth)


ARGUMENTS = {"fa": "float", "fb": "float", "va": "vec2", "vb": "vec3", "vc": "vec4", "ia": "int", "ib": "int"}
DOMAINS = {"fa": lambda r: r.randint(-16, 16) / 8, "fb": lambda r: r.randint(-16, 16) / 8,
           "va": lambda r: r.randint(-16, 16) / 8,
           "vb": lambda r: r.randint(-16, 16) / 8, "vc": lambda r: r.randint(-16, 16) / 8,
           "ia": lambda r: r.randint(0, 7),
           "ib": lambda r: r.randint(-5, 5)}


def wrapped(values):
    return {n: (V(*map(E, v)) if isinstance(v, tuple) else E(v)) if n[0] in "fv" else v for n, v in values.items()}


def add_case(s, name, write):
    """`write(seed)` gives the body and the function; the first seed with a small bound of the error is taken."""
    for attempt in range(100):
        body, function = write(f"{name}.{attempt}")
        lanes = s.lane_values(name, ARGUMENTS, DOMAINS, LANES)
        worst = 0.0
        for values in lanes:
            worst = max(worst, *(x.error for x in function(**wrapped(values))))
            if worst > WORST:
                break
        else:
            break
    tolerance = f"abs {worst * 1.01:.3g}" if worst else "exact"
    s.case(name, body, lambda **values: V(*(x.value for x in function(**wrapped(values)))), ARGUMENTS, tol=tolerance,
           decl=LIBRARY.strip(),
           dom=DOMAINS, lanes=LANES)


def expression_case(s, k):
    def write(seed):
        w = Writer(seed, ARGUMENTS)
        glsl, python = w.expression("vec4", 3 + k % 4)
        return f"result = {glsl};", eval(f"lambda {', '.join(ARGUMENTS)}: {python}", NAMESPACE)  # our own text

    add_case(s, f"expression_{k:03}", write)


class Program(Writer):
    """Adds statements: assignments, branches, loops, jumps and array accesses."""

    def __init__(self, seed):
        super().__init__(seed, ARGUMENTS)
        self.glsl, self.python = [], []
        self.loops, self.names = 0, 0
        self.in_loop = False

    def line(self, level, glsl, python):
        self.glsl.append("    " * level + glsl)
        self.python.append("    " * (level + 1) + python)

    def block(self, level, length):
        before = dict(self.variables)
        for _ in range(length):
            self.statement(level)
        self.variables = before

    def statement(self, level):
        choice = self.r.randrange(14)
        if choice >= 12:
            self.call(level)
        elif level >= 4 or choice <= 3:
            self.assign(level)
        elif choice == 4:
            self.declare(level)
        elif choice <= 6:
            self.array(level)
        elif choice <= 8:
            self.branch(level)
        elif choice <= 10 and self.loops < 2:
            self.loop(level)
        elif self.in_loop:
            self.jump(level)
        else:
            self.assign(level)

    def assign(self, level):
        name = self.r.choice([n for n in self.variables if n not in self.fixed])
        kind = self.variables[name]
        if kind == "int":
            g, p = self.integer(2)
            self.line(level, f"{name} = wrap({g});", f"{name} = wrap({p})")
        elif kind == "float" or self.r.random() < 0.5:
            g, p = self.expression(kind, 2)
            self.line(level, f"{name} = clamp({g}, -4.0, 4.0);", f"{name} = f_clamp({p})")
        else:
            count = self.r.randint(1, SIZES[kind])
            letters = "".join(self.r.sample("xyzw"[: SIZES[kind]], count))
            g, p = self.expression("float" if count == 1 else f"vec{count}", 2)
            self.line(level, f"{name}.{letters} = clamp({g}, -4.0, 4.0);",
                      f"{name} = {name}.replaced('{letters}', f_clamp({p}))")

    def declare(self, level):
        kind = self.pick("float", "int", "vec2", "vec3", "vec4")
        name = f"{'i' if kind == 'int' else 'x'}{self.names}"
        self.names += 1
        g, p = self.expression(kind, 2)
        if kind == "int":
            g, p = f"wrap({g})", f"wrap({p})"
        self.line(level, f"{kind} {name} = {g};", f"{name} = {p}")
        self.variables[name] = kind

    def index(self, level):
        """The name of a new variable with an index of 0..3, made of any integer."""
        i = self.integer(1)
        index = f"t{self.names}"
        self.names += 1
        self.line(level,
                  f"int {index} = wrap({i[0]}); {index} = {index} < 0 ? -{index} : {index}; {index} -= {index} / 4 * 4;",
                  f"{index} = abs(wrap({i[1]})) % 4")
        return index

    def array(self, level):
        index = self.index(level)
        which = self.pick("floats", "vectors", "ints")
        kind = {"floats": "float", "vectors": "vec2", "ints": "int"}[which]
        if self.r.random() < 0.6:
            g, p = self.expression(kind, 1)
            if kind == "int":
                self.line(level, f"{which}[{index}] = wrap({g});", f"{which}[{index}] = wrap({p})")
            else:
                self.line(level, f"{which}[{index}] = clamp({g}, -4.0, 4.0);", f"{which}[{index}] = f_clamp({p})")
        targets = [n for n, t in self.variables.items() if t == kind and n not in self.fixed]
        name = self.r.choice(targets)
        self.line(level, f"{name} = {which}[{index}];", f"{name} = {which}[{index}]")

    def call(self, level):
        choice = self.r.randrange(6)
        i = self.integer(1)
        if choice == 0:
            self.line(level, f"ia = find(ints, {i[0]});", f"ia = find(ints, {i[1]})")
        elif choice == 1:
            index, x = self.index(level), self.expression("float", 1)
            self.line(level, f"ib = wrap(ib + int(push(floats, {index}, {x[0]})));",
                      f"ib = wrap(ib + int(push(floats, {index}, {x[1]})))")
        elif choice == 2:
            index = self.index(level)
            self.line(level, f"bump(items[{index}], {i[0]}, ia);", f"ia = bump(items, {index}, {i[1]})")
        elif choice == 3:
            index = self.index(level)
            self.line(level, f"items[{index}].v.yx = walk(va, wrap({i[0]}) / 20).xy + items[{index}].v;",
                      f"r_, va = walk(va, idiv(wrap({i[1]}), 20)); items[{index}] = (f_clamp((r_ + "
                      f"items[{index}][0]).yx), items[{index}][1])")
            self.line(level, f"items[{index}].v = clamp(items[{index}].v, -4.0, 4.0);", "pass")
        elif choice == 4:
            index, v = self.index(level), self.expression("vec2", 1)
            self.line(level, f"mm[{index} / 2] = clamp(mm * {v[0]}, -4.0, 4.0);",
                      f"mm = mm.column({index} // 2, f_clamp(mm * {v[1]}))")
        else:
            index, v = self.index(level), self.expression("vec2", 1)
            self.line(level, f"vc.wx = clamp({v[0]} * mm, -4.0, 4.0); mm[1][{index} / 2] = vc.y;",
                      f"vc = vc.replaced('wx', f_clamp({v[1]} * mm)); mm = mm.column(1, mm[1].at({index} // 2, vc.y))")

    def branch(self, level):
        g, p = self.condition(2)
        self.line(level, f"if {g} {{", f"if {p}:")
        self.block(level + 1, self.r.randint(1, 3))
        if self.r.random() < 0.6:
            self.line(level, "} else {", "else:")
            self.block(level + 1, self.r.randint(1, 3))
        self.glsl.append("    " * level + "}")

    def loop(self, level):
        name = f"k{self.names}"
        self.names += 1
        lane = self.r.random() < 0.5
        style = self.r.randrange(3)
        count = self.r.randint(2, 5)
        bound = (f"b{name}", f"b{name}") if lane else (str(count), str(count))
        if lane:
            i = self.leaf("int")
            self.line(level,
                      f"int b{name} = {i[0]}; b{name} = (b{name} < 0 ? -b{name} : b{name}); b{name} -= b{name} / 6 * 6;",
                      f"b{name} = abs({i[1]}) % 6")
        outer, before = self.in_loop, dict(self.variables)
        self.loops += 1
        self.in_loop = True
        if style == 0:
            self.line(level, f"for (int {name} = 0; {name} < {bound[0]}; ++{name}) {{",
                      f"for {name} in range({bound[1]}):")
        elif style == 1:
            self.line(level, f"int {name} = -1;", f"{name} = -1")
            self.line(level, f"while (++{name} < {bound[0]}) {{", "while True:")
            self.python.append("    " * (level + 2) + f"{name} += 1")
            self.python.append("    " * (level + 2) + f"if not {name} < {bound[1]}: break")
        else:
            self.line(level, f"int {name} = {bound[0]};", f"{name} = {bound[1]}")
            self.line(level, f"for (; {name} > 0; ) {{", f"while {name} > 0:")
            self.line(level + 1, f"--{name};", f"{name} -= 1")
        self.variables[name] = "int"
        self.fixed.add(name)
        self.block(level + 1, self.r.randint(1, 3))
        self.glsl.append("    " * level + "}")
        self.loops -= 1
        self.in_loop = outer
        self.variables = before

    def jump(self, level):
        g, p = self.condition(1)
        word = self.pick("break", "continue")
        self.line(level, f"if {g} {word};", f"if {p}: {word}")


def program_case(s, k):
    """Everything the program touched goes into the result; the integers into one component of their own."""
    glsl_total = ("vec4(fa + fb + va.x, vb.x - vb.y, floats[0] + floats[1] - floats[2] * floats[3], float(ia + 3 * "
                  "ib)) + "
                  "vec4(vc.x + va.y, vc.y + vb.z, vc.z + vc.w, ints[0] + 2 * ints[1] + 4 * ints[2] + 8 * ints[3]) + "
                  "vec4(vectors[0] + vectors[1], vectors[2].x - vectors[3].y, 0.0) + "
                  "vec4(items[0].v + items[1].v, items[2].v.x - items[3].v.y, items[0].n + 2 * items[1].n + 4 * "
                  "items[2].n + items[3].n) + "
                  "vec4(mm[0], mm[1].y - mm[1].x, 0.0)")
    python_total = ("V(fa + fb + va.x, vb.x - vb.y, floats[0] + floats[1] - floats[2] * floats[3], E(ia + 3 * ib)) + "
                    "V(vc.x + va.y, vc.y + vb.z, vc.z + vc.w, E(ints[0] + 2 * ints[1] + 4 * ints[2] + 8 * ints[3])) + "
                    "V(vectors[0] + vectors[1], vectors[2].x - vectors[3].y, E(0.0)) + "
                    "V(items[0][0] + items[1][0], items[2][0].x - items[3][0].y, E(items[0][1] + 2 * items[1][1] + 4 "
                    "* items[2][1] + items[3][1])) + "
                    "V(mm[0], mm[1].y - mm[1].x, E(0.0))")
    start = ["float floats[4];", "vec2 vectors[4];", "int ints[4];",
             "for (int k = 0; k < 4; ++k) { floats[k] = float(k); vectors[k] = vec2(k, -k); ints[k] = k * k; }",
             "Item items[4];", "for (int k = 0; k < 4; ++k) items[k] = Item(vec2(1.0, k), 5 * k);",
             "mat2 mm = mat2(1.0, 0.5, -0.5, 1.0);"]

    def write(seed):
        w = Program(seed)
        w.block(0, 4 + k % 7)
        text = [f"def function({', '.join(ARGUMENTS)}):", "    floats = [E(float(k)) for k in range(4)]",
                "    vectors = [V(E(float(k)), E(float(-k))) for k in range(4)]",
                "    ints = [k * k for k in range(4)]",
                "    items = [(V(E(1.0), E(k)), 5 * k) for k in range(4)]",
                "    mm = M([E(1.0), E(0.5)], [E(-0.5), E(1.0)])",
                *w.python, f"    return {python_total}"]
        scope = dict(NAMESPACE)
        exec("\n".join(text), scope)  # our own text
        return "\n".join(start + w.glsl + [f"result = {glsl_total};"]), scope["function"]

    add_case(s, f"program_{k:03}", write)
