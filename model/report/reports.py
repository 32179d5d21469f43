#!/usr/bin/env python3
"""Models a frame of each demo and of each of glmark2-es2's scenes, and each kernel, and writes docs/model-reports.md.

  reports.py --build DIR              all; writes the page's tables and plots
  reports.py --build DIR --only PART  one part (demos, glmark2 or kernels); the others stay as they are
  reports.py --build DIR --shard K/N  every N-th row; ./run merge puts the parts together and writes the page
  reports.py --build DIR --check      says what differs from the page of the rows that take little time; writes nothing

A row that is done is kept in DIR/model-reports, for these very programs: who is interrupted goes on where he was.
glmark2-es2 needs an X server; without DISPLAY a virtual one is started (Xvfb).
"""

import argparse
import hashlib
import html
import json
import os
import pathlib
import re
import socket
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "bench"), str(ROOT / "tests")]
import glmark  # noqa: E402
import shards  # noqa: E402

PAGE = ROOT / "docs" / "model-reports.md"
SIZE = "800x600"
DEMOS = ("gears", "cube", "textured", "water", "shadow", "skinning", "bumps", "fixed", "formats", "isa-triangle", "isa-cube",
         "isa-mandelbrot", "isa-plasma")
CHECKED_CYCLES = 600_000  # a row that takes more is not checked
# Causes of block processors' idle cycles that need more words than their keys have.
IDLE = {"no_group": "no group resident", "texture": "texture engines", "dependency": "an instruction's result", "sdram": "SDRAM",
        "unit_taken": "unit taken by another group", "queue_full": "full queue of a texture engine"}
# What cycles went to, as plots have it: name, colour, and which units and causes.
CLASSES = (
    ("block processors work", "#2a78d6", lambda unit, cause: unit == "block processor" and cause == "busy"),
    ("other units work", "#8fbcec", lambda unit, cause: cause == "busy" or "way" in cause),
    ("results of instructions", "#3fa35b", lambda unit, cause: cause == "waiting for an instruction's result"),
    ("an instruction's unit taken", "#9ccb72", lambda unit, cause: cause == "unit taken by another group"),
    ("shared memory, barriers", "#9657c9", lambda unit, cause: "shared memory" in cause or "barrier" in cause),
    ("SDRAM: kernels' data", "#b03a5b", lambda unit, cause: "SDRAM" in cause and unit == "block processor"),
    ("SDRAM: textures", "#e0553b", lambda unit, cause: "SDRAM" in cause and unit == "texture engine"),
    ("SDRAM: colour and depth", "#f08a5d", lambda unit, cause: "SDRAM" in cause and unit in ("early tests", "pixel engine")),
    ("SDRAM: vertices", "#f0b429", lambda unit, cause: "SDRAM" in cause and unit == "vertex fetch"),
    ("SDRAM: clears, copies, frames' ends", "#8c6d46", lambda unit, cause: "SDRAM" in cause),
    ("else", "#d0d7de", lambda unit, cause: True),
)


# --- One row ---

class Model:
    def __init__(self, build):
        self.build, self.folder = build, build / "model-reports"
        self.folder.mkdir(exist_ok=True)
        digest = hashlib.sha256()
        for file in (build / "bin" / "tessera", build / "lib" / "libtessera.so.0", *(build / "bin" / name for name in DEMOS),
                     *sorted((build / "share" / "tessera" / "kernels").iterdir())):
            digest.update(file.read_bytes())
        self.version = digest.hexdigest()[:16]

    def run(self, *arguments, environment=None):
        return subprocess.run([str(self.build / "bin" / "tessera"), "model", *arguments], capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, cwd=self.folder, env={**os.environ, **(environment or {})})

    def measure(self, options, program, environment=None):
        """What a program's row is made of; a program that cannot be modelled has its message as "problem"."""
        workload = self.folder / f"row-{socket.gethostname()}-{os.getpid()}.tsw"
        try:
            made = self.run(*options, "--json", "--save", str(workload), *program, environment=environment)
            if made.returncode:
                lines = [line for line in made.stderr.splitlines() if "error: " in line]
                return {"problem": (lines or [f"status {made.returncode}"])[-1].split("error: ", 1)[-1]}
            # What a program printed stands before the report.
            report = json.loads(made.stdout[made.stdout.index("{"):])
            why = self.run("--why", "run", str(workload))
            if why.returncode:
                raise SystemExit(f"tessera model --why run of {' '.join(program)}: {why.stderr}")
            return row(report, why.stdout)
        finally:
            workload.unlink(missing_ok=True)


