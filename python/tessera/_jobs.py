"""Programs with what they run on, as the library takes them."""

from __future__ import annotations

import ctypes
from typing import Any, List, Mapping, Optional, Sequence, Tuple

from ._arrays import Value, flat, memory, need_numpy, three, words
from ._errors import Diagnostic, ProgramError
from ._library import Handle, check, tools
from .images import Image
from .programs import ProgramLike, Program, _encoded, as_program

#: Inputs that no program declares, and that are integers.
_INTEGERS = ("gl_VertexID", "gl_InstanceID", "gl_InstanceIDEXT", "instance_id")


class Job:
    """A TesseraJob, and the shape of its lanes: (height, width) of pixels, (count,) of vertices, () of a kernel."""

    def __init__(self, program: Program, handle: Handle, shape: Tuple[int, ...]):
        self.program, self.handle, self.shape = program, handle, shape

    @property
    def address(self) -> Any:
        return self.handle.address


def _shape_of(inputs: Mapping[str, Any], dimensions: int) -> Optional[Tuple[int, ...]]:
    """The shape of the lanes, from the first input that is an array of them."""
    for value in inputs.values():
        shape = getattr(value, "shape", None)
        if shape is not None and len(shape) > dimensions - 1 + (dimensions == 1):
            return tuple(shape[:dimensions])
    return None


def _give_inputs(job: Job, inputs: Mapping[str, Value]) -> None:
    declared = {one["name"]: one for one in job.program.info["inputs"]}
    for name, value in inputs.items():
        is_integer = name.split(".")[0] in _INTEGERS or bool(declared.get(name, {}).get("integer", False))
        shape = getattr(value, "shape", None)
        lanes = 1
        for size in job.shape:
            lanes *= size
        if shape is not None and tuple(shape[:len(job.shape)]) == job.shape and len(shape) >= len(job.shape):
            numpy = need_numpy("an input of an array")
            kind = numpy.dtype("<i4" if is_integer else "<f4")
            data = numpy.ascontiguousarray(numpy.asarray(value).astype(kind))
            components = data.size // lanes
            if components == 0:
                raise ValueError(f"input {name!r}: the array has no components")
            check(tools.tesseraJobInput(job.address, _encoded(name), data.ctypes.data, components, lanes), InputError)
        else:
            if shape is not None and len(shape) > 1:
                raise ValueError(f"input {name!r}: an array of shape {tuple(shape)} is no value, nor one for each of "
                                 f"{job.shape}")
            bits = words(value, is_integer)
            check(tools.tesseraJobInput(job.address, _encoded(name), bits, len(bits), 1), InputError)


def _give_uniforms(job: Job, uniforms: Mapping[str, Value]) -> None:
    declared = {one["name"]: one for one in job.program.info["uniforms"]}
    for name, value in uniforms.items():
        # An element is of its array's kind; members of structures and blocks are named with their elements.
        found: Mapping[str, Any] = declared.get(name) or declared.get(name.rpartition("[")[0]) or {}
        bits = words(value, bool(found.get("integer", False)))
        check(tools.tesseraJobUniform(job.address, _encoded(name), bits, len(bits)), InputError)


def _give_textures(job: Job, textures: Mapping[str, Any], linear: bool, repeat: bool) -> None:
    for name, value in textures.items():
        picture = Image.of(value)
        check(tools.tesseraJobTexture(job.address, _encoded(name), picture.rgba, picture.width, picture.height,
                                      int(linear), int(repeat)), InputError)


def _need(program: Program, stage: str) -> None:
    if program.stage != stage:
        raise ProgramError([Diagnostic(f"a {stage} program is wanted, and this is a {program.stage} program")])


def _whole(number: Any, most: int, what: str) -> int:
    whole = int(number)
    if whole != number or not 1 <= whole <= most:
        raise ValueError(f"{what} is a whole number from 1 to {most}, not {number!r}")
    return whole


def pixels(program: ProgramLike, size: Optional[Sequence[int]], uniforms: Optional[Mapping[str, Value]],
           inputs: Optional[Mapping[str, Value]], textures: Optional[Mapping[str, Any]], linear: bool = True,
           repeat: bool = True) -> Job:
    made = as_program(program)
    _need(made, "fragment")
    if size is None:
        shape = _shape_of(inputs or {}, 2)
        if shape is None:
            raise ValueError("how large is the picture? Give size=(width, height), or an input of an array "
                             "(height, width, components)")
    else:
        if len(size) != 2:
            raise ValueError("a size is (width, height)")
        shape = (size[1], size[0])
    height, width = (_whole(number, 2**15, "a side of the picture") for number in shape)
    handle = Handle(check(tools.tesseraPixels(made._handle.address, width, height)), "tesseraFreeJob")
    job = Job(made, handle, (height, width))
    _give_inputs(job, inputs or {})
    _give_uniforms(job, uniforms or {})
    _give_textures(job, textures or {}, linear, repeat)
    return job


