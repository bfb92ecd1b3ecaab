"""A ground path is not a fact: many realisations of the surface within its stated error.

The same site always gives the same corridor, whatever part of the surface is looked at, with and
without the extra `fast`.
"""

from __future__ import annotations

from sitemap.terrain import compiled_trace
from sitemap.terrain.noise import Noise, error_field
from sitemap.terrain.trace import End, GroundPath, Relief

ROOM_FT = 60.0  # beside the nominal path; more where a realisation comes to the rim of it
COMPILED_ROOM_FT = 660.0  # the kernel pays for what it looks at, not for what it may
WHOLE_CELLS = 4_000_000  # a surface of so many is not cut for the kernel, which would copy it


def realisations(
    relief: Relief,
    nominal: GroundPath,
    length_ft: float,
    noise: Noise,
    runs: int,
    spent: frozenset[int] = frozenset(),
) -> list[GroundPath]:
    """Paths from the same start over `runs` surfaces, each within the error of the one given.

    A run whose path leaves the part of the surface that is looked at is repeated on a larger one.
    """
    start = (float(nominal.xy[0][0]), float(nominal.xy[0][1]))
    low, high = nominal.xy.min(axis=0), nominal.xy.max(axis=0)
    fast = compiled_trace.pays(nominal.looked_at * runs)
    room = max(COMPILED_ROOM_FT if fast else ROOM_FT, 6.0 * relief.cell_ft)
    waiting = list(range(runs))
    found: dict[int, GroundPath] = {}
    while waiting:
        part = relief
        if not fast or relief.z_ft.size > WHOLE_CELLS:
            part = relief.window((low[0] - room, low[1] - room, high[0] + room, high[1] + room))
        again = []
        error = error_field(part, start, noise, waiting)
        paths = part.runs(start, length_ft, spent, error, compiled=fast)
        for run, path in zip(waiting, paths, strict=True):
            if path.end is End.EDGE and not _at_rim(relief, path):
                again.append(run)
            else:
                found[run] = path
        waiting, room = again, 2.0 * room + max(high - low)
    return [found[run] for run in range(runs)]


def _at_rim(relief: Relief, path: GroundPath) -> bool:
    """Whether a path ends at the rim of the whole surface, not only of a part of it."""
    at = relief.cell_of((float(path.xy[-1][0]), float(path.xy[-1][1])))
    rows, columns = relief.z_ft.shape
    return at is None or at[0] in (0, rows - 1) or at[1] in (0, columns - 1)
