#!/usr/bin/env python3
"""Draws the pictures of the course, docs/images/course-*, from what the package `tessera` computes.

  figures.py          writes them
  figures.py --check  compares; exit status 1 when one differs
"""

import array
import math
import pathlib
import sys

import tessera
from tessera import course
from tessera.course import exercises

HERE = pathlib.Path(__file__).resolve().parent
IMAGES = HERE.parent / "images"
INK, PALE, RED, BLUE, GREEN, YELLOW = "#24292f", "#d0d7de", "#cf222e", "#0969da", "#1a7f37", "#fff3b0"
FILL = "#b6d7f2"


class Drawing:
    """An SVG in pixels, y downwards, on white: pages are read on dark ones too."""

    def __init__(self, width, height):
        self.parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
                      f'height="{height}" font-family="sans-serif" font-size="13">\n'
                      f'<rect width="{width}" height="{height}" fill="#ffffff"/>\n']

    def line(self, a, b, color=INK, width=1.0, dash=""):
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        self.parts.append(f'<line x1="{a[0]:.1f}" y1="{a[1]:.1f}" x2="{b[0]:.1f}" y2="{b[1]:.1f}" stroke="{color}" '
                          f'stroke-width="{width}"{dashes}/>\n')

    def rect(self, x, y, width, height, fill="none", stroke="none", line=1.0):
        self.parts.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{fill}" '
                          f'stroke="{stroke}" stroke-width="{line}"/>\n')

    def polygon(self, points, fill="none", stroke=INK, width=1.5, opacity=1.0):
        text = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.parts.append(f'<polygon points="{text}" fill="{fill}" fill-opacity="{opacity}" stroke="{stroke}" '
                          f'stroke-width="{width}"/>\n')

    def dot(self, at, radius=3.0, fill=INK, stroke="none"):
        self.parts.append(f'<circle cx="{at[0]:.1f}" cy="{at[1]:.1f}" r="{radius}" fill="{fill}" stroke="{stroke}"/>\n')

    def text(self, x, y, text, anchor="middle", color=INK, size=13):
        escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{color}" font-size="{size}">'
                          f"{escaped}</text>\n")

    def svg(self):
        return "".join(self.parts) + "</svg>\n"


def solution(name):
    return (HERE / "solutions" / course.exercise(name).file).read_text()


def spaces():
    """The triangle of sheet 1 in three spaces; clip space is what the solution's program makes of it."""
    corners, angle, scale = [(0.0, 1.0), (-1.0, -1.0), (1.0, -0.6)], 0.35, (0.5625, 0.75)
    clip = [tuple(map(float, p[:2])) for p in tessera.run_vertices(
        solution("1"), {"u_turn": (math.cos(angle), math.sin(angle)), "u_scale": scale},
        {"a_position": _array(corners)})["gl_Position"]]
    window = [((x + 1) * 8, (y + 1) * 6) for x, y in clip]
    d = Drawing(800, 250)

    def panel(left, title, below):
        d.text(left + 110, 20, title)
        d.text(left + 110, 242, below, color="#57606a", size=12)
    panel(15, "the program's own", "three corners")
    for at in (-1, 0, 1):
        d.line((125 + 75 * at, 50), (125 + 75 * at, 210), PALE)
        d.line((45, 130 - 75 * at), (205, 130 - 75 * at), PALE)
        d.text(125 + 75 * at, 225, str(at), size=11)
    d.polygon([(125 + 75 * x, 130 - 75 * y) for x, y in corners], FILL)
    for i, (x, y) in enumerate(corners):
        d.dot((125 + 75 * x, 130 - 75 * y), 3.5, RED)
    panel(285, "clip space, w = 1", "turned, and squeezed in x")
    d.rect(305, 40, 180, 180, stroke=INK, line=1.5)
    d.line((395, 40), (395, 220), PALE)
    d.line((305, 130), (485, 130), PALE)
    d.polygon([(395 + 90 * x, 130 - 90 * y) for x, y in clip], FILL)
    for x, y in clip:
        d.dot((395 + 90 * x, 130 - 90 * y), 3.5, RED)
    d.text(300, 226, "-1,-1", size=11)
    d.text(490, 36, "1,1", size=11)
    panel(555, "the window, 16 by 12 pixels", "centres that are inside")
    side, x0, y0 = 14, 558, 38
    for y in range(12):
        for x in range(16):
            inside = exercises._covers(*window, (x + 0.5, y + 0.5))
            d.rect(x0 + side * x, y0 + side * (11 - y), side, side, FILL if inside else "#ffffff", PALE)
            d.dot((x0 + side * (x + 0.5), y0 + side * (11.5 - y)), 1.5, INK if inside else "#afb8c1")
    d.polygon([(x0 + side * x, y0 + side * (12 - y)) for x, y in window], stroke=RED)
    for left in (240, 512):
        d.line((left, 130), (left + 26, 130), INK, 1.5)
        d.polygon([(left + 26, 126), (left + 34, 130), (left + 26, 134)], INK)
    d.text(253, 118, "program", size=11)
    d.text(525, 118, "viewport", size=11)
    return d.svg()


