"""Pictures: eight bits of red, green, blue and alpha, rows from the top."""

from __future__ import annotations

import ctypes
import dataclasses
import os
import struct
import zlib
from typing import Any, Optional, Tuple, Union

from ._arrays import need_numpy
from ._errors import Error
from ._files import write_whole
from ._library import TesseraDifference, check, take_bytes, tools


class Image:
    """A picture of RGBA bytes, rows from the top. numpy.asarray(image) is an array (height, width, 4) of uint8 over the
    same memory; without numpy it is bytes."""

    def __init__(self, width: int, height: int, rgba: Union[bytes, bytearray]):
        if width < 1 or height < 1 or len(rgba) != width * height * 4:
            raise ValueError(f"{len(rgba)} bytes are no picture of {width} x {height} pixels of four")
        self.width, self.height = width, height
        #: The bytes, row by row.
        self.rgba = bytes(rgba)

    @classmethod
    def of(cls, picture: Any) -> "Image":
        """A picture of an Image, a PNG file's name, or an array: (height, width), or with 1, 3 or 4 channels behind, of
        uint8, or of floats from 0 to 1, which are rounded to the nearest of 255."""
        if isinstance(picture, Image):
            return picture
        if isinstance(picture, (str, os.PathLike)):
            return cls.open(picture)
        numpy = need_numpy("a picture from an array")
        array = numpy.asarray(picture)
        if array.ndim == 2:
            array = array[:, :, None]
        if array.ndim != 3 or array.shape[2] not in (1, 3, 4) or 0 in array.shape:
            raise ValueError(f"an array of shape {array.shape} is no picture: (height, width), or 1, 3 or 4 channels")
        if array.dtype == bool:
            array = array.astype(numpy.uint8) * 255
        elif array.dtype.kind == "f":
            with numpy.errstate(invalid="ignore"):
                array = numpy.floor(numpy.clip(numpy.nan_to_num(array), 0, 1) * 255 + 0.5).astype(numpy.uint8)
        elif array.dtype != numpy.uint8:
            raise TypeError(f"a picture is of uint8 or floats, not {array.dtype}")
        rgba = numpy.full((*array.shape[:2], 4), 255, numpy.uint8)
        rgba[:, :, :3] = array[:, :, :3]
        if array.shape[2] == 4:
            rgba[:, :, 3] = array[:, :, 3]
        return cls(array.shape[1], array.shape[0], rgba.tobytes())

    @classmethod
    def open(cls, path: Union[str, "os.PathLike[str]"]) -> "Image":
        """Reads a PNG file. Raises Error where it cannot be read."""
        size = (ctypes.c_uint32 * 2)()
        data = take_bytes(tools.tesseraReadPng(os.fsencode(path), size))
        return cls(size[0], size[1], data)

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes a PNG file; the same picture gives the same file."""
        write_whole(path, self.png())

    def png(self) -> bytes:
        """The picture as a PNG file."""
        def chunk(kind: bytes, data: bytes) -> bytes:
            return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        header = struct.pack(">IIBBBBB", self.width, self.height, 8, 6, 0, 0, 0)
        stride = 4 * self.width
        rows = b"".join(b"\0" + self.rgba[at:at + stride] for at in range(0, len(self.rgba), stride))
        return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 9)) +
                chunk(b"IEND", b""))

    @property
    def shape(self) -> Tuple[int, int, int]:
        """(height, width, 4)"""
        return (self.height, self.width, 4)

    @property
    def size(self) -> Tuple[int, int]:
        """(width, height)"""
        return (self.width, self.height)

    @property
    def array(self) -> Any:
        """A read-only array (height, width, 4) of uint8. Needs numpy."""
        return need_numpy("Image.array").frombuffer(self.rgba, "uint8").reshape(self.shape)

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> Any:
        array = self.array if dtype is None else self.array.astype(dtype)
        return array.copy() if copy else array

    def pixel(self, x: int, y: int) -> Tuple[int, int, int, int]:
        """Red, green, blue, alpha of a pixel, from the upper left corner."""
        if not (0 <= x < self.width and 0 <= y < self.height):
            raise IndexError(f"there is no pixel {x},{y} in {self.width} x {self.height}")
        red, green, blue, alpha = self.rgba[4 * (y * self.width + x):][:4]
        return red, green, blue, alpha

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Image):
            return NotImplemented
        return self.size == other.size and self.rgba == other.rgba

    def __hash__(self) -> int:
        return hash((self.width, self.height, self.rgba))

    def __repr__(self) -> str:
        return f"<tessera.Image: {self.width} x {self.height}>"

    def _repr_png_(self) -> bytes:
        return self.png()


@dataclasses.dataclass(frozen=True)
class Difference:
    """How two pictures differ; true where they do."""

    #: Pixels with a channel that differs by more than the tolerance, of `pixels`.
    differing: int
    pixels: int
    tolerance: int
    #: x, y of the first that differs, row by row from the top; None: none does.
    first: Optional[Tuple[int, int]]
    #: x, y of the first that differs most, and by how much.
    worst: Tuple[int, int]
    worst_by: int
    #: Mean absolute difference of red, green, blue and alpha, in 1/255.
    mean: Tuple[float, float, float, float]
    #: Shows where they differ; as large as they are.
    picture: Image
    a: Image = dataclasses.field(repr=False)
    b: Image = dataclasses.field(repr=False)

    def __bool__(self) -> bool:
        return self.differing != 0

    def __str__(self) -> str:
        if not self:
            return f"{self.pixels} pixels, none differs" + (f" by more than {self.tolerance}" if self.tolerance else "")
        assert self.first is not None
        x, y = self.first
        return (f"{self.differing} of {self.pixels} pixels differ ({100 * self.differing / self.pixels:.3f} %), by at "
                f"most {self.worst_by}; the first is {x},{y}: {self.a.pixel(x, y)} against {self.b.pixel(x, y)}")

    def _repr_png_(self) -> bytes:
        return self.picture.png()


def diff(a: Any, b: Any, tolerance: int = 0) -> Difference:
    """Compares two pictures (Image, PNG file's name, array): exactly, or with a tolerance of 0 to 255 for each channel.

    Raises ValueError when their sizes differ, and Error when a file is no PNG.
    """
    one, other = Image.of(a), Image.of(b)
    if one.size != other.size:
        raise ValueError(f"the pictures have different sizes: {one.width} x {one.height} and "
                         f"{other.width} x {other.height}")
    if not isinstance(tolerance, int) or not 0 <= tolerance <= 255:
        raise ValueError("a tolerance is a whole number from 0 to 255")
    found = TesseraDifference()
    picture = ctypes.create_string_buffer(len(one.rgba))
    check(tools.tesseraCompare(one.rgba, other.rgba, one.width, one.height, tolerance, ctypes.byref(found), picture))
    return Difference(found.differing, found.pixels, tolerance,
                      (found.firstX, found.firstY) if found.differing else None, (found.worstX, found.worstY),
                      found.worstBy, (found.mean[0], found.mean[1], found.mean[2], found.mean[3]),
                      Image(one.width, one.height, picture.raw), one, other)


__all__ = ["Difference", "Error", "Image", "diff"]
