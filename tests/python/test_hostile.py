"""Whatever is given, there is an answer or an exception, and the process goes on."""

import pathlib
import random
import re
import subprocess
import sys

import numpy
import pytest

import tessera


@pytest.mark.parametrize("text", [
    "", "\0", "\xff\xfe", ".fragment\n" * 10000, "(" * 100000, ".fragment\n    mov o0, " + "(" * 50000 + "\n",
    ".fragment\n.macro m\n    m\n.endm\n    m\n", "void main() {" + "{" * 50000, "#define a a a\n" * 100 + "a",
    "void main() { gl_FragColor = " + "-" * 50000 + "1.0; }", "/*" * 1000, ".compute\n.group 100000\n    ret\n",
    "precision highp float; void f() { f(); } void main() { f(); }", "\ud800"])
def test_texts_of_programs(text):
    for make in (tessera.assemble, tessera.compile_glsl, lambda text: tessera.compile_glsl(text, "vertex"),
                 lambda text: tessera.link_glsl(text, text), tessera.disassemble):
        try:
            make(text)
        except tessera.Error as error:
            assert str(error)


def test_things_that_are_no_texts():
    for wrong in (None, 5, b"bytes", object(), [], numpy.zeros(3)):
        for call in (tessera.assemble, tessera.compile_glsl, tessera.disassemble, tessera.info):
            with pytest.raises(TypeError):
                call(wrong)


def test_bytes_of_programs():
    good = tessera.assemble(".fragment\n.uniform c0 k float\n    mul o0, frag_coord, c0.x\n    ret\n").to_bytes()
    random.seed(3)
    for _ in range(300):
        damaged = bytearray(good)
        for _ in range(random.randint(1, 4)):
            damaged[random.randrange(len(damaged))] = random.randrange(256)
        for data in (bytes(damaged), bytes(damaged[:random.randrange(len(damaged))])):
            try:
                tessera.load(data)
            except tessera.ProgramError as error:
                assert str(error)


def test_bytes_of_streams_and_captures():
    with tessera.Context(16, 16) as context:
        with context.record() as recording:
            context.shade("precision highp float; void main() { gl_FragColor = gl_FragCoord / 16.0; }")
        capture = recording.capture(3, 3)
    random.seed(4)
    for _ in range(40):
        for good, use in ((recording.stream, lambda data: tessera.Recording(data).explain(3, 3)),
                          (recording.stream, lambda data: tessera.model(tessera.Recording(data))),
                          (recording.stream, lambda data: tessera.Recording(data).commands()),
                          (capture, lambda data: tessera.Debugger.of_capture(data).run())):
            damaged = bytearray(good)
            damaged[random.randrange(len(damaged))] ^= 1 << random.randrange(8)
            for data in (bytes(damaged), bytes(good[:random.randrange(len(good))])):
                try:
                    use(data)
                except tessera.Error as error:
                    assert str(error)


def test_handles_of_nothing():
    """Nothing comes of nothing, and the error says what is missing; what frees or tells has nothing to say."""
    from tessera._library import COMPUTE, TOOLS, compute, tools
    silent = re.compile("tessera(Free|Close|Open|Text|Tools|Diagnostic|GetDiagnostic|ComputeError)")
    for functions, library, error_of in ((TOOLS, tools, tools.tesseraToolsError),
                                         (COMPUTE, compute, compute.tesseraComputeError)):
        for name, (_, arguments) in functions.items():
            nothing = [None if hasattr(one, "from_param") and one.__name__ in
                       ("c_void_p", "c_char_p") or one.__name__.startswith("LP_") else 0 for one in arguments]
            got = getattr(library, name)(*nothing)
            if not silent.match(name):
                assert not got, name
                assert re.match(rb"(error: )?there (are no bytes|is (no|a text missing,) [a-z, ]+)\n?$", error_of()), name


def test_floating_point_environment_is_the_callers():
    program = "precision highp float; void main() { gl_FragColor = gl_FragCoord / 3.0; }"
    with numpy.errstate(all="raise"):
        first = tessera.run_fragment(program, size=(8, 8))
        assert numpy.float32(1) / numpy.float32(3) == numpy.float32(1 / 3)
        assert (first == tessera.run_fragment(program, size=(8, 8))).all()


def test_memory_that_there_is_not():
    # A process of its own, whose address space is limited: an exception, no end.
    code = ("import resource, tessera\n"
            "p = tessera.compile_glsl('precision highp float; void main() { gl_FragColor = gl_FragCoord; }')\n"
            "tessera.run_fragment(p, size=(8, 8), threads=1)\n"
            "import numpy\n"
            "resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))\n"
            "for size in (8192,):\n"
            "    try:\n        print(tessera.run_fragment(p, size=(size, size), threads=1).shape)\n"
            "    except (MemoryError, tessera.Error) as error:\n        print(type(error).__name__)\n"
            "print(tessera.run_fragment(p, size=(8, 8), threads=1)[0, 0, 0])\n")
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert (said.returncode, said.stdout.splitlines()[-1]) == (0, "0.5"), said.stdout + said.stderr


def test_forks():
    code = ("import os, numpy, tessera\n"
            "p = 'precision highp float; void main() { gl_FragColor = gl_FragCoord; }'\n"
            "a = tessera.run_fragment(p, size=(64, 64))\n"
            "child = os.fork()\n"
            "b = tessera.run_fragment(p, size=(64, 64))\n"
            "assert (a == b).all()\n"
            "if child == 0: os._exit(0)\n"
            "print(os.waitpid(child, 0)[1])\n")
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (said.returncode, said.stdout) == (0, "0\n"), said.stderr


def test_ends_quietly():
    code = ("import tessera\n"
            "d = tessera.Device(); c = tessera.Context(8, 8, record=True); p = tessera.assemble('.compute\\n    ret\\n')\n"
            "d.run(p, 1); g = tessera.Debugger(p, grid=1)\n")
    said = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, timeout=60)
    assert (said.returncode, said.stdout, said.stderr) == (0, "", "")


def test_files_that_are_none(tmp_path):
    for path in (tmp_path, tmp_path / "missing.tsa"):
        with pytest.raises(OSError):
            tessera.load(path)
        with pytest.raises(OSError):
            tessera.Recording.open(path)
    (tmp_path / "random.tsb").write_bytes(b"TSB1" + bytes(range(256)))
    with pytest.raises(tessera.ProgramError, match="random.tsb"):
        tessera.load(tmp_path / "random.tsb")
    assert pathlib.Path(tmp_path).is_dir()
