"""The factors of the soil loss equation as the user supplies them: a CSV, each row with its source.

Nothing is known here of which factor is right: the program has no factor of its own.
"""

from __future__ import annotations

import csv
import math
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from sitemap.errors import ConfigurationError

FactorName = Literal["R", "percent_R", "C", "K", "practice"]
COLUMNS = ("factor", "key", "value", "unit", "source")
# what each factor's key is, the units that its value may have, and its largest sensible value
KEYS: dict[FactorName, str] = {
    "R": "a name of the place (may be empty)",
    "percent_R": "a day such as 05-15",
    "C": "a cover, as the cover periods name it",
    "K": "a soil map unit",
    "practice": "a type of control",
}
UNITS: dict[FactorName, tuple[str, ...]] = {
    "R": ("US", "SI"),
    "percent_R": ("pct",),
    "C": ("ratio",),
    "K": ("US", "SI"),
    "practice": ("pct", "ratio"),
}
MOST: dict[tuple[FactorName, str], float] = {
    ("percent_R", "pct"): 100.0,
    ("C", "ratio"): 1.0,
    ("K", "US"): 1.0,
    ("practice", "pct"): 100.0,
    ("practice", "ratio"): 1.0,
}
_DAY = re.compile(r"(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])")


@dataclass(frozen=True)
class Factor:
    """One row: value in the row's own unit ("US": of the equation in tons and acres; "SI")."""

    name: FactorName
    key: str
    value: float
    unit: str
    source: str
    row: int  # of the file, from 1 with its heading

    @property
    def share(self) -> float:
        """A percentage or a ratio as a ratio."""
        return self.value / 100.0 if self.unit == "pct" else self.value


@dataclass(frozen=True)
class SoilFactors:
    """All rows of one file, in its order."""

    file: str
    rows: tuple[Factor, ...]

    def all(self, name: FactorName) -> tuple[Factor, ...]:
        """Every row of one factor."""
        return tuple(row for row in self.rows if row.name == name)

    def find(self, name: FactorName, key: str) -> Factor | None:
        """The row of a factor with this key, in any case; None where there is none."""
        return next((row for row in self.all(name) if _plain(row.key) == _plain(key)), None)


def read_soil_factors(path: Path, shown: str | None = None) -> SoilFactors:
    """Read a factors file; ConfigurationError names file, row, what was found and accepted."""
    name = shown or str(path)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ConfigurationError(
            name,
            "",
            f"cannot be read ({error.strerror}); [soil_loss] factors of site.toml names it",
        ) from None
    return parse_soil_factors(content, name)


def parse_soil_factors(content: bytes, name: str) -> SoilFactors:
    """The rows of a factors file. Its columns: factor, key, value, unit, source."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConfigurationError(
            name, "", f"is not UTF-8 text (byte {error.start}); save it as CSV UTF-8"
        ) from None
    lines = csv.reader(text.splitlines())
    heading = [cell.strip().lower() for cell in next(lines, [])]
    missing = [column for column in COLUMNS if column not in heading]
    if missing:
        raise ConfigurationError(
            name, "row 1", f"lacks the columns {', '.join(missing)}; wanted: {','.join(COLUMNS)}"
        )
    rows: list[Factor] = []
    for number, cells in enumerate(lines, 2):
        if not any(cell.strip() for cell in cells) or cells[0].lstrip().startswith("#"):
            continue
        record = dict(zip(heading, (cell.strip() for cell in cells), strict=False))
        rows.append(_factor(record, name, number))
    _refuse_twins(rows, name)
    return SoilFactors(name, tuple(rows))


def _factor(record: dict[str, str], name: str, number: int) -> Factor:
    def refuse(column: str, accepted: str) -> ConfigurationError:
        found = record.get(column, "")
        return ConfigurationError(
            name, f"row {number}, {column}", f"found {found!r}; accepted: {accepted}"
        )

    factor = next((f for f in get_args(FactorName) if f == record.get("factor")), None)
    if factor is None:
        raise refuse("factor", ", ".join(get_args(FactorName)))
    key, unit, source = (record.get(column, "") for column in ("key", "unit", "source"))
    if not key and factor != "R":
        raise refuse("key", KEYS[factor])
    if factor == "percent_R" and not _DAY.fullmatch(key):
        raise refuse("key", KEYS[factor])
    unit = next((u for u in UNITS[factor] if u.lower() == unit.lower()), "")
    if not unit:
        raise refuse("unit", " or ".join(UNITS[factor]))
    try:
        value = float(record.get("value", ""))
    except ValueError:
        raise refuse("value", "a number") from None
    most = MOST.get((factor, unit), math.inf)
    if not (math.isfinite(value) and 0.0 <= value <= most):
        to = "" if math.isinf(most) else f" to {most:g}"
        raise refuse("value", f"a number from 0{to} {unit}")
    if not source:
        raise refuse("source", "where the value is from (document, table, date): none is assumed")
    return Factor(factor, key, value, unit, source, number)


def _refuse_twins(rows: list[Factor], name: str) -> None:
    seen: dict[tuple[str, str], int] = {}
    for row in rows:
        first = seen.setdefault((row.name, _plain(row.key)), row.row)
        if first != row.row:
            raise ConfigurationError(
                name,
                f"row {row.row}",
                f"{row.name} of {row.key!r} stands already in row {first}; keep one of them",
            )
    annual = [row for row in rows if row.name == "R"]
    if len(annual) > 1:
        raise ConfigurationError(
            name, f"row {annual[1].row}", "a second R; a site has one annual R: keep one of them"
        )


def _plain(key: str) -> str:
    return " ".join(key.lower().replace("_", " ").replace("-", " ").split())
