"""`./run webgl --pages`: pages made of packages from npm (npm_pages.py), drawn on Tessera and on Mesa's llvmpipe and compared."""

import dataclasses
import json
import pathlib
import re
import sys
import types

import browsers
import npm_pages

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "programs"))
import programs  # noqa: E402

DOCS = HERE.parent.parent / "docs" / "webgl.md"
BEGIN, END = "<!-- pages: written by ./run webgl --pages --write -->\n", "<!-- end of the pages -->\n"


@dataclasses.dataclass
class Row:
    page: npm_pages.Page
    good: bool
    said: str
    rates: tuple     # frames a second of a processor: on Tessera, on Mesa; None where they were not measured


def drawn(build, driver, pages, roots, options):
    """{name: result} of pages that leave their pictures."""
    jobs = [{"page": page.name, "version": 2, "path": f"/content/page.html?show={page.name}", "picture": str(picture(build, page, driver)),
             "timed": options.times}
            for page in pages]
    for job in jobs:
        pathlib.Path(job["picture"]).unlink(missing_ok=True)
    found = {}
    for result in browsers.results(build, "chromium", driver, jobs, roots, options.quiet, options.patience, (480, 360)):
        if "page" in result:
            found[result["page"]] = result
            print(f"{driver}: {result['result']} {result['page']} {said(result)}", file=sys.stderr)
    return found


def said(result):
    """The first line of what a page complained of."""
    return "".join(result["messages"][:1]).partition("\n")[0]


def picture(build, page, driver):
    return build / "webgl" / "pictures" / f"{page.name}.{driver}.png"


def compared(build, page, ours, theirs):
    """The row of a page with what became of it on both drivers."""
    rates = ours.get("rate"), theirs.get("rate")
    for driver, result in (("Tessera", ours), ("Mesa", theirs)):
        if result["result"] != "pass":
            return Row(page, False, f"{result['result']} on {driver}: {said(result)}", rates)
    if programs.colours(picture(build, page, "tessera")) < 8:
        return Row(page, False, "an empty picture", rates)
    if page.incomparable:
        return Row(page, True, page.incomparable, rates)
    good, mean, share, _ = programs.difference(types.SimpleNamespace(build=build), picture(build, page, "tessera"), picture(build, page, "mesa"), page)
    return Row(page, good, f"mean {mean:.3f}, {100 * share:.3f} %", rates)


def table(rows, modules):
    lines = ["| page | packages | as on llvmpipe | mean, pixels off by more than 8 | frames, Tessera | llvmpipe |", "|---|---|---|---|---:|---:|"]
    for row in rows:
        names = ", ".join(f"{name} {browsers.version(modules, name)}" for name in row.page.packages)
        note = f"; {row.page.note}" if row.page.note else ""
        lines.append(f"| {row.page.name} | {names} | {'**no**' if not row.good else 'not compared' if row.page.incomparable else 'yes'} | {row.said}{note} | " +
                     " | ".join("" if rate is None else f"{rate:.0f}" for rate in row.rates) + " |")
    return "\n".join(lines) + "\n"


def kept_rows(file):
    if not file.exists():
        return {}
    pages = {page.name: page for page in npm_pages.PAGES}
    return {name: Row(pages[name], good, said, tuple(rates)) for name, good, said, rates in json.loads(file.read_text()) if name in pages}


def run(options):
    build = options.build
    chosen = [page for page in npm_pages.PAGES if re.search(options.only, page.name)][::options.every]
    if options.list:
        print("\n".join(page.name for page in chosen))
        return 0
    (build / "webgl" / "pictures").mkdir(parents=True, exist_ok=True)
    names = sorted({name for page in npm_pages.PAGES for name in page.packages})
    npm = browsers.node_modules(build / "webgl" / "pages", *(f"{name}@{npm_pages.VERSIONS[name]}" for name in names))
    roots = {"/content/": str(HERE / "content"), "/npm/": str(npm)}
    found = {driver: drawn(build, driver, chosen, roots, options) for driver in ("tessera", "mesa")}
    file = build / "webgl" / "pages-kept.json"
    rows = kept_rows(file)
    for page in chosen:
        row, before = compared(build, page, found["tessera"][page.name], found["mesa"][page.name]), rows.get(page.name)
        if before and not options.times:
            row.rates = before.rates
        rows[page.name] = row
    rows = [rows[page.name] for page in npm_pages.PAGES if page.name in rows]
    file.write_text(json.dumps([(row.page.name, row.good, row.said, row.rates) for row in rows]))
    told = [row for row in rows if row.page in chosen]
    for row in told:
        print(f"{'WRONG' if not row.good else 'drawn' if row.page.incomparable else 'as on Mesa':10} {row.page.name:24} {row.said}" +
              (f"; {row.rates[0]:.1f} frames a second of a processor, Mesa {row.rates[1]:.1f}" if all(row.rates) else ""))
    if options.write:
        text = DOCS.read_text()
        before, after = text.split(BEGIN)[0], text.split(END)[1]
        DOCS.write_text(before + BEGIN + table(rows, npm) + END + after)
    return 0 if all(row.good for row in told) else 1
