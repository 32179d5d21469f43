"""The exercises: what a program gets, what should come out, and what it is when something else does."""

from __future__ import annotations

import array
import ctypes
import dataclasses
import math
import random
from typing import Any, Callable, Dict, List, Sequence, Tuple

from ..context import Context, Recording
from ..images import Image
from ..programs import Program, assemble, compile_glsl
from ._bench import Bench, Lane, Mistake, Par, Values, Wrong, float32

#: Title and page of each sheet.
SHEETS: List[Tuple[str, str]] = [
    ("A triangle by hand", "1-triangle.md"),
    ("Outcodes and clipping", "2-clipping.md"),
    ("Edge equations", "3-edges.md"),
    ("Interpolation and perspective", "4-perspective.md"),
    ("Texture addressing, mip levels, and the 4x4 cache", "5-textures.md"),
    ("Divergence and the reconvergence stack", "6-divergence.md"),
    ("Memory, coalescing, banks, barriers", "7-memory.md"),
    ("What bounds a frame", "8-bounds.md")]


@dataclasses.dataclass(frozen=True)
class Exercise:
    """One that can be checked."""

    name: str
    sheet: int
    file: str
    task: str
    #: Runs the program on what it is checked with, and raises Wrong.
    check: Callable[[Bench], None]
    par: Par
    tolerance: float = 1e-4

    def bench(self, text: str, file: str) -> Bench:
        """The program, checked. Raises Wrong and ProgramError."""
        program: Program = compile_glsl(text, "fragment", file) if self.file.endswith(".frag") else assemble(text, file)
        bench = Bench(program, file, self.tolerance)
        self.check(bench)
        return bench

    def run(self, text: str, file: str) -> str:
        """What there is to say of a program that is right."""
        return self.bench(text, file).report(self.par)


def _numbers(seed: int) -> random.Random:
    return random.Random(f"tessera course {seed}")


def _float(source: random.Random, low: float, high: float) -> float:
    return float32(source.uniform(low, high))


# --- 1. A triangle by hand ---

def _turned(position: Values, turn: Values, scale: Values) -> Tuple[float, float]:
    (x, y), (cosine, sine) = position, turn
    return (x * cosine - y * sine) * scale[0], (x * sine + y * cosine) * scale[1]


def _check_turn(bench: Bench) -> None:
    bench.needs("vertex", ("a_position",), ("u_turn", "u_scale"))
    source = _numbers(1)
    for angle in (0.7, 0.0, 2.5, -1.2):
        turn = (float32(math.cos(angle)), float32(math.sin(angle)))
        scale = (_float(source, 0.3, 1.0), _float(source, 0.3, 1.0))
        positions = [(_float(source, -1, 1), _float(source, -1, 1)) for _ in range(40)]
        bench.run_vertices({"a_position": positions}, {"u_turn": turn, "u_scale": scale},
                           [(*_turned(position, turn, scale), 0.0, 1.0) for position in positions])

    def one(say: str, model: Callable[[Values, Values, Values], Values]) -> Mistake:
        return Mistake(say, lambda a_position, u_turn, u_scale: model(a_position, u_turn, u_scale))

    def reused(p: Values, turn: Values, scale: Values) -> Values:
        x = p[0] * turn[0] - p[1] * turn[1]
        return x * scale[0], (x * turn[1] + p[1] * turn[0]) * scale[1], 0.0, 1.0
    bench.judge([
        one("it turns the other way. The sine has its minus sign in x', not in y'",
            lambda p, turn, scale: (*_turned(p, (turn[0], -turn[1]), scale), 0.0, 1.0)),
        one("w is 0, so the division by w that comes next has nothing to divide by. o0.w must be 1; what no instruction "
            "writes is 0", lambda p, turn, scale: (*_turned(p, turn, scale), 0.0, 0.0)),
        one("y' is made of x', which is there already, in place of x. An instruction writes its register at once: keep x "
            "until both are done, or write to another register", reused),
        one("it is not stretched: u_scale is missing",
            lambda p, turn, scale: (*_turned(p, turn, (1.0, 1.0)), 0.0, 1.0)),
        one("it is stretched before it is turned. First the turn, then u_scale: the other way round a wide window leans",
            lambda p, turn, scale: (*_turned((p[0] * scale[0], p[1] * scale[1]), turn, (1.0, 1.0)), 0.0, 1.0)),
        one("y' has the sine and the cosine exchanged: it is x sin + y cos",
            lambda p, turn, scale: (_turned(p, turn, scale)[0], (p[0] * turn[0] + p[1] * turn[1]) * scale[1], 0.0, 1.0)),
        one("z is not 0. The destination's z takes the third letter behind the source's point, whatever the mask is, and the "
            "last letter is repeated: .zw means z, w, w, w. What no instruction writes is 0",
            lambda p, turn, scale: (*_turned(p, turn, scale), 1.0, 1.0))])


