"""Writes a measured part of docs/performance.md, between its two markers, and its plots. There is a part for each kind
of machine, by the best SIMD level it has: a run replaces that of its own kind and leaves the others."""

import math
import os
import pathlib
import re

import plots
from drivers import Problem

KINDS = {"v4": "AVX-512", "v3": "AVX2", "v2": "SSE4.2", "neon": "NEON"}  # in the order of the page
TARGET = 2.0
ONE_THREAD = "tessera 1 thread"  # at the best level


def markers(level):
    """The first and the last line of the part for machines whose best level that is."""
    return (f"<!-- measured on machines whose best level is {level}: written by ./run bench --peers -->",
            f"<!-- end of {level} -->")


def machine():
    """Class of the machine: processors and vector width, no names."""
    info = pathlib.Path("/proc/cpuinfo").read_text()
    flags = set(re.search(r"^flags\s*:(.*)$", info, re.MULTILINE).group(1).split()) if "flags" in info else set()
    level = "AVX-512" if "avx512bw" in flags else "AVX2" if "avx2" in flags else "SSE4.2"
    model = re.search(r"^model name\s*:\s*(.*)$", info, re.MULTILINE)
    model = re.sub(r"\s+", " ", model.group(1)) if model else os.uname().machine
    memory = int(re.search(r"MemTotal:\s*(\d+)", pathlib.Path("/proc/meminfo").read_text()).group(1)) / 2 ** 20
    return f"{os.cpu_count()} processors ({model}, {level}), {memory:.0f} GB of memory, virtual machine"


def good(row, name, key="median"):
    """The driver's figure in the row, or None."""
    result = row["results"].get(name, {})
    return result.get(key) if result.get("status") == "good" else None


def faster(row, a, b):
    """How many times as fast as figure b figure a is."""
    return a / b if row["better"] == "higher" else b / a


def best_peer(run, row, level, key="median"):
    """The name of the fastest of the level's peers, or None. key="processor_median": for the same processor time."""
    there = [name for name in run["peers"][level] if good(row, name, key)]
    return max(there, key=lambda name: faster(row, good(row, name, key), 1.0), default=None)


def ratio(run, row, level, key="median"):
    """How many times as fast as the best peer Tessera is at that level, or None."""
    ours, peer = good(row, f"tessera {level}", key), best_peer(run, row, level, key)
    return faster(row, ours, good(row, peer, key)) if ours and peer else None


def scaling(run, row):
    """How many times as fast as on one thread, at the best level, or None."""
    ours, one = good(row, f"tessera {run['levels'][-1]}"), good(row, ONE_THREAD)
    return faster(row, ours, one) if ours and one else None


def figure(result):
    if not result or result["status"] != "good":
        return result["status"] if result else "-"
    spread = f" ({result['min']:.3g} to {result['max']:.3g})" if len(result["samples"]) > 1 else ""
    return f"{result['median']:.4g}{spread}"


def times(value):
    return f"{value:.2f}" if value else "-"


def marked(value, target=TARGET):
    return f"**{times(value)}**" if value and value >= target else times(value)


def geometric_mean(values):
    return math.exp(sum(math.log(value) for value in values) / len(values)) if values else 0


def glmark_mean(run, rows, level):
    """Over the scenes drawn off screen."""
    return geometric_mean([value for row in rows if not row["windowed"] and (value := ratio(run, row, level))])


def table(head, rows):
    """Lines of a table whose first column alone is aligned to the left."""
    return ["| " + " | ".join(head) + " |", "|---|" + "---:|" * (len(head) - 1)] + \
           ["| " + " | ".join(row) + " |" for row in rows]


def peer_names(run):
    """Every peer's name, as it is and narrowed."""
    return [name for name in run["drivers"] if any(name in run["peers"][level] for level in run["levels"])]


