#!/usr/bin/env python3
"""Checks what the pages (*.md) point at: each relative link, its heading included, and each path in backticks exists.

Each page is reached from README.md by links; one to a folder is one to its README. docs/README.md lists all of docs/, and
of the decisions each number, so that a missing one says why. A folder has a README, or one above names it.

Usage: links.py [ROOT]. Each run first checks that the checker itself notices what is wrong.

A path in backticks is a word with a slash that ends in a file type of the repository or begins with one of its folders.
It may be given from the root, from the page's folder or one above it, or as programs include it (include/). The name of a
source alone is one of the room in a README, else one of the repository. Names behind a path, `path`: `one`, `two` or
`path` (`one`), stand in that file.
"""

import functools
import pathlib
import posixpath
import re
import subprocess
import sys

# Files of users and of systems, which examples name.
EXAMPLES = {
    ".github/workflows/pictures.yml",
    "EGL/egl.h",
    "GLES/gl.h",
    "GLES2/gl2.h",
    "GLES3/gl3.h",
    "by_hand.py",
    "chip.py",
    "frame.py",
    "image.py",
    "data.py",
    "draw.py",
    "eglplatform.h",
    "foo_test.cpp",
    "cells.py",
    "rings.py",
    "saxpy.py",
    "show.py",
    "step.py",
    "test_badge.py",
    "why.py",
    "wrong.py",
}
# Parts that a page is put together from, and checked in: docs/isa.md.
PARTS = "shader-core/isa/doc/"
# What lists the documentation.
INDEX = "docs/README.md"
# Folders that are made: by building, by installing, by the machine itself.
MADE = ("build/", "tessera-report/", "/etc/", "/usr/", "/tmp/", "~/", "DIR/")

FENCE = re.compile(r"^ *(```|~~~).*?^ *\1", re.M | re.S)
INLINE_CODE = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\]\(([^)\s]+)\)")
SOURCE = re.compile(r"[\w*-]+\.(h|cpp|inc|def|S|py)")
NAMES = re.compile(r"`([\w./-]+)`(?::| \()\s?((?:`[\w:]+`(?:,\s(?:and\s)?|\sand\s)?)+)")
HEADING = re.compile(r"^#+ +(.*?) *#*$", re.M)


@functools.cache
def anchors(text):
    """The names that headings can be reached by, as GitHub makes them."""
    found = set()
    for heading in HEADING.findall(FENCE.sub("", text)):
        heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        name = re.sub(r"[^\w\- ]", "", heading).replace(" ", "-")
        numbered = next(n for n in (name, *(f"{name}-{i}" for i in range(1, 1000))) if n not in found)
        found.add(numbered)
    return found


class Tree:
    """The files of the repository, and the folders that they are in."""

    def __init__(self, files):
        self.files = set(files)
        self.folders = {str(parent) for name in files for parent in pathlib.PurePath(name).parents}
        self.types = {pathlib.PurePath(name).suffix for name in files} - {""}
        self.rooms = {folder for folder in self.folders if "/" not in folder and folder != "."}

    def has(self, path):
        """Whether a path from the root exists; it may have the wild cards of a shell."""
        path = posixpath.normpath(path)
        if "*" in path:
            pattern = re.compile(re.escape(path).replace(r"\*", "[^/]*"))
            return any(pattern.fullmatch(name) for name in self.files | self.folders)
        return path in self.files or path in self.folders

    def has_name(self, name, folder):
        """Whether a file of that name, which may have wild cards, is somewhere in a folder."""
        pattern = re.compile(("" if folder == "." else re.escape(folder) + "/") + "(.*/)?" +
                             re.escape(name).replace(r"\*", "[^/]*"))
        return any(pattern.fullmatch(file) for file in self.files)

    def is_path(self, word):
        """Whether a word in backticks names a file or a folder of the repository."""
        if not re.fullmatch(r"[\w.*+/-]+", word) or "/" not in word.strip("/") or "//" in word:
            return False
        return pathlib.PurePath(word).suffix in self.types or word.split("/")[0] in self.rooms


