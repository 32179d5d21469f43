"""Writes the measured part of docs/performance.md, between its two markers, and the plots."""

import math
import os
import pathlib
import re

import plots

BEGIN, END = "<!-- measured: written by ./run bench --peers -->", "<!-- end of the measured part -->"
TARGET = 2.0


def machine():
    """Class of the machine: processors and vector width, no names."""
    info = pathlib.Path("/proc/cpuinfo").read_text()
    flags = set(re.search(r"^flags\s*:(.*)$", info, re.MULTILINE).group(1).split()) if "flags" in info else set()
    level = "AVX-512" if "avx512bw" in flags else "AVX2" if "avx2" in flags else "SSE4.2"
    model = re.search(r"^model name\s*:\s*(.*)$", info, re.MULTILINE)
    model = re.sub(r"\s+", " ", model.group(1)) if model else os.uname().machine
    memory = int(re.search(r"MemTotal:\s*(\d+)", pathlib.Path("/proc/meminfo").read_text()).group(1)) / 2 ** 20
    return f"{os.cpu_count()} processors ({model}, {level}), {memory:.0f} GB of memory, virtual machine"


def figure(result):
    if not result or result["status"] != "good":
        return result["status"] if result else "-"
    return f"{result['median']:.4g}"


def spread(result):
    if not result or result["status"] != "good":
        return ""
    return f"{result['min']:.3g} to {result['max']:.3g}"


def times(value):
    return f"{value:.2f}" if value else "-"


def geometric_mean(values):
    return math.exp(sum(math.log(value) for value in values) / len(values)) if values else 0


def glmark_mean(rows):
    pairs = [row["results"] for row in rows if not row["windowed"]]
    return geometric_mean([p["tessera"]["median"] / p["llvmpipe"]["median"] for p in pairs
                           if all(p.get(name, {}).get("status") == "good" for name in ("tessera", "llvmpipe"))])


def row_table(run, ratio):
    lines = ["| row | unit | Tessera | spread | llvmpipe | spread | ratio | for equal processor time |",
             "|---|---|---:|---:|---:|---:|---:|---:|"]
    for row in run["rows"]:
        ours, theirs = row["results"].get("tessera"), row["results"].get("llvmpipe")
        value = ratio(row)
        mark = f"**{times(value)}**" if value and value >= TARGET else times(value)
        lines.append(f"| {row['name']} | {row['unit']} | {figure(ours)} | {spread(ours)} | {figure(theirs)} | "
                     f"{spread(theirs)} | {mark} | {times(ratio(row, key='processor_median'))} |")
    return lines


def scaling_table(run, ratio):
    lines = ["| row | unit | one thread | two threads | ratio |", "|---|---|---:|---:|---:|"]
    for row in run["rows"]:
        value = ratio(row, theirs="tessera 1 thread")
        if value:
            lines.append(f"| {row['name']} | {row['unit']} | {figure(row['results']['tessera 1 thread'])} | "
                         f"{figure(row['results']['tessera'])} | {times(value)} |")
    return lines


def glmark_table(run, ratio):
    lines = ["| scene | Tessera | llvmpipe | ratio |", "|---|---:|---:|---:|"]
    for row in run["glmark"]:
        cells = [f"{r['median']:.3g}" if r.get("median") and r["status"] == "good" else r["reason"] or "failed"
                 for r in (row["results"]["tessera"], row["results"]["llvmpipe"])]
        lines.append(f"| {row['scene']} | {cells[0]} | {cells[1]} | {times(ratio(row))} |")
    lines.append(f"| **geometric mean**, off screen | | | **{times(glmark_mean(run['glmark']))}** |")
    return lines


def verdict(run, ratio):
    values = [value for row in run["rows"] if (value := ratio(row))]
    good = sum(value >= TARGET for value in values)
    return (f"Tessera reaches {TARGET:g} times llvmpipe on {good} of {len(values)} rows; "
            f"geometric mean over the rows {times(geometric_mean(values))}.")


def measured(run, ratio):
    lines = [BEGIN, "", "## Figures", "",
             f"Drivers: {run['drivers']['tessera']}; {run['drivers']['llvmpipe']}. Machine: {run['machine']}. "
             f"Surface {run['size']}; {run['rounds']} rounds of {run['samples']} samples, drivers in turn. "
             f"While it ran, other programs took {100 * run['others']:.0f} % of the processors' time and the host took "
             f"{100 * run['stolen']:.0f} % away" +
             (": **the machine was not quiet, so figures are too low and ratios are rough.**"
              if run["others"] + run["stolen"] > 0.1 else "."), "",
             verdict(run, ratio), "", "![Ratio of each row](images/performance.svg)", "",
             "Ratio: how many times as fast as llvmpipe; for rows in ms, how many times as short. Bold: the target of "
             f"{TARGET:g} is met. The last column divides the work by the processor time of all threads instead of by "
             "the clock, which other programs disturb less. What each row draws: `./run bench --list`.", "", *row_table(run, ratio), "",
             "## One thread and two", "", "![Two threads against one](images/performance-scaling.svg)", "",
             *scaling_table(run, ratio), ""]
    if run["glmark"]:
        lines += ["## glmark2-es2", "",
                  "800x600, off screen, each frame finished (`--off-screen --frame-end finish`), "
                  f"{run['glmark_seconds']:g} s a scene; frames per second. The last rows are drawn in a window on a "
                  "virtual X display.", "",
                  "![glmark2 against llvmpipe](images/performance-glmark.svg)", "", *glmark_table(run, ratio), ""]
    return "\n".join(lines + [END])


def plot_label(scene):
    """A scene's name and the values of its options: "shading phong"."""
    name, *options = scene.split(":")
    return " ".join([name] + [option.split("=")[1] for option in options])[:28]


def draw_plots(root, run, ratio):
    images = root / "docs/images"
    images.mkdir(exist_ok=True)
    rows = [(row["name"], value) for row in run["rows"] if (value := ratio(row))]
    (images / "performance.svg").write_text(
        plots.bars("Tessera against llvmpipe: times as fast", rows, [(TARGET, "target")], True, 1.0, "x"))
    scaling = [(row["name"], value) for row in run["rows"] if (value := ratio(row, theirs="tessera 1 thread"))]
    (images / "performance-scaling.svg").write_text(
        plots.bars("Two threads against one: times as fast", scaling, [(1.9, "target 1.9")], unit="x"))
    scenes = [(plot_label(row["scene"]), value) for row in run["glmark"] if (value := ratio(row))]
    if scenes:
        (images / "performance-glmark.svg").write_text(
            plots.bars("glmark2-es2, Tessera against llvmpipe: times as fast", scenes, [(TARGET, "target")], True, 1.0,
                       "x"))


def write(root, run, ratio):
    draw_plots(root, run, ratio)
    path = root / "docs/performance.md"
    text = path.read_text()
    before, rest = text.split(BEGIN)
    path.write_text(before + measured(run, ratio) + rest.split(END)[1])
    print(f"wrote {path.relative_to(root)} and its plots")