# --- 2. Outcodes and clipping ---

def _outcode(x: float, y: float, z: float, w: float) -> int:
    return sum((value < -w) << 2 * i | (value > w) << 2 * i + 1 for i, value in enumerate((x, y, z)))


def _vertices() -> List[Values]:
    source = _numbers(2)
    made: List[Values] = [tuple(_float(source, -3, 3) for _ in range(3)) + (_float(source, 0.2, 2.5),)
                          for _ in range(70)]
    # Behind the eye w is negative; and corners that lie on planes, which are inside.
    made += [tuple(_float(source, -3, 3) for _ in range(3)) + (_float(source, -2, -0.2),) for _ in range(20)]
    for axis in range(3):
        for sign in (-1.0, 1.0):
            corner = [0.25, -0.5, 0.125, 1.5]
            corner[axis] = sign * 1.5
            made.append(tuple(corner))
    source.shuffle(made)
    return made


def _check_outcodes(bench: Bench) -> None:
    bench.needs("compute", buffers=("vertices", "outcodes"))
    vertices = _vertices()
    buffers: Dict[str, "array.array[Any]"] = {
        "vertices": array.array("f", [number for vertex in vertices for number in vertex]),
        "outcodes": array.array("i", [0] * len(vertices))}
    bench.run_kernel([len(vertices) // 32], buffers, "outcodes", 1, None, [{"vertex": v} for v in vertices],
                     [(float(_outcode(*v)),) for v in vertices], 32)

    def one(say: str, model: Callable[[float, float, float, float], int]) -> Mistake:
        return Mistake(say, lambda vertex: (float(model(*vertex)),))

    def inclusive(x: float, y: float, z: float, w: float) -> int:
        return sum((value <= -w) << 2 * i | (value >= w) << 2 * i + 1 for i, value in enumerate((x, y, z)))

    def planes(below: Callable[[float, float], bool], above: Callable[[float, float], bool]) -> Mistake:
        return one("", lambda x, y, z, w: sum(below(v, w) << 2 * i | above(v, w) << 2 * i + 1 for i, v in enumerate((x, y, z))))

    def exchanged(below: bool, above: bool) -> Mistake:
        return planes(lambda v, w: v > -w if below else v < -w, lambda v, w: v < w if above else v > w)._replace(
            say="the operands of a comparison are exchanged: slt d, a, b asks whether a < b, so that x > w is slt d, w, x")
    on_one_side = ("on one side a corner that lies on the plane is outside. It is inside: compare with < and >, which 'sge' "
                   "does not do")
    bits = (0, 2, 4, 1, 3, 5)
    bench.judge([
        one("it compares with 1 and -1, as if the division by w had been done. In clip space what is seen lies between -w "
            "and w", lambda x, y, z, w: _outcode(x, y, z, 1.0)),
        one("it divides by w first. Behind the eye w is negative, and the division turns left to right: what is behind seems "
            "to be in front. Compare with w itself", lambda x, y, z, w: _outcode(x / w, y / w, z / w, 1.0)),
        one("the bits are in pairs the wrong way round: < -w is the lower bit of each pair",
            lambda x, y, z, w: sum((value > w) << 2 * i | (value < -w) << 2 * i + 1 for i, value in enumerate((x, y, z)))),
        one("the bits of < -w come first, then those of > w. Here x has bits 0 and 1, y 2 and 3, z 4 and 5",
            lambda x, y, z, w: sum((_outcode(x, y, z, w) >> i & 1) << bits.index(i) for i in range(6))),
        one("a corner that lies on a plane is outside. It is inside: compare with < and >, which 'sge' does not do", inclusive),
        planes(lambda v, w: v <= -w, lambda v, w: v > w)._replace(say=on_one_side),
        planes(lambda v, w: v < -w, lambda v, w: v >= w)._replace(say=on_one_side),
        exchanged(True, True), exchanged(True, False), exchanged(False, True),
        planes(lambda v, w: v < w, lambda v, w: v > w)._replace(say="it asks x < w, and the plane at the left is at -w"),
        one("only the planes < -w are there; the three bits of > w are missing",
            lambda x, y, z, w: _outcode(x, y, z, w) & 0b010101),
        Mistake("the result is there as a float, and an integer is asked for: its bits are another number. f2i.i32 converts",
                lambda vertex: (float(array.array("i", array.array("f", [_outcode(*vertex)]).tobytes())[0]),))])


def _check_cut(bench: Bench) -> None:
    bench.needs("compute", buffers=("edges", "corners"))
    source = _numbers(22)
    edges = []
    for _ in range(96):
        w = [_float(source, 0.5, 3), _float(source, 0.5, 3)]
        a = (float32(-w[0] + source.uniform(0.05, 3)), _float(source, -2, 2), _float(source, -1, 1), w[0])
        b = (float32(-w[1] - source.uniform(0.05, 3)), _float(source, -2, 2), _float(source, -1, 1), w[1])
        edges.append((a, b))

    def cut(a: Values, b: Values, da: float, db: float) -> Values:
        t = da / (da - db)
        return tuple(x + t * (y - x) for x, y in zip(a, b))

    def right(a: Values, b: Values) -> Values:
        return cut(a, b, a[0] + a[3], b[0] + b[3])
    buffers: Dict[str, "array.array[Any]"] = {
        "edges": array.array("f", [number for a, b in edges for number in (*a, *b)]),
        "corners": array.array("f", [0.0] * (4 * len(edges)))}
    bench.run_kernel([len(edges) // 32], buffers, "corners", 4, None, [{"a": a, "b": b} for a, b in edges],
                     [right(a, b) for a, b in edges], 32)

    def other_plane(a: Values, b: Values) -> Values:
        return cut(a, b, a[3] - a[0], b[3] - b[0])

    def divided(a: Values, b: Values) -> Values:
        t = (a[0] / a[3] + 1) / (a[0] / a[3] - b[0] / b[3])
        return tuple(x + t * (y - x) for x, y in zip(a, b))
    bench.judge([
        Mistake("t counts from b: it is db / (db - da), and the new corner is as far from b as it should be from a",
                lambda a, b: cut(a, b, b[0] + b[3], a[0] + a[3])),
        Mistake("t is 1 / (da - db), and da is missing: t = da / (da - db)",
                lambda a, b: tuple(x + (y - x) / (a[0] + a[3] - b[0] - b[3]) for x, y in zip(a, b))),
        Mistake("t is da / (da + db). db is negative, since b is outside: da - db is the whole distance",
                lambda a, b: cut(a, b, a[0] + a[3], -b[0] - b[3])),
        Mistake("it goes the wrong way: from a to b is b - a, and a - b leads away from the plane",
                lambda a, b: tuple(2 * x - y for x, y in zip(a, right(a, b)))),
        Mistake("it cuts at the right plane, x = w. The distance from the left one is x + w", other_plane),
        Mistake("it divides by w before it cuts. After the division equal steps are no equal steps any more: t is that of "
                "the screen, and is used in clip space", divided),
        Mistake("w of the new corner is not interpolated. All four components are: w is one like the others",
                lambda a, b: (*right(a, b)[:3], a[3]))])


# --- 3. Edge equations ---

def _triangles() -> List[Tuple[Values, Values, Values]]:
    source = _numbers(3)
    made: List[Tuple[Values, Values, Values]] = []
    # Pairs that share an edge through centres of pixels, and a fan around a centre.
    square = [(2.5, 3.5), (12.5, 3.5), (12.5, 13.5), (2.5, 13.5)]
    made += [(square[0], square[1], square[2]), (square[0], square[2], square[3])]
    middle, ring = (8.5, 8.5), [(14.5, 8.5), (11.5, 14.5), (5.5, 14.5), (2.5, 8.5), (5.5, 2.5), (11.5, 2.5)]
    made += [(middle, ring[i], ring[(i + 1) % 6]) for i in range(6)]
    while len(made) < 14:
        a, b, c = ((round(source.uniform(0, 16) * 8) / 8, round(source.uniform(0, 16) * 8) / 8) for _ in range(3))
        if _edge(a, b, c) > 8:
            made.append((a, b, c))
    return made


def _edge(a: Values, b: Values, p: Values) -> float:
    return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])


