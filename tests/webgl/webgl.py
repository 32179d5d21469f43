#!/usr/bin/env python3
"""`./run webgl`: Khronos' WebGL conformance suite in Debian's Chromium (by playwright-core from npm) or WebKitGTK, on Tessera.

  ./run webgl                        all pages: those of WebGL 1.0.4 and those of WebGL 2.0.1 alone, an hour or two; and of
                                     ours those that misuse the GPU, tessera/hang.html and tessera/flood.html
  ./run webgl --version 2 --every 15 every 15th page of WebGL 2
  ./run webgl --only REGEX           some of them; a page's name is its path in the suite
  ./run webgl --resume               those that an earlier run did not come to
  ./run webgl --peer mesa            and what does not pass once more on Mesa's llvmpipe
  ./run webgl --browser webkit       in WebKitGTK instead of Chromium
  ./run webgl --shard K/N            every N-th page; ./run merge puts the parts together
  ./run webgl --pages                pages of packages from npm instead (three.js, PixiJS, Babylon.js, MapLibre, ...), drawn
                                     on both drivers and compared; --times: frames a second, too; --write: their
                                     table in docs/webgl.md anew

The suite is fetched (git clone) into build/release/webgl/suite once; --suite FOLDER is another copy of it. Pages are served on the
loopback interface. expectations.txt (of WebKitGTK expectations-webkit.txt) names the pages that are known not to pass, and why. The
results are left as build/release/webgl/results.txt and results.json (results-webkit.txt, ...). Exit status 0: every page passed, or is known not to; one that is known not to
and passes is wrong too.
"""

import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.path.insert(0, str(HERE))
import browsers  # noqa: E402
import packages  # noqa: E402
import shards  # noqa: E402

SUITE = "https://github.com/KhronosGroup/WebGL"
EXPECTATIONS = {"chromium": HERE / "expectations.txt", "webkit": HERE / "expectations-webkit.txt"}
#: Of each version of WebGL the version of the suite that is run, and the first whose pages belong to it.
VERSIONS = {1: ("1.0.4", "0"), 2: ("2.0.1", "2.0.0")}
FINE = {"pass", "skip"}
#: Pages of ours, which misuse the GPU; they are of WebGL 2.
OWN = "tessera/"


# --- Pages ---

def numbers(text):
    return [int(number) for number in text.split(".")]


def at_least(have, want):
    """Whether version `have` is `want` or later, as far as `want` goes: 1.1.1 is 1.1."""
    padded = numbers(have) + [0] * len(numbers(want))
    return padded[:len(numbers(want))] >= numbers(want)


def listed(folder, name, least="1.0", most=None):
    """(page, first and last version of the suite that has it) of a list and the lists that it names."""
    for line in (folder / name).read_text().splitlines():
        line = line.strip()
        if not line or line[0] in "#;" or line.startswith("//"):
            continue
        words, first, last, rest = iter(line.split()), least, most, []
        for word in words:
            if word == "--min-version":
                first = next(words)
            elif word == "--max-version":
                last = next(words)
            elif word != "--slow":
                rest.append(word)
        page = str(pathlib.PurePosixPath(name).parent / " ".join(rest))
        if page.endswith(".txt"):
            yield from listed(folder, page, first, last)
        else:
            yield page, first, last


def pages_of(folder, version):
    suite, least = VERSIONS[version]
    return [page for page, first, last in listed(folder, "00_test_list.txt")
            if at_least(suite, first) and at_least(first, least) and (last is None or at_least(last, suite))]


def own_pages():
    return [OWN + file.name for file in sorted((HERE / "pages").glob("*.html"))]


