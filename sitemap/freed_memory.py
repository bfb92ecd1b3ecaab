"""Memory that the program has freed, given back to the system as well.

Lines and arrays of a large layer come and go in pieces; what they leave behind stays with the
process, in holes that the next large thing does not fit into. Only the C library of Linux can be
asked for either of these; elsewhere nothing is done.
"""

from __future__ import annotations

import ctypes
import gc
import sys
from functools import cache

MAP_THRESHOLD = -3  # M_MMAP_THRESHOLD of mallopt(3)
LARGE_BYTES = 1_000_000
_SAVING: list[bool] = []  # whether memory counts for more than time in this process


@cache
def _library() -> ctypes.CDLL | None:
    if sys.platform != "linux":
        return None
    library = ctypes.CDLL(None)
    known = all(hasattr(library, name) for name in ("mallopt", "malloc_trim"))  # not in musl
    return library if known else None


def map_large_arrays() -> None:
    """From now on, give each array of a megabyte and more pages of its own, which go with it.

    Called where a layer is so large that memory counts for more than the time that it takes to
    get such pages: a tenth of that of a set of small sheets.
    """
    library = _library()
    if library is not None and not _SAVING:
        library.mallopt(MAP_THRESHOLD, LARGE_BYTES)
        _SAVING.append(True)
        return_freed()  # what reading has left behind


def return_freed(*, circles: bool = False) -> None:
    """Give back the pages that hold nothing any more, after map_large_arrays(); else nothing.

    With circles also of objects that only name one another: the drawing, once it is marks.
    """
    library = _library()
    if library is not None and _SAVING:
        if circles:
            gc.collect()
        library.malloc_trim(0)