def row(report, why):
    cycles = report["cycles"]
    kinds = {}
    for unit in report["units"]:
        kind = kinds.setdefault(unit["unit"], {})
        for cause, count in unit["cycles"].items():
            kind[cause] = kind.get(cause, 0) + count
    busy = {kind: causes.get("busy", 0) / max(sum(causes.values()), 1) for kind, causes in kinds.items()
            if not kind.startswith("lanes")}
    bounds = {}
    for item in report["items"]:
        if "bound_by" in item:
            bounds[item["bound_by"]] = bounds.get(item["bound_by"], 0) + item["alone"]
    processors = kinds["block processor"]
    idle = {cause: count for cause, count in processors.items() if cause != "busy"}
    idle_cause = max(idle, key=idle.get) if idle else ""
    shares = [(int(count), unit, cause) for count, unit, cause in
              re.findall(r"^ +(\d+) +[\d.]+ %  ([\w ]+?): ([^;,\n]+)", why, re.MULTILINE)]
    busiest, bound = max(busy, key=busy.get), max(bounds, key=bounds.get) if bounds else ""
    texture = report["caches"]["texture"]
    lookups = texture["hits"] + texture["misses"]
    classes = [0] * len(CLASSES)
    for count, unit, cause in shares:
        classes[next(i for i, (_, _, holds) in enumerate(CLASSES) if holds(unit, cause))] += count
    classes[-1] += cycles - sum(classes)
    return {
        "cycles": cycles, "milliseconds": cycles / report["clock_khz"],
        "instructions": report["instructions"] / cycles,
        "busiest": [busiest, busy[busiest]], "bound": [bound, bounds.get(bound, 0) / cycles],
        "texture": texture["hits"] / lookups if lookups else None,
        "read": report["sdram"]["read"], "written": report["sdram"]["written"],
        "idle": [idle_cause, idle.get(idle_cause, 0) / max(sum(processors.values()), 1)],
        "root": [f"{shares[0][1]}: {shares[0][2]}", shares[0][0] / cycles] if shares else ["", 0],
        "classes": classes,
    }


# --- Parts: name -> how it is modelled ---

def demo_rows(model, _):
    return {name: ((), ("--", str(model.build / "bin" / name), "--headless", "--plain", "--quiet", "--frames", "100000", "--size", SIZE,
                        "--time", "1")) for name in DEMOS}


def glmark_rows(_, __):
    return {glmark.short_name(scene): ((), ("--", "glmark2-es2", "--size", SIZE, "-b", scene)) for scene in glmark.SCENES}


def kernel_rows(model, _):
    return {name: (("--size", "paper"), (name,)) for name in kernel_seeds(model)}


def kernel_seeds(model):
    """Name -> the seed that it is of."""
    return dict(line.split(maxsplit=1) for line in model.run("--list").stdout.splitlines())


PARTS = {"demos": demo_rows, "glmark2": glmark_rows, "kernels": kernel_rows}


def measured(model, part, shard):
    """Name -> row, of what is the shard's. Progress goes to standard error."""
    kept = model.folder / f"{part}.jsonl"
    rows = {}
    if kept.exists():
        for line in kept.read_text().splitlines():
            try:
                name, version, found = json.loads(line)
            except ValueError:
                continue  # cut short
            if version == model.version:
                rows[name] = found
    wanted = dict(shard.part(list(PARTS[part](model, None).items())))
    with glmark.Display() if part == "glmark2" else NoDisplay() as display:
        environment = {"DISPLAY": display.name, "EGL_PLATFORM": "x11"} if part == "glmark2" else None
        for number, (name, (options, program)) in enumerate(wanted.items()):
            if name in rows:
                continue
            start = time.monotonic()
            rows[name] = model.measure(options, program, environment)
            if part == "glmark2" and "problem" not in rows[name]:  # its scenes move by the clock
                rows[name]["again"] = model.measure(options, program, environment).get("cycles")
            with kept.open("a") as file:
                file.write(json.dumps([name, model.version, rows[name]]) + "\n")
            said = rows[name].get("problem") or f"{rows[name]['cycles']} cycles"
            print(f"[{number + 1}/{len(wanted)}] {name}: {said} ({time.monotonic() - start:.1f} s)", file=sys.stderr, flush=True)
    return {name: rows[name] for name in wanted}


class NoDisplay:
    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass


# --- The page ---