def suite_folder(given, build):
    """The suite's pages, fetched if they are not there."""
    copy = given or build / "webgl" / "suite"
    if not given and not (copy / "sdk" / "tests").exists():
        print(f"fetching {SUITE} into {copy}", file=sys.stderr)
        if subprocess.run(["git", "clone", "--quiet", "--depth", "1", SUITE, str(copy)]).returncode:
            sys.exit(f"the suite cannot be fetched; give --suite FOLDER, a copy of {SUITE}")
    for folder in (copy, copy / "sdk" / "tests"):
        if (folder / "00_test_list.txt").exists():
            return folder
    sys.exit(f"{copy}: not the WebGL suite: no sdk/tests/00_test_list.txt")


# --- Results ---

def expectations(browser):
    """{(version, page): reason}; a line is the version of WebGL, the page, the reason."""
    lines = (line.split(maxsplit=2) for line in EXPECTATIONS[browser].read_text().splitlines() if line.strip() and not line.startswith("#"))
    return {(int(version), page): reason for version, page, reason in lines}


def group(page):
    """The chapter of the suite that a page belongs to."""
    return "/".join(page.split("/")[:2]) if not page.startswith("deqp/") else "/".join(page.split("/")[:4]).removesuffix(".html")


def wrong(results, known):
    """Those that do not pass and are not known, and those that are known and pass."""
    return [result for result in results if (result["result"] in FINE) == ((result["version"], result["page"]) in known)]


def told(results, seconds, known):
    """The report: totals of each version, each chapter that has more than passes, each page that does not pass."""
    lines = []
    for version in sorted({result["version"] for result in results}):
        of_version = [result for result in results if result["version"] == version]
        counts = collections.Counter(result["result"] for result in of_version)
        share = sum(counts[fine] for fine in FINE) / len(of_version)
        lines.append(f"WebGL {version}: {len(of_version)} pages, {100 * share:.2f} % fine: " +
                     ", ".join(f"{count} {result}" for result, count in counts.most_common()))
        chapters = collections.defaultdict(collections.Counter)
        for result in of_version:
            chapters[group(result["page"])][result["result"]] += 1
        for chapter, its in chapters.items():
            lines.append(f"  {chapter:44} " + ", ".join(f"{count} {result}" for result, count in its.most_common()))
    lines.append(f"{seconds:.0f} s")
    for result in results:
        name = result["version"], result["page"]
        if result["result"] in FINE and name not in known:
            continue
        peer = f"; on Mesa: {result['peer']}" if "peer" in result else ""
        expected = f"; known: {known[name]}" if name in known else ""
        said = result["messages"][0] if result["messages"] else f"{result['passed']} passed"
        lines.append(f"{result['result']} {result['version']} {result['page']}: {said}{peer}{expected}")
    return "\n".join(lines) + "\n"


def file_of(place, name, browser):
    """A file of results: each browser has its own."""
    return place / (name if browser == "chromium" else f"-{browser}.".join(name.split(".")))


def finish(results, seconds, place, browser):
    known = expectations(browser)
    text = told(results, seconds, known)
    file_of(place, "results.txt", browser).write_text(text)
    file_of(place, "results.json", browser).write_text(json.dumps(results, indent=1) + "\n")
    print(text, end="")
    return 1 if wrong(results, known) else 0


def merged(parts, build):
    place = build / "webgl"
    place.mkdir(parents=True, exist_ok=True)
    return finish(shards.interleaved([part["outputs"]["results"] for part in parts]), shards.seconds(parts), place, parts[0]["options"]["browser"])


# --- A run ---

