"""Programs from text and bytes, and what is said of them."""

import pytest

import tessera

ASSEMBLY = ".fragment\n.uniform c0 gain float\n    mul o0, frag_coord, c0.x\n    ret\n"
GLSL = """precision highp float;
varying vec2 place;
uniform vec3 tint[2];
uniform sampler2D picture;
void main() {
    vec4 texel = texture2D(picture, place);
    gl_FragColor = vec4(texel.rgb * tint[1], 1.0);
}
"""


def test_assembled_and_back():
    program = tessera.assemble(ASSEMBLY, "gain.tsa")
    assert (program.stage, len(program), program.warnings) == ("fragment", 2 + 0, [])
    again = tessera.assemble(tessera.disassemble(program))
    assert tessera.disassemble(again) == tessera.disassemble(program)
    assert "; 3: mul o0, frag_coord, c0.x" in program.disassemble(source=True)
    assert program.source == ASSEMBLY


def test_bytes_and_files(tmp_path):
    program = tessera.assemble(ASSEMBLY)
    program.save(tmp_path / "gain.tsb")
    (tmp_path / "gain.tsa").write_text(ASSEMBLY)
    (tmp_path / "glsl.frag").write_text(GLSL)
    for file in (tmp_path / "gain.tsb", str(tmp_path / "gain.tsa"), program.to_bytes()):
        assert tessera.load(file).disassemble() == program.disassemble()
    assert tessera.load(tmp_path / "glsl.frag").stage == "fragment"


def test_info():
    info = tessera.info(tessera.compile_glsl(GLSL))
    assert info["stage"] == "fragment" and info["units"]["texture"] == 1
    assert [(one["name"], one["type"], one["components"]) for one in info["inputs"]] == [("place", "vec2", 2)]
    assert [(one["name"], one["elements"], one["components"]) for one in info["uniforms"]] == [("tint", 2, 6)]
    assert [one["name"] for one in info["samplers"]] == ["picture"]
    assert info["results"] == [{"register": "o0", "name": "gl_FragColor", "type": "vec4", "components": 4, "integer": False}]
    kernel = tessera.info(".compute\n.group 8, 4\n.shared 64\n.buffer b0 x constant\n    ret\n")
    assert kernel["block"] == [8, 4, 1] and kernel["shared_bytes"] == 64
    assert kernel["buffers"] == [{"name": "x", "slot": 0, "constant": True}]


@pytest.mark.parametrize("kind, integer", [("float", False), ("ivec2", True), ("uint", True), ("uvec3", True)])
def test_uniforms_of_integers(kind, integer):
    program = tessera.assemble(f".fragment\n.uniform c0 n {kind}\n    mov o0, c0.x\n    ret\n")
    assert program.info["uniforms"][0]["integer"] is integer
    bits = tessera.run_fragment(program, {"n": [3] * program.info["uniforms"][0]["components"]}, size=(1, 1))
    assert bits.view("<u4" if integer else "<f4")[0, 0, 0] == 3


def test_linked():
    vertex, fragment = tessera.link_glsl(
        "attribute vec4 a; varying vec2 v; void main() { v = a.xy; gl_Position = a; }",
        "precision highp float; varying vec2 v; void main() { gl_FragColor = vec4(v, 0.0, 1.0); }")
    assert (vertex.stage, fragment.stage) == ("vertex", "fragment")
    with pytest.raises(tessera.ProgramError, match="v"):
        tessera.link_glsl("void main() { gl_Position = vec4(0.0); }",
                          "precision highp float; varying vec2 v; void main() { gl_FragColor = vec4(v, 0.0, 1.0); }")
    good, wrong = "void main() {}", "void main() { xyzzy; }"
    for stages in (wrong, good), (good, wrong), (wrong, wrong):
        with pytest.raises(tessera.ProgramError, match="undeclared"):
            tessera.link_glsl(*stages)


def test_errors_are_located_and_show_the_line():
    with pytest.raises(tessera.ProgramError) as caught:
        tessera.assemble(".fragment\n    mov r0, 1\n    madd r0, r0, r0, r0\n    ret\n", "wrong.tsa")
    error = caught.value
    assert (error.line, error.column) == (3, 5)
    assert error.diagnostics[0].file == "wrong.tsa" and "did you mean 'mad'" in error.diagnostics[0].message
    assert str(error).splitlines()[:3] == [
        "wrong.tsa:3:5: error: " + error.diagnostics[0].message, "        madd r0, r0, r0, r0", "        ^"]
    with pytest.raises(tessera.ProgramError) as caught:
        tessera.compile_glsl("precision highp float;\nvoid main() { gl_FragColor = vec4(xyzzy); }", name="lost.frag")
    assert (caught.value.line, caught.value.column) == (2, 35)
    assert str(caught.value).startswith("lost.frag:2:35: error: 'xyzzy' : undeclared identifier\n"
                                        "    void main() { gl_FragColor = vec4(xyzzy); }\n")


def test_warnings_are_kept():
    program = tessera.assemble(".compute\n.buffer b0 y\n.uniform c0 scale float\n    ld r1.xy, b0[0]\n"
                               "    mul r1.xy, r1.xy, scale\n    st b0[0], r1.x\n    ret\n")
    assert program.warnings and not program.warnings[0].is_error and program.warnings[0].line == 5


def test_cost():
    cost = tessera.cost(tessera.compile_glsl(GLSL))
    assert cost.instructions == sum(line.instructions for line in cost) == cost.summary["instructions"]
    assert cost.executed is None and cost.cycles is None
    assert any(line.line == 6 and "texture2D" in line.text for line in cost)
    other = tessera.compile_glsl(GLSL).cost(preset="miaow2")
    assert other.instructions == cost.instructions
    with pytest.raises(tessera.Error, match="no such preset|is no preset|preset"):
        tessera.compile_glsl(GLSL).cost(preset="nothing")


def test_includes(tmp_path):
    (tmp_path / "half.inc").write_text("    mul r0, r0, 0.5\n")
    program = tessera.assemble('.fragment\n    mov r0, frag_coord\n.include "half.inc"\n    mov o0, r0\n    ret\n',
                               str(tmp_path / "main.tsa"))
    assert len(program) == 4
    with pytest.raises(tessera.ProgramError, match="missing.inc"):
        tessera.assemble('.fragment\n.include "missing.inc"\n', str(tmp_path / "main.tsa"))
