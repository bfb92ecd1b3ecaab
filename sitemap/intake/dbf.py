"""What the bytes of a .dbf say: its header, where its records really lie, the text in them.

Layout: dBASE III+ table header; Visual FoxPro puts 263 bytes between header and records.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

_HEAD_BYTES = FIELD_BYTES = 32
_END_OF_FIELDS, _END_OF_FILE = 0x0D, 0x1A
_BACKLINK_BYTES = 263  # Visual FoxPro
_MARKS = np.frombuffer(b" *", dtype=np.uint8)  # the first byte of a record: live, deleted
_LOOKED_AT = 5000  # records whose first byte is looked at


@dataclass(frozen=True)
class TableHeader:
    """The header of a .dbf: stated records, and how many the file's size really holds."""

    records: int
    records_held: int
    language: int  # language driver id, byte 29
    header_bytes: int
    record_bytes: int
    text_columns: tuple[tuple[int, int], ...]  # offset and width of character fields in a record
    memo_fields: tuple[str, ...] = ()  # whose text lies in a file of its own (.dbt, .fpt)

    @property
    def cut_off(self) -> bool:
        """True when the file ends before the last stated record."""
        return self.records_held < self.records


def read_table_header(path: Path) -> TableHeader | None:
    """The header of a .dbf as stated, or None when the bytes cannot be one."""
    size = path.stat().st_size
    with path.open("rb") as stream:
        head = stream.read(_HEAD_BYTES)
        if len(head) < _HEAD_BYTES:
            return None
        records, header_bytes, record_bytes = struct.unpack("<IHH", head[4:12])
        if header_bytes < _HEAD_BYTES + 1 or record_bytes < 1 or header_bytes > size:
            return None
        fields = stream.read(header_bytes - _HEAD_BYTES)
    text: list[tuple[int, int]] = []
    memo: list[str] = []
    at = 1
    for name, kind, width in _fields(fields):
        if kind == b"C":
            text.append((at, width))
        elif kind == b"M":
            memo.append(name)
        at += width
    held = (size - header_bytes) // record_bytes
    return TableHeader(
        records, int(held), head[29], header_bytes, record_bytes, tuple(text), tuple(memo)
    )


def _fields(raw: bytes) -> Iterator[tuple[str, bytes, int]]:
    """Name, kind and width of each field description up to the byte that ends them."""
    for start in range(0, len(raw) - FIELD_BYTES + 1, FIELD_BYTES):
        if raw[start] in (_END_OF_FIELDS, 0x00):
            return
        name = raw[start : start + 11].split(b"\0", 1)[0].decode("latin-1").strip()
        kind, width = raw[start + 11 : start + 12], raw[start + 16]
        if kind == b"C":
            width += 256 * raw[start + 17]  # long text fields borrow the decimals byte
        yield name, kind, width


def where_records_lie(path: Path, header: TableHeader) -> tuple[int, int] | None:
    """Byte of the first record and bytes of each, as they really are; None when none fits.

    A place fits when every record begins with its mark, blank or star; where several do, the one
    after whose last record the file ends. A header that is wrong by a few bytes shifts every
    value, and a shifted star hides a feature as deleted.
    """
    data = np.memmap(path, dtype=np.uint8, mode="r")
    stated = header.header_bytes, header.record_bytes
    described = _as_described(bytes(data[: 1 << 17]), stated)
    fitting = [place for place in (stated, *described) if _marked(data, *place, header.records)]
    ending = [(at, w) for at, w in fitting if _ends_there(data, at + header.records * w)]
    if fitting:
        return (ending or fitting)[0]
    sound = not described and _ends_there(data, stated[0] + header.records * stated[1])
    return stated if sound else None  # marks of another kind in a file that is whole


def _as_described(raw: bytes, stated: tuple[int, int]) -> list[tuple[int, int]]:
    """Other places and widths than the stated ones, by the field descriptions."""
    fields = list(_fields(raw[_HEAD_BYTES:]))
    after = _HEAD_BYTES + FIELD_BYTES * len(fields) + 1
    if not fields or raw[after - 1 : after] != bytes([_END_OF_FIELDS]):
        return []
    width = 1 + sum(one for _, _, one in fields)
    begins = (after, stated[0], after + _BACKLINK_BYTES)
    places = [(at, w) for at in begins for w in (width, stated[1])]
    return [place for place in dict.fromkeys(places) if place != stated]


def _marked(data: np.ndarray, at: int, width: int, records: int) -> bool:
    """True when each whole record within the file begins with a mark."""
    count = min(records, max(0, (len(data) - at) // width), _LOOKED_AT)
    return bool(np.isin(data[at : at + width * count : width], _MARKS).all())


def _ends_there(data: np.ndarray, end: int) -> bool:
    if end < len(data):
        return int(data[end]) == _END_OF_FILE
    return end == len(data) and int(data[end - 1]) != _END_OF_FILE


def rewrite_header(path: Path, place: tuple[int, int]) -> None:
    """Replace a staged .dbf by a copy that states where its records lie; `path` may be a link."""
    raw = bytearray(path.read_bytes())
    raw[8:12] = struct.pack("<HH", *place)
    path.unlink()
    path.write_bytes(bytes(raw))


def pad_table(path: Path, header: TableHeader, records: int) -> None:
    """Replace a staged .dbf by a copy with blank records up to a count; `path` may be a link."""
    held = min(header.records, header.records_held)
    with path.open("rb") as stream:
        raw = bytearray(stream.read(header.header_bytes + held * header.record_bytes))
    raw[4:8] = struct.pack("<I", records)
    path.unlink()
    path.write_bytes(bytes(raw) + b" " * ((records - held) * header.record_bytes) + b"\x1a")


def text_bytes(path: Path, header: TableHeader, limit_bytes: int = 1 << 24) -> bytes:
    """The character fields of the records, one per line: what an encoding is judged by."""
    count = min(header.records, header.records_held, max(1, limit_bytes // header.record_bytes))
    if not header.text_columns or count <= 0:
        return b""
    with path.open("rb") as stream:
        stream.seek(header.header_bytes)
        raw = stream.read(count * header.record_bytes)
    count = len(raw) // header.record_bytes
    table = np.frombuffer(raw[: count * header.record_bytes], dtype=np.uint8)
    table = table.reshape(count, header.record_bytes)
    pieces: list[bytes] = []
    for at, width in header.text_columns:
        column = table[:, at : at + width]
        kept = column[(column >= 0x80).any(axis=1)]  # only text that an encoding matters for
        pieces.extend(row.tobytes().rstrip(b" \0") for row in kept)
    return b"\n".join(pieces)