def percent(share):
    return f"{100 * share:.0f} %"


def megabytes(count):
    return f"{count / 1e6:.3g}"


def line(name, found, is_frame):
    if "problem" in found:
        return f"| {name} | | | | | | | | | {found['problem']} |"
    milliseconds = found["milliseconds"]
    speed = f"{1000 / milliseconds:.4g}" if is_frame else f"{milliseconds:.3g} ms"
    return "| " + " | ".join([
        name, str(found["cycles"]), speed, f"{found['instructions']:.2f}", f"{found['busiest'][0]} {percent(found['busiest'][1])}",
        f"{found['bound'][0]} {percent(found['bound'][1])}",
        percent(found["texture"]) if found["texture"] is not None else "-",
        f"{megabytes(found['read'])} + {megabytes(found['written'])}",
        f"{IDLE.get(found['idle'][0], found['idle'][0].replace('_', ' '))} {percent(found['idle'][1])}" if found["idle"][0] else "-",
        f"{found['root'][0]} {percent(found['root'][1])}"]) + " |"


def table(rows, is_frame):
    first = "frames/s" if is_frame else "time"
    return [f"| {'program' if is_frame else 'kernel'} | cycles | {first} | instr./cycle | busiest unit | bound by | texture hits | SDRAM, MB | "
            "block processors idle | most cycles went to |",
            "|---|---:|---:|---:|---|---|---:|---:|---|---|", *(line(name, found, is_frame) for name, found in rows.items())]


def plot(title, rows):
    """A bar for each row: where its cycles went."""
    label, width, step, top = 370, 640, 18, 74
    rows = {name: found for name, found in rows.items() if "problem" not in found}
    height = top + step * len(rows) + 30
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {label + width + 90} {height}" width="{label + width + 90}" '
           f'height="{height}">', "<style>", "text { font: 11px system-ui, sans-serif; fill: #24292f; }",
           ".title { font-size: 14px; font-weight: 600; }"]
    out += [f".c{i} {{ fill: {color}; }}" for i, (_, color, _) in enumerate(CLASSES)]
    out += ["@media (prefers-color-scheme: dark) { text { fill: #e6edf3; } }", "</style>",
            f'<text class="title" x="8" y="18">{html.escape(title)}</text>']
    x, y = 8, 36
    for i, (name, _, _) in enumerate(CLASSES):
        entry = 34 + 6.3 * len(name)
        if x + entry > label + width + 80:
            x, y = 8, y + 17
        out.append(f'<rect class="c{i}" x="{x:.0f}" y="{y}" width="11" height="11"/><text x="{x + 16:.0f}" y="{y + 10}">{name}</text>')
        x += entry
    for number, (name, found) in enumerate(rows.items()):
        y, x = top + step * number, label
        out.append(f'<text x="{label - 6}" y="{y + 11}" text-anchor="end">{html.escape(name if len(name) < 58 else name[:56] + "…")}</text>')
        for i, count in enumerate(found["classes"]):
            part = width * count / found["cycles"]
            if part >= 0.05:
                out.append(f'<rect class="c{i}" x="{x:.1f}" y="{y}" width="{part:.1f}" height="{step - 4}"/>')
            x += part
        cycles = found["cycles"]
        text = f"{cycles / 1e6:.3g} M" if cycles >= 1e6 else f"{cycles / 1e3:.3g} k"
        out.append(f'<text x="{label + width + 6}" y="{y + 11}">{text}</text>')
    return "\n".join(out + ["</svg>"]) + "\n"


def glmark_version():
    run = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", "glmark2-es2-x11"], capture_output=True, text=True)
    return run.stdout or "of another system"


def bounds(rows):
    """How many rows each unit bounds for most of their cycles, in words."""
    counts = {}
    for found in rows.values():
        if "problem" not in found:
            counts[found["bound"][0]] = counts.get(found["bound"][0], 0) + 1
    return "Rows by what bounds most of their cycles: " + ", ".join(
        f"{unit} {count}" for unit, count in sorted(counts.items(), key=lambda item: -item[1])) + "."


def figures(model, part, shard):
    """What a part's tables and plot are made of, as plain data."""
    return {"rows": list(measured(model, part, shard).items()), "seeds": kernel_seeds(model) if part == "kernels" else {},
            "version": glmark_version() if part == "glmark2" else ""}


