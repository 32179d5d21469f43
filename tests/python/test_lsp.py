"""The language server, by sessions as an editor has them."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

import pytest

from tessera import _assembly, _glsl, _isa, compile_glsl
from tessera._names import Place, visible

SOURCE = pathlib.Path(os.environ["TESSERA_SOURCE"])

ASSEMBLY = """; A lamp.
.fragment
.input v0 v_normal vec3
.uniform c0 u_lights vec4[2]
.define kShine = 16
.alias r1.x lambert
.macro add2 to, from
    add \\to, \\to, \\from
.endmacro

    nrm r0, v_normal
    mov r1, 0.0
    dp3 lambert, r0, u_lights[1]
    call shine
    add2 r1, r0
    mov.sat o0, r1
    ret

shine:
    mul r1, r1, kShine
    ret
"""

GLSL = """#version 300 es
precision highp float;
#define TWICE(x) (2.0 * (x))
struct Light { vec3 color; float power; };
uniform Light u_light;
in vec2 v_place;
out vec4 color;

/* float unused; */
float falloff(float far) {
    float near = TWICE(far);
    return 1.0 / (1.0 + near * near);
}

void main() {
    float near = falloff(length(v_place));
    for (int i = 0; i < 4; ++i) near += float(i);
    color = vec4(near * u_light.power * u_light.color, 1.0);
}
"""


class Editor:
    """A session: requests are answered in order, diagnostics come in between."""

    def __init__(self, **capabilities):
        self.process = subprocess.Popen([sys.executable, "-m", "tessera", "lsp"], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.number, self.published = 0, []
        self.capabilities = self.ask("initialize", {"capabilities": {"textDocument": capabilities}})["capabilities"]
        self.tell("initialized", {})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate()

    def write(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def receive(self):
        header = b""
        while not header.endswith(b"\r\n\r\n"):
            byte = self.process.stdout.read(1)
            assert byte, self.process.stderr.read()
            header += byte
        return json.loads(self.process.stdout.read(int(re.search(rb"Content-Length: (\d+)", header)[1])))

    def tell(self, method, params):
        self.send({"method": method, "params": params})

    def answer(self, method, params):
        self.number += 1
        self.send({"id": self.number, "method": method, "params": params})
        while True:
            message = self.receive()
            if message.get("id") == self.number:
                return message
            self.published.append(message["params"])

    def ask(self, method, params):
        message = self.answer(method, params)
        assert "error" not in message, message
        return message["result"]

    def open(self, uri, text, language="glsl"):
        """The diagnostics that are told of it."""
        self.tell("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": language, "version": 1, "text": text}})
        return self.diagnostics(uri)

    def change(self, uri, text, version):
        self.tell("textDocument/didChange", {"textDocument": {"uri": uri, "version": version},
                                             "contentChanges": [{"text": text}]})

    def diagnostics(self, uri):
        message = self.receive()
        assert message["method"] == "textDocument/publishDiagnostics" and message["params"]["uri"] == uri
        return message["params"]["diagnostics"]

    def at(self, method, uri, text, word, behind=0):
        """A request at a word of the text: at its character `behind`, or with a negative one at its end."""
        offset = text.index(word) + (behind if behind >= 0 else len(word))
        line = text.count("\n", 0, offset)
        character = len(text[text.rfind("\n", 0, offset) + 1:offset].encode("utf-16-le")) // 2
        return self.ask(f"textDocument/{method}", {"textDocument": {"uri": uri},
                                                   "position": {"line": line, "character": character}})


@pytest.fixture
def editor():
    with Editor() as one:
        yield one


def lines_of(text, ranges):
    return [text.split("\n")[one["start"]["line"]] for one in ranges]


def test_a_session_of_assembly(editor, tmp_path):
    uri = (tmp_path / "lamp.tsa").as_uri()
    assert editor.open(uri, ASSEMBLY, "tsa") == []
    # What is wrong, while one types; and that it is not any more.
    editor.change(uri, ASSEMBLY.replace("nrm r0", "nrn r0"), 2)
    (wrong,) = editor.diagnostics(uri)
    assert wrong["message"].startswith("unknown instruction 'nrn'; did you mean 'nrm'?") and wrong["severity"] == 1
    assert wrong["range"] == {"start": {"line": 10, "character": 4}, "end": {"line": 10, "character": 7}}
    editor.change(uri, ASSEMBLY.replace("add2 r1, r0", "add r3, r1, r0"), 3)
    (warning,) = editor.diagnostics(uri)
    assert warning["severity"] == 2 and "r3" in warning["message"]
    editor.change(uri, ASSEMBLY, 4)
    assert editor.diagnostics(uri) == []

    def hover(word, behind=0):
        found = editor.at("hover", uri, ASSEMBLY, word, behind)
        return found and found["contents"]["value"]
    assert "nrm d, a" in hover("nrm r0") and "lighting unit, 12 cycles" in hover("nrm r0")
    assert ".define kRings" in hover(".define", 2) and ".alias r1.x lambert" in hover("lambert, r0")
    assert "`u_lights`, uniform, vec4" in hover("c0 u_lights") and "here called `lambert`" in hover("r1, r0", 1)
    assert "shine:" in hover("shine\n") and hover("; A lamp", 3) is None

    def defined(word):
        found = editor.at("definition", uri, ASSEMBLY, word)
        return found and lines_of(ASSEMBLY, [found["range"]])[0]
    assert defined("shine\n") == "shine:" and defined("kShine\n") == ".define kShine = 16"
    assert defined("v_normal\n") == ".input v0 v_normal vec3" and defined("add2 r1") == ".macro add2 to, from"
    assert defined("nrm r0") is None

    def complete(before):
        text = ASSEMBLY.replace("    nrm r0, v_normal\n", f"    {before}\n")
        editor.change(uri, text, 5)
        editor.diagnostics(uri)
        return {item["label"]: item for item in editor.at("completion", uri, text, f"\n    {before}", -1)["items"]}
    assert complete("nr")["nrm"]["detail"] == "nrm d, a" and "add2" in complete("a")
    assert "sat" in complete("mad.") and "uniform" in complete(".u") and set(complete("call ")) == {"shine"}
    assert {"u_lights", "lambert", "frag_coord"} <= set(complete("mov r0, ")) and complete("mov r0, r1.") == {}

    editor.change(uri, ASSEMBLY, 6)
    editor.diagnostics(uri)
    symbols = editor.ask("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
    assert [one["name"] for one in symbols] == ["v_normal", "u_lights", "kShine", "lambert", "add2", "shine"]
    assert symbols[-1]["range"] == {"start": {"line": 18, "character": 0}, "end": {"line": 20, "character": 7}}


def test_costs(editor, tmp_path):
    uri = (tmp_path / "lamp.tsa").as_uri()
    editor.open(uri, ASSEMBLY, "tsa")
    lenses = [(one["range"]["start"]["line"], one["command"]["title"])
              for one in editor.ask("textDocument/codeLens", {"textDocument": {"uri": uri}})]
    assert lenses[0] == (1, "9 instructions, 44 cycles, bound by arithmetic")
    assert lenses[1] == (18, "shine: 2 instructions, 8 cycles")
    assert (10, "1 instruction, 12 cycles") in lenses and (12, "1 instruction, 4 cycles") in lenses
    # An editor that shows texts at the ends of lines has lines there.
    with Editor(inlayHint={}) as other:
        other.open(uri, ASSEMBLY, "tsa")
        assert len(other.ask("textDocument/codeLens", {"textDocument": {"uri": uri}})) == 2
        lines = {"start": {"line": 0, "character": 0}, "end": {"line": 11, "character": 0}}
        hints = other.ask("textDocument/inlayHint", {"textDocument": {"uri": uri}, "range": lines})
        assert [(one["position"], one["label"]) for one in hints] == [
            ({"line": 10, "character": 20}, "1 instruction, 12 cycles"),
            ({"line": 11, "character": 15}, "1 instruction, 4 cycles")]


def test_a_session_of_glsl(editor, tmp_path):
    uri = (tmp_path / "light.frag").as_uri()
    assert editor.open(uri, GLSL) == []
    editor.change(uri, GLSL.replace("near * near);", "near * nere);"), 2)
    (wrong,) = editor.diagnostics(uri)
    assert wrong["message"] == "'nere' : undeclared identifier; did you mean 'near'?"
    assert wrong["range"] == {"start": {"line": 11, "character": 31}, "end": {"line": 11, "character": 35}}
    editor.change(uri, GLSL, 3)
    assert editor.diagnostics(uri) == []

    def hover(word, behind=0):
        found = editor.at("hover", uri, GLSL, word, behind)
        return found and found["contents"]["value"]
    assert "float length(genType x)" in hover("length(") and "TWICE(x)" in hover("TWICE(far)")
    assert "uniform Light u_light;" in hover("u_light.power") and "float falloff" in hover("falloff(length")

    def defined(word, behind=0):
        found = editor.at("definition", uri, GLSL, word, behind)
        return found and lines_of(GLSL, [found["range"]])[0].strip()
    assert defined("near * near") == "float near = TWICE(far);"
    assert defined("near * u_light") == "float near = falloff(length(v_place));"
    assert defined("far);") == "float falloff(float far) {" and defined("i < 4").startswith("for (int i = 0;")
    assert defined(".power", 1).startswith("struct Light") and defined("Light u_light").startswith("struct Light")
    assert defined("unused") is None and defined("length(") is None

    names = [one["name"] for one in editor.ask("textDocument/documentSymbol", {"textDocument": {"uri": uri}})]
    assert names == ["TWICE", "Light", "u_light", "v_place", "color", "falloff", "main"]
    found = {item["label"] for item in editor.at("completion", uri, GLSL, "falloff(length")["items"]}
    assert {"near", "v_place", "falloff", "smoothstep", "texelFetch", "uvec3", "layout"} <= found
    assert not {"far", "texture2D", "varying", "gl_Position", "power"} & found
    assert {item["label"] for item in editor.at("completion", uri, GLSL, "u_light.", -1)["items"]} == {"color", "power"}
    titles = [one["command"]["title"]
              for one in editor.ask("textDocument/codeLens", {"textDocument": {"uri": uri}})]
    assert re.match(r"\d+ instructions, \d+ cycles, bound by arithmetic", titles[0])
    assert any(title.startswith("falloff: ") for title in titles) and any(t.startswith("main: ") for t in titles)


def test_files_that_are_included(editor, tmp_path):
    (tmp_path / "lib.tsa").write_text(".define kFar = 8\n.macro twice to\n    add \\to, \\to, \\to\n.endmacro\n")
    text = '.fragment\n.include "lib.tsa"\n    mov r0, kFar\n    twice r0\n    mov o0, r0\n    ret\n'
    uri = (tmp_path / "main.tsa").as_uri()
    assert editor.open(uri, text, "tsa") == []
    found = editor.at("definition", uri, text, "kFar")
    assert found["uri"] == (tmp_path / "lib.tsa").as_uri() and found["range"]["start"] == {"line": 0, "character": 8}
    assert editor.at("definition", uri, text, "lib.tsa")["uri"] == (tmp_path / "lib.tsa").as_uri()
    # What is wrong in the other file is told where it comes in.
    (tmp_path / "lib.tsa").write_text(".define kFar = 8\n.macro twice to\n    ad \\to, \\to, \\to\n.endmacro\n")
    editor.change(uri, text, 2)
    wrong = editor.diagnostics(uri)
    assert wrong and "lib.tsa:3: unknown instruction 'ad'" in wrong[0]["message"]


def test_columns_are_those_of_editors(editor, tmp_path):
    text = "void main() {\n    /* \U0001f600 \u00e9 */ gl_FragColor = vec4(wrong);\n}\n"
    (wrong,) = editor.open((tmp_path / "a.frag").as_uri(), text)
    line = text.split("\n")[1]
    first = len(line[:line.index("wrong")].encode("utf-16-le")) // 2
    assert wrong["range"]["start"] == {"line": 1, "character": first}
    assert wrong["range"]["end"] == {"line": 1, "character": first + 5}


def test_fast_typing_is_looked_at_once(editor, tmp_path):
    uri = (tmp_path / "a.frag").as_uri()
    # All in one write: what is between is not compiled.
    messages = [{"method": "textDocument/didOpen", "params": {"textDocument": {"uri": uri, "languageId": "glsl", "version": 0,
                                                                               "text": ""}}}]
    messages += [{"method": "textDocument/didChange",
                  "params": {"textDocument": {"uri": uri, "version": n}, "contentChanges": [{"text": "void main() {" + "}" * n}]}}
                 for n in range(1, 200)]
    bodies = [json.dumps(message).encode() for message in messages]
    editor.write(b"".join(b"Content-Length: %d\r\n\r\n" % len(body) + body for body in bodies))
    versions = [editor.receive()["params"]["version"]]
    while versions[-1] != 199:
        versions.append(editor.receive()["params"]["version"])
    assert versions == sorted(set(versions)) and len(versions) < 200


def test_what_is_wrong_with_messages(editor, tmp_path):
    def code(method, params):
        return editor.answer(method, params)["error"]["code"]
    uri = (tmp_path / "a.tsa").as_uri()
    assert code("textDocument/rename", {}) == -32601
    assert code("textDocument/hover", {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 0}}) == -32602
    assert code("textDocument/hover", None) == -32602 and code("textDocument/hover", [1]) == -32602
    editor.open(uri, ".fragment\n", "tsa")
    assert code("textDocument/hover", {"textDocument": {"uri": uri}, "position": {"line": "x"}}) == -32602
    far = {"textDocument": {"uri": uri}, "position": {"line": 10**9, "character": -5}}
    assert editor.ask("textDocument/hover", far) is None and editor.ask("textDocument/definition", far) is None
    assert editor.ask("textDocument/codeLens", {"textDocument": {"uri": uri}}) == []
    editor.write(b"Content-Length: 3\r\n\r\n{]}")
    assert editor.receive()["error"]["code"] == -32700
    editor.write(b"Content-Length: 2\r\n\r\n[]")
    assert editor.receive()["error"]["code"] == -32600
    editor.tell("textDocument/didChange", {"nonsense": 1})
    editor.tell("$/unknown", {})
    # Texts of any bytes, numbers where texts are wanted, and it goes on.
    for text in ("\0", "\ud800", ".fragment\n" * 5, "((((" * 2000, '.include "' + "x" * 5000 + '"'):
        editor.change(uri, text, 2)
        editor.diagnostics(uri)
        editor.ask("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
    assert editor.ask("shutdown", None) is None
    assert code("textDocument/hover", {}) == -32600
    editor.tell("exit", None)
    assert editor.process.wait(20) == 0


@pytest.mark.parametrize("sent, status", [
    (b"", 1), (b"nonsense\r\n\r\n", 1), (b"Content-Length: 99999999999\r\n\r\n", 1), (b"Content-Length: 10\r\n\r\n{}", 1),
    (b'Content-Length: 33\r\n\r\n{"jsonrpc":"2.0","method":"exit"}', 1)])
def test_an_editor_that_goes_away(sent, status):
    said = subprocess.run([sys.executable, "-m", "tessera", "lsp"], input=sent, capture_output=True, timeout=60)
    assert said.returncode == status and b"Traceback" not in said.stderr and said.stdout == b""


def test_the_command_has_the_same_verb():
    command = pathlib.Path(os.environ["TESSERA_BUILD"]) / "bin/tessera"
    if not command.exists():
        pytest.skip("the command is not built")
    said = subprocess.run([command, "lsp", "--help"], capture_output=True, text=True, timeout=60)
    assert said.returncode == 0 and said.stdout.startswith("usage: tessera lsp")
    without = subprocess.run([command, "lsp"], capture_output=True, text=True, timeout=60, env={"PATH": "/nowhere"})
    assert without.returncode == 2 and "python3 cannot be started" in without.stderr


def test_vim_colours_texts_and_fills_its_list_of_errors(tmp_path):
    command = pathlib.Path(os.environ["TESSERA_BUILD"]) / "bin/tessera"
    if shutil.which("vim") is None or not command.exists():
        pytest.skip("there is no vim, or the command is not built")
    texts = {"a.frag": "#version 300 es\nprecision highp float;\nout vec4 c;\nvoid main() { c = vec4(wrong); }\n",
             "a.tsa": ".fragment\n    madd r0, r0, r0\n    ret\n"}
    script = ["set nocompatible", f"set runtimepath^={SOURCE / 'editors/vim'}", "filetype plugin on", "syntax on", "let said = []"]
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
        script += [f"edit {name}", "silent make", "call add(said, &filetype)",
                   "call add(said, synIDattr(synID(2, match(getline(2), '\\S') + 1, 1), 'name'))",
                   "for one in getqflist()", "  if one.valid", "    call add(said, one.lnum . ':' . one.col . ':' . one.text)",
                   "  endif", "endfor"]
    (tmp_path / "script.vim").write_text("\n".join([*script, "call writefile(said, 'said')", "qa!", ""]))
    said = subprocess.run(["vim", "-u", "NONE", "-es", "-S", "script.vim"], cwd=tmp_path, capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, timeout=60,
                          env={**os.environ, "PATH": f"{command.parent}:{os.environ['PATH']}", "SHELL": "/bin/sh"})
    assert (tmp_path / "said").exists(), said.stdout + said.stderr
    assert (tmp_path / "said").read_text().splitlines() == [
        "glsl", "glslQualifier", "4:24:'wrong' : undeclared identifier", "tsa", "",
        "2:5:unknown instruction 'madd'; did you mean 'mad'?"]


def test_before_it_is_initialized():
    body = b'{"jsonrpc":"2.0","id":7,"method":"textDocument/hover","params":{}}'
    said = subprocess.run([sys.executable, "-m", "tessera", "lsp"],
                          input=b"Content-Length: %d\r\n\r\n" % len(body) + body, capture_output=True, timeout=60)
    assert b"-32002" in said.stdout


def test_long_texts(editor, tmp_path):
    # editors/README.md has what it takes; here only that all of it is looked at.
    body = "".join(f"    a = a * a.yzwx + sin(a) * {n}.0;\n" for n in range(495))
    text = f"precision highp float;\nvoid main() {{\n    vec4 a = gl_FragCoord;\n{body}    gl_FragColor = a + b;\n}}\n"
    assert len(text.splitlines()) == 500
    began = time.monotonic()
    (wrong,) = editor.open((tmp_path / "long.frag").as_uri(), text)
    print(f"500 lines: {time.monotonic() - began:.3f} s")
    assert wrong["range"]["start"]["line"] == 498


def test_the_tables_are_the_languages():
    # Every built-in function is one that the compiler takes, in the versions that are said, and in no other.
    substitutes = {"genType": "vec3", "genIType": "ivec3", "genUType": "uvec3", "genBType": "bvec3", "bvec": "bvec3",
                   "vec": "vec3", "mat": "mat3"}
    for name, one in _glsl.FUNCTIONS.items():
        for version in (100, 300):
            for signature in one.signatures:
                result, rest = re.match(rf"(?:\w+p )?(\w+) {name}\((.*)\)", signature).groups()
                result = substitutes.get(result, result)
                parameters = [re.match(r"(?:(?:\w+p|out) )?(\w+) (\w+)", part).groups() for part in rest.split(", ")]
                types = [substitutes.get(kind, kind) for kind, _ in parameters]
                if name == "not":
                    types = ["bvec3"]
                declared = "".join(f"uniform highp {kind} u_{i};\n" if "sampler" in kind else
                                   f"const {kind} u_{i} = {kind}(1);\n" if parameter == "offset" else
                                   f"{kind} u_{i};\n" for i, (kind, (_, parameter)) in enumerate(zip(types, parameters)))
                text = (("#version 300 es\n" if version == 300 else "") +
                        f"precision highp float;\nprecision highp int;\n{declared}void main() {{\n"
                        f"    {result} r = {name}({', '.join(f'u_{i}' for i in range(len(types)))});\n}}\n")
                try:
                    compile_glsl(text, one.stage or "fragment")
                    known = True
                except Exception as error:
                    known = False
                    said = str(error)
                assert known == (version in one.versions), (signature, version, "" if known else said)
    # And every built-in variable and constant, in its stage.
    for name, (kind, _, stage, versions) in _glsl.VARIABLES.items():
        what = f"{name}.diff" if name == "gl_DepthRange" else f"{name}[0]" if kind.endswith("[]") else name
        for version in (100, 300):
            for one_stage in ("vertex", "fragment"):
                text = ("#version 300 es\n" if version == 300 else "") + f"precision highp float;\nvoid main() {{ {what}; }}\n"
                try:
                    compile_glsl(text, one_stage)
                    known = True
                except Exception as error:
                    known, said = False, str(error)
                assert known == (version in versions and stage in ("", one_stage)), (name, version, one_stage, known or said)


def test_no_built_in_function_is_missing():
    # The names of sections 8 of both specifications.
    old = ("radians degrees sin cos tan asin acos atan pow exp log exp2 log2 sqrt inversesqrt abs sign floor ceil fract mod min "
           "max clamp mix step smoothstep length distance dot cross normalize faceforward reflect refract matrixCompMult "
           "lessThan lessThanEqual greaterThan greaterThanEqual equal notEqual any all not texture2D texture2DProj "
           "texture2DLod texture2DProjLod textureCube textureCubeLod").split()
    new = ("sinh cosh tanh asinh acosh atanh trunc round roundEven modf isnan isinf floatBitsToInt floatBitsToUint "
           "intBitsToFloat uintBitsToFloat packSnorm2x16 unpackSnorm2x16 packUnorm2x16 unpackUnorm2x16 packHalf2x16 "
           "unpackHalf2x16 outerProduct transpose determinant inverse textureSize texture textureProj textureLod "
           "textureOffset texelFetch texelFetchOffset textureProjOffset textureLodOffset textureProjLod "
           "textureProjLodOffset textureGrad textureGradOffset textureProjGrad textureProjGradOffset dFdx dFdy fwidth").split()
    assert set(_glsl.FUNCTIONS) == {*old, *new}


def test_scopes():
    text = "float f(float a);\nfloat f(float a) { return a; }\nvoid main() { float a = 1.0; { float a = 2.0; a; } a; }"
    names = _glsl.names(text.split("\n"))
    assert visible(names, "a", Place(1, 26)).place == Place(1, 14)
    assert visible(names, "a", Place(2, 47)).place == Place(2, 37)
    assert visible(names, "a", Place(2, 52)).place == Place(2, 20)
    assert visible(names, "f", Place(2, 0)).place == Place(1, 6) and visible(names, "g", Place(2, 0)) is None


def test_words_of_assembly():
    assert len(_isa.INSTRUCTIONS) >= 81 and _isa.INSTRUCTIONS["mad"]["syntax"] == "mad d, a, b, c"
    assert all(one["meaning"] and one["text"] and int(one["cycles"]) for one in _isa.INSTRUCTIONS.values())
    assert _assembly.code_of('.include "a;b" ; c') == '.include "a;b" '
