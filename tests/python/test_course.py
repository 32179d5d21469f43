"""The course: every solution is right and takes par; wrong programs are told which mistake they make."""

import contextlib
import io
import os
import pathlib
import re
import subprocess
import sys

import pytest

import tessera
from tessera import course
from tessera.course import _bench, exercises

SOURCE = pathlib.Path(os.environ["TESSERA_SOURCE"])
SOLUTIONS = SOURCE / "docs/course/solutions"


def solution(name):
    one = course.exercise(name)
    return one, (SOLUTIONS / one.file).read_text()


@pytest.mark.parametrize("name", [one.name for one in exercises.EXERCISES])
def test_solutions_are_right_and_par(name):
    one, text = solution(name)
    bench = one.bench(text, one.file)
    assert bench.spent() == one.par
    said = one.run(text, one.file)
    assert f"right in all {len(bench.lanes)} lanes" in said and "%" not in said
    assert bench.program.warnings == []


@pytest.mark.parametrize("name", [one.name for one in exercises.EXERCISES])
def test_what_one_starts_with_is_a_program_that_is_not_right(name):
    one = course.exercise(name)
    with pytest.raises(_bench.Wrong) as wrong:
        one.run(course.start_text(one), one.file)
    assert wrong.value.args[0].startswith(one.file)
    # The declarations are the solution's.
    declared = re.findall(r"^\.(?:input|uniform|buffer|vertex|fragment|compute).*|^uniform.*", course.start_text(one), re.M)
    assert all(line in solution(name)[1] for line in declared)


