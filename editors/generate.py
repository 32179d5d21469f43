#!/usr/bin/env python3
"""Makes the syntax files of editors/ from the assembler's own tables, so that they know every instruction it knows, and
from docs/isa.md what the language server says of each (python/tessera/_isa.py).

  generate.py          writes them
  generate.py --check  compares, and tries the patterns on the programs of the repository; exit status 1 when one differs
"""

import json
import pathlib
import pprint
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
ASM = ROOT / "shader-core" / "asm"


def table(file, name):
    """The strings of a constexpr array."""
    text = (ASM / file).read_text()
    body = re.search(rf"\b{name}\{{(.*?)\}};", text, re.DOTALL)
    if not body:
        raise SystemExit(f"generate.py: {file} has no table {name}")
    return [word for word in re.findall(r'"([^"]*)"', body.group(1)) if word]


def words():
    rows = re.findall(r'^OP\(\w+, "(\w+)", \d+, \d+, \w+, (\w+),', (ROOT / "shader-core/isa/opcodes.def").read_text(), re.MULTILINE)
    if not rows:
        raise SystemExit("generate.py: opcodes.def has no rows")
    found = {
        "control": [mnemonic for mnemonic, unit in rows if unit == "Control"],
        "instruction": [mnemonic for mnemonic, unit in rows if unit != "Control"],
        "directive": table("hints.cpp", "kDirectiveNames"),
        "special": table("spelling.cpp", "kSpecials"),
        "function": table("expression.cpp", "kNames"),
        "suffix": ["sat", "block"] + table("spelling.cpp", "kTypes") + table("spelling.cpp", "kWidths") + table("spelling.cpp", "kDepths"),
        "type": [name for name in table("spelling.cpp", "kVariableTypes") if name[0].isalpha()] + table("spelling.cpp", "kInterpolations")
                + table("spelling.cpp", "kPrecisions"),
    }
    text = (ASM / "spelling.cpp").read_text()
    for name in ("kElementTypes", "kSnoopRows"):
        if re.search(rf"\b{name}\{{", text):
            found["suffix"] += [word for word in table("spelling.cpp", name) if word not in found["suffix"]]
    return {kind: list(dict.fromkeys(names)) for kind, names in found.items()}


def either(names):
    return "(?:" + "|".join(sorted(names, key=lambda name: (-len(name), name))) + ")"


def patterns(w):
    """Kind to pattern, first match first. Oniguruma's and Python's syntax."""
    suffixes = rf"(?:\.{either(w['suffix'])})*"
    return [
        ("comment.line.tsa", r"(?:;|//).*$"),
        ("string.quoted.double.tsa", r'"[^"]*"'),
        ("keyword.control.directive.tsa", rf"\.{either(w['directive'])}(?:\.{either(w['suffix'])})?\b"),
        ("variable.parameter.macro.tsa", r"\\(?:@|\w+)"),
        ("entity.name.label.tsa", r"\b[A-Za-z_]\w*(?=\s*:)"),
        ("keyword.control.tsa", rf"\b{either(w['control'])}\b"),
        ("support.function.instruction.tsa", rf"\b{either(w['instruction'])}{suffixes}(?=\s|$)"),
        ("constant.numeric.tsa", r"(?<![\w.])(?:0[xX][0-9a-fA-F]+|\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)(?![\w])"),
        ("variable.language.register.tsa", r"\b(?:[rvcost]\d+|a0|p[1-3])\b"),
        ("variable.language.special.tsa", rf"\b{either(w['special'])}\b"),
        ("support.function.expression.tsa", rf"\b{either(w['function'])}\b"),
        ("storage.type.tsa", rf"\b(?:{either(w['type'])}|[23]d)\b"),
    ]


def grammar(w):
    return json.dumps({
        "$schema": "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
        "name": "Tessera assembly",
        "scopeName": "source.tsa",
        "patterns": [{"name": name, "match": pattern} for name, pattern in patterns(w)],
    }, indent=2) + "\n"