class Run:
    """Pages' results, each kept in a file as it comes, which --resume reads."""

    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.file = file_of(options.build / "webgl", "kept.jsonl", options.browser)

    def kept(self):
        if not (self.options.resume and self.file.exists()):
            self.file.unlink(missing_ok=True)
            return {}
        rows = [json.loads(line) for line in self.file.read_text().splitlines()]
        return {(row["driver"], row["version"], row["page"]): row for row in rows}

    def on(self, driver, names, kept):
        """The results of pages (version, page) on a driver, in order."""
        missing = [name for name in names if (driver, *name) not in kept]
        pages = [{"page": page, "version": version, "path": f"/{page}" if page.startswith(OWN) else
                  f"/suite/{page}?webglVersion={version}&quiet=1&quick=1"} for version, page in missing]
        roots = {"/suite/": str(self.folder), "/" + OWN: str(HERE / "pages")}
        count = 0
        with open(self.file, "a") as file:
            for found in browsers.results(self.options.build, self.options.browser, driver, pages, roots,
                                          self.options.quiet, self.options.patience) if pages else ():
                if "page" not in found:
                    continue
                count += 1
                row = {"driver": driver, **found}
                kept[driver, row["version"], row["page"]] = row
                file.write(json.dumps(row) + "\n")
                file.flush()
                if row["result"] not in FINE or count % 100 == 0 or sys.stderr.isatty():
                    print(f"{count} of {len(missing)} on {driver}: {row['result']} {row['version']} {row['page']}", file=sys.stderr)
        return [kept[driver, *name] for name in names]


def main():
    parser = argparse.ArgumentParser(prog="./run webgl", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--version", type=int, choices=(1, 2), help="of WebGL; default both")
    parser.add_argument("--only", metavar="REGEX", default="", help="the pages whose names match")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="of those, every N-th")
    parser.add_argument("--resume", action="store_true", help="keep the results of the last run, and go on")
    parser.add_argument("--peer", choices=("mesa",), help="what does not pass is run there too")
    parser.add_argument("--browser", choices=browsers.BROWSERS, default="chromium", help="default chromium")
    parser.add_argument("--suite", type=pathlib.Path, metavar="FOLDER", help="a copy of the suite")
    parser.add_argument("--quiet", type=float, default=120, metavar="S", help="seconds that a page may say nothing")
    parser.add_argument("--patience", type=float, default=900, metavar="S", help="seconds that a page may take")
    parser.add_argument("--pages", action="store_true", help="pages of packages from npm")
    parser.add_argument("--times", action="store_true", help="with --pages: how many frames each draws in a second of a processor")
    parser.add_argument("--write", action="store_true", help="with --pages: their table in docs/webgl.md anew")
    parser.add_argument("--list", action="store_true", help="only name the pages")
    shards.add_options(parser)
    options = parser.parse_args()
    if options.pages and options.browser != "chromium":
        parser.error("--pages are shown in Chromium")
    if options.times and not options.pages:
        parser.error("--times is for --pages")
    options.build = options.build.resolve()
    shard = shards.chosen(options)
    if options.pages:
        return packages.run(options)
    folder = suite_folder(options.suite, options.build)
    names = [(version, page) for version in ([options.version] if options.version else VERSIONS)
             for page in pages_of(folder, version) + (own_pages() if version == 2 else []) if re.search(options.only, page)]
    names = shard.part(names[::options.every])
    if options.list:
        for version, page in names:
            print(version, page)
        return 0
    (options.build / "webgl").mkdir(parents=True, exist_ok=True)
    run = Run(options, folder)
    began, kept = time.monotonic(), run.kept()
    results = run.on("tessera", names, kept)
    if options.peer:
        behind = [result for result in results if result["result"] not in FINE]
        on_peer = run.on(options.peer, [(result["version"], result["page"]) for result in behind], kept)
        for result, peer in zip(behind, on_peer):
            result["peer"] = peer["result"]
    if shard.is_given:
        counts = collections.Counter(result["result"] for result in results)
        failures = [f"{result['version']} {result['page']}" for result in wrong(results, expectations(options.browser))]
        asked = {name: str(getattr(options, name)) for name in ("browser", "version", "only", "every", "peer")}
        shard.leave("webgl", options.build, asked, dict(counts), failures, {"results": results})
        print(f"part {shard.number} of {shard.of}: {len(results)} pages, {len(failures)} not as expected")
        return 1 if failures else 0
    return finish(results, time.monotonic() - began, options.build / "webgl", options.browser)


if __name__ == "__main__":
    sys.exit(main())