def _covers(a: Values, b: Values, c: Values, p: Values, rule: str = "top-left", sign: float = 1.0) -> float:
    for start, end in ((a, b), (b, c), (c, a)):
        e = sign * _edge(start, end, p)
        owns = {"all": True, "none": False,
                "top-left": end[1] < start[1] or end[1] == start[1] and end[0] < start[0],
                "right": end[1] > start[1] or end[1] == start[1] and end[0] > start[0]}[rule]
        if e < 0 or e == 0 and not owns:
            return 0.0
    return 1.0


def _check_edges(bench: Bench) -> None:
    bench.needs("fragment", (), ("u_a", "u_b", "u_c"))
    size = 16
    for a, b, c in _triangles():
        expected = [(_covers(a, b, c, (x + 0.5, size - y - 0.5)),) for y in range(size) for x in range(size)]
        bench.run_pixels((size, size), {}, {"u_a": a, "u_b": b, "u_c": c}, expected)

    def one(say: str, model: Callable[[Values, Values, Values, Values], float]) -> Mistake:
        return Mistake(say, lambda gl_FragCoord, u_a, u_b, u_c: (model(u_a, u_b, u_c, gl_FragCoord),))
    bench.judge([
        one("centres on an edge belong to every triangle that has the edge, so two neighbours both draw them. Of an edge that "
            "two triangles share only one may own it: the one for which it is a left or a top edge",
            lambda a, b, c, p: _covers(a, b, c, p, "all")),
        one("centres on an edge belong to nobody, so there are holes between neighbours. Of an edge that two triangles share "
            "one must own it: the one for which it is a left or a top edge",
            lambda a, b, c, p: _covers(a, b, c, p, "none")),
        one("the right and bottom edges own their centres; it should be the left and top ones. y is upwards: a left edge goes "
            "down", lambda a, b, c, p: _covers(a, b, c, p, "right")),
        one("it asks for the corner of the pixel. gl_FragCoord is the centre already; nothing is to be taken off or added",
            lambda a, b, c, p: _covers(a, b, c, (p[0] - 0.5, p[1] - 0.5))),
        one("the sign is the other way round: with corners that go round to the left the equation is positive inside",
            lambda a, b, c, p: _covers(a, b, c, p, sign=-1.0))])