def vim(w):
    def keywords(group, names):
        lines, line = [], ""
        for name in names:
            if len(line) + len(name) > 90:
                lines.append(line)
                line = ""
            line += " " + name
        return "".join(f"syntax keyword {group}{line}\n" for line in [*lines, line])

    return ('" Syntax of Tessera assembly. Made by editors/generate.py from the assembler\'s tables.\n'
            'if exists("b:current_syntax")\n    finish\nendif\nsyntax case match\n'
            + keywords("tsaControl", w["control"]) + keywords("tsaInstruction", w["instruction"])
            + keywords("tsaSpecial", w["special"]) + keywords("tsaFunction", w["function"]) + keywords("tsaType", w["type"])
            + r'''syntax match tsaType "\<[23]d\>"
syntax match tsaRegister "\<\([rvcost]\d\+\|a0\|p[1-3]\)\>"
syntax match tsaNumber "\<\(0[xX]\x\+\|\d\+\(\.\d*\)\?\([eE][+-]\?\d\+\)\?\)\>"
syntax match tsaDirective "\.\(''' + "\\|".join(w["directive"]) + r'''\)\>"
syntax match tsaSuffix "\.\(''' + "\\|".join(w["suffix"]) + r'''\)\>"
syntax match tsaLabel "\<\h\w*\ze\s*:"
syntax match tsaParameter "\\\(@\|\w\+\)"
syntax region tsaString start=+"+ end=+"+ oneline
syntax match tsaComment "\(;\|//\).*$"

highlight default link tsaControl Conditional
highlight default link tsaInstruction Statement
highlight default link tsaSpecial Identifier
highlight default link tsaFunction Function
highlight default link tsaType Type
highlight default link tsaRegister Identifier
highlight default link tsaNumber Number
highlight default link tsaDirective PreProc
highlight default link tsaSuffix Special
highlight default link tsaLabel Label
highlight default link tsaParameter Macro
highlight default link tsaString String
highlight default link tsaComment Comment

let b:current_syntax = "tsa"
''')


