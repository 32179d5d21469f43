"""Files written whole or not at all: beside the file, then renamed."""

import os
import stat
from typing import Union


def write_whole(path: Union[str, "os.PathLike[str]"], data: bytes) -> None:
    """Raises OSError where they cannot be written; a file is as it was then. Pipes and devices are written into."""
    target = os.path.realpath(path)
    mode = os.stat(path).st_mode if os.path.exists(path) else None
    if mode is not None and not stat.S_ISREG(mode):
        with open(path, "wb") as file:
            file.write(data)
        return
    if mode is not None:
        with open(target, "ab"):  # what may not be written may not be replaced either
            pass
    folder, name = os.path.split(target)
    partial = os.path.join(folder, f"{name[:50]}.{os.getpid()}.part")
    try:
        with open(partial, "wb") as file:
            if mode is not None:
                os.fchmod(file.fileno(), stat.S_IMODE(mode))
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(partial, target)
    except OSError:
        if os.path.exists(partial):
            os.unlink(partial)
        raise