# --- 4. Interpolation and perspective ---

def _check_perspective(bench: Bench) -> None:
    bench.needs("fragment", ("v_shares",), ("u_values", "u_ws"))
    source = _numbers(4)

    def right(shares: Values, values: Values, ws: Values) -> float:
        return sum(s * v / w for s, v, w in zip(shares, values, ws)) / sum(s / w for s, w in zip(shares, ws))
    for ws in ((1.0, 2.0, 4.0), (3.0, 0.5, 1.25), (1.5, 6.0, 0.75)):
        values = tuple(_float(source, -2, 5) for _ in range(3))
        shares = []
        for _ in range(64):
            cuts = sorted((source.random(), source.random()))
            shares.append((float32(cuts[0]), float32(cuts[1] - cuts[0]), float32(1 - cuts[1])))
        bench.run_pixels((8, 8), {"v_shares": shares}, {"u_values": values, "u_ws": ws},
                         [(right(one, values, ws),) for one in shares])

    def one(say: str, model: Callable[[Values, Values, Values], float]) -> Mistake:
        return Mistake(say, lambda v_shares, u_values, u_ws, gl_FragCoord: (model(v_shares, u_values, u_ws),))
    bench.judge([
        one("it is linear on the screen, without perspective: what is far away has too much weight. Each share is to be "
            "divided by its corner's w", lambda s, v, w: sum(a * b for a, b in zip(s, v))),
        one("value / w is interpolated, and stays divided by w. Divide it by what becomes of 1 / w: sum(share / w)",
            lambda s, v, w: sum(a * b / c for a, b, c in zip(s, v, w))),
        one("shares are multiplied by w where they are to be divided by it: near and far are exchanged",
            lambda s, v, w: right(s, v, tuple(1 / one for one in w))),
        one("w itself is interpolated. Linear on the screen is 1 / w, not w",
            lambda s, v, w: sum(a * b / c for a, b, c in zip(s, v, w)) * sum(a * c for a, c in zip(s, w)))])


