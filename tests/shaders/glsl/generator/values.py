"""GLSL values in Python: scalars are float, int and bool, vectors are V, matrices are M (columns of V).

Arithmetic is double precision; inputs are small multiples of a power of two, so most results are exact.
"""

import math
import struct


def f32(x):
    """The value rounded to single."""
    return struct.unpack("<f", struct.pack("<f", x))[0]


def idiv(a, b):
    """Integer division rounds toward zero."""
    q = abs(a) // abs(b)
    return q if (a < 0) == (b < 0) else -q


def to_int(x):
    """Conversion to int drops the fraction."""
    return int(x)


NAMES = "xyzw"
SETS = ("xyzw", "rgba", "stpq")


def component(letter):
    for letters in SETS:
        if letter in letters:
            return letters.index(letter)
    raise AttributeError(letter)


class V(tuple):
    """A vector. Operators work component by component; a scalar stands for all components."""

    def __new__(cls, *parts):
        """Joins scalars and vectors."""
        flat = []
        for p in parts:
            flat.extend(p if isinstance(p, (tuple, list)) else [p])
        return tuple.__new__(cls, flat)

    def __getattr__(self, swizzle):
        try:
            picked = [self[component(letter)] for letter in swizzle]
        except IndexError:
            raise AttributeError(swizzle) from None
        return picked[0] if len(picked) == 1 else V(*picked)

    def map(self, function, *others):
        rows = [o if isinstance(o, tuple) else (o,) * len(self) for o in others]
        return V(*(function(*row) for row in zip(self, *rows)))

    def __add__(self, o):
        return self.map(lambda a, b: a + b, o)

    def __radd__(self, o):
        return self + o

    def __sub__(self, o):
        return self.map(lambda a, b: a - b, o)

    def __rsub__(self, o):
        return self.map(lambda a, b: b - a, o)

    def __mul__(self, o):
        if isinstance(o, M):
            return V(*(dot(self, c) for c in o))
        return self.map(lambda a, b: a * b, o)

    def __rmul__(self, o):
        return self * o

    def __truediv__(self, o):
        return self.map(divide, o)

    def __rtruediv__(self, o):
        return self.map(lambda a, b: divide(b, a), o)

    def __neg__(self):
        return self.map(lambda a: -a)

    def replaced(self, swizzle, value):
        """The vector after an assignment to the swizzle."""
        out = list(self)
        for k, letter in enumerate(swizzle):
            out[component(letter)] = value[k] if isinstance(value, tuple) else value
        return V(*out)

    def at(self, index, value):
        out = list(self)
        out[index] = value
        return V(*out)


def divide(a, b):
    return idiv(a, b) if isinstance(a, int) and isinstance(b, int) else a / b


class M(tuple):
    """A square matrix: a tuple of columns. * is the matrix product, / and + - go by components."""

    def __new__(cls, *columns):
        return tuple.__new__(cls, (V(*c) for c in columns))

    @staticmethod
    def of(size, values):
        return M(*(values[k * size : (k + 1) * size] for k in range(size)))

    @staticmethod
    def diagonal(size, x):
        return M(*([x if r == c else 0.0 for r in range(size)] for c in range(size)))

    def flat(self):
        return V(*(x for column in self for x in column))

    def map(self, function, *others):
        rows = [o if isinstance(o, M) else (o,) * len(self) for o in others]
        return M(*(c.map(function, *row) for c, *row in zip(self, *rows)))

    def __add__(self, o):
        return self.map(lambda a, b: a + b, o)

    def __radd__(self, o):
        return self + o

    def __sub__(self, o):
        return self.map(lambda a, b: a - b, o)

    def __rsub__(self, o):
        return self.map(lambda a, b: b - a, o)

    def __truediv__(self, o):
        return self.map(divide, o)

    def __rtruediv__(self, o):
        return self.map(lambda a, b: divide(b, a), o)

    def __neg__(self):
        return self.map(lambda a: -a)

    def __mul__(self, o):
        if isinstance(o, M):
            return M(*(self * c for c in o))
        if isinstance(o, V):
            return V(*(sum(self[k][r] * o[k] for k in range(len(self))) for r in range(len(self))))
        return self.map(lambda a, b: a * b, o)

    def __rmul__(self, o):
        return self * o

    def column(self, index, value):
        out = list(self)
        out[index] = value
        return M(*out)


def dot(a, b):
    return sum(x * y for x, y in zip(a, b)) if isinstance(a, tuple) else a * b


def length(a):
    return math.sqrt(dot(a, a))


def numbers(value):
    """All components of a value in GL's order."""
    if isinstance(value, (tuple, list)):
        return [x for part in value for x in numbers(part)]
    return [float(value)]
