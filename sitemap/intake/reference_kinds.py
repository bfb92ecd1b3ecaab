"""What the codes of public datasets mean for a reference: which role, which kind, and what is open.

Wisconsin Wetland Inventory (old classes and Cowardin's), National Wetlands Inventory, FEMA NFHL,
NHD, NHDPlus and Wisconsin's 24K hydrography. A code that is not known stays what its dataset says;
"unknown" is never read as "none".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sitemap.catalogue import Catalogue, LayerSpec
from sitemap.column_names import plain_name
from sitemap.intake.fields import canonical_value, find_column

SENTINELS = (-9999.0, -8888.0, -999.0)  # "no value" in numbers of NFHL and the soil survey
CODE_COLUMNS = (
    "ATTRIBUTE", "WETLAND_TYPE", "WETCODE", "FTYPE", "FCODE", "HYDROTYPE", "HYDROCODE", "SFHA_TF",
    "FLD_ZONE", "ZONE_SUBTY",
)  # fmt: skip
_CODES = (("zone", "FLD_ZONE"), ("subtype", "ZONE_SUBTY"))  # whatever a copy calls its columns
_WWI_WATER = re.compile(r"^w\d", re.IGNORECASE)  # W0H: open water
_NWI_WATER = re.compile(r"^(l\d?|r\d?|p(ub|ab|us|rb)|m1|e1)", re.IGNORECASE)
_WAY = re.compile(r"floodway|encroachment", re.IGNORECASE)
_WAY_ZONES = ("FW", "FLOODWAY", "FWIC", "AE FLOODWAY", "AE-FLOODWAY")
_UPLAND = frozenset({"u", "upl", "upland", "uplands", "nonwetland", "us"})
_FLAG_NAMES = ("sfha", "specialflood", "specfld")  # within the names that copies give SFHA_TF
_FLAGS = {"T": ("t", "true", "y", "yes", "1", "in"), "F": ("f", "false", "n", "no", "0", "out")}
_NO_WATER_FTYPES = frozenset({"318", "343", "369", "403", "455", "568"})  # bridge, dam, gate, levee


@dataclass(eq=False)
class Kinds:
    """For each row: its role ("" where it serves none), its doubt, and canonical values that the
    codes tell better than the column that was mapped.
    """

    role: np.ndarray
    doubt: np.ndarray
    columns: dict[str, np.ndarray]


def kinds_of_rows(
    role: str,
    raw: Mapping[str, Any],
    canonical: Mapping[str, np.ndarray],
    catalogue: Catalogue,
    fields: Mapping[str, str] | None = None,
) -> Kinds:
    """Sort the rows of a dataset; raw are its own columns, canonical those of its role.

    fields are the own columns behind the canonical ones.
    """
    named = {code: raw.get((fields or {}).get(name, "")) for name, code in _CODES}
    raw = {code: own for code, own in named.items() if own is not None} | dict(raw)
    count = len(next(iter(canonical.values())))
    found = Kinds(
        np.full(count, role, dtype=object),
        np.full(count, None, dtype=object),
        {name: _without_sentinels(values) for name, values in canonical.items()},
    )
    sort: Callable[[Kinds, Mapping[str, Any], Catalogue], None] | None = {
        "wetlands": _wetlands,
        "floodplain": _floodplain,
        "streams": _streams,
        "waterbodies": _waterbodies,
    }.get(role)
    if sort is not None:
        sort(found, raw, catalogue)
    return found


def flag_column(columns: Sequence[str]) -> str | None:
    """The column that says whether a zone is a special flood hazard area, whatever a copy calls it.

    None where there is none, or where several would be.
    """
    exact = find_column(columns, "SFHA_TF")
    if exact is not None:
        return exact
    named = [c for c in columns if any(word in plain_name(c) for word in _FLAG_NAMES)]
    return named[0] if len(named) == 1 else None


def _without_sentinels(values: np.ndarray) -> np.ndarray:
    if values.dtype.kind != "f":
        return values
    return np.where(np.isin(values, SENTINELS), np.nan, values)


def _text(raw: Mapping[str, Any], name: str, count: int) -> np.ndarray:
    """A column as text, codes without .0; empty where it is not there."""
    column = find_column(list(raw), name)
    if column is None:
        return np.full(count, "", dtype=object)
    return np.array([plain_code(value) for value in raw[column]], dtype=object)


def plain_code(value: object) -> str:
    """A code as text, whether it is kept as text, as 423 or as 423.0; empty for none."""
    if value is None or value != value:  # noqa: PLR0124  # NaN is not itself
        return ""
    if isinstance(value, float | np.floating) and float(value).is_integer():
        return str(int(value))
    return str(value).strip()


def _wetlands(found: Kinds, raw: Mapping[str, Any], catalogue: Catalogue) -> None:
    """Open water goes to the water bodies; what is coded as upland is left to a person."""
    count = len(found.role)
    cowardin, kind, wwi = (_text(raw, n, count) for n in ("ATTRIBUTE", "WETLAND_TYPE", "WETCODE"))
    for row in range(count):
        said = kind[row].lower()
        is_water = (
            bool(_NWI_WATER.match(cowardin[row]))
            or said in ("lake", "riverine", "freshwater pond")
            or "deepwater" in said
            or (bool(wwi[row]) and all(map(_WWI_WATER.match, re.split(r"[/,]", wwi[row]))))
        )
        if is_water:
            found.role[row] = "waterbodies"
        codes = {plain_name(text) for text in (cowardin[row], wwi[row], said) if text}
        if codes and codes <= _UPLAND:
            found.doubt[row] = (
                f"its class is {cowardin[row] or wwi[row] or kind[row]}, which is upland"
            )
    water = found.role == "waterbodies"
    if water.any():
        words = np.where(kind != "", kind, np.where(cowardin != "", cowardin, wwi))
        spec = catalogue["waterbodies"]
        found.columns["kind"] = np.array(
            [
                _water_kind(spec, text) if wet else None
                for text, wet in zip(words, water, strict=True)
            ],
            dtype=object,
        )
        found.columns["name"] = np.full(count, None, dtype=object)


def _water_kind(spec: LayerSpec, text: str) -> str:
    known = {"riverine": "river", "freshwater pond": "pond", "lake": "lake"}
    if text.lower() in known:
        return known[text.lower()]
    first = text[:1].upper()
    return {"L": "lake", "R": "river"}.get(first) or canonical_value(spec, "kind", text) or "pond"


def _floodplain(found: Kinds, raw: Mapping[str, Any], catalogue: Catalogue) -> None:
    """SFHA_TF and zone must say the same; U, D, not included and strange words are unknown."""
    count = len(found.role)
    flag = flag_column(list(raw)) or ""
    sfha = [_flag(text) for text in _text(raw, flag, count)]
    zone, part = _text(raw, "FLD_ZONE", count), _text(raw, "ZONE_SUBTY", count)
    mapped, subtype = found.columns["zone"], found.columns["subtype"]
    for row in range(count):
        text = (zone[row] or plain_code(mapped[row])).upper()
        if text in _WAY_ZONES:
            subtype[row] = "floodway"
        elif subtype[row] is None and _WAY.search(part[row]):
            subtype[row] = "floodway"
            found.doubt[row] = f"zone {text}, {part[row]}: whether it is floodway is not known"
        outside = text.startswith(("AREA NOT", "ANI"))
        if text == "D" or outside or not text:
            found.doubt[row] = f"zone {text or 'not stated'}: the flood hazard is undetermined"
        elif mapped[row] is None and subtype[row] is None:
            found.doubt[row] = f"zone {text}: none of the flood map's zones"
        found.doubt[row] = found.doubt[row] or _by_flag(text, flag, sfha[row])
        if outside:
            mapped[row] = "D"


def _flag(text: str) -> str:
    """T, F or U of a flag in any of its words; empty where it is none, which says nothing."""
    plain = text.strip().lower()
    known = next((flag for flag, words in _FLAGS.items() if plain in words), "")
    return known or ("U" if plain[:1] == "u" else "")


def _by_flag(text: str, column: str, flag: str) -> str | None:
    """The doubt that SFHA_TF puts into a zone: unknown, or against it."""
    hazard = text[:1] in ("A", "V") and not text.startswith(("AREA", "ANI"))
    if flag == "U":
        return f"zone {text}, {column} U: whether it is a special flood hazard area is unknown"
    if (flag == "T" and not hazard and text not in _WAY_ZONES) or (flag == "F" and hazard):
        return f"zone {text}, but {column} is {flag}"
    return None


def _streams(found: Kinds, raw: Mapping[str, Any], catalogue: Catalogue) -> None:
    """FCODE and HYDROCODE tell intermittent streams from perennial ones."""
    count = len(found.role)
    fcode, hydrocode = _text(raw, "FCODE", count), _text(raw, "HYDROCODE", count)
    spec, kind = catalogue["streams"], found.columns["kind"]
    for row in range(count):
        finer = canonical_value(spec, "kind", fcode[row]) if fcode[row] else None
        if finer and kind[row] in (None, "stream") and finer != kind[row]:
            kind[row] = finer
        code = hydrocode[row]
        if kind[row] == "stream" and len(code) == 3 and code[1] == "1":
            kind[row] = "intermittent stream"


def _waterbodies(found: Kinds, raw: Mapping[str, Any], catalogue: Catalogue) -> None:
    """Swamps and marshes are wetlands; bridges, dams, levees and inundation areas are no water."""
    ftype = _text(raw, "FTYPE", len(found.role))
    plain = np.array([plain_name(text) for text in ftype], dtype=object)
    marsh = np.isin(plain, ["466", "swampmarsh"]) | (found.columns["kind"] == "marsh")
    found.role[marsh] = "wetlands"
    found.role[np.isin(plain, list(_NO_WATER_FTYPES))] = ""
    if marsh.any():
        found.columns["class"] = np.array(["swamp or marsh" if m else None for m in marsh], object)
        found.columns["id"] = found.columns["name"]
