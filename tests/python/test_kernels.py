"""Kernels on arrays."""

import array
import gc
import threading

import numpy
import pytest

import tessera

SAXPY = """.compute
.group 64
.uniform c0 scale float
.buffer b0 x constant
.buffer b1 y

    mad.i32 r0.x, block.x, block_size.x, thread.x
    shl.i32 r0.x, r0.x, 2
    ld r1.x, b0[r0.x]
    ld r1.y, b1[r0.x]
    mad r1.y, scale.x, r1.x, r1.y
    st b1[r0.x], r1.y
    ret
"""


@pytest.mark.parametrize("tier", ["interp", "jit", "tiered", None])
def test_results_are_in_place(tier):
    x, y = numpy.arange(128, dtype=numpy.float32), numpy.ones(128, numpy.float32)
    device = tessera.Device(tier, threads=2)
    kernel = tessera.assemble(SAXPY)
    counters = device.run(kernel, 2, buffers={"x": x, "y": y}, uniforms={"scale": 2})
    assert (y == 2 * x + 1).all()
    assert (counters.blocks, counters.groups, counters.out_of_range) == (2, 4, 0)
    device.run(kernel, grid=(2, 1), block=64, buffers={"x": x, "y": y})  # a uniform that is not given is 0
    assert (y == 2 * x + 1).all()


def test_other_memory_than_numpys():
    x, y = array.array("f", range(64)), bytearray(256)
    tessera.Device().run(SAXPY, 1, buffers={"x": bytes(x), "y": y}, uniforms={"scale": 3})
    assert array.array("f", bytes(y)) == array.array("f", [3 * i for i in range(64)])
    z = array.array("f", [1] * 64)
    tessera.Device().run(SAXPY, 1, buffers={"x": x, "y": z}, uniforms={"scale": 1})
    assert list(z) == [i + 1 for i in range(64)]


def test_accesses_outside_warn():
    x = numpy.ones(32, numpy.float32)
    with pytest.warns(tessera.OutOfRangeWarning, match="96 accesses"):
        counters = tessera.Device().run(SAXPY, 1, buffers={"x": x, "y": x.copy()})
    assert counters.out_of_range == 96


def test_a_barrier_without_its_lanes():
    kernel = ".compute\n.group 32\n    sge.u32 p1, thread.x, 30\n    (p1) ret\n    bar 2\n    ret\n"
    for tier in ("interp", "jit"):
        with pytest.raises(tessera.KernelFault) as caught:
            tessera.Device(tier).run(kernel, 4)
        fault = caught.value
        assert (fault.line, fault.block, fault.group, fault.lane, fault.missing) == (5, 0, 0, 30, [30, 31])
        assert "barrier 2 in line 5" in str(fault) and str(fault).startswith("program.tsa:5: error: block")
        assert str(fault).split("\n")[1] == "    bar 2"


def test_a_kernel_without_end():
    with pytest.raises(tessera.KernelFault, match="budget of instructions") as caught:
        tessera.Device().run(".compute\n    loop\n    endloop\n    ret\n", 1)
    assert caught.value.lane is None


@pytest.mark.parametrize("arguments, error, what", [
    ({"buffers": {"x": numpy.zeros(64, "f4")}}, ValueError, "no array for buffer 'y'"),
    ({"buffers": {"x": numpy.zeros(64, "f4"), "y": numpy.zeros(64, "f4"), "z": b""}}, ValueError, "no buffer 'z'"),
    ({"buffers": {"x": numpy.zeros(64, "f4"), "y": numpy.zeros(128, "f4")[::2]}}, ValueError, "contiguous"),
    ({"buffers": {"x": numpy.zeros(64, "f4"), "y": bytes(256)}}, ValueError, "read-only"),
    ({"buffers": {"x": [1, 2], "y": numpy.zeros(64, "f4")}}, TypeError, "memory is wanted"),
    ({"buffers": {"x": numpy.array([object()]), "y": numpy.zeros(64, "f4")}}, TypeError, "Python objects"),
    ({"uniforms": {"scale": [1, 2]}}, ValueError, "is 1 numbers, not 2"),
    ({"uniforms": {"size": 1}}, ValueError, "no uniform 'size'"),
    ({"uniforms": {"scale": "2"}}, TypeError, "a value is a number"),
    ({"grid": 0}, ValueError, "positive whole number"),
    ({"grid": (1, 2, 3, 4)}, ValueError, "one to three"),
    ({"grid": 1.5}, ValueError, "positive whole number"),
    ({"grid": 2**40}, ValueError, "positive whole number"),
    ({"block": 5000}, tessera.Error, "threads"),
    ({"kernel": ".fragment\n    ret\n"}, tessera.ProgramError, "begins with .compute"),
    ({"kernel": 7}, TypeError, "a program or its text"),
])
def test_wrong_arguments(arguments, error, what):
    good = {"kernel": SAXPY, "grid": 1, "buffers": {"x": numpy.zeros(64, "f4"), "y": numpy.zeros(64, "f4")}}
    device = tessera.Device()
    with pytest.raises(error, match=what):
        device.run(**{**good, **arguments})
    device.run(**good)


def test_misaligned_memory():
    memory = numpy.zeros(300, numpy.uint8)
    at = (5 - memory.ctypes.data) % 4
    with pytest.raises(ValueError, match="multiple of four"):
        tessera.Device().run(SAXPY, 1, buffers={"x": memory[at:at + 256], "y": numpy.zeros(64, "f4")})


def test_wrong_devices():
    for arguments in (("fast",), ("jit", 65), ("jit", -1), ("jit", "2")):
        with pytest.raises((ValueError, tessera.Error)):
            tessera.Device(*arguments)


def test_kernels_and_devices_go_in_any_order():
    x = numpy.zeros(64, "f4")
    for _ in range(20):
        device, kernel = tessera.Device(threads=1), tessera.assemble(SAXPY)
        device.run(kernel, 1, buffers={"x": x, "y": x.copy()})
        if _ % 2:
            del device
            gc.collect()
            del kernel
        else:
            del kernel
            gc.collect()
            del device
    gc.collect()


def test_devices_of_threads():
    def work(results, i):
        y = numpy.full(6400, i, numpy.float32)
        tessera.Device(threads=2).run(SAXPY, 100, buffers={"x": x, "y": y}, uniforms={"scale": i})
        results[i] = y
    x = numpy.arange(6400, dtype=numpy.float32)
    results = {}
    threads = [threading.Thread(target=work, args=(results, i)) for i in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all((results[i] == i * x + i).all() for i in range(6))