#: Exercise, what is changed in the solution, what must be said.
MISTAKES = [
    ("1", [("-u_turn.y, r0.x", "u_turn.y, r0.x"), ("a_position.x, u_turn.xy", "a_position.x, u_turn"),
           ("mad r0.y, a_position.y, u_turn.x, r0.y", "mul r0.y, a_position.x, -u_turn.y\n    mad r0.y, a_position.y, u_turn.x, r0.y")],
     "it turns the other way"),
    ("1", [("    mov o0.w, 1.0 ", "    ; ")], r"w is 0.*o0.w was|w is 0.*no instruction writes o0.w"),
    ("1", [("mul r0.xy, a_position.x, u_turn.xy ", "mul r0.x, a_position.x, u_turn.x"),
           ("    mad r0.y, a_position.y, u_turn.x, r0.y ", "    mul r0.y, r0.x, u_turn.y\n    mad r0.y, a_position.y, u_turn.x, r0.y ")],
     "y' is made of x', which is there already"),
    ("1", [("mul o0.xy, r0, u_scale", "mov o0.xy, r0\n    mul r1.xy, r0, u_scale")], "u_scale is missing"),
    ("1", [("a_position.x, u_turn.xy ", "r1.x, u_turn.xy "), ("a_position.y, -u_turn", "r1.y, -u_turn"),
           ("a_position.y, u_turn.x", "r1.y, u_turn.x"), ("    mul r0.xy", "    mul r1.xy, a_position, u_scale\n    mul r0.xy"),
           ("mul o0.xy, r0, u_scale", "mov o0.xy, r0")], "stretched before it is turned"),
    ("1", [("mul r0.xy, a_position.x, u_turn.xy ", "mul r0.xy, a_position.x, u_turn.x "),
           ("u_turn.x, r0.y ", "u_turn.y, r0.y ")], "the sine and the cosine exchanged"),
    ("1", [("    mov o0.w, 1.0 ", "    mov o0.zw, a_position.zw ")], "z is not 0.*wrong +z"),
    ("2", [("-r1.w ", "-1.0  "), ("slt r3.xyz, r1.w,", "slt r3.xyz, 1.0,")], "compares with 1 and -1"),
    ("2", [("    slt r2.xyz", "    rcp r1.w, r1.w\n    mul r1.xyz, r1, r1.w\n    mov r1.w, 1.0\n    slt r2.xyz")],
     "it divides by w first"),
    ("2", [("r2.xyz, r3, bits.w, r2 ", "r2.xyz, r2, bits.w, r3 ")], "pairs the wrong way round"),
    ("2", [("bits = 1, 4, 16, 2", "bits = 1, 2, 4, 8")], "bits of < -w come first"),
    ("2", [("slt r2.xyz, r1, -r1.w ", "sge r2.xyz, -r1.w, r1 ")], "on one side a corner"),
    ("2", [("slt r3.xyz, r1.w, r1 ", "sge r3.xyz, r1, r1.w ")], "on one side a corner"),
    ("2", [("slt r2.xyz, r1, -r1.w ", "slt r2.xyz, -r1.w, r1 "), ("slt r3.xyz, r1.w, r1 ", "slt r3.xyz, r1, r1.w ")],
     "operands of a comparison are exchanged"),
    ("2", [("slt r3.xyz, r1.w, r1 ", "slt r3.xyz, r1, r1.w ")], "operands of a comparison are exchanged"),
    ("2", [("r1, -r1.w ", "r1, r1.w  ")], "the plane at the left is at -w"),
    ("2", [("slt r2.xyz, r1, -r1.w ", "sge r2.xyz, -r1.w, r1 "), ("slt r3.xyz, r1.w, r1 ", "sge r3.xyz, r1, r1.w ")],
     "a corner that lies on a plane is outside"),
    ("2", [("    f2i.i32 r2.x, r2.x\n", "")], "the result is there as a float"),
    ("2b", [("mul r0.w, r0.x, r0.w ", "mul r0.w, r0.w, -r0.x\n    add r0.w, 1.0, r0.w ")], "t counts from b"),
    ("2b", [("    mul r0.w, r0.x, r0.w            ; t\n", "")], "da is missing"),
    ("2b", [("rcp r0.w, -r0.w", "add r0.w, r0.w, r0.x\n    add r0.w, r0.w, r0.x\n    rcp r0.w, r0.w")], "db is negative"),
    ("2b", [("r0.w, r2, r1", "r0.w, -r2, r1")], "it goes the wrong way"),
    ("2b", [("r1.x, r1.w ", "-r1.x, r1.w "), ("r2.x, r2.w ", "-r2.x, r2.w ")], "it cuts at the right plane"),
    ("2b", [("mad r3, r0.w, r2, r1", "mad r3.xyz, r0.w, r2, r1\n    mov r3.w, r1.w")], "w of the new corner"),
    ("2b", [("    add r2, r2, -r1 ", "    rcp r4.x, r1.w\n    rcp r4.y, r2.w\n    add r2, r2, -r1 "),
            ("add r0.x, r1.x, r1.w            ; da", "mul r4.z, r1.x, r4.x\n    add r0.x, r4.z, 1.0"),
            ("add r0.w, r2.x, r2.w            ; db - da: it changes as x and w do",
             "add r4.w, r2.x, r1.x\n    mul r4.w, r4.w, r4.y\n    add r0.w, r4.w, -r4.z")], "it divides by w before it cuts"),
    ("3", [("e == 0.0 && isTopOrLeft(from, to)", "e == 0.0")], "two neighbours both draw them"),
    ("3", [(" || (e == 0.0 && isTopOrLeft(from, to))", ""), (" || (e == 0.0", ""), ("e > 0.0 || (e == 0.0 && isTopOrLeft(from, to)) ?", "e > 0.0 ?")],
     "holes between neighbours"),
    ("3", [("to.y < from.y", "to.y > from.y"), ("to.x < from.x", "to.x > from.x")], "the right and bottom edges own"),
    ("3", [("gl_FragCoord.xy;", "gl_FragCoord.xy - 0.5;")], "gl_FragCoord is the centre already"),
    ("3", [("along.x * away.y - along.y * away.x", "along.y * away.x - along.x * away.y")], "the sign is the other way round"),
    ("4", [("mul r0.xyz, r0, v_shares ", "mov r0.xyz, v_shares ")], "linear on the screen, without perspective"),
    ("4", [("    mul o0, r1.y, r1.x", "    mov o0, r1.y")], "stays divided by w"),
    ("4", [("    rcp r0.x, u_ws.x ", "    mov r0.xyz, u_ws "), ("    rcp r0.y, u_ws.y\n    rcp r0.z, u_ws.z\n", "")],
     "near and far are exchanged"),
    ("4", [("    rcp r1.x, r1.x\n", ""), ("    add r1.x, r0.x, r0.y\n    add r1.x, r1.x, r0.z ", "    dp3 r1.x, v_shares, u_ws ")],
     "w itself is interpolated"),
    ("5", [("    flr r1.xy, r1\n", "")], "places below 0 are a texel too far"),
    ("5", [("    mad.i32 r2.x, r2.x, four, r1.y\n    mad.i32 r2.x, r2.x, four, r1.x\n", "    add.i32 r2.x, r2.x, r1.x\n"),
           ("    shr.i32 r2.xy, r1, 2            ; of the block\n    and.i32 r1.xy, r1, 3            ; in the block\n",
            "    shl.i32 r2.x, u_blocks, 2\n"), ("mad.i32 r2.x, r2.y, u_blocks, r2.x", "mul.i32 r2.x, r1.y, r2.x")],
     "rows of the whole image"),
    ("5", [("four, r1.y\n", "four, r1.x\n"), ("four, r1.x\n    shl", "four, r1.y\n    shl")], "exchanged within the block"),
    ("5", [("    shl.i32 r2.x, r2.x, 2\n", "")], "an address counts bytes"),
    ("6", [("        (p1) brk                    ; lanes that are at 1 wait behind the loop\n", ""),
           ("r1.y, r1.y, 1\n", "r1.y, r1.y, 1\n        (p1) brk\n")], "one step too many"),
    ("6", [("sel.i32 r1.x, r2.x, r2.y, r2.z", "sel.i32 r1.x, r2.x, r2.y, r1.x\n        shr.i32 r1.x, r1.x, 1")], "lanes whose x is odd do both"),
    ("6", [("(p1) brk ", "brk      ")], "all lanes leave the loop together"),
    ("6", [("(p1) brk ", "(!p1) brk")], "the guard of brk is the wrong way round"),
    ("7", [("    bar 0\n", "")], "there is no barrier"),
    ("7", [("sizes = 32, 64, 33", "sizes = 32, 64, 32")], r"bank conflicts. A group loads 32 different words.*line \d+: ld r1.x, shared"),
    ("7", [("block.yx", "block.xy")], "each tile is transposed, and stays where it was"),
    ("8", [("-0.5, -0.5", "-1.0, -1.0"), ("0.5, -0.5", "1.0, -1.0"), ("-0.5, 0.5", "-1.0, 1.0"), ("(0.5, 0.5)", "(1.0, 1.0)")],
     "a whole texel away"),
    ("8", [("0.25 * ", "")], "the sum is not divided"),
    ("8", [("0.25 * ", "0.0625 * ")], "it is divided twice"),
]


