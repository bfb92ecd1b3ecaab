"""What a page's content draws: which layers have marks, and the strokes of one layer.

Form XObjects are followed, since other programs put whole layers into them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pikepdf

MARKING = "BDC BMC EMC"
PAINTS = "S s f F f* B b B* b* Do Tj TJ ' \" sh EI"
PAINTING = frozenset((*PAINTS.split(), "INLINE IMAGE"))
STROKING = f"q Q cm {MARKING} m l S s n f F f*"
DEEPEST_FORM = 12
_SECTION_EDGE = re.compile(rb"\n(?:/OC /(\S+) BDC|EMC)(?=\n|\Z)")
_NOT_IN_LINES = (b"(", b"%", b"BMC", b"BI", b"Do")  # strings, remarks, images and forms: parsed
_PAINT = re.compile(rb"(?<!\S)(?:[SsF'\"]|[fbB]\*?|T[jJ]|sh)(?!\S)")
TAIL = 24  # bytes in which most sections are painted


def drawn_layers(page: pikepdf.Page) -> tuple[str, ...]:
    """Names of the optional-content groups with marks on a page, in drawing order."""
    resources = page.obj.get("/Resources")
    listed = _layers_in_lines(page.obj.get("/Contents"), resources)
    if listed is not None:
        return listed
    seen: dict[str, None] = {}
    _collect(page.obj, resources, (), seen, set(), 0)
    return tuple(seen)


def _layers_in_lines(stream: Any, resources: Any) -> tuple[str, ...] | None:
    """The same of a page whose layers begin and end in lines of their own, as ours do: found
    without parsing what they draw. None for any other page.
    """
    content = stream.read_bytes() if isinstance(stream, pikepdf.Stream) else b"("
    if any(word in content for word in _NOT_IN_LINES):
        return None
    edges = list(_SECTION_EDGE.finditer(content))
    if len(edges) != content.count(b"BDC") + content.count(b"EMC"):
        return None
    seen: dict[str, None] = {}
    around: list[tuple[str, ...]] = []
    start = 0
    for edge in edges:
        here = [name for names in around for name in names]
        if any(name not in seen for name in here) and _is_painted(content, start, edge.start()):
            seen.update(dict.fromkeys(here))
        start = edge.end()
        if edge[1] is not None:
            name = pikepdf.Name(f"/{edge[1].decode('latin-1')}")
            around.append(layer_names(content_entry(resources, "/Properties", name)))
        elif around:
            around.pop()
    return tuple(seen)


def _is_painted(content: bytes, start: int, end: int) -> bool:
    """Whether a piece of content paints; most do at their end."""
    tail = max(start, end - TAIL)
    return bool(_PAINT.search(content, tail, end) or _PAINT.search(content, start, tail))


def _collect(
    holder: Any,
    resources: Any,
    around: tuple[str, ...],
    seen: dict[str, None],
    known: set[tuple[Any, tuple[str, ...]]],
    depth: int,
) -> None:
    """Walk one stream; `around` are the layers that hold all of it."""
    stack: list[tuple[str, ...]] = []
    for instruction in pikepdf.parse_content_stream(holder, f"{MARKING} {PAINTS}"):
        operator = str(instruction.operator)
        if operator in ("BDC", "BMC"):
            stack.append(group_names(instruction.operands, resources))
        elif operator == "EMC":
            if stack:
                stack.pop()
        elif operator in PAINTING:
            layers = around + tuple(name for names in stack for name in names)
            if operator == "Do":
                _follow(instruction.operands, resources, layers, seen, known, depth)
            else:
                seen.update(dict.fromkeys(layers))


def _follow(
    operands: Any,
    resources: Any,
    layers: tuple[str, ...],
    seen: dict[str, None],
    known: set[tuple[Any, tuple[str, ...]]],
    depth: int,
) -> None:
    drawn = content_entry(resources, "/XObject", operands[0]) if len(operands) else None
    if not isinstance(drawn, pikepdf.Stream):
        return
    layers += layer_names(drawn.get("/OC"))
    if drawn.get("/Subtype") != pikepdf.Name.Form:
        seen.update(dict.fromkeys(layers))
        return
    key = (drawn.objgen, layers)
    if key not in known and depth < DEEPEST_FORM:
        known.add(key)
        _collect(drawn, drawn.get("/Resources", resources), layers, seen, known, depth + 1)


def group_names(operands: Any, resources: Any) -> tuple[str, ...]:
    """The layers that a marked-content operator opens; none when it marks something else."""
    if len(operands) < 2 or operands[0] != pikepdf.Name.OC:
        return ()
    return layer_names(content_entry(resources, "/Properties", operands[1]))


def content_entry(resources: Any, kind: str, name: Any) -> Any:
    """A named resource of a kind ("/XObject", "/Properties"); None where there is none."""
    if not isinstance(resources, pikepdf.Dictionary) or not isinstance(name, pikepdf.Name):
        return None
    entries = resources.get(kind)
    return entries.get(str(name)) if isinstance(entries, pikepdf.Dictionary) else None


def layer_names(group: Any) -> tuple[str, ...]:
    """The name of a group, or of all groups of a membership dictionary."""
    if not isinstance(group, pikepdf.Dictionary):
        return ()
    if group.get("/Type") == pikepdf.Name.OCMD:
        members = group.get("/OCGs")
        listed = list(members) if isinstance(members, pikepdf.Array) else [members]
        return tuple(name for member in listed for name in layer_names(member))
    return (str(group["/Name"]),) if "/Name" in group else ()


def strokes_of_layer(page: pikepdf.Page, layer: str | None) -> np.ndarray:
    """Straight strokes of one layer (None: of all) in the page's own units, shape (n, 2, 2).

    Only lines that the page's content draws itself, outside of forms: what our plates have, whose
    sections of other layers are not even parsed.
    """
    resources = page.obj.get("/Resources")
    marked: list[bool] = []
    matrices: list[np.ndarray] = []
    matrix = np.eye(3)
    strokes: list[np.ndarray] = []
    pending: list[np.ndarray] = []
    for operator, operands in _instructions(_cut_to(page, layer)):
        if operator in ("BDC", "BMC"):
            marked.append(layer in group_names(operands, resources))
        elif operator == "EMC":
            if marked:
                marked.pop()
        elif operator == "q":
            matrices.append(matrix)
        elif operator == "Q":
            matrix = matrices.pop() if matrices else matrix
        elif operator == "cm":
            matrix = _matrix(operands) @ matrix
        elif layer is None or any(marked):
            _draw(operator, operands, matrix, pending, strokes)
    return np.array(strokes, dtype=float).reshape(-1, 2, 2)


def _cut_to(page: pikepdf.Page, layer: str | None) -> bytes:
    """The page's content without the sections of other layers, which stand in lines of their own.

    A section keeps and brings back the graphics state itself, so that the rest draws the same.
    """
    page.contents_coalesce()
    content = page.obj.Contents.read_bytes() if "/Contents" in page.obj else b""
    if layer is None:
        return content
    resources: Any = page.obj.get("/Resources")
    groups = resources.get("/Properties") if isinstance(resources, pikepdf.Dictionary) else None
    named = groups.items() if isinstance(groups, pikepdf.Dictionary) else ()
    wanted = {str(key)[1:].encode() for key, group in named if layer in layer_names(group)}
    kept: list[bytes] = []
    open_sections: list[bool] = []
    start = 0
    for edge in _SECTION_EDGE.finditer(content):
        inside_others = open_sections and not any(open_sections)
        kept.append(edge[0] if inside_others else content[start : edge.end()])
        start = edge.end()
        if edge[1] is not None:
            open_sections.append(edge[1] in wanted)
        elif open_sections:
            open_sections.pop()
    kept.append(content[start:])
    return b"".join(kept)


def _instructions(content: bytes) -> Iterator[tuple[str, Any]]:
    with pikepdf.new() as pdf:
        stream = pikepdf.Stream(pdf, content)
        for one in pikepdf.parse_content_stream(stream, STROKING):
            yield str(one.operator), one.operands


def _matrix(operands: Any) -> np.ndarray:
    a, b, c, d, e, f = (float(v) for v in operands)
    return np.array([[a, b, 0.0], [c, d, 0.0], [e, f, 1.0]])


def _draw(
    operator: str,
    operands: Any,
    matrix: np.ndarray,
    pending: list[np.ndarray],
    strokes: list[np.ndarray],
) -> None:
    """Take up a path of straight lines; it becomes strokes when it is stroked."""
    if operator in ("m", "l"):
        x, y = (float(v) for v in operands)
        point = (np.array([x, y, 1.0]) @ matrix)[:2]
        last = pending[-1][1] if pending else point
        pending.append(np.array([point, point]) if operator == "m" else np.array([last, point]))
    elif operator in ("S", "s", "n", "f", "F", "f*"):
        if operator in ("S", "s"):
            strokes.extend(line for line in pending if (line[0] != line[1]).any())
        pending.clear()