def _array(values):
    import numpy
    return numpy.array(values, numpy.float32)


def outcodes():
    d = Drawing(560, 330)
    x0, x1, y0, y1 = 180, 380, 110, 230
    d.rect(x0, y0, x1 - x0, y1 - y0, "#f6f8fa")
    for x in (x0, x1):
        d.line((x, 15), (x, 315), INK, 1.2, "5,4")
    for y in (y0, y1):
        d.line((20, y), (540, y), INK, 1.2, "5,4")
    for column, (cx, x) in enumerate(((95, -2.0), (235, 0.0), (465, 2.0))):
        for cy, y in ((38, 2.0), (130, 0.0), (306, -2.0)):
            code = exercises._outcode(x, y, 0.0, 1.0)
            d.text(cx, cy, f"{code & 15:04b} = {code}", size=14)
    d.text(x0, 328, "x = -w", size=11)
    d.text(x1, 328, "x = w", size=11)
    d.text(538, y0 - 5, "y = w", "end", size=11)
    d.text(538, y1 - 5, "y = -w", "end", size=11)
    d.polygon([(250, 150), (225, 205), (300, 190)], FILL, BLUE)
    d.polygon([(405, 130), (500, 170), (430, 215)], "#ffd8d3", RED)
    d.polygon([(330, 215), (270, 270), (365, 290)], "none", GREEN)
    # What is left of the third one, cut at y = -w.
    left = []
    for (ax, ay), (bx, by) in (((330, 215), (270, 270)), ((330, 215), (365, 290))):
        t = (230 - ay) / (by - ay)
        left.append((ax + t * (bx - ax), 230))
    d.polygon([(330, 215), *left], "#c3e6cb", GREEN)
    for point in left:
        d.dot(point, 4, "#ffffff", GREEN)
    return d.svg()


def edges():
    """Two neighbours of exercise 3, and who owns the centres on their common edge."""
    first, second = exercises._triangles()[:2]
    d, side, x0, y0 = Drawing(640, 330), 19, 20, 10
    for y in range(16):
        for x in range(16):
            centre = (x + 0.5, y + 0.5)
            fill = FILL if exercises._covers(*first, centre) else YELLOW if exercises._covers(*second, centre) else "#ffffff"
            d.rect(x0 + side * x, y0 + side * (15 - y), side, side, fill, PALE)
            on = any(exercises._edge(a, b, centre) == 0 and exercises._covers(*t, centre, "all")
                     for t in (first, second) for a, b in zip(t, t[1:] + t[:1]))
            d.dot((x0 + side * (x + 0.5), y0 + side * (15.5 - y)), 3.0 if on else 1.3, RED if on else "#8c959f")
    for triangle in (first, second):
        d.polygon([(x0 + side * x, y0 + side * (16 - y)) for x, y in triangle], width=1.5)
    d.text(345, 40, "Corners go round to the left: the edge", "start")
    d.text(345, 58, "equation is positive inside.", "start")
    d.dot((352, 88), 3.0, RED)
    d.text(362, 93, "a centre exactly on an edge: E = 0", "start")
    d.rect(345, 108, 14, 14, FILL, PALE)
    d.text(366, 120, "the lower triangle draws it", "start")
    d.rect(345, 133, 14, 14, YELLOW, PALE)
    d.text(366, 145, "the upper one draws it", "start")
    d.rect(345, 158, 14, 14, "#ffffff", PALE)
    d.text(366, 170, "nobody does", "start")
    d.text(345, 205, "The common edge is a left edge of the", "start")
    d.text(345, 223, "lower triangle: going from corner to", "start")
    d.text(345, 241, "corner it goes down there. So the lower", "start")
    d.text(345, 259, "one owns its centres, all of them, and", "start")
    d.text(345, 277, "no pixel is drawn twice, or never.", "start")
    return d.svg()