def ratio_table(run):
    head = ["row"]
    for level in run["levels"]:
        head += [level, "of", f"{level}, equal processor time"]
    rows = []
    for row in run["rows"]:
        cells = [row["name"]]
        for level in run["levels"]:
            cells += [marked(ratio(run, row, level)), best_peer(run, row, level) or "-",
                      times(ratio(run, row, level, "processor_median"))]
        rows.append(cells)
    return table(head, rows)


def figure_table(run):
    ours = [f"tessera {level}" for level in run["levels"]]
    names = ours + peer_names(run)
    rows = [[row["name"], row["unit"]] + [figure(row["results"].get(name)) for name in names] for row in run["rows"]]
    return table(["row", "unit", *names], rows)


def scaling_table(run):
    best = f"tessera {run['levels'][-1]}"
    rows = [[row["name"], row["unit"], figure(row["results"][ONE_THREAD]), figure(row["results"][best]), times(value)]
            for row in run["rows"] if (value := scaling(run, row))]
    return table(["row", "unit", "one thread", "two threads", "ratio"], rows)


def frames(result):
    """Of glmark2; a reason where there are none."""
    if not result:
        return "-"
    return f"{result['median']:.3g}" if result["status"] == "good" else result["reason"] or "failed"


def glmark_table(run):
    levels = run["levels"]
    names = [f"tessera {level}" for level in levels] + peer_names(run)
    rows = [[row["scene"]] + [marked(ratio(run, row, level)) for level in levels] +
            [frames(row["results"].get(name)) for name in names] for row in run["glmark"]]
    means = [f"**{times(glmark_mean(run, run['glmark'], level))}**" for level in levels]
    rows.append(["**geometric mean**, off screen", *means, *[""] * len(names)])
    return table(["scene", *[f"{level}: ratio" for level in levels], *names], rows)


def verdict(run, level):
    values = {row["name"]: value for row in run["rows"] if (value := ratio(run, row, level))}
    if not values:
        return f"- {level}: nothing was measured on both sides."
    met, least = sum(value >= TARGET for value in values.values()), min(values, key=values.get)
    hidden = set(covered(run))
    apart = "".join(f", {of} {times(geometric_mean([values[name] for name in values if (name in hidden) == is_hidden]))}"
                    for is_hidden, of in ((False, "over those where everything drawn is shaded"), (True, "over the others"))
                    if hidden & set(values))
    return (f"- {level}: {TARGET:g} times the best peer or more on {met} of {len(values)} rows; geometric mean over the "
            f"rows {times(geometric_mean(values.values()))}{apart}; least {times(values[least])}, {least}.")


def covered(run):
    """Names of the rows most of whose fragments later ones cover: they are won by not shading what is not seen."""
    return [row["name"] for row in run["rows"] if row.get("covered")]


def not_shaded(run):
    names = covered(run)
    return [f"Most fragments of {', '.join(f'`{name}`' for name in names)} are covered by later ones and not shaded here; these "
            "rows say what that brings, the others how fast programs run.", ""] if names else []