def rows(page, heading):
    """The cells of the table of docs/isa.md that has this heading."""
    body = re.search(rf"^\| {re.escape(heading)} .*\n\|[-|]+\n((?:\|.*\n)+)", page, re.MULTILINE)
    if not body:
        raise SystemExit(f"generate.py: docs/isa.md has no table that begins with '{heading}'")
    return [[cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
            for line in body.group(1).splitlines()]


def server_words(w):
    """The module of what the language server says about words."""
    page = (ROOT / "docs/isa.md").read_text()
    sections = {name: (syntax, " ".join(text.split())) for name, syntax, text in re.findall(
        r"^### (\w+)\n\n`([^`\n]*)`[^\n]*\n\n(.*?)(?=^##)", page, re.MULTILINE | re.DOTALL)}
    instructions = {}
    for link, _, _, _, types, unit, cycles, group, meaning in rows(page, "instruction | opcode"):
        name = re.match(r"\[(\w+)\]", link)[1]
        # Links lead within the page, which is not where this is read.
        text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", sections[name][1])
        instructions[name] = {"syntax": sections[name][0], "types": types, "unit": unit, "cycles": cycles, "set": group,
                              "meaning": meaning, "text": text}
    directives = {}
    for spelled, meaning in rows(page, "directive | meaning"):
        for syntax in re.findall(r"`([^`]*)`", spelled):
            directives[re.match(r"\.(\w+)", syntax)[1]] = {"syntax": syntax, "meaning": meaning}
    for word in w["directive"]:  # what a sentence says in place of the table
        said = re.search(rf"`(\.{word}\b[^`]*)` ([^.]*)\.", page)
        if word not in directives and said:
            directives[word] = {"syntax": said[1], "meaning": said[2]}
    specials = {name.strip("`"): {"register": register, "holds": holds}
                for register, name, holds in rows(page, "register | name")}
    known = {"INSTRUCTIONS": instructions, "DIRECTIVES": directives, "SPECIALS": specials, "SUFFIXES": w["suffix"],
             "TYPES": [name for table_of in ("kVariableTypes", "kInterpolations", "kPrecisions")
                       for name in table("spelling.cpp", table_of)]}
    for kind, wanted, have in (("instructions", w["control"] + w["instruction"], instructions),
                               ("directives", w["directive"], directives), ("specials", w["special"], specials)):
        missing = [word for word in wanted if word not in have]
        if missing:
            raise SystemExit(f"generate.py: docs/isa.md says nothing of {kind} {', '.join(missing)}; "
                             "./run build isa_doc_update first")
    text = '"""Made by editors/generate.py from docs/isa.md and the assembler\'s tables."""\n\nfrom typing import Dict, List\n'
    for name, value in known.items():
        kind = "List[str]" if isinstance(value, list) else "Dict[str, Dict[str, str]]"
        text += f"\n{name}: {kind} = {pprint.pformat(value, width=118, sort_dicts=False, compact=True)}\n"
    return text


def kind_at(line, column, known):
    """What the grammar makes of the character: the first pattern that matches leftmost, from the left."""
    at = 0
    while at < len(line):
        best = min(((match.start(), order, match.end(), name) for order, (name, pattern) in enumerate(known)
                    if (match := re.compile(pattern).search(line, at)) and match.end() > match.start()), default=None)
        if best is None or best[0] > column:
            return None
        if column < best[2]:
            return best[3]
        at = best[2]
    return None


def try_patterns(w):
    """Every instruction and directive of the repository's programs is coloured as what it is."""
    known, problems, tried = patterns(w), [], 0
    programs = [*ASM.glob("examples/*.tsa"), *ROOT.glob("demos/isa/**/*.tsa")]
    for program in programs:
        for number, line in enumerate(program.read_text().splitlines(), 1):
            first = re.match(r"\s*(?:\w+:\s*)?(?:\(!?\w+\)\s*)?(\.?\w+)", line)
            if not first:
                continue
            word = first.group(1)
            expected = ("directive" if word[0] == "." else "keyword.control.tsa" if word in w["control"]
                        else "instruction" if word in w["instruction"] else None)
            if expected is None or line.lstrip()[0] in ";/" or line[first.end():].lstrip().startswith(":"):
                continue
            tried += 1
            kind = kind_at(line, first.start(1), known)
            if kind is None or expected not in kind:
                problems.append(f"{program.name}:{number}: '{word}' is {kind}, not {expected}")
    return tried, problems


def unknown_attributes():
    """Launch attributes that the extension offers and the debug adapter does not read."""
    adapter = "".join((ROOT / "tools" / "debugger" / name).read_text() for name in ("dap_launch.cpp", "dbg_adapter.cpp"))
    package = json.loads((HERE / "vscode" / "package.json").read_text())
    offered = package["contributes"]["debuggers"][0]["configurationAttributes"]["launch"]["properties"]
    return [f"vscode/package.json: the debug adapter reads no '{name}'" for name in offered
            if f'(arguments, "{name}"' not in adapter]


def main():
    w = words()
    files = {HERE / "vscode/syntaxes/tsa.tmLanguage.json": grammar(w), HERE / "vim/syntax/tsa.vim": vim(w),
             ROOT / "python/tessera/_isa.py": server_words(w)}
    if "--check" not in sys.argv[1:]:
        for path, text in files.items():
            path.write_text(text)
        return 0
    stale = [path for path, text in files.items() if not path.exists() or path.read_text() != text]
    for path in stale:
        print(f"{path.relative_to(ROOT)} does not follow from the assembler's tables; run editors/generate.py")
    for path in (HERE / "vscode").rglob("*.json"):
        json.loads(path.read_text())
    tried, problems = try_patterns(w)
    problems += unknown_attributes()
    print("\n".join(problems + [f"{sum(map(len, w.values()))} words, {tried} lines of programs, {len(problems)} wrong"]))
    return 1 if stale or problems or not tried else 0


if __name__ == "__main__":
    sys.exit(main())
