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


def test_a_pixel_that_no_program_made():
    with tessera.Context(16, 8) as context:
        with context.record() as recording:
            context.gl.glClear(0x4000)
    with pytest.raises(tessera.Error, match="no program was run for pixel 9,5 in frame"):
        recording.capture(9, 5)


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


def test_one_thing_that_is_missing(tmp_path):
    """What is there besides does not make up for it; with all of them the same calls succeed."""
    from ctypes import byref, c_char_p, c_uint32, c_uint64, c_void_p, string_at
    from tessera._library import (TesseraCounters, TesseraDifference, TesseraFault, TesseraPosition, TesseraValues,
                                  compute, tools)
    words, one = (c_uint32 * 256)(), (c_uint32 * 3)(1, 1, 1)
    vertex = b"attribute vec4 a; varying vec4 v; void main() { v = a; gl_Position = a; }"
    fragment = b"precision mediump float; varying vec4 v; void main() { gl_FragColor = v; }"
    text = (b".fragment\n.input v0 v_at vec2\n.uniform c0 u_scale float\n.sampler t0 u_image 2d\n"
            b"tex r0, v0, t0, 2d\nmul r0, r0, c0.x\nmov o0, r0\nret\n")
    kernel_text = b".compute\n.group 32\n.buffer b0 data\n.uniform c0 u_one int\nst.i32 b0[0], c0.x\nret\n"
    pixels = tools.tesseraAssemble(text, len(text), None)
    kernel = tools.tesseraAssemble(kernel_text, len(kernel_text), None)
    binary = tools.tesseraProgramBytes(kernel)
    job, blocks = tools.tesseraPixels(pixels, 4, 4), tools.tesseraBlocks(kernel, one, None)

    def check(library, error_of, name, arguments, needed):
        assert getattr(library, name)(*arguments), (name, error_of())
        for number in needed:
            given = [None if at == number else argument for at, argument in enumerate(arguments)]
            assert not getattr(library, name)(*given), (name, number)
            assert re.match(rb"(error: )?there (are|is) (no|a text missing,) [a-z, ]+\n?$", error_of()), (name, number)

    def check_tool(name, arguments, *needed):
        check(tools, tools.tesseraToolsError, name, arguments, needed)

    def check_compute(name, arguments, *needed):
        check(compute, compute.tesseraComputeError, name, arguments, needed)

    check_tool("tesseraLink", [vertex, len(vertex), None, fragment, len(fragment), None, byref(c_void_p()),
                               byref(c_void_p())], 0, 3, 6, 7)
    check_tool("tesseraBlocks", [kernel, one, None], 0, 1)
    check_tool("tesseraJobInput", [job, b"v_at", words, 2, 16], 0, 1, 2)
    check_tool("tesseraJobUniform", [job, b"u_scale", words, 1], 0, 1, 2)
    check_tool("tesseraJobTexture", [job, b"u_image", words, 1, 1, 0, 0], 0, 1, 2)
    check_tool("tesseraJobBuffer", [blocks, b"data", words, 256], 0, 1, 2)
    check_tool("tesseraRunJob", [job, None, 1], 0)
    check_tool("tesseraJobOutput", [job, 0, words], 0, 2)
    check_tool("tesseraJobDiscarded", [job, words], 0, 1)
    check_tool("tesseraJobLane", [job, 0, 0, byref(c_uint64()), byref(c_uint32())], 0, 3, 4)
    debugger = tools.tesseraDebugJob(job, 0)
    check_tool("tesseraDebugPosition", [debugger, byref(TesseraPosition())], 0, 1)
    check_tool("tesseraDebugRead", [debugger, b"r0", words, words, 128, byref(TesseraValues())], 0, 1, 5)
    work = tools.tesseraWorkOfJob(job, None)
    check_tool("tesseraModel", [work, None, (c_char_p * 1)(b"clock.khz=500000"), 1, 1], 0, 2)
    check_tool("tesseraCompare", [words, words, 4, 4, 0, byref(TesseraDifference()), None], 0, 1, 5)
    picture = str(tmp_path / "one.png").encode()
    check_tool("tesseraWritePng", [picture, words, 1, 1], 0, 1)
    check_tool("tesseraReadPng", [picture, words], 0, 1)
    device = compute.tesseraOpenDevice(None, 1)
    data = string_at(tools.tesseraTextBytes(binary), tools.tesseraTextSize(binary))
    check_compute("tesseraLoadKernel", [device, data, len(data)], 0, 1)
    loaded = compute.tesseraLoadKernel(device, data, len(data))
    check_compute("tesseraBindMemory", [loaded, b"data", words, 1024], 0, 1, 2)
    check_compute("tesseraSetUniform", [loaded, b"u_one", words, 1], 0, 1, 2)
    check_compute("tesseraLaunch", [loaded, one, None], 0, 1)
    check_compute("tesseraGetCounters", [device, byref(TesseraCounters())], 0, 1)
    check_compute("tesseraGetFault", [device, byref(TesseraFault())], 0, 1)
    assert compute.tesseraWait(device)
    compute.tesseraFreeKernel(loaded)
    compute.tesseraCloseDevice(device)


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
