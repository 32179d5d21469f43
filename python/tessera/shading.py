"""Shaders on arrays, without OpenGL around them."""

from __future__ import annotations

import json
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from . import _jobs
from ._arrays import Value, need_numpy
from ._library import check, take_text, tools
from .programs import Cost, Program, ProgramLike, _encoded


def run_fragment(program: ProgramLike, uniforms: Optional[Mapping[str, Value]] = None,
                 inputs: Optional[Mapping[str, Value]] = None, *, size: Optional[Sequence[int]] = None,
                 textures: Optional[Mapping[str, Any]] = None, linear: bool = True, repeat: bool = True,
                 output: Union[int, str] = 0, tier: Optional[str] = None, threads: int = 0) -> Any:
    """Runs a fragment program for each pixel of a picture: an array (height, width, 4), rows from the top, of float32, or of
    int32 or uint32 where the program declares its output so.

    program: a Program, assembly, or a fragment shader in GLSL. size: (width, height); where it is not given an input
    says it. uniforms: numbers by name, column by column; members of uniform blocks too ("lights.lamp[0].color"). inputs: varyings by name, registers ("v0"), gl_FragCoord and
    its like: numbers for all pixels, or an array (height, width, components) of one for each; what is not given is
    (0, 0, 0, 1), and gl_FragCoord the pixel's centre, counted from the lower left corner. textures: a picture for each
    sampler2D, mipmapped, its first row at t = 0; `linear` and `repeat` are its filter and wrap mode. output: the number
    of the result, 0 for gl_FragColor, or its name. Discarded pixels are zeros.

    The same bytes on every tier and with any number of threads. Raises ProgramError, InputError (a ValueError) for a
    value that does not fit, and Error for a loop that does not end, with the pixel.
    """
    numpy = need_numpy("run_fragment()")
    job = _jobs.pixels(program, size, uniforms, inputs, textures, linear, repeat)
    check(tools.tesseraRunJob(job.address, _encoded(tier), _threads(threads)))
    number, kind = _result(job.program, output)
    result = numpy.empty((*job.shape, 4), kind)
    check(tools.tesseraJobOutput(job.address, number, result.ctypes.data))
    return result


def run_vertices(program: ProgramLike, uniforms: Optional[Mapping[str, Value]] = None,
                 inputs: Optional[Mapping[str, Value]] = None, *, count: Optional[int] = None,
                 textures: Optional[Mapping[str, Any]] = None, tier: Optional[str] = None,
                 threads: int = 0) -> Dict[str, Any]:
    """Runs a vertex program for each vertex: by name (gl_Position, varyings) an array (count, 4) of float32,
    or of int32 or uint32 where the program declares it so.

    inputs: attributes by name: numbers for all vertices, or an array (count, components); gl_VertexID counts from 0 unless
    it is given. Otherwise as run_fragment().
    """
    numpy = need_numpy("run_vertices()")
    job = _jobs.vertices(program, count, uniforms, inputs, textures)
    check(tools.tesseraRunJob(job.address, _encoded(tier), _threads(threads)))
    results: Dict[str, Any] = {}
    for one in job.program.info.get("results", []):
        array = numpy.empty((*job.shape, 4), _kind(one))
        check(tools.tesseraJobOutput(job.address, int(one["register"][1:]), array.ctypes.data))
        results[one["name"] or one["register"]] = array
    return results


def trace(program: ProgramLike, *, pixel: Optional[Sequence[int]] = None, vertex: Optional[int] = None, at: int = 0,
          form: str = "text", limit: int = 100000, **job: Any) -> Union[str, List[Any]]:
    """Every instruction of the group of 32 lanes that has the pixel (x, y from the top) or vertex, or of the groups of
    block `at` of a kernel; of a small job without either the first one.

    form: "text"; "json": a list of dictionaries; "vcd" (GTKWave) and "perfetto" (ui.perfetto.dev) for files. limit: as
    many instructions. The job is given as to Debugger: size, uniforms, inputs, textures, count, or grid and buffers.
    """
    made = _jobs.of(program, **job)
    group, _ = _jobs.lane_of(made, pixel, vertex, at, 0)
    text = take_text(tools.tesseraJobTrace(made.address, group, _encoded(form), _limit(limit)))
    return [json.loads(line) for line in text.splitlines()] if form == "json" else text


def cost(program: ProgramLike, *, preset: Optional[str] = None, **job: Any) -> Cost:
    """What each line costs, three ways: in the code, as it ran, and in cycles on the model of the chip, where the job
    is alone. The job is given as to Debugger; without one only what is in the code (Program.cost())."""
    if not job:
        from .programs import as_program
        return as_program(program).cost(preset)
    made = _jobs.of(program, **job)
    return Cost(json.loads(take_text(tools.tesseraJobCost(made.address, _encoded(preset), b"json"))))


def _threads(threads: int) -> int:
    if not isinstance(threads, int) or not 0 <= threads <= 64:
        raise ValueError("threads are 1 to 64, or 0 for TESSERA_THREADS")
    return threads


def _kind(result: Mapping[str, Any]) -> str:
    """numpy's name of what an entry of info["results"] holds."""
    if not result["integer"]:
        return "<f4"
    return "<u4" if str(result["type"]).startswith("u") else "<i4"


def _result(program: Program, output: Union[int, str]) -> Tuple[int, str]:
    """Number and kind of an output."""
    results = program.info.get("results", [])
    if isinstance(output, str):
        for one in results:
            if output == one["name"]:
                return int(one["register"][1:]), _kind(one)
        names = ", ".join(one["name"] for one in results)
        raise ValueError(f"the program has no output {output!r}; its outputs are {names or 'none'}")
    if not isinstance(output, int) or not 0 <= output < 16:
        raise ValueError("an output is a name, or a number from 0 to 15")
    kinds = [_kind(one) for one in results if one["register"] == f"o{output}"]
    return output, kinds[0] if kinds else "<f4"


def _limit(limit: int) -> int:
    if not isinstance(limit, int) or not 0 <= limit <= 10**7:
        raise ValueError("a limit is a number from 0 to 10 million")
    return limit