FLOOR = """precision highp float;
uniform float u_perspective;
// A floor of two triangles, near corners at w = 1, far ones at w = 6: shares of the screen, and the solution's formula.
void main() {
    vec2 p = gl_FragCoord.xy / vec2(240.0, 160.0);
    // Left and right edge of the floor at this height, and the two triangles of the square.
    float near = 1.0 - p.y, left = 0.35 * p.y, right = 1.0 - 0.35 * p.y;
    float across = (p.x - left) / (right - left);
    if (across < 0.0 || across > 1.0) { gl_FragColor = vec4(1.0); return; }
    // The diagonal goes from the near left corner to the far right one.
    float diagonal = p.y * 0.65 - p.x;
    vec2 a = vec2(0.0, 0.0), b = vec2(1.0, 0.0), c = vec2(0.65, 1.0), d = vec2(0.35, 1.0);
    vec2 second = diagonal < 0.0 ? b : c, third = diagonal < 0.0 ? c : d;
    vec2 second_value = diagonal < 0.0 ? vec2(1.0, 0.0) : vec2(1.0, 1.0);
    vec2 third_value = diagonal < 0.0 ? vec2(1.0, 1.0) : vec2(0.0, 1.0);
    vec3 ws = diagonal < 0.0 ? vec3(1.0, 1.0, 6.0) : vec3(1.0, 6.0, 6.0);
    float area = (second.x - a.x) * (third.y - a.y) - (second.y - a.y) * (third.x - a.x);
    float s1 = ((p.x - a.x) * (third.y - a.y) - (p.y - a.y) * (third.x - a.x)) / area;
    float s2 = ((second.x - a.x) * (p.y - a.y) - (second.y - a.y) * (p.x - a.x)) / area;
    vec3 shares = vec3(1.0 - s1 - s2, s1, s2);
    if (u_perspective > 0.0) shares /= ws;
    vec2 value = (shares.y * second_value + shares.z * third_value) / dot(shares, vec3(1.0));
    vec2 square = floor(value * 8.0);
    float dark = mod(square.x + square.y, 2.0);
    gl_FragColor = vec4(mix(vec3(0.71, 0.84, 0.95), vec3(0.04, 0.41, 0.85), dark), 1.0);
}
"""


def floors():
    """The same floor, linear on the screen at the left, with perspective at the right: a picture as PNG."""
    import numpy
    pictures = [tessera.run_fragment(FLOOR, {"u_perspective": on}, size=(240, 160)) for on in (0, 1)]
    gap = numpy.ones((160, 20, 4), numpy.float32)
    return tessera.Image.of(numpy.concatenate([pictures[0], gap, pictures[1]], axis=1))


