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
    """Reports of machines on which the cycle model ran the programs at the paper's size."""
    reports = {}
    for name in MODELLED:
        report = folder / "modelled.json"
        run([build / "bin" / "tessera", "trim", name, "--root", ROOT, "--preset", "miaow2", "--size", "paper", "--report", report],
            folder)
        reports[name] = json.loads(report.read_text())[0]
    return reports


# --- Whole machines beside the papers' reports ---

TABLE_V = {"lut": 5372, "ff": 14996, "dsp": 24, "bram": 48}  # seed 000
PROCESSORS = {"lut": 16 * 267 + 235, "ff": 16 * 794 + 540}  # of it, those of its rows SP and Instruction
PER_CENT = {"lut": 37.03, "ff": 7.18, "dsp": 15.00, "bram": 37.33}  # seed 001, 3
# Parts of a machine of this instruction set that seed 000's has not.
NOT_IN_TABLE_V = {
    "swizzle, absolute and negate": "operands are registers of 32 bits, of which nothing is chosen (Table II)",
    "saturate": "no instruction of Table II does",
    "integer multiplier, the lower 32 bits of 32 x 32": "the multiply is 16x16 (III.B)",
    "predicates and guards": "predicates are not supported (III.B)",
    "state and choice of a resident group": "an instruction goes through all wavefronts before the next (III.C)",
    "reconvergence stack": "as above",
    "constants": "immediate operands alone (III.C)",
    "memory unit: addresses and way to memory": "loads and stores are of shared memory, which an agent outside fills (III)",
    "loads: return path, halves and bytes": "as above; all data are 32 bits wide (III)",
    "stores: data path": "as above",
    "group dispatch and memory arbitration": "an external agent starts a multiprocessor (II)",
}
OF_TABLE_V = ("operand fetch and write-back", "hard multiply-add", "integer adder and comparison", "logic", "shifters",
              "integer multiplier, 16 x 16", "instruction fetch, sequencer, thread generator")
KEYS = ("lut", "ff", "dsp", "bram")


def whole_machines(build, folder):
    """Name -> area of a machine, added up."""
    tessera = build / "bin" / "tessera"
    nothing = folder / "nothing.tsa"
    nothing.write_text(".compute\nret\n")

    def trimmed(program, preset, *options):
        report = folder / "area.json"
        run([tessera, "trim", program, "--root", ROOT, "--preset", preset, "--no-model", "--report", report, *options], folder)
        return json.loads(report.read_text())[0]

    def added(parts):
        return {key: sum(part[key] for part in parts) for key in KEYS}

    reported = trimmed(nothing, ROOT / "tests" / "model" / "table_v.toml", "--device", "agilex")["parts"]
    names = {part["name"] for part in reported}
    if missing := [name for name in (*NOT_IN_TABLE_V, *OF_TABLE_V) if name not in names]:
        raise SystemExit(f"tests/model/table_v.toml has no part called {missing[0]}")
    there = [part for part in reported if part["name"] not in NOT_IN_TABLE_V]
    small = trimmed(nothing, ROOT / "tests" / "model" / "table_1.toml", "--device", "spartan7")
    ours = trimmed("mandelbrot_fixed", "minimalist", "--device", "spartan7")
    return {"egpu": trimmed(nothing, "egpu")["before"], "egpu on agilex": trimmed(nothing, "egpu", "--device", "agilex")["before"],
            "table V": added(reported), "table V, its parts": added(there),
            "besides processors": added([part for part in there if part["name"] not in OF_TABLE_V]),
            "not there": {part["name"]: part for part in reported if part["name"] in NOT_IN_TABLE_V},
            "minimalist": ours["before"], "minimalist, trimmed": ours["after"], "table 1": small["before"],
            "holds": small["holds"]}


def area_tables(of):
    def row(name, area):
        return f"| {name} | " + " | ".join(f"{area[key]:,.0f}" if key in area else "" for key in KEYS) + " |"

    def ratios(area, paper):
        return "| *beside the paper* | " + " | ".join(f"{area[key] / paper[key]:.2f}" for key in KEYS) + " |"

    lines = ["| seed 000's multiprocessor | ALM | registers | DSP | M20K |", "|---|---:|---:|---:|---:|",
             row("the preset `egpu`, by the resource table", of["egpu"]),
             row("with `--device agilex`", of["egpu on agilex"]),
             row("sixteen processors of one component, Table II's instructions", of["table V"]),
             row("of that the parts that the paper's machine has", of["table V, its parts"]),
             row("Table V", TABLE_V), ratios(of["table V, its parts"], TABLE_V),
             "", "| part of ours | LUT | FF | DSP | BRAM | not there, because |", "|---|---:|---:|---:|---:|---|"]
    lines += [row(name, part) + f" {NOT_IN_TABLE_V[name]} |" for name, part in of["not there"].items()]
    share = {name: {key: 100 * of[name][key] / of["holds"][key] for key in KEYS}
             for name in ("minimalist", "minimalist, trimmed", "table 1")}

    def percents(name, area):
        return f"| {name} | " + " | ".join(f"{area[key]:.1f} %" for key in KEYS) + " |"

    lines += ["", "| seed 001's machine, of an XC7S50 | LUT | registers | DSP | BRAM |", "|---|---:|---:|---:|---:|",
              percents("the preset `minimalist`, `--device spartan7`", share["minimalist"]),
              percents("trimmed to `mandelbrot_fixed`", share["minimalist, trimmed"]),
              percents("Table 1's commands alone", share["table 1"]), percents("seed 001, 3", PER_CENT),
              ratios(share["table 1"], PER_CENT)]
    return "\n".join(lines) + "\n"


# --- The tables ---

def beside_paper(tables):
    """Seed 002's kernels, with a column of what the paper says of them."""
    block = re.search(rf"^\*\*{SEED_002}\*\*\n\n(.*?)\n\n", tables + "\n\n", re.MULTILINE | re.DOTALL)[1].splitlines()
    rows = [block[0] + " seed 002 |", block[1] + "---|"]
    rows += [f"{row} {PAPER.get(row.split(' | ')[0].removeprefix('| '), '')} |" for row in block[2:]]
    return "\n".join(rows) + "\n"


def modelled_table(reports):
    lines = ["| program | more cores: predicted | by the cycle model | more lanes: predicted | by the cycle model |", "|---|---:|---:|---:|---:|"]
    for name, of in reports.items():
        cells = [f"{cell:.2f}" for how in ("cores", "units")
                 for cell in (of[how]["speedup"], of["modelled"]["before"] / of[how]["cycles"])]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
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
        reports = modelled(options.build.resolve(), folder)
        areas = whole_machines(options.build.resolve(), folder)
        plots = {"instruction-mix.svg": (folder / "instruction-mix.svg").read_text()}
    rows = ways(subjects)
    plots["instruction-needs.svg"] = ways_plot(rows)
    was = PAGE.read_text()
    text = page(was, {"seed 002": beside_paper(beside), "modelled": modelled_table(reports), "area": area_tables(areas),
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