def faults(page, text, tree, read):
    """What is wrong in a page, as messages. read: path from the root -> text."""
    folder = pathlib.PurePath(page).parent
    places = ["", "include/", *(f"{parent}/" for parent in [folder, *folder.parents] if parent.parts)]
    prose = FENCE.sub(lambda block: "\n" * block.group().count("\n"), text)
    found = []
    for number, line in enumerate(prose.split("\n"), 1):
        where = f"{page}:{number}"
        for link, target, anchor in targets(page, line):
            if not tree.has(target):
                found.append(f"{where}: the link to {link} leads nowhere")
            elif anchor and target.endswith(".md") and anchor not in anchors(read(target)):
                found.append(f"{where}: {link}: the page has no such heading")
        for code in INLINE_CODE.findall(line):
            for word in code.split():
                word = word.rstrip(",;:.")
                if word in EXAMPLES or word.startswith(MADE):
                    continue
                if SOURCE.fullmatch(word):
                    room = str(folder) if page.endswith("/README.md") else "."
                    if not tree.has_name(word, room):
                        found.append(f"{where}: there is no `{word}` in {room}")
                    continue
                if not tree.is_path(word):
                    continue
                if not any(tree.has(place + word) for place in places):
                    found.append(f"{where}: there is no `{word}`")
    for match in NAMES.finditer(prose):
        file = next((place + match[1] for place in places if place + match[1] in tree.files), None)
        for name in re.findall(r"`([\w:]+)`", match[2]) if file else []:
            if not re.search(rf"\b{name.split('::')[-1]}\b", read(file)):
                number = prose.count("\n", 0, match.start()) + 1
                found.append(f"{page}:{number}: there is no `{name}` in {file}")
    return found


def targets(page, text):
    """The relative links of a page: the link, the path from the root that it leads to, the heading."""
    for link in LINK.findall(INLINE_CODE.sub("", FENCE.sub("", text))):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        yield link, posixpath.normpath(posixpath.join(posixpath.dirname(page), path)) if path else page, anchor


def unreached(pages, read):
    """Pages that no way of links from README.md leads to."""
    known, waiting = {"README.md"}, ["README.md"]
    while waiting:
        page = waiting.pop()
        for _, target, _ in targets(page, read(page)):
            for name in {target, f"{target}/README.md"} & set(pages) - known:
                known.add(name)
                waiting.append(name)
    return [f"{page}: no page links to it" for page in pages if page not in known]


def unlisted(pages, read):
    """Pages of docs/ and docs/adr/ that the index does not name."""
    listed = {target for _, target, _ in targets(INDEX, read(INDEX))} | {INDEX}
    numbers = {int(number) for number in re.findall(r"^\| (\d+) \|", read(INDEX), re.M)}
    return [f"{INDEX}: does not list {page}" for page in pages
            if posixpath.dirname(page) in ("docs", "docs/adr") and page not in listed] + [
                f"{INDEX}: says nothing of decision {number}" for number in range(1, max(numbers, default=0)) if number not in numbers]


def undescribed(tree, read):
    """Folders that no README tells of."""
    found = []
    for folder in sorted(tree.folders - {"."}):
        if folder.startswith("."):
            continue  # what other programs look for at the top
        path = pathlib.PurePath(folder)
        readmes = [parent for parent in [path, *path.parents] if str(parent / "README.md") in tree.files]
        if readmes[0] == path:
            continue
        # The nearest one may tell of a folder with all that is below it; one above that, of this folder alone.
        names = [[str(parent.relative_to(readmes[0])) for parent in [path, *path.parents] if parent.is_relative_to(readmes[0])],
                 *([str(path.relative_to(above))] for above in readmes[1:])]
        if not any(re.search(rf"[`(\s]{re.escape(name)}(?=[/`)])", read(str(readme / "README.md")))
                   for readme, of in zip(readmes, names) for name in of if name != "."):
            found.append(f"{folder}: has no README.md, and {readmes[0] / 'README.md'} does not name it")
    return found