def blocks():
    """An image of 16 x 8 texels in blocks; the address of each block by exercise 5's formula; a filtered lookup."""
    d, side, x0, y0 = Drawing(700, 300), 26, 20, 40
    for j in range(8):
        for i in range(16):
            block = (i // 4 + j // 4) % 2
            d.rect(x0 + side * i, y0 + side * j, side, side, "#f6f8fa" if block else "#ffffff", PALE)
            d.text(x0 + side * (i + 0.5), y0 + side * (j + 0.65), str(exercises._address(i, j, 16)), color="#57606a", size=9)
    for j in range(2):
        for i in range(4):
            d.rect(x0 + 4 * side * i, y0 + 4 * side * j, 4 * side, 4 * side, stroke=INK, line=1.5)
    d.rect(x0 + side * 5, y0 + side * 1, 2 * side, 2 * side, "#0969da33", BLUE, 2)
    d.rect(x0 + side * 11, y0 + side * 3, 2 * side, 2 * side, "#cf222e33", RED, 2)
    d.text(x0, 25, "16 x 8 texels: the byte at which each begins; a block of 4x4 is a line of the cache", "start")
    d.text(x0, 270, "blue: a filtered lookup of four texels within one line;  red: one that needs four lines", "start")
    size = 64
    x = 480
    for level in range(5):
        d.rect(x, y0 + 60 - size / 2 + 32, size, size, FILL, INK)
        d.text(x + size / 2, y0 + 145, str(level), size=11)
        x += size + 14
        size /= 2
    d.text(560, 60, "mip levels: half as wide, half as high", size=12)
    return d.svg()


def divergence():
    """Who executes: lanes against instructions, from a trace of the sheet's program."""
    page = (HERE / "6-divergence.md").read_text()
    program = page[page.index(".compute"):page.index("```", page.index(".compute"))]
    trace = tessera.trace(program, grid=1, buffers={"steps": array.array("i", [0] * 32)}, form="json")
    shown, d, w, h = trace[:150], Drawing(860, 300), 5, 7
    for column, entry in enumerate(shown):
        lanes = int(entry["exec"], 16)
        color = {"mad": RED, "shr": GREEN}.get(str(entry["instruction"]).split(".")[0], BLUE)
        for lane in range(32):
            on = lanes >> lane & 1
            d.rect(60 + w * column, 30 + h * lane, w - 0.5, h - 0.5, color if on else "#eaeef2")
    d.text(55, 40, "lane 0", "end", size=11)
    d.text(55, 30 + 31.8 * h, "lane 31", "end", size=11)
    d.text(60, 20, f"the first {len(shown)} of {len(trace)} instructions of the group, from left to right", "start", size=12)
    for x, color, text in ((60, RED, "the odd side"), (180, GREEN, "the even side"), (310, BLUE, "all others"),
                           (430, "#eaeef2", "the lane waits")):
        d.rect(x, 268, 12, 12, color)
        d.text(x + 18, 279, text, "start", size=12)
    return d.svg()


def banks():
    d = Drawing(760, 250)
    for panel, stride in enumerate((32, 33)):
        y0 = 40 + 110 * panel
        d.text(20, y0 - 14, f"rows of {stride} words: lane l reads word {stride} l", "start")
        counts = [0] * 32
        for lane in range(32):
            counts[stride * lane % 32] += 1
        for bank in range(32):
            count = counts[bank]
            d.rect(20 + 22 * bank, y0, 20, 34, "#ffd8d3" if count > 1 else FILL if count else "#ffffff", PALE)
            d.text(30 + 22 * bank, y0 + 22, str(count), size=11)
            d.text(30 + 22 * bank, y0 + 50, str(bank), color="#8c959f", size=9)
        cycles = max(counts)
        d.text(736, y0 + 22, f"{cycles}", "start", RED if cycles > 1 else GREEN, 14)
    d.text(20, 240, "lanes that want a word of each bank; at the right the cycles that it takes", "start", "#57606a", 12)
    return d.svg()


UNITS = ["block processor", "texture engine", "pixel engine", "SDRAM channel"]
CAUSES = {"busy": (BLUE, "busy"), "texture": ("#d4a72c", "waits for texture engines"), "sdram": (RED, "waits for memory"),
          "row_change": ("#bc4c00", "opens another row"), "no_work": ("#eaeef2", "nothing to do")}


def bounds():
    """What four kinds of units did in the frame of sheet 8, with nine lookups and with four."""
    texels = bytes((7 * x * y + 13 * y + 40 * c) % 256 if c < 3 else 255
                   for y in range(96) for x in range(128) for c in range(4))
    picture = tessera.Image(128, 96, texels)
    models = [tessera.model(exercises.frame(shader, picture))
              for shader in (course.start_text(course.exercise("8")), solution("8"))]
    d, scale = Drawing(820, 300), 620 / models[0].cycles
    for panel, (chip, what) in enumerate(zip(models, ("nine lookups", "four lookups"))):
        y = 20 + 125 * panel
        d.text(150, y, f"{what}: {chip.cycles:,} cycles", "start")
        for i, unit in enumerate(UNITS):
            rows = [row for row in chip.rows if row["kind"] == unit]
            d.text(140, y + 24 + 22 * i, f"{len(rows)} {unit}s", "end", size=12)
            x, width = 150.0, chip.cycles * scale
            shares = {cause: sum(row.get(cause, 0.0) for row in rows) / len(rows) for cause in CAUSES}
            for cause, share in shares.items():
                d.rect(x, y + 11 + 22 * i, share * width, 17, CAUSES[cause][0])
                x += share * width
            d.rect(x, y + 11 + 22 * i, 150 + width - x, 17, "#afb8c1")
    x = 20
    for color, text in [*CAUSES.values(), ("#afb8c1", "other")]:
        d.rect(x, 274, 12, 12, color)
        d.text(x + 17, 285, text, "start", size=12)
        x += 36 + 6.6 * len(text)
    return d.svg()


def made():
    """Name of the file -> text, or a picture."""
    return {"course-spaces.svg": spaces(), "course-outcodes.svg": outcodes(), "course-edges.svg": edges(),
            "course-floors.png": floors(), "course-blocks.svg": blocks(), "course-divergence.svg": divergence(),
            "course-banks.svg": banks(), "course-bounds.svg": bounds()}


def main():
    stale = []
    for name, content in made().items():
        path = IMAGES / name
        if "--check" not in sys.argv[1:]:
            content.save(path) if isinstance(content, tessera.Image) else path.write_text(content)
        elif not path.exists() or (tessera.diff(content, path) if isinstance(content, tessera.Image)
                                   else path.read_text() != content):
            stale.append(f"{path.name} is not what docs/course/figures.py draws")
    print("\n".join(stale or ["8 pictures"]))
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