@pytest.mark.parametrize("name, changes, said", MISTAKES)
def test_mistakes_have_names(name, changes, said):
    one, text = solution(name)
    changed = text
    for before, after in changes:
        changed = changed.replace(before, after)
    assert changed != text
    with pytest.raises(_bench.Wrong) as wrong:
        one.run(changed, one.file)
    message = wrong.value.args[0]
    assert re.search(said, message, re.DOTALL), message
    assert "Traceback" not in message


def test_each_exercise_has_three_mistakes():
    for one in exercises.EXERCISES:
        assert len([name for name, _, _ in MISTAKES if name == one.name]) + (one.name in "78") >= 3, one.name


@pytest.mark.parametrize("name, said", [
    ("7", "not coalesced. The 32 lanes of a group store to 32 lines.*line 18: st result"),
    ("8", "9 lookups for a pixel, where four do")])
def test_right_and_slow_is_not_enough(name, said):
    one = course.exercise(name)
    with pytest.raises(_bench.Wrong) as wrong:
        one.run(course.start_text(one), one.file)
    assert re.search(said, wrong.value.args[0], re.DOTALL)


def test_lane_and_line():
    one, text = solution("2")
    with pytest.raises(_bench.Wrong) as wrong:
        one.run(text.replace("bits = 1, 4, 16, 2", "bits = 1, 4, 8, 2"), one.file)
    message = wrong.value.args[0]
    assert re.search(r"wrong in \d+ of 96 lanes\nthe first one is lane \d+, thread \d+ of block \d\n    vertex  .*\n"
                     r"    came out +\d+\n    should be +\d+\noutcodes was written in line 21: st.i32 outcodes"
                     r"\[r0.z\], r2.x\nr2.x was written in line 20: f2i.i32 r2.x, r2.x", message), message


@pytest.mark.parametrize("text, said", [
    (".fragment\n    ret\n", "this is a fragment program; the exercise asks for a vertex program"),
    (".vertex\n.input v0 a_position vec2\n    mov o0, v0\n    ret\n", "does not use 'u_turn', one of its uniforms"),
    (".vertex\n    nop\n", "unknown instruction"),
    (".vertex\n.input v0 a_position vec2\n.uniform c0 u_turn vec2\n.uniform c1 u_scale vec2\n    mov r0, u_turn\n"
     "    mov r0, u_scale\n    loop\n    endloop\n    mov o0, v0\n    ret\n", "does not come to its end")])