def vertices(program: ProgramLike, count: Optional[int], uniforms: Optional[Mapping[str, Value]],
             inputs: Optional[Mapping[str, Value]], textures: Optional[Mapping[str, Any]]) -> Job:
    made = as_program(program)
    _need(made, "vertex")
    if count is None:
        shape = _shape_of(inputs or {}, 1)
        if shape is None:
            raise ValueError("how many vertices? Give count=, or an input of an array (count, components)")
        count = shape[0]
    count = _whole(count, 2**26, "a number of vertices")
    handle = Handle(check(tools.tesseraVertices(made._handle.address, count)), "tesseraFreeJob")
    job = Job(made, handle, (count,))
    _give_inputs(job, inputs or {})
    _give_uniforms(job, uniforms or {})
    _give_textures(job, textures or {}, True, True)
    return job


def blocks(program: ProgramLike, grid: Any, block: Any, buffers: Optional[Mapping[str, Any]],
           uniforms: Optional[Mapping[str, Value]]) -> Job:
    made = as_program(program)
    _need(made, "compute")
    sizes = three(grid, "the grid")
    threads = None if block is None else three(block, "the block")
    handle = Handle(check(tools.tesseraBlocks(made._handle.address, sizes, threads), InputError), "tesseraFreeJob")
    job = Job(made, handle, ())
    _give_uniforms(job, uniforms or {})
    for name, value in (buffers or {}).items():
        address, count, keeps = memory(name, value, False)
        check(tools.tesseraJobBuffer(job.address, _encoded(name), address or None, count), InputError)
        del keeps
    return job


def of(program: ProgramLike, *, size: Optional[Sequence[int]] = None, count: Optional[int] = None, grid: Any = None,
       block: Any = None, buffers: Optional[Mapping[str, Any]] = None,
       uniforms: Optional[Mapping[str, Value]] = None, inputs: Optional[Mapping[str, Value]] = None,
       textures: Optional[Mapping[str, Any]] = None) -> Job:
    """The job of whatever stage the program is; what is not for that stage is refused."""
    made = as_program(program)
    given = {"size": size, "count": count, "grid": grid, "block": block, "buffers": buffers, "inputs": inputs,
             "textures": textures}
    wanted = {"fragment": ("size", "inputs", "textures"), "vertex": ("count", "inputs", "textures"),
              "compute": ("grid", "block", "buffers")}[made.stage]
    for name, value in given.items():
        if value is not None and name not in wanted:
            raise ValueError(f"{name}= is not for a {made.stage} program")
    if made.stage == "fragment":
        return pixels(made, size, uniforms, inputs, textures)
    if made.stage == "vertex":
        return vertices(made, count, uniforms, inputs, textures)
    if grid is None:
        raise ValueError("on how many blocks does the kernel run? Give grid=")
    return blocks(made, grid, block, buffers, uniforms)


def lane_of(job: Job, pixel: Optional[Sequence[int]], vertex: Optional[int], at: int, thread: int) -> Tuple[int, int]:
    """The group and lane of a pixel (x, y from the top), a vertex, or a thread of block `at`."""
    x, y = 0, 0
    if job.program.stage == "compute":
        x, y = thread, at
    elif job.program.stage == "vertex":
        x = vertex or 0
    elif pixel is not None:
        if len(pixel) != 2:
            raise ValueError("a pixel is (x, y)")
        x, y = pixel
    group, lane = ctypes.c_uint64(), ctypes.c_uint32()
    for number in (x, y):
        if not isinstance(number, int) or not 0 <= number < 2**63:
            raise ValueError(f"{number!r} is no place in the job")
    check(tools.tesseraJobLane(job.address, x, y, ctypes.byref(group), ctypes.byref(lane)), InputError)
    return group.value, lane.value


class InputError(ProgramError, ValueError):
    """A value that the program does not take."""


def numbers(value: Any) -> List[Any]:
    return flat(value)
