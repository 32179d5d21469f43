#!/usr/bin/env python3
"""Trims machines to all kernels and demos and writes the tables and plots of docs/trim.md.

  page.py --build DIR            writes them
  page.py --build DIR --check    says where the page differs; writes nothing
"""

import argparse
import difflib
import html
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "trim.md"
IMAGES = ROOT / "docs" / "images"
DEMOS = ("bumps", "cube", "gears", "shadow", "skinning", "textured", "water")
# What seed 002 says of a program, beside its row.
PAPER = {
    "matrix_add_float": "1.15 times as efficient",
    "convolution_float": "the least saved; 1.02 times as efficient",
    "transpose": "72 % FF and 47 % LUT saved, the most; 1.23 times as efficient",
    "pool_max": "as transpose", "pool_median": "as transpose", "pool_average": "as transpose",
    "*mean*": "41 % FF, 36 % LUT", "*most*": "72 % FF, 47 % LUT; 3.0 by cores, 3.5 by units",
}
SEED_002 = "kernels of seed 002"
MODELLED = ("matrix_add_int", "matrix_multiply_int", "matrix_multiply_float", "bitonic_sort", "transpose", "pool_max")


def run(command, folder, **environment):
    result = subprocess.run([str(part) for part in command], cwd=folder, env={**os.environ, **environment}, capture_output=True,
                            text=True, stdin=subprocess.DEVNULL)
    if result.returncode:
        raise SystemExit(f"{' '.join(map(str, command))}: exit status {result.returncode}\n{result.stdout}{result.stderr}")
    return result.stdout


def measure(build, folder):
    """(tables of miaow2, tables of tessera, their JSON): all programs, with what was executed."""
    binaries = build / "bin"
    run([binaries / "kernels", "--size", "small", "--profile", folder / "profile.json"], folder)
    frames = []
    for demo in DEMOS:
        frames.append(folder / f"{demo}.tsc")
        run([binaries / demo, "--headless", "--plain", "--frames", 3, "--size", "128x128", "--time", 1, "--quiet", "--out", folder / "frame.png"],
            folder, TESSERA_COMMANDS=str(frames[-1]), TESSERA_COMMANDS_FRAME="2", LD_LIBRARY_PATH=str(build / "lib"))
    results = []
    for preset, programs in (("miaow2", ()), ("tessera", frames)):
        for kind in ("md", "json"):
            plot = ("--plot", folder / "instruction-mix.svg") if preset == "tessera" else ()
            run([binaries / "tessera", "trim", "--all", "--root", ROOT, *programs, "--preset", preset, "--profile",
                 folder / "profile.json", "--report", folder / f"{preset}.{kind}", *plot], folder)
        results.append((folder / f"{preset}.md").read_text())
    results += [json.loads((folder / f"{preset}.json").read_text()) for preset in ("miaow2", "tessera")]
    return results


def modelled(build, folder):
    """Name -> cycles before trimming, with more cores, with more lanes, by the cycle model."""
    tessera = build / "bin" / "tessera"
    found = {}
    for name in MODELLED:
        work = folder / f"{name}.tsw"
        run([tessera, "model", "--summary", "--size", "paper", "--save", work, name], folder)
        presets = ["miaow2"]
        for refill in ("cores", "units"):
            presets.append(folder / f"{refill}.toml")
            run([tessera, "trim", name, "--root", ROOT, "--preset", "miaow2", "-o", presets[-1], "--refill", refill], folder)
        found[name] = [json.loads(run([tessera, "model", "--json", "--preset", preset, work], folder))["cycles"] for preset in presets]
    return found


# --- The tables ---

def beside_paper(tables):
    """Seed 002's kernels, with a column of what the paper says of them."""
    block = re.search(rf"^\*\*{SEED_002}\*\*\n\n(.*?)\n\n", tables + "\n\n", re.MULTILINE | re.DOTALL)[1].splitlines()
    rows = [block[0] + " seed 002 |", block[1] + "---|"]
    rows += [f"{row} {PAPER.get(row.split(' | ')[0].removeprefix('| '), '')} |" for row in block[2:]]
    return "\n".join(rows) + "\n"


def modelled_table(cycles, miaow2):
    lines = ["| program | more cores: predicted | by the cycle model | more lanes: predicted | by the cycle model |", "|---|---:|---:|---:|---:|"]
    of = {subject["name"]: subject for subject in miaow2}
    for name, (before, cores, lanes) in cycles.items():
        lines.append(f"| {name} | {of[name]['cores']['speedup']:.2f} | {before / cores:.2f} | {of[name]['units']['speedup']:.2f} | "
                     f"{before / lanes:.2f} |")
    return "\n".join(lines) + "\n"


def ways(subjects):
    """What seed 002 says of 25 programs in 3.1, and how many of ours: (what, paper's share or None, its words, test)."""
    def has(*classes):
        return lambda subject: any(subject["mix"][name] for name in classes)

    add_and_mul = lambda subject: not has("div int", "div float", "trans")(subject)
    whole = lambda subject: add_and_mul(subject) and not has("add float", "mul float")(subject)
    rows = (("mov", 1, "typically all", has("mov")), ("logic", 1, "typically all", has("logic")),
            ("shift", 1, "typically all", has("shift")), ("search or count bits", 0, "none", has("bitwise")),
            ("of arithmetic add and mul alone", 12 / 25, "12 of 25", add_and_mul),
            ("... of them without floats", 6 / 25, "half of them", whole),
            ("convert", None, "", has("convert")), ("divide", None, "", has("div int", "div float")),
            ("transcendental functions", None, "", has("trans")))
    kernels = [subject for subject in subjects if subject["group"].startswith("kernels")]
    sets = (("kernels of seed 002", [subject for subject in kernels if subject["group"] == SEED_002]), ("all kernels", kernels),
            ("demos", [subject for subject in subjects if subject["group"].startswith("demos")]))
    return [(name, share, words, [(label, sum(map(test, some)), len(some)) for label, some in sets])
            for name, share, words, test in rows]