def test_programs_that_are_none(text, said, tmp_path, capsys):
    file = tmp_path / "mine.tsa"
    file.write_text(text)
    assert said in run_course("check", "1", str(file))[1]


def run_course(*words):
    """Status, standard output, standard error."""
    out, err = io.StringIO(), io.StringIO()
    from tessera.__main__ import main
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            status = main(["course", *words])
        except SystemExit as end:
            status = end.code
    return status, out.getvalue(), err.getvalue()


def test_the_command(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    status, listed, _ = run_course()
    assert status == 0 and all(one.task in listed for one in exercises.EXERCISES)
    assert all((SOURCE / "docs/course" / page).exists() for _, page in exercises.SHEETS)
    status, said, _ = run_course("start", "1")
    assert status == 0 and "wrote 1-turn.tsa" in said and "tessera course check 1 1-turn.tsa" in said
    # Work is not written over.
    status, _, error = run_course("start", "1")
    assert status == 2 and "is there already" in error
    assert run_course("start", "1", "other.tsa")[0] == 0
    status, said, _ = run_course("check", "1", "other.tsa")
    assert status == 1 and "other.tsa: wrong in" in said
    status, said, _ = run_course("check", "1", str(SOLUTIONS / "1-turn.tsa"))
    assert status == 0 and "right in all" in said
    for words, what in ((("check", "9", "1-turn.tsa"), "there is no exercise '9'"),
                        (("check", "1", "missing.tsa"), "there is no file missing.tsa"),
                        (("check",), "of which exercise? For example: tessera course check 3 my.frag"),
                        (("check", "2"), "which file? For example: tessera course check 2 2-outcodes.tsa"),
                        (("check", "1-turn.tsa"), "tessera course check 1 1-turn.tsa"),
                        (("start",), "tessera course start 3")):
        status, _, error = run_course(*words)
        assert status == 2 and what in error and "Traceback" not in error
    assert run_course("nonsense")[0] == 2


def test_the_reference_of_edges_is_how_tessera_draws():
    # What exercise 3 expects is what the pipeline draws of the same triangles.
    for a, b, c in exercises._triangles():
        size = 16
        with tessera.Context(size, size) as context:
            gl = context.gl
            program = context.program("attribute vec2 a_p; void main() { gl_Position = vec4(a_p / 8.0 - 1.0, 0.0, 1.0); }",
                                      "void main() { gl_FragColor = vec4(1.0); }", ["a_p"])
            gl.glUseProgram(program)
            import ctypes
            corners = (ctypes.c_float * 6)(*a, *b, *c)
            gl.glEnableVertexAttribArray(0)
            gl.glVertexAttribPointer(0, 2, 0x1406, 0, 0, corners)
            gl.glDrawArrays(4, 0, 3)
            picture = context.read()
        drawn = [picture.pixel(x, y)[0] / 255 for y in range(size) for x in range(size)]
        assert drawn == [exercises._covers(a, b, c, (x + 0.5, size - y - 0.5)) for y in range(size) for x in range(size)]


def test_without_numpy():
    program = ("import sys; sys.modules['numpy'] = None\nfrom tessera import course\n"
               f"for name in ('1', '2', '3', '7', '8'): print(course.check(name, {str(SOLUTIONS)!r} + '/' + course.exercise(name).file))")
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert said.returncode == 0 and said.stdout.count("right in all") == 5, said.stderr


def test_pictures_are_what_is_computed():
    said = subprocess.run([sys.executable, SOURCE / "docs/course/figures.py", "--check"], capture_output=True, text=True)
    assert said.returncode == 0, said.stdout + said.stderr


def test_sheets(tmp_path):
    """docs/course, command by command as it is printed."""
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "python3").write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    for file in programs.iterdir():
        file.chmod(0o755)
    environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "TESSERA_THREADS": "2"}
    update = ["--update"] if os.environ.get("TESSERA_UPDATE_DOCS") else []
    for _, page in exercises.SHEETS:
        said = subprocess.run([sys.executable, SOURCE / "tests/tutorial/tutorial.py", "--build", os.environ["TESSERA_BUILD"],
                               SOURCE / "docs/course" / page, *update], capture_output=True, text=True, env=environment)
        assert said.returncode == 0, said.stdout + said.stderr
