"""Tessera, a GPU in software, from Python: write shader programs, run and debug them, test pictures, model the chip.

    import tessera
    kernel = tessera.assemble(open("saxpy.tsa").read())
    tessera.Device().run(kernel, grid=16, buffers={"x": x, "y": y}, uniforms={"scale": 2})

    program = tessera.compile_glsl("precision highp float; void main() { gl_FragColor = gl_FragCoord / 64.0; }")
    picture = tessera.run_fragment(program, size=(64, 64))         # (64, 64, 4) floats

    with tessera.Context(640, 480) as context:                     # for PyOpenGL, vispy, ctypes: no display, no GPU
        context.gl.glClear(0x4000)
        context.read().save("picture.png")

The same calls give the same bytes on every machine, with any number of threads. What is wrong with a program, a value or
a file is an exception (tessera.Error) that says where; nothing ends the process.
"""

from __future__ import annotations

from ._errors import Diagnostic, Error, KernelFault, OutOfRangeWarning, ProgramError
from .context import Context, Recording
from .debugger import Debugger, Position
from .images import Difference, Image, diff
from .kernels import Counters, Device
from .modelling import Model, model
from .programs import Cost, LineCost, Program, assemble, compile_glsl, disassemble, info, link_glsl, load
from .shading import cost, run_fragment, run_vertices, trace
from .context import explain

__version__ = "@VERSION@"

__all__ = [
    "Context", "Cost", "Counters", "Debugger", "Device", "Diagnostic", "Difference", "Error", "Image", "KernelFault",
    "LineCost", "Model", "OutOfRangeWarning", "Position", "Program", "ProgramError", "Recording", "assemble",
    "compile_glsl", "cost", "diff", "disassemble", "explain", "info", "link_glsl", "load", "model", "run_fragment",
    "run_vertices", "trace",
]