def measured(run):
    best = run["levels"][-1]
    begin, end = markers(best)
    lines = [begin, "", f"## Figures with {KINDS[best]}", "", "Drivers:", "",
             *[f"- {name}: {version}" for name, version in run["drivers"].items() if name != ONE_THREAD], "",
             f"Machine: {run['machine']}. "
             f"Surface {run['size']}; {run['rounds']} rounds of {run['samples']} samples, drivers in turn. "
             f"While it ran, other programs took {100 * run['others']:.0f} % of the processors' time and the host took "
             f"{100 * run['stolen']:.0f} % away" +
             (": **the machine was not quiet, so figures are too low and ratios are rough.**"
              if run["others"] + run["stolen"] > 0.1 else "."), "",
             "Tessera at a SIMD level, against the best peer of each row whose vectors are no wider:", "",
             *[verdict(run, level) for level in run["levels"]], "", *not_shaded(run), f"![Ratio of each row](images/performance-{best}.svg)", "",
             "Ratio: how many times as fast as the best peer, which is named beside it; for rows in ms, how many times as "
             f"short. Bold: the target of {TARGET:g} is met. For equal processor time the work is divided by the processor "
             "time of all threads instead of by the clock, which other programs disturb less; the best peer is that by "
             "processor time. What each row draws: `./run bench --list`.", "", *ratio_table(run), "",
             "### Medians and spread", "",
             "A peer with a number of bits behind its name has its vectors limited to them (`LP_NATIVE_VECTOR_WIDTH`).", "",
             *figure_table(run), "",
             "### One thread and two", "", f"Tessera at {best}.", "",
             f"![Two threads against one](images/performance-scaling-{best}.svg)", "", *scaling_table(run), ""]
    if run["glmark"]:
        rounds = run.get("glmark_rounds", 1)
        of_rounds = f", medians of {rounds} rounds" if rounds > 1 else ""
        lines += ["### glmark2-es2", "",
                  "800x600, off screen, each frame finished (`--off-screen --frame-end finish`), "
                  f"{run['glmark_seconds']:g} s a scene{of_rounds}; frames per second. The last rows are drawn in a window on a "
                  "virtual X display; peers that draw in none are not in them.", "",
                  f"![glmark2 against the best peer](images/performance-glmark-{best}.svg)", "", *glmark_table(run), ""]
    return "\n".join(lines + [end])


def plot_label(scene):
    """A scene's name and the values of its options: "shading phong"."""
    name, *options = scene.split(":")
    return " ".join([name] + [option.split("=")[1] for option in options])[:28]


def plotted(run, rows, label):
    """(label, [ratio of each level]) of the rows that have them all."""
    values = [(label(row), [ratio(run, row, level) for level in run["levels"]]) for row in rows]
    return [(name, ratios) for name, ratios in values if all(ratios)]


def draw_plots(root, run):
    images, best = root / "docs/images", run["levels"][-1]
    images.mkdir(exist_ok=True)
    against = "against the best peer: times as fast"
    rows = plotted(run, run["rows"], lambda row: row["name"])
    scaled = [(row["name"], [value]) for row in run["rows"] if (value := scaling(run, row))]
    scenes = plotted(run, run["glmark"], lambda row: plot_label(row["scene"]))
    if rows:
        (images / f"performance-{best}.svg").write_text(
            plots.bars(f"Tessera {against}", rows, [(TARGET, "target")], True, 1.0, "x", run["levels"]))
    if scaled:
        (images / f"performance-scaling-{best}.svg").write_text(
            plots.bars("Two threads against one: times as fast", scaled, [(1.9, "target 1.9")], unit="x"))
    if scenes:
        (images / f"performance-glmark-{best}.svg").write_text(
            plots.bars(f"glmark2-es2, Tessera {against}", scenes, [(TARGET, "target")], True, 1.0, "x", run["levels"]))


def replaced(text, run):
    """The page with the run's part in place of the one of its kind, or behind those of kinds before it."""
    kinds = list(KINDS)
    best = run["levels"][-1]
    begin, end = markers(best)
    if begin in text:
        before, rest = text.split(begin)
        return before + measured(run) + rest.split(end)[1]
    ends = [markers(kind)[1] for kind in kinds[:kinds.index(best)] if markers(kind)[1] in text]
    begins = [markers(kind)[0] for kind in kinds[kinds.index(best):] if markers(kind)[0] in text]
    if ends:
        before, rest = text.split(ends[-1])
        return before + ends[-1] + "\n\n" + measured(run) + rest
    if begins:
        before, rest = text.split(begins[0])
        return before + measured(run) + "\n\n" + begins[0] + rest
    raise Problem("the page has no measured part of any kind of machine")


def write(root, run):
    if "levels" not in run:
        raise Problem("these figures are of one level only, from before there were more: measure again")
    draw_plots(root, run)
    path = root / "docs/performance.md"
    path.write_text(replaced(path.read_text(), run))
    print(f"wrote {path.relative_to(root)} and its plots")
