#!/usr/bin/env python3
"""Makes the syntax files of editors/ from the assembler's own tables, so that they know every instruction it knows, and
those of GLSL ES from the language server's (python/tessera/_glsl.py, which a test compares with the compiler); and from
docs/isa.md what the language server says of each instruction (python/tessera/_isa.py).

  generate.py          writes them
  generate.py --check  compares, and tries the patterns on the programs of the repository; exit status 1 when one differs
"""

import importlib.util
import json
import pathlib
import pprint
import re
import sys
import types

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
        "type": table("spelling.cpp", "kVariableTypes") + table("spelling.cpp", "kInterpolations")
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
        ("storage.type.tsa", rf"\b{either(w['type'])}\b"),
    ]


def glsl_words():
    """What the language server knows, read without the package, which would load its library."""
    package = types.ModuleType("words")
    package.__path__ = [str(ROOT / "python/tessera")]
    sys.modules["words"] = package
    for name in ("_names", "_glsl"):
        spec = importlib.util.spec_from_file_location(f"words.{name}", ROOT / f"python/tessera/{name}.py")
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
    glsl = sys.modules["words._glsl"]
    words_of = {name: list(dict.fromkeys(words)) for name, words in glsl.WORDS.items()}
    return {**words_of, "function": list(glsl.FUNCTIONS), "variable": list(glsl.VARIABLES)}


def glsl_patterns(g):
    """As patterns()."""
    return [
        ("comment.line.double-slash.glsl", r"//.*$"),
        ("keyword.control.directive.glsl", r"^\s*#\s*[a-z]+\b"),
        ("constant.language.glsl", r"\b(?:true|false)\b"),
        ("keyword.control.glsl", rf"\b{either(g['control'])}\b"),
        ("storage.modifier.glsl", rf"\b{either(g['qualifier'])}\b"),
        ("storage.type.glsl", rf"\b{either(g['type'])}\b"),
        ("variable.language.glsl", rf"\b{either(g['variable'])}\b"),
        ("support.function.glsl", rf"\b{either(g['function'])}\b(?=\s*\()"),
        ("constant.numeric.glsl", r"(?<![\w.])(?:0[xX][0-9a-fA-F]+[uU]?|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[uUfF]?)(?![\w])"),
        ("entity.name.function.glsl", r"\b[A-Za-z_]\w*(?=\s*\()"),
    ]


def glsl_grammar(g):
    return json.dumps({
        "$schema": "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
        "name": "GLSL ES",
        "scopeName": "source.glsl",
        "patterns": [{"name": "comment.block.glsl", "begin": r"/\*", "end": r"\*/"},
                     *({"name": name, "match": pattern} for name, pattern in glsl_patterns(g))],
    }, indent=2) + "\n"


def vim_keywords(group, names):
    lines, line = [], ""
    for name in names:
        if len(line) + len(name) > 90:
            lines.append(line)
            line = ""
        line += " " + name
    return "".join(f"syntax keyword {group}{line}\n" for line in [*lines, line])


def glsl_vim(g):
    return ('" Syntax of GLSL ES 1.00 and 3.00. Made by editors/generate.py from the language server\'s tables.\n'
            'if exists("b:current_syntax")\n    finish\nendif\nsyntax case match\n'
            + vim_keywords("glslBoolean", ["true", "false"]) + vim_keywords("glslControl", g["control"])
            + vim_keywords("glslQualifier", g["qualifier"]) + vim_keywords("glslType", g["type"])
            + vim_keywords("glslVariable", g["variable"]) + vim_keywords("glslFunction", g["function"])
            + r'''syntax match glslNumber "\<0[xX]\x\+[uU]\?\>"
syntax match glslNumber "\<\d\+\(\.\d*\)\?\([eE][+-]\?\d\+\)\?[uUfF]\?\>"
syntax match glslNumber "\.\d\+\([eE][+-]\?\d\+\)\?[fF]\?\>"
syntax match glslDirective "^\s*#\s*\l\+"
syntax match glslComment "//.*$"
syntax region glslComment start="/\*" end="\*/"

highlight default link glslBoolean Boolean
highlight default link glslControl Conditional
highlight default link glslQualifier StorageClass
highlight default link glslType Type
highlight default link glslVariable Identifier
highlight default link glslFunction Function
highlight default link glslNumber Number
highlight default link glslDirective PreProc
highlight default link glslComment Comment

let b:current_syntax = "glsl"
''')


def grammar(w):
    return json.dumps({
        "$schema": "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
        "name": "Tessera assembly",
        "scopeName": "source.tsa",
        "patterns": [{"name": name, "match": pattern} for name, pattern in patterns(w)],
    }, indent=2) + "\n"


def vim(w):
    numbered = [name for name in w["type"] if name[0].isdigit()]  # keywords of Vim begin with a letter
    return ('" Syntax of Tessera assembly. Made by editors/generate.py from the assembler\'s tables.\n'
            'if exists("b:current_syntax")\n    finish\nendif\nsyntax case match\n'
            + vim_keywords("tsaControl", w["control"]) + vim_keywords("tsaInstruction", w["instruction"])
            + vim_keywords("tsaSpecial", w["special"]) + vim_keywords("tsaFunction", w["function"])
            + vim_keywords("tsaType", [name for name in w["type"] if name not in numbered])
            + r'''syntax match tsaType "\<\(''' + "\\|".join(numbered) + r'''\)\>"
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


def try_glsl_patterns(g):
    """Types, qualifiers and built-in functions of the demos' and the corpus' shaders are coloured as what they are."""
    known, problems, tried = glsl_patterns(g), [], 0
    kinds = {**dict.fromkeys(g["type"], "storage.type"), **dict.fromkeys(g["qualifier"], "storage.modifier"),
             **dict.fromkeys(g["control"], "keyword.control"), **dict.fromkeys(g["variable"], "variable.language")}
    for shader in sorted([*ROOT.glob("demos/shaders/*"), *ROOT.glob("tests/corpus/**/*.frag"), *ROOT.glob("tests/corpus/**/*.vert")]):
        for number, line in enumerate(shader.read_text().splitlines(), 1):
            first = re.match(r"\s*(\w+)\b(?!\s*\()", line)
            if not first or first.group(1) not in kinds:
                continue
            tried += 1
            kind = kind_at(line, first.start(1), known)
            if kind is None or not kind.startswith(kinds[first.group(1)]):
                problems.append(f"{shader.name}:{number}: '{first.group(1)}' is {kind}, not {kinds[first.group(1)]}")
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
    g = glsl_words()
    files = {HERE / "vscode/syntaxes/glsl.tmLanguage.json": glsl_grammar(g), HERE / "vim/syntax/glsl.vim": glsl_vim(g),
             HERE / "vscode/syntaxes/tsa.tmLanguage.json": grammar(w), HERE / "vim/syntax/tsa.vim": vim(w),
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
    tried_glsl, problems_glsl = try_glsl_patterns(g)
    problems += problems_glsl + unknown_attributes()
    print("\n".join(problems + [f"{sum(map(len, [*w.values(), *g.values()]))} words, {tried} lines of programs, "
                                f"{tried_glsl} of shaders, {len(problems)} wrong"]))
    return 1 if stale or problems or not tried or not tried_glsl else 0


if __name__ == "__main__":
    sys.exit(main())