# --- 5. Texture addressing ---

def _address(i: int, j: int, width: int) -> int:
    return ((j >> 2) * (width >> 2) + (i >> 2)) * 64 + ((j & 3) * 4 + (i & 3)) * 4


def _check_address(bench: Bench) -> None:
    bench.needs("compute", buffers=("places", "addresses"), uniforms=("u_size", "u_last", "u_blocks"))
    source = _numbers(5)
    width, height = 64, 32
    places = [(_float(source, -2, 3), _float(source, -2, 3)) for _ in range(96)]
    uniforms: Dict[str, Values] = {"u_size": (width, height), "u_last": (width - 1, height - 1), "u_blocks": (width // 4,)}

    def texel(place: Values, down: Callable[[float], int] = math.floor) -> Tuple[int, int]:
        return down(place[0] * width) & width - 1, down(place[1] * height) & height - 1

    def right(place: Values) -> int:
        return _address(*texel(place), width)
    buffers: Dict[str, "array.array[Any]"] = {"places": array.array("f", [n for place in places for n in place]),
                                              "addresses": array.array("i", [0] * len(places))}
    bench.run_kernel([len(places) // 32], buffers, "addresses", 1, uniforms,
                     [{"place": place} for place in places], [(float(right(place)),) for place in places], 32)

    def clamped(place: Values) -> int:
        i, j = (min(max(math.floor(p * n), 0), n - 1) for p, n in zip(place, (width, height)))
        return _address(i, j, width)

    def columns(place: Values) -> int:
        i, j = texel(place)
        return ((i >> 2) * (height >> 2) + (j >> 2)) * 64 + ((j & 3) * 4 + (i & 3)) * 4

    def inner(place: Values) -> int:
        i, j = texel(place)
        return ((j >> 2) * (width >> 2) + (i >> 2)) * 64 + ((i & 3) * 4 + (j & 3)) * 4

    def one(say: str, model: Callable[[Values], int]) -> Mistake:
        return Mistake(say, lambda place: (float(model(place)),))
    bench.judge([
        one("places below 0 are a texel too far: f2i drops the fraction, which rounds towards 0, and -0.5 is in texel -1. "
            "Take flr first", lambda place: _address(*texel(place, math.trunc), width)),
        one("the texels lie in rows of the whole image, not in blocks of 4x4",
            lambda place: (texel(place)[1] * width + texel(place)[0]) * 4),
        one("the image does not repeat: it is clamped at its edges", clamped),
        one("the blocks go column by column: it is the row of blocks that has width / 4 of them", columns),
        one("row and column are exchanged within the block: a row of four texels has one j", inner),
        one("it counts texels, and an address counts bytes: four for each", lambda place: right(place) // 4)])


# --- 6. Divergence ---

def _steps(x: int) -> int:
    count = 0
    while x != 1:
        x, count = (3 * x + 1 if x & 1 else x >> 1), count + 1
    return count


def _check_collatz(bench: Bench) -> None:
    bench.needs("compute", buffers=("numbers", "steps"))
    source = _numbers(6)
    numbers = [1, 2, 3, 27] + [source.randrange(1, 1000) for _ in range(92)]
    buffers: Dict[str, "array.array[Any]"] = {"numbers": array.array("i", numbers),
                                              "steps": array.array("i", [0] * len(numbers))}
    bench.run_kernel([len(numbers) // 32], buffers, "steps", 1, None, [{"x": (n,)} for n in numbers],
                     [(float(_steps(n)),) for n in numbers], 32)

    def both(x: int) -> int:
        count = 0
        while x != 1 and count < 1000:
            x, count = (3 * x + 1 if x & 1 else x) >> 1, count + 1
        return count
    longest = {n: max(_steps(m) for m in numbers[at // 32 * 32:at // 32 * 32 + 32]) for at, n in enumerate(numbers)}
    bench.judge([
        Mistake("one step too many: it counts before it asks whether x is 1. 1 takes no step",
                lambda x: (float(_steps(x[0]) + 1),)),
        Mistake("lanes whose x is odd do both: they triple it and halve it in the same step. What the other lanes do belongs "
                "behind an else, or is chosen with sel", lambda x: (float(both(x[0])),)),
        Mistake("all lanes leave the loop together. brk without a guard takes every lane along: (p1) brk lets those go for "
                "which p1 is true", lambda x: (0.0,)),
        Mistake("the guard of brk is the wrong way round: (!p1) lets those lanes go that are not at 1 yet",
                lambda x: (float(x[0] == 1),)),
        Mistake("all lanes count until the last one is done. A lane that is at 1 must leave the loop, or not count",
                lambda x: (float(longest[x[0]]),))])


# --- 7. Memory ---

_SIDE = 64
_LINE, _BANKS = 64, 32


def _masked(entry: Dict[str, Any], access: Dict[str, Any]) -> List[int]:
    lanes = int(access["lanes"], 16)
    return [address for lane, address in enumerate(access["address"]) if lanes >> lane & 1 and address is not None]


def _check_transpose(bench: Bench) -> None:
    bench.needs("compute", buffers=("matrix", "result"))
    source = _numbers(7)
    matrix = [float32(source.uniform(-100, 100)) for _ in range(_SIDE * _SIDE)]
    buffers: Dict[str, "array.array[Any]"] = {"matrix": array.array("f", matrix),
                                              "result": array.array("f", [0.0] * len(matrix))}
    tiles = _SIDE // 32
    bench.run_kernel([tiles, tiles], buffers, "result", 1, None, [{} for _ in matrix], [(0.0,)] * len(matrix), 1024)
    # Its lanes in the order of the elements: who wrote one is found by address.
    bench.lanes = [Lane(f"result[{at // _SIDE}][{at % _SIDE}]", {}, (matrix[at % _SIDE * _SIDE + at // _SIDE],), 0,
                        (at, 0), (buffers["result"][at],)) for at in range(len(matrix))]
    wrong = [lane for lane in bench.lanes if lane.got != lane.expected]
    if wrong:
        _explain_transpose(bench, matrix, wrong)
    _check_accesses(bench)


def _explain_transpose(bench: Bench, matrix: Sequence[float], wrong: Sequence[Lane]) -> None:
    lane = wrong[0]
    text = [f"{bench.file}: wrong in {len(wrong)} of {len(matrix)} elements"]
    got = [one.got[0] for one in bench.lanes]
    whole = [matrix[(row & 31) * _SIDE + (column & 31) + (row & 32) * _SIDE + (column & 32)]
             for row in range(_SIDE) for column in range(_SIDE)]
    tiles = [matrix[(row & 32) * _SIDE + (column & 31) * _SIDE + (column & 32) + (row & 31)]
             for row in range(_SIDE) for column in range(_SIDE)]
    if not bench.program.info["barriers"] and bench.program.info["shared_bytes"] and \
            any(entry_access["memory"] == "shared" for entry in bench.trace(0, 0) for entry_access in entry["accesses"]):
        text.append("The mistake: there is no barrier. A group reads what other groups of the block have still to write: 'bar "
                    "0' between the stores to shared memory and the loads waits for all of them")
    elif got == whole:
        text.append("The mistake: nothing is exchanged; the matrix is copied")
    elif got == tiles:
        text.append("The mistake: each tile is transposed, and stays where it was. Tile (x, y) goes to tile (y, x): exchange "
                    "block.x and block.y for the store")
    text.append(f"the first one is {lane.place}: {lane.got[0]:.6g} came out, and it should be {lane.expected[0]:.6g}")
    entry = _store_of(bench, lane.at[0] * 4)
    text.append(entry or "no lane stores to it; what is not written stays 0")
    raise Wrong("\n".join(text))


def _store_of(bench: Bench, address: int) -> str:
    for block in range((_SIDE // 32) ** 2):
        for entry in reversed(bench.trace(0, block)):
            for access in entry["accesses"]:
                if access["memory"] == "result" and address in access["address"]:
                    lane = access["address"].index(address)
                    return (f"lane {lane} of group {entry['group']} of block {block} stored it in {bench._line(entry)}")
    return ""


def _check_accesses(bench: Bench) -> None:
    """Right, and yet not what is asked: lanes that go to many lines, or to one bank."""
    for entry in bench.trace(0, 1):
        for access in entry["accesses"]:
            addresses = _masked(entry, access)
            what = "stores" if access["kind"] == "store" else "loads"
            if access["memory"] == "shared":
                words: Dict[int, set[int]] = {}
                for address in addresses:
                    words.setdefault(address // 4 % _BANKS, set()).add(address // 4)
                most = max((len(one) for one in words.values()), default=0)
                if most > 1:
                    raise Wrong(f"{bench.file}: the result is right, and shared memory is slow\nThe mistake: bank conflicts. A "
                                f"group {what} {most} different words of one bank, which take {most} cycles: neighbouring "
                                f"lanes are {abs(addresses[1] - addresses[0]) // 4} words apart, and word n is in bank n mod "
                                f"32. Make a row of the tile one word longer\n{bench._line(entry)}")
            else:
                lines = len({address // _LINE for address in addresses})
                if lines > 4:
                    raise Wrong(f"{bench.file}: the result is right, and memory is slow\nThe mistake: it is not coalesced. The "
                                f"{len(addresses)} lanes of a group {what.removesuffix('s')} to {lines} lines of {_LINE} "
                                f"bytes, where 2 would do: neighbouring lanes are {abs(addresses[1] - addresses[0])} bytes "
                                f"apart\n{bench._line(entry)}")


# --- 8. What bounds a frame ---

_WIDTH, _HEIGHT = 128, 96
_GL_TEXTURE_2D, _GL_RGBA, _GL_UNSIGNED_BYTE, _GL_LINEAR = 0x0DE1, 0x1908, 0x1401, 0x2601
_GL_TEXTURE_MIN_FILTER, _GL_TEXTURE_MAG_FILTER = 0x2801, 0x2800
#: More cycles than par that a blur may take.
_ROOM = 1.15


def _picture() -> List[List[Values]]:
    source = _numbers(8)
    return [[tuple(float(source.randrange(256)) for _ in range(3)) for _ in range(_WIDTH)] for _ in range(_HEIGHT)]


def _check_blur(bench: Bench) -> None:
    bench.needs("fragment", (), ("u_size",), samplers=("u_image",))
    picture = _picture()
    rgba = b"".join(bytes([*(int(n) for n in texel), 255]) for row in picture for texel in row)

    def texel(x: int, y: int) -> Values:
        return tuple(n / 255 for n in picture[y % _HEIGHT][x % _WIDTH])

    def mean(x: int, y: int, weights: Sequence[Tuple[int, int, float]]) -> Values:
        total = sum(weight for _, _, weight in weights)
        values = [tuple(weight * n / total for n in texel(x + dx, y + dy)) for dx, dy, weight in weights]
        return tuple(sum(column) for column in zip(*values))
    binomial = [(dx, dy, (2.0 - abs(dx)) * (2.0 - abs(dy))) for dy in (-1, 0, 1) for dx in (-1, 0, 1)]
    # The picture's first row is at t = 0, which is the lowest one of the window.
    expected = [mean(x, _HEIGHT - 1 - y, binomial) for y in range(_HEIGHT) for x in range(_WIDTH)]
    bench.run_pixels((_WIDTH, _HEIGHT), {}, {"u_size": (_WIDTH, _HEIGHT)}, expected,
                     {"u_image": Image(_WIDTH, _HEIGHT, rgba)})

    def one(say: str, weights: Sequence[Tuple[int, int, float]], factor: float = 1.0) -> Mistake:
        return Mistake(say, lambda gl_FragCoord, u_size: tuple(
            factor * n for n in mean(int(gl_FragCoord[0]), int(gl_FragCoord[1]), weights)))
    corners = [(dx, dy, 1.0) for dy in (-1, 1) for dx in (-1, 1)]
    bench.judge([
        one("the lookups are a whole texel away from the centre, where the filter has nothing to do: each is one texel, and "
            "five of nine are missing. Half a texel away, a lookup is the mean of four", corners),
        one("the sum is not divided: four lookups that are means already are to be divided by four", binomial, 4.0),
        one("it is divided twice: each lookup is a mean already; divide by their number, not by 16", binomial, 0.25),
        one("all nine have the same weight; the middle one has four times that of a corner",
            [(dx, dy, 1.0) for dx, dy, _ in binomial]),
        one("nothing is blurred: all lookups are in the same place", [(0, 0, 1.0)])])
    bench.frame = frame(bench.program.source, Image(_WIDTH, _HEIGHT, rgba))
    spent, par = bench.model(), PARS["8"].cycles
    if spent.cycles > par * _ROOM:
        lookups = bench.program.cost().summary["lookups"]
        channels = [row["busy"] for row in spent.rows if row["kind"] == "SDRAM channel"]
        read = spent.report["sdram"]["read"]
        raise Wrong(f"{bench.file}: right in all {len(bench.lanes)} lanes, and too slow: {spent.cycles} cycles, par {par}\n"
                    f"The mistake: {lookups} lookups for a pixel, where four do. What is looked at does not fit into the "
                    f"texture caches: {read // 1024} KB are read from memory, of an image of {len(rgba) // 1024}, and its "
                    f"channels are busy {sum(channels) / len(channels):.0%} of the time")


def frame(shader: str, picture: Image) -> Recording:
    """A frame that a fragment shader fills, with the picture as u_image and its size as u_size."""
    with Context(picture.width, picture.height, record=True) as context:
        gl, texture = context.gl, ctypes.c_uint()
        gl.glGenTextures(1, ctypes.addressof(texture))
        gl.glBindTexture(_GL_TEXTURE_2D, texture.value)
        gl.glTexImage2D(_GL_TEXTURE_2D, 0, _GL_RGBA, picture.width, picture.height, 0, _GL_RGBA, _GL_UNSIGNED_BYTE,
                        picture.rgba)
        for name in (_GL_TEXTURE_MIN_FILTER, _GL_TEXTURE_MAG_FILTER):
            gl.glTexParameteri(_GL_TEXTURE_2D, name, _GL_LINEAR)
        context.shade(shader, {"u_size": (picture.width, picture.height)})
        return context.recorded()


#: What the solutions take; a test compares.
PARS = {
    "1": Par(6, 12, 92),
    "2": Par(11, 33, 176),
    "2b": Par(13, 39, 359),
    "3": Par(57, 366, 1640),
    "4": Par(10, 20, 156),
    "5": Par(16, 48, 180),
    "6": Par(15, 3283, 5010),
    "7": Par(16, 2048, 2215),
    "8": Par(17, 6528, 13601)}

EXERCISES: List[Exercise] = [
    Exercise("1", 1, "1-turn.tsa", "a vertex program that turns corners and puts them into clip space", _check_turn, PARS["1"]),
    Exercise("2", 2, "2-outcodes.tsa", "a kernel that says beyond which planes each vertex is", _check_outcodes, PARS["2"]),
    Exercise("2b", 2, "2b-cut.tsa", "a kernel that cuts edges at the left plane", _check_cut, PARS["2b"]),
    Exercise("3", 3, "3-edges.frag", "a fragment shader that says which pixels a triangle covers", _check_edges, PARS["3"]),
    Exercise("4", 4, "4-perspective.tsa", "a fragment program that interpolates with perspective", _check_perspective,
             PARS["4"]),
    Exercise("5", 5, "5-address.tsa", "a kernel that finds texels in memory", _check_address, PARS["5"]),
    Exercise("6", 6, "6-collatz.tsa", "a kernel whose lanes loop for different times", _check_collatz, PARS["6"]),
    Exercise("7", 7, "7-transpose.tsa", "a kernel that transposes a matrix through shared memory", _check_transpose, PARS["7"]),
    Exercise("8", 8, "8-blur.frag", "a fragment shader that blurs, in less than half the cycles", _check_blur, PARS["8"], 0.01)]
