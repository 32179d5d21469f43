#!/usr/bin/env python3
"""Names that pages (*.md) give in code are in the tree: identifiers as ours are written, TESSERA_* variables, options, the
verbs of ./run and the commands of tessera. links.py has the files and links.

Usage: names.py [ROOT]. Each run first checks that the checker itself notices what is missing.

A name is there when it stands, as a word, in a file that is no page. Pages tell of other people's names, too, which
FOREIGN lists. CHANGELOG.md tells of names as they were.
"""

import pathlib
import re
import sys

from links import FENCE, INLINE_CODE, PARTS, repository

HISTORY = {"CHANGELOG.md"}
# Names that are not in the tree, by the page that tells of them.
FOREIGN = {
    "docs/conformance.md": "of Khronos' and piglit's tests",
    "docs/many-machines.md": {"--workdir", "--return", "--joblog", "--resume-failed"},  # GNU parallel's
    # Put together from the units' names; of seeds' published designs.
    "docs/model.md": {"setup_to_rasterizer_0", "max_iters", "matrix_conv_int", "dispatch2cu_wg_wf_count", "alu_fsm", "fpu_arith",
                      "simd_alu"},
    "docs/notes/fast-everywhere.md": {"corei7_skylake_x", "preserve_all"},  # LLVM's
    "docs/platforms.md": "of Windows, macOS and browsers, which a port would use",
    "docs/programs.md": {"wl_drm", "zwp_linux_dmabuf_v1"},  # Wayland's
    "docs/python.md": {"test_badge"},  # a reader's file
    "shader-core/jit/README.md": {"tessera_fragment_3"},  # with a routine's number
}

IDENTIFIER = re.compile(r"(?<![\w.@-])(?:[a-z][a-z0-9]*[A-Z]\w*|[A-Z][a-z0-9]+[A-Z]\w*|TESSERA_[A-Z_]+[A-Z]|[a-z]\w*_\w*[a-z0-9]"
                        r"|[A-Z]\w+(?=::)|(?<=::)\w+|\w+(?=\(\)))(?![\w*-]|\.\d|\.\w+@)")
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*[a-z](?![\w*])")
VERB = re.compile(r"(?:^|[\s`(])\./run (?:-- )?([a-z][\w-]*)")
COMMAND = re.compile(r"(?:^|\s)tessera ([a-z][a-z-]+)(?= |$)")  # what programs print begins so, too, in blocks


def faults(page, text, words, verbs, commands):
    """What is wrong in a page, as messages."""
    found = []
    foreign = FOREIGN.get(page, set())
    fenced = {number for match in FENCE.finditer(text)
              for number in range(text.count("\n", 0, match.start()), text.count("\n", 0, match.end()) + 1)}
    for number, line in enumerate(text.split("\n")):
        where = f"{page}:{number + 1}"
        for code in [line] if number in fenced else INLINE_CODE.findall(line):
            found += [f"{where}: ./run has no verb {verb}" for verb in VERB.findall(code) if verb not in verbs]
            if number in fenced and "./run tessera" not in line:
                continue
            found += [f"{where}: tessera has no command {name}" for name in COMMAND.findall(code) if name not in commands]
            if number in fenced:
                continue
            for name in IDENTIFIER.findall(code) + OPTION.findall(code):
                if name not in words and not (isinstance(foreign, str) or name in foreign):
                    found.append(f"{where}: there is no {name} in the tree")
    return found


def words_of(tree):
    """The words of all files that are no pages, and of their names."""
    words = set()
    for name, text in tree.items():
        words.update(re.findall(r"\w+", name))
        if not name.endswith(".md"):
            words.update(re.findall(r"[A-Za-z_]\w*|--[a-z][a-z-]*[a-z]", text))
    return words


def self_test():
    words = words_of({"a/some_file.cpp": "int theName(); --option kValue TESSERA_ONE Type::go", "b.md": "gone --gone"})
    wrong = lambda text: [line.split(": ", 1)[1] for line in faults("p.md", text, words, {"test", "tessera"}, {"as"})]
    assert wrong("`theName`, `theName()`, `Type::go`, `kValue`, `TESSERA_ONE=1`, `--option`, `some_file`, `gone`") == []
    assert wrong("`theOther`") == ["there is no theOther in the tree"] and wrong("theOther") == []
    assert wrong("`Type::stop`") == ["there is no stop in the tree"] and wrong("`halt()`") == ["there is no halt in the tree"]
    assert wrong("`TESSERA_TWO`") and wrong("`kOther`") and wrong("`other_file`") and wrong("`--gone`")
    assert wrong("`./run nothing`") == ["./run has no verb nothing"] and wrong("```\n./run nothing\n```") and not wrong("`./run test x`")
    assert wrong("`tessera nothing`") == ["tessera has no command nothing"] and not wrong("```\n./run tessera as x\ntessera kernels 1\n```")


def main():
    self_test()
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    tree = {name: (root / name).read_text(errors="replace") for name in repository(root)}
    words = words_of(tree)
    verbs = set(re.findall(r"^        ([a-z0-9-]+)\) ", tree["run"], re.M))
    commands = {command for name, text in tree.items() if name.startswith("tools/")
                for command in re.findall(r'(?:add_subcommand\(|addVerb\(\s*app, status, )"([a-z-]+)"', text)}
    pages = sorted(name for name in tree if name.endswith(".md") and not name.startswith(PARTS) and name not in HISTORY)
    found = [message for page in pages for message in faults(page, tree[page], words, verbs, commands)]
    advice = ["Names of others that pages tell of are listed in FOREIGN, tests/structure/names.py."] if found else []
    print("\n".join([*found, *advice, f"{len(pages)} pages, {len(found)} faults"]))
    return 1 if found or not verbs or not commands else 0


if __name__ == "__main__":
    sys.exit(main())
