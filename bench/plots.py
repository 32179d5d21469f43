"""Draws bar charts as SVG, readable on light and dark pages."""

import html
import math

COLORS = ("#2a78d6", "#e07b39", "#7a7f87")
STYLE = """<style>
text { font: 12px system-ui, sans-serif; fill: #24292f; }
.grid { stroke: #8c959f; stroke-opacity: .35; }
.mark { stroke: #24292f; stroke-dasharray: 4 3; }
.title { font-size: 14px; font-weight: 600; }
@media (prefers-color-scheme: dark) { text { fill: #e6edf3; } .mark { stroke: #e6edf3; } }
</style>"""
LABEL, PLOT, RIGHT, ROW, TOP = 190, 520, 80, 20, 56


def ticks(low, high, is_log):
    """Round numbers from low to high."""
    if is_log:
        steps = [m * 10.0 ** e for e in range(-4, 6) for m in (1, 2, 5)]
        return [t for t in steps if low <= t <= high]
    step = 10.0 ** math.floor(math.log10(max(high - low, 1e-9)))
    step = next(s for s in (step / 5, step / 2, step, step * 2) if (high - low) / s <= 8)
    count = int(math.floor((high - low) / step + 1e-9))
    return [low + i * step for i in range(count + 1)]


def bars(title, rows, marks=(), is_log=False, base=None, unit="", series=()):
    """SVG text. rows: (label, values), a bar for each value; marks: (value, text) as dashed lines; bars start at `base`
    (default: the left). series: what the first, second, ... values are; with one value, its colour says on which side
    of `base` it is."""
    values = [value for _, several in rows for value in several] + [value for value, _ in marks]
    if is_log:
        low, high = min(min(values) * 0.8, base or 1), max(max(values) * 1.25, base or 1)
        place = lambda value: LABEL + PLOT * (math.log(value / low) / math.log(high / low))
    else:
        low, high = 0.0, max(values) * 1.1
        place = lambda value: LABEL + PLOT * (value - low) / (high - low)
    most = max(len(several) for _, several in rows)
    bar = ROW - 6 if most == 1 else 11
    row_height = bar * most + 6
    height = TOP + row_height * len(rows) + 24
    width = LABEL + PLOT + RIGHT
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
           f'height="{height}">', STYLE, f'<text class="title" x="8" y="18">{html.escape(title)}</text>']
    for i, name in enumerate(series if most > 1 else ()):
        x = LABEL + PLOT - 60 * (len(series) - i)
        out.append(f'<rect x="{x}" y="9" width="12" height="10" rx="2" fill="{COLORS[i % len(COLORS)]}"/>'
                   f'<text x="{x + 17}" y="18">{html.escape(name)}</text>')
    bottom = TOP + row_height * len(rows)
    for tick in ticks(low, high, is_log):
        x = place(tick)
        out.append(f'<line class="grid" x1="{x:.1f}" y1="{TOP - 6}" x2="{x:.1f}" y2="{bottom}"/>'
                   f'<text x="{x:.1f}" y="{bottom + 16}" text-anchor="middle">{tick:g}{unit}</text>')
    start = place(base if base is not None else low)
    for i, (label, several) in enumerate(rows):
        y = TOP + i * row_height
        out.append(f'<text x="{LABEL - 8}" y="{y + (row_height + 6) / 2:g}" text-anchor="end">{html.escape(label)}</text>')
        for j, value in enumerate(several):
            top, end = y + 2 + j * bar, place(value)
            side = 0 if base is None or value >= base else 1
            color = COLORS[side if most == 1 else j % len(COLORS)]
            out.append(f'<rect x="{min(start, end):.1f}" y="{top}" width="{max(abs(end - start), 1):.1f}" '
                       f'height="{bar if most == 1 else bar - 1}" rx="2" fill="{color}"/>'
                       f'<text x="{max(start, end) + 5:.1f}" y="{top + bar - (3 if most == 1 else 1)}">{value:.3g}{unit}</text>')
    for value, text in marks:
        x = place(value)
        out.append(f'<line class="mark" x1="{x:.1f}" y1="{TOP - 8}" x2="{x:.1f}" y2="{bottom}"/>'
                   f'<text x="{x:.1f}" y="{TOP - 12}" text-anchor="middle">{html.escape(text)}</text>')
    return "\n".join(out + ["</svg>"]) + "\n"


def lines(title, series):
    """SVG text, both axes logarithmic to base 2. series: (label, [(x, y), ...]); a dashed line is y = x."""
    most = max(x for _, points in series for x, _ in points)
    left, top, side = 48, 40, 380
    place = lambda value: side * math.log2(max(value, 0.5)) / math.log2(most)
    width, height = left + side + 190, top + side + 40
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
           f'height="{height}">', STYLE, f'<text class="title" x="8" y="18">{html.escape(title)}</text>']
    tick = 1
    while tick <= most:
        x, y = left + place(tick), top + side - place(tick)
        out.append(f'<line class="grid" x1="{x:.1f}" y1="{top}" x2="{x:.1f}" y2="{top + side}"/>'
                   f'<line class="grid" x1="{left}" y1="{y:.1f}" x2="{left + side}" y2="{y:.1f}"/>'
                   f'<text x="{x:.1f}" y="{top + side + 16}" text-anchor="middle">{tick}</text>'
                   f'<text x="{left - 8}" y="{y + 4:.1f}" text-anchor="end">{tick}</text>')
        tick *= 2
    out.append(f'<line class="mark" x1="{left}" y1="{top + side}" x2="{left + side}" y2="{top}"/>'
               f'<text x="{left + side / 2}" y="{top + side + 34}" text-anchor="middle">threads</text>')
    taken = top - 14.0
    for i, (label, points) in enumerate(sorted(series, key=lambda one: -one[1][-1][1])):
        color = COLORS[i % len(COLORS)]
        path = " ".join(f"{left + place(x):.1f},{top + side - place(y):.1f}" for x, y in points)
        end = top + side - place(points[-1][1])
        taken = max(end, taken + 14)
        out.append(f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="1.5"/>'
                   f'<text x="{left + side + 6}" y="{taken + 4:.1f}">{html.escape(label)} {points[-1][1]:.3g}</text>')
    return "\n".join(out + ["</svg>"]) + "\n"
