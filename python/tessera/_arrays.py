"""Arrays of users: memory that functions read and write. numpy is asked for where a result is an array."""

from __future__ import annotations

import ctypes
import struct
from typing import TYPE_CHECKING, Any, List, Sequence, Tuple, Union

if TYPE_CHECKING:
    import numpy

Number = Union[int, float, bool]
#: A number, numbers (also nested, as rows), or an array.
Value = Union[Number, Sequence[Any], "numpy.ndarray[Any, Any]"]


def need_numpy(what: str) -> Any:
    """The module; an ImportError that says what for where it is not there."""
    try:
        import numpy
    except ImportError:
        raise ImportError(f"{what} needs numpy: pip install numpy, or Debian's python3-numpy") from None
    return numpy


def flat(value: Any) -> List[Number]:
    """All numbers of a value, in its order."""
    if hasattr(value, "ravel"):
        return list(value.ravel().tolist())
    if isinstance(value, (int, float)):
        return [value]
    if isinstance(value, (str, bytes)) or not hasattr(value, "__iter__"):
        raise TypeError(f"a value is a number, or numbers, not {type(value).__name__}")
    return [number for part in value for number in flat(part)]


def words(value: Any, is_integer: bool) -> ctypes.Array[ctypes.c_uint32]:
    """The 32-bit words of the numbers: floats' bits, or integers."""
    numbers = flat(value)
    made = (ctypes.c_uint32 * len(numbers))()
    for i, number in enumerate(numbers):
        if is_integer:
            if int(number) != number:
                raise ValueError(f"{number} is no integer")
            if not -2**31 <= number < 2**32:
                raise ValueError(f"{number} has more than 32 bits")
            made[i] = int(number) & 0xFFFFFFFF
        else:
            try:
                made[i] = struct.unpack("<I", struct.pack("<f", number))[0]
            except OverflowError:  # as float32 conversions have it
                made[i] = 0xFF800000 if number < 0 else 0x7F800000
    return made


def memory(name: str, value: Any, writable: bool) -> Tuple[int, int, Any]:
    """Address and bytes of an array's memory, and what keeps it alive."""
    if hasattr(value, "__array_interface__") and not hasattr(value, "ctypes"):
        value = need_numpy(f"buffer {name!r}").asarray(value)
    if hasattr(value, "ctypes") and hasattr(value, "flags"):  # numpy's
        if not value.flags.c_contiguous:
            raise ValueError(f"buffer {name!r}: the array must be contiguous; numpy.ascontiguousarray() makes a copy")
        if writable and not value.flags.writeable:
            raise ValueError(f"buffer {name!r}: the array is read-only, and the kernel may write to it; declare the "
                             "buffer constant, or give a copy")
        if value.dtype.hasobject:
            raise TypeError(f"buffer {name!r}: the array holds Python objects")
        return value.ctypes.data, value.nbytes, value
    try:
        view = memoryview(value)
    except TypeError:
        raise TypeError(f"buffer {name!r}: memory is wanted, an array or bytearray, not "
                        f"{type(value).__name__}") from None
    if not view.c_contiguous:
        raise ValueError(f"buffer {name!r}: the memory must be contiguous")
    if view.readonly:
        if writable:
            raise ValueError(f"buffer {name!r}: the memory is read-only, and the kernel may write to it; declare the "
                             "buffer constant, or give a copy")
        # ctypes takes no address of read-only memory.
        copy = ctypes.create_string_buffer(view.tobytes(), max(view.nbytes, 1))
        return ctypes.addressof(copy), view.nbytes, copy
    if view.nbytes == 0:
        return 0, 0, view
    held = (ctypes.c_char * view.nbytes).from_buffer(view)
    return ctypes.addressof(held), view.nbytes, (view, held)


def three(value: Any, what: str) -> "ctypes.Array[ctypes.c_uint32]":
    """A size of one to three numbers: the others are 1."""
    numbers = [value] if isinstance(value, int) or not hasattr(value, "__iter__") else list(value)
    if not 1 <= len(numbers) <= 3:
        raise ValueError(f"{what} has one to three sizes, not {len(numbers)}")
    sizes = []
    for number in numbers:
        whole = int(number)
        if whole != number or not 0 < whole < 2**32:
            raise ValueError(f"{what}: a size is a positive whole number, not {number!r}")
        sizes.append(whole)
    return (ctypes.c_uint32 * 3)(*sizes, *([1] * (3 - len(sizes))))