def ways_table(rows):
    lines = ["| programs that need | seed 002, 3.1 | " + " | ".join(f"{label}, of {count}" for label, _, count in rows[0][3]) + " |",
             "|---|---|" + "---:|" * len(rows[0][3])]
    lines += [f"| {name} | {words} | " + " | ".join(str(found) for _, found, _ in ours) + " |" for name, _, words, ours in rows]
    return "\n".join(lines) + "\n"


def ways_plot(rows):
    left, width, bar, top = 230, 560, 12, 70
    step = bar * 4 + 14
    colors = ("#24292f", "#2a78d6", "#8fbcec", "#e0a030")
    labels = ["the paper's 25 programs, where its text has a figure", *(f"{label} ({count})" for label, _, count in rows[0][3])]
    height = top + step * len(rows) + 10
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {left + width + 110} {height}" width="{left + width + 110}" '
           f'height="{height}">', "<style>", "text { font: 12px system-ui, sans-serif; fill: #24292f; }",
           ".title { font-size: 14px; font-weight: 600; }", ".small { font-size: 10px; }",
           *(f".b{i} {{ fill: {color}; }}" for i, color in enumerate(colors)),
           "@media (prefers-color-scheme: dark) { text { fill: #e6edf3; } .b0 { fill: #e6edf3; } }", "</style>",
           '<text class="title" x="8" y="20">Programs that need an instruction of a class, beside seed 002</text>']
    x = 8
    for i, label in enumerate(labels):
        out.append(f'<rect class="b{i}" x="{x:.0f}" y="34" width="11" height="11"/><text x="{x + 16:.0f}" y="44">{label}</text>')
        x += 34 + 6.6 * len(label)
    for number, (name, share, words, ours) in enumerate(rows):
        y = top + step * number
        out.append(f'<text x="{left - 8}" y="{y + 2 * bar + 4}" text-anchor="end">{html.escape(name)}</text>')
        shares = [(share, words)] + [(found / count, f"{100 * found / count:.0f} %") for _, found, count in ours]
        for i, (part, text) in enumerate(shares):
            if part is None:
                continue
            at = y + bar * i
            out.append(f'<rect class="b{i}" x="{left}" y="{at}" width="{max(width * part, 1):.1f}" height="{bar - 2}"/>'
                       f'<text class="small" x="{left + width * part + 5:.1f}" y="{at + 9}">{text}</text>')
    return "\n".join(out + ["</svg>"]) + "\n"


# --- What the text says ---

def figures(miaow2):
    """First cell of a row of the comparison -> what its "here" has to say of seed 002's kernels on miaow2."""
    some = [subject for subject in miaow2 if subject["group"] == SEED_002]

    def saved(what):
        return [1 - subject["after"][what] / subject["before"][what] for subject in some]

    def both(what):
        return f"{100 * sum(saved(what)) / len(some):.0f} %, {100 * max(saved(what)):.0f} %"

    def efficiency(which):
        powers = [round(subject["power"], 2) for subject in some if which(subject["name"])]
        return f"{1 / max(powers):.2f} to {1 / min(powers):.2f}"

    whole = lambda name: "_int" in name or name in ("transpose", "bitonic_sort", "pool_max")
    return {
        "flip-flops saved": both("ff"), "LUTs saved": both("lut"),
        "BRAM saved": f"{100 * min(saved('bram')):.0f} to {100 * max(saved('bram')):.0f} %",
        "efficiency of integer kernels": efficiency(whole),
        "efficiency of float kernels": efficiency(lambda name: not whole(name) and name != "matrix_add_float"),
        "more cores": f"up to {max(subject['cores']['speedup'] for subject in some):.1f}",
        "more units": f"up to {max(subject['units']['speedup'] for subject in some):.1f}",
    }


def page(text, parts):
    for name, part in parts.items():
        begin, end = f"<!-- {name}: written by ./run trim-report -->\n", f"<!-- end of {name} -->\n"
        before, rest = text.split(begin)
        text = before + begin + "\n" + part + "\n" + end + rest.split(end)[1]
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--check", action="store_true", help="say where the page differs; write nothing")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        beside, tables, miaow2, subjects = measure(options.build.resolve(), folder)
        cycles = modelled(options.build.resolve(), folder)
        plots = {"instruction-mix.svg": (folder / "instruction-mix.svg").read_text()}
    rows = ways(subjects)
    plots["instruction-needs.svg"] = ways_plot(rows)
    was = PAGE.read_text()
    text = page(was, {"seed 002": beside_paper(beside), "modelled": modelled_table(cycles, miaow2),
                      "all": tables.strip("\n") + "\n", "needs": ways_table(rows)})
    faults = [f"docs/trim.md, row \"{row}\": its \"here\" has to say {said}" for row, said in figures(miaow2).items()
              if not re.search(rf"^\| {re.escape(row)} \|[^|]*\|[^|]*{re.escape(said)}", text, re.MULTILINE)]
    if options.check:
        faults += [line for line in difflib.unified_diff(was.splitlines(), text.splitlines(), "docs/trim.md", "now", lineterm="", n=0)]
        faults += [f"docs/images/{file} is another now" for file, plot in plots.items()
                   if not (IMAGES / file).exists() or (IMAGES / file).read_text() != plot]
    else:
        PAGE.write_text(text)
        for file, plot in plots.items():
            (IMAGES / file).write_text(plot)
    for fault in faults:
        print(fault)
    if faults and options.check:
        print("./run trim-report writes tables and plots anew")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