def self_test():
    tree = Tree(["README.md", "docs/a.md", "room/part/x_simd.cpp", "room/y.h", "include/GLES2/own.h", "include/z.h"])
    page = {"room/y.h": "void Two::go();", "docs/a.md": "# One\n## The `two` of *it*, once\n## One\n```\n# no heading\n```\n"}.get
    wrong = lambda text, name="room/part/README.md": faults(name, text, tree, page)
    assert anchors(page("docs/a.md")) == {"one", "the-two-of-it-once", "one-1"}
    assert wrong("[a](../../docs/b.md)") and not wrong("[a](../../docs/a.md)") and not wrong("[a](https://b.org/c.md)")
    assert wrong("[a](../../../docs/a.md)") and not wrong("[room](..)")
    assert wrong("[a](../../docs/a.md#three)") and not wrong("[a](../../docs/a.md#one-1)")
    assert wrong("see `room/x.cpp`") == ["room/part/README.md:1: there is no `room/x.cpp`"]
    assert wrong("see `room/part/y.h`") and not wrong("see `room/y.h`") and not wrong("see `part/x_simd.cpp`")
    assert wrong("`docs/c.md`") and wrong("`room/other`") and wrong("`room/part/y_*.cpp`")
    assert wrong("run `tool docs/c.md -o out`") and not wrong("run `tool docs/a.md --level 1/2`")
    assert not wrong("`room/part/x_*.cpp`, `GLES2/own.h`, `build/release/a.cpp`, `n/m`, `2/3`, `http://b/c.md`")
    assert wrong("`z.h`") and wrong("`x.cpp`") and not wrong("`x_*.cpp`")
    assert wrong("`q.h`", "docs/a.md") and not wrong("`z.h`", "docs/a.md") and not wrong("`x_simd.cpp`", "room/README.md")
    assert wrong("`room/y.h`: `One::go`, `stop`") == ["room/part/README.md:1: there is no `stop` in room/y.h"]
    assert wrong("as\n`room/y.h` (`halt`)") and not wrong("`room/y.h` (`go`) and `halt`")
    links = {"README.md": "[a](docs/a.md), [room](room)", "docs/a.md": "", "room/README.md": "[b](../docs/b.md#x)",
             "docs/b.md": "[c](https://c.org/docs/c.md)", "docs/c.md": ""}
    assert unreached(list(links), links.get) == ["docs/c.md: no page links to it"]
    links = {"docs/README.md": "[a](a.md), [one](adr/1.md)", "docs/a.md": "", "docs/adr/1.md": "", "docs/adr/2.md": ""}
    assert unlisted(list(links), links.get) == ["docs/README.md: does not list docs/adr/2.md"]
    rooms = Tree(["README.md", "one/README.md", "one/a/x.h", "one/a/b/x.h", "one/c/x.h", "two/x.h", "three/x.h", ".four/x.h"])
    told = {"README.md": "[two](two) and two_three", "one/README.md": "`a/x.h`, c"}.get
    assert [line.split(":")[0] for line in undescribed(rooms, told)] == ["one/c", "three"]
    links["docs/README.md"] = "[a](a.md)\n| 1 | [one](adr/1.md) |\n| 3 | [two](adr/2.md) |"
    assert unlisted(list(links), links.get) == ["docs/README.md: says nothing of decision 2"]
    assert wrong("one\n```\n`room/x.cpp`\n```\n`room/z.cpp`") == ["room/part/README.md:5: there is no `room/z.cpp`"]


def repository(root):
    """Names of the files: git's, or outside git (an unpacked archive) all but what is built."""
    listed = subprocess.run(["git", "-C", root, "ls-files", "--cached", "--others", "--exclude-standard"],
                            capture_output=True, text=True)
    names = listed.stdout.split("\n") if listed.returncode == 0 and listed.stdout else [
        str(path.relative_to(root)) for path in root.rglob("*") if path.relative_to(root).parts[0] != "build"]
    return [name for name in names if name and (root / name).is_file()]


def main():
    self_test()
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    tree = Tree(repository(root))
    read = lambda name: (root / name).read_text(errors="replace")
    pages = sorted(name for name in tree.files if name.endswith(".md") and not name.startswith(PARTS))
    found = [message for page in pages for message in faults(page, read(page), tree, read)]
    found += unreached(pages, read) + unlisted(pages, read) + undescribed(tree, read)
    for message in found:
        print(message)
    print(f"{len(pages)} pages, {len(found)} faults")
    return 1 if found or not pages else 0


if __name__ == "__main__":
    sys.exit(main())
