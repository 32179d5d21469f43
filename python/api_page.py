#!/usr/bin/env python3
"""Writes docs/python-api.md from the package's own signatures, docstrings and comments (#:), without running it.

  api_page.py          writes it
  api_page.py --check  compares; exit status 1 when it does not follow
"""

import ast
import inspect
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PACKAGE, PAGE = ROOT / "python/tessera", ROOT / "docs/python-api.md"
WIDTH = 118
#: Modules with the titles of their chapters.
CHAPTERS = {"programs": "Programs", "kernels": "Kernels", "shading": "Shaders on arrays", "debugger": "The debugger",
            "context": "OpenGL ES, and what was drawn", "images": "Pictures", "modelling": "The chip",
            "pytest_plugin": "In pytest", "_errors": "What goes wrong"}
INTRODUCTION = """# Python: every function and class

Made from the package's signatures and docstrings by `python/api_page.py`; a test compares. [python.md](python.md) is
the page to begin with. `ProgramLike` is a `Program` or its text: assembly begins with `.vertex`, `.fragment` or
`.compute`, all other text is a fragment shader in GLSL ES. A `Value` is a number, numbers, or an array.
"""


class Module:
    def __init__(self, name):
        self.lines = (PACKAGE / f"{name}.py").read_text().splitlines()
        self.tree = ast.parse("\n".join(self.lines))
        self.defined = {node.name: node for node in self.tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}

    def comment(self, node):
        """The comment #: above a line."""
        said = []
        for line in reversed(self.lines[:node.lineno - 1]):
            if not line.strip().startswith("#:"):
                break
            said.insert(0, line.strip()[2:].strip())
        return " ".join(said)


def argument(one, default=None, stars=""):
    text = stars + one.arg + (f": {ast.unparse(one.annotation)}" if one.annotation is not None else "")
    return text if default is None else f"{text} = {ast.unparse(default)}"


def signature(node, name=None, drop_self=False):
    given = node.args
    defaults = [None] * (len(given.args) - len(given.defaults)) + given.defaults
    parts = [argument(*one) for one in zip(given.args, defaults)][1 if drop_self else 0:]
    if given.vararg is not None:
        parts.append(argument(given.vararg, stars="*"))
    elif given.kwonlyargs:
        parts.append("*")
    parts += [argument(*one) for one in zip(given.kwonlyargs, given.kw_defaults)]
    if given.kwarg is not None:
        parts.append(argument(given.kwarg, stars="**"))
    result = f" -> {ast.unparse(node.returns).strip(chr(39))}" if node.returns is not None and node.name != "__init__" else ""
    lines, begin = [], f"{name or node.name}("
    for i, part in enumerate(parts):
        part += ")" + result if i + 1 == len(parts) else ", "
        if lines and len(lines[-1]) + len(part) <= WIDTH:
            lines[-1] += part
        else:
            lines.append((" " * len(begin) if lines else begin) + part)
    return "\n".join(line.rstrip() for line in lines) if lines else f"{begin}){result}"


def documented(text):
    """A docstring as Markdown: its paragraphs as they are, indented ones as code."""
    return inspect.cleandoc(text or "").replace("<", "\\<")


def decorators(node):
    return [ast.unparse(one) for one in node.decorator_list]


def function(node, of=None):
    kind = decorators(node)
    if "property" in kind:
        head = node.name if node.returns is None else f"{node.name}: {ast.unparse(node.returns).strip(chr(39))}"
    elif "classmethod" in kind or "staticmethod" in kind:
        head = signature(node, f"{of}.{node.name}", "classmethod" in kind)
    else:
        head = signature(node, drop_self=of is not None)
    return f"```python\n{head}\n```\n{documented(ast.get_docstring(node))}\n"


def attributes(module, node):
    """Fields, and attributes that a comment #: stands above."""
    rows = []
    for one in ast.walk(node):
        is_field = isinstance(one, ast.AnnAssign) and one in node.body
        if isinstance(one, ast.AnnAssign):
            target = ast.unparse(one.target)
            if is_field:
                target += f": {ast.unparse(one.annotation).strip(chr(39))}"
        elif isinstance(one, ast.Assign) and len(one.targets) == 1:
            target = ast.unparse(one.targets[0])
        else:
            continue
        said = module.comment(one)
        if said or is_field:
            rows.append((one.lineno, target.strip("()").replace("self.", ""), f" {said}" if said else ""))
    return [f"* `{name}`{said}" for _, name, said in sorted(rows)]


def a_class(module, node):
    begin = next((one for one in node.body if isinstance(one, ast.FunctionDef) and one.name == "__init__"), None)
    bases = [ast.unparse(base) for base in node.bases]
    made = [f"### {node.name}\n"]
    # What functions of the package make is not made of an address or a report by others.
    if begin is not None and begin.args.args[1].arg not in ("address", "report"):
        made.append(f"```python\n{signature(begin, node.name, True)}\n```")
    elif begin is None and bases:
        made.append(f"```python\nclass {node.name}({', '.join(bases)})\n```")
    made.append(documented(ast.get_docstring(node)) + "\n")
    fields = attributes(module, node)
    if fields:
        made.append("\n".join(fields) + "\n")
    for one in node.body:
        if isinstance(one, ast.FunctionDef) and (not one.name.startswith("_") or one.name == "__getitem__"):
            made.append(function(one, node.name))
        elif isinstance(one, ast.Assign) and ast.unparse(one.targets[0]) == "__getitem__":
            made.append(f"```python\n{node.name}[...]\n```\nThe same as `{ast.unparse(one.value)}()`.\n")
    return "\n".join(made)


def page():
    exported = ast.literal_eval(re.search(r"__all__ = (\[.*?\])", (PACKAGE / "__init__.py").read_text(), re.DOTALL)[1])
    parts, left = [INTRODUCTION], set(exported)
    for name, title in CHAPTERS.items():
        module = Module(name)
        fixtures = name == "pytest_plugin"
        chosen = [node for node in module.defined.values() if node.name in left or
                  (fixtures and any("fixture" in one for one in decorators(node)))]
        left -= {node.name for node in chosen}
        parts.append(f"## {title}\n")
        for node in chosen:
            if isinstance(node, ast.ClassDef):
                parts.append(a_class(module, node))
            elif fixtures:  # what pytest hands to a test, by this name
                parts.append(f"### {node.name}\n\n{documented(ast.get_docstring(node))}\n")
            else:
                parts.append(f"### {node.name}\n\n{function(node)}")
    if left:
        sys.exit(f"api_page.py: no chapter has {', '.join(sorted(left))}")
    return re.sub(r"\n{3,}", "\n\n", "\n".join(parts)).rstrip() + "\n"


def main():
    text = page()
    if "--check" not in sys.argv[1:]:
        PAGE.write_text(text)
        return 0
    if PAGE.exists() and PAGE.read_text() == text:
        return 0
    print("docs/python-api.md does not follow from the package; run python/api_page.py")
    return 1


if __name__ == "__main__":
    sys.exit(main())