def section(part, found):
    """What stands between the part's marks, and writes its plot."""
    images, rows = PAGE.parent / "images", dict(found["rows"])
    text = []
    if part == "kernels":
        for seed in dict.fromkeys(found["seeds"].values()):
            text += [f"**of {seed}**", "", *table({name: rows[name] for name in rows if found["seeds"][name] == seed}, False), ""]
        title = "Kernels at the papers' sizes: where the cycles went"
    else:
        if part == "glmark2":
            again = [abs(row["again"] / row["cycles"] - 1) for row in rows.values() if row.get("again")]
            text += [f"glmark2-es2 {found['version']}. Its scenes move by the clock, so another run's second frame is another: of",
                     f"two runs the cycles differed by {100 * sorted(again)[len(again) // 2]:.2f} % (median of the scenes) and "
                     f"{100 * max(again):.1f} % at most.", ""]
        text += [*table(rows, True), ""]
        title = f"{'Demos' if part == 'demos' else 'Scenes of glmark2-es2'}, a frame of {SIZE}: where the cycles went"
    text += [bounds(rows), ""]
    (images / f"model-{part}.svg").write_text(plot(title, rows))
    return "\n".join(text + [f"![{title}: a bar for each row](images/model-{part}.svg)"]) + "\n"


def marks(part):
    return f"<!-- {part}: written by ./run model-reports -->\n", f"<!-- end of {part} -->\n"


def write(found):
    """Writes the parts' sections into the page."""
    text = PAGE.read_text()
    for part, its in found.items():
        begin, end = marks(part)
        before, rest = text.split(begin)
        text = before + begin + "\n" + section(part, its) + "\n" + end + rest.split(end)[1]
    PAGE.write_text(text)


def merged(shards_of, _):
    outputs = [shard["outputs"] for shard in shards_of]
    found = {part: {**outputs[0][part], "rows": shards.interleaved([output[part]["rows"] for output in outputs])}
             for part in shards_of[0]["options"]["parts"]}
    for part, its in found.items():
        if len({output[part]["version"] for output in outputs}) > 1:
            raise shards.Problem(f"the machines have different versions of {part}")
        print(f"{part}: {len(its['rows'])} rows, {sum('problem' in row for _, row in its['rows'])} of them a problem")
    write(found)
    return 0


def check(model):
    """Rows that differ; those of glmark2-es2 are another frame each time."""
    text, wrong, count = PAGE.read_text(), [], 0
    for part in ("demos", "kernels"):
        begin, end = marks(part)
        lines = {name: whole for whole, name in
                 re.findall(r"^(\| ([\w-]+) \|.*)$", text.split(begin)[1].split(end)[0], re.MULTILINE)}
        names = PARTS[part](model, None)
        wrong += [f"{name} has no row" for name in names if name not in lines]
        wrong += [f"{name} has a row, and is not there" for name in lines if name not in names and name not in ("program", "kernel")]
        cheap = [name for name in names if name in lines and
                 int((re.match(r"\| [\w-]+ \| (\d+) ", lines[name]) or (0, 0))[1]) <= CHECKED_CYCLES]
        for name in cheap:
            options, program = names[name]
            found = line(name, model.measure(options, program), part == "demos")
            count += 1
            if found != lines[name]:
                wrong.append(f"{name}:\n  page: {lines[name]}\n  now:  {found}")
    for fault in wrong:
        print(fault)
    print(f"{count} rows modelled again, {len(wrong)} faults" + ("; ./run model-reports writes the page anew" if wrong else ""))
    return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--only", choices=PARTS, help="one part")
    parser.add_argument("--check", action="store_true", help="compare rows that take little time with the page")
    shards.add_options(parser)
    options = parser.parse_args()
    shard = shards.chosen(options)
    if shard.is_given and options.check:
        parser.error("--check is not divisible: give it without --shard")
    model = Model(options.build.resolve())
    if options.check:
        return check(model)
    parts = [options.only] if options.only else list(PARTS)
    if "glmark2" in parts and not glmark.is_installed():
        raise SystemExit("glmark2-es2 is not installed (Debian: glmark2-es2-x11); --only demos and --only kernels go without")
    found = {part: figures(model, part, shard) for part in parts}
    if shard.is_given:
        problems = [f"{name}: {row['problem']}" for its in found.values() for name, row in its["rows"] if "problem" in row]
        shard.leave("model-reports", options.build, {"parts": parts}, {part: len(its["rows"]) for part, its in found.items()},
                    problems, found)
        return 0
    write(found)
    return 0


if __name__ == "__main__":
    sys.exit(main())
