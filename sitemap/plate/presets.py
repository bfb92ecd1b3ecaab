"""What an agency takes: agencies/*.toml, or a file of one's own, and whether a plate meets it."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

import tomli
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from sitemap.config_faults import explained
from sitemap.errors import ConfigurationError, PlateError, UsageError
from sitemap.measures.sheets import PAPER_IN, sheets_between
from sitemap.plate.free_space import largest_free_square
from sitemap.plate.marks import SheetMarks

FOLDER = Path(__file__).with_name("agencies")
WRITTEN_VERSION = (1, 7)  # of the PDF that this program writes
MEGABYTE = 1_000_000
Inches = Annotated[float, Field(gt=0)]


class Preset(BaseModel):
    """One preset. Sizes of pages are width and height of the sheet as it lies, in inches."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    title: str
    source: str = ""  # who asks for it, and in which words
    layers: Literal["kept", "one"] = "kept"
    links: bool = True  # places to click: annotations
    attachments: bool = True
    files: Literal["one", "each sheet"] = "one"
    file_name: str = "{stem}-{number}"  # of each sheet's file; stem is that of -o
    name_signs: str = ""  # signs that names may hold, as "A-Za-z0-9_-"; "": any
    pdf_version: Annotated[str, Field(pattern=r"^[12]\.\d$")] = "2.0"  # the newest that is taken
    max_file_mb: Annotated[float, Field(gt=0)] | None = None
    max_pages: Annotated[int, Field(gt=0)] | None = None  # of a file
    max_layers: Annotated[int, Field(gt=0)] | None = None
    min_page_in: tuple[Inches, Inches] | None = None
    max_page_in: tuple[Inches, Inches] | None = None
    stamp_in: tuple[Inches, Inches] | None = None  # clear paper on each sheet

    @model_validator(mode="after")
    def _one_layer_has_no_links(self) -> Preset:
        if self.layers == "one" and (self.links or self.attachments):
            raise ValueError('layers = "one" goes with links = false and attachments = false')
        try:
            self.file_name.format(stem="a", number="b")
            re.compile(f"[{self.name_signs or 'a'}]")
        except (KeyError, IndexError, ValueError, re.error):
            raise ValueError(
                "file_name may hold {stem} and {number}; name_signs is what stands between [ and ] "
                "of a regular expression"
            ) from None
        return self

    @property
    def is_flat(self) -> bool:
        """One layer and nothing to click."""
        return self.layers == "one"


def preset_names() -> tuple[str, ...]:
    """Names of the presets that come with the program; the general ones first."""
    names = sorted(path.stem for path in FOLDER.glob("*.toml"))
    return tuple(sorted(names, key=lambda name: (name != "smart", name != "flat", name)))


def load_preset(name: str) -> Preset:
    """A preset by its name, or by the path of a TOML file.

    UsageError for an unknown name; ConfigurationError names file, key and what is allowed.
    """
    own = Path(name)
    path = own if own.suffix == ".toml" else FOLDER / f"{name}.toml"
    if not path.is_file() or (path.parent == FOLDER and path.stem not in preset_names()):
        known = preset_names()
        near = difflib.get_close_matches(name, known, n=1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise UsageError(
            f"--profile {name!r}: accepted are {', '.join(known)}, or the path of a .toml file of "
            f"your own{hint}"
        )
    try:
        table = tomli.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomli.TOMLDecodeError) as error:
        raise ConfigurationError(path, "", f"cannot be read as TOML: {error}") from None
    try:
        return Preset.model_validate({"name": path.stem, **table})
    except ValidationError as error:
        raise explained(error, path, Preset, hidden=["name"]) from None


def refuse_before(preset: Preset, out: Path, sheet: str) -> None:
    """PlateError for what can be told before anything is drawn: names, paper, version."""
    version = tuple(int(part) for part in preset.pdf_version.split("."))
    if version < WRITTEN_VERSION:
        raise _unmet(
            preset,
            f"it takes PDF {preset.pdf_version} at most, and a plate with layers and georeference "
            "is PDF 1.7",
            "ask the agency whether it takes 1.7, or print the plate to an older PDF, which loses "
            "both",
        )
    if preset.name_signs:
        odd = sorted({sign for sign in out.name if not re.match(f"[{preset.name_signs}]", sign)})
        if odd:
            better = re.sub(f"[^{preset.name_signs}]+", "-", out.name)
            raise _unmet(
                preset, f"the name {out.name!r} holds {' '.join(odd)}", f"write to -o {better}"
            )
    size = PAPER_IN[sheet]
    for limit, way in ((preset.min_page_in, "small"), (preset.max_page_in, "large")):
        if limit is None:
            continue
        outside = [a < b if way == "small" else a > b for a, b in zip(size, limit, strict=True)]
        if any(outside):
            fits = sheets_between(preset.min_page_in, preset.max_page_in)
            raise _unmet(
                preset,
                f"{sheet} is too {way}: {size[0]:g} x {size[1]:g} in against "
                f"{limit[0]:g} x {limit[1]:g} in",
                f"ask for another --sheet: {', '.join(fits)}",
            )


def refuse_composed(preset: Preset, sheets: Sequence[SheetMarks]) -> None:
    """PlateError for too many pages in a file, or layers on a sheet."""
    pages = 1 if preset.files == "each sheet" else len(sheets)
    if preset.max_pages is not None and pages > preset.max_pages:
        raise _unmet(
            preset,
            f"the set has {pages} sheets, and a file may have {preset.max_pages}",
            "ask for a larger --sheet or for more feet per inch (--scale)",
        )
    if preset.max_layers is None or preset.is_flat:
        return
    together = [sheets] if preset.files == "one" else [[sheet] for sheet in sheets]
    most = max(len({layer for sheet in some for layer in sheet.layers}) for some in together)
    if most > preset.max_layers:
        raise _unmet(
            preset,
            f"the plate has {most} layers, and {preset.max_layers} are taken",
            "leave out roles that the map does not need, or take --profile flat",
        )


def refuse_written(preset: Preset, path: Path, pages: int) -> None:
    """PlateError for a file that is too large."""
    size_mb = path.stat().st_size / MEGABYTE
    if preset.max_file_mb is not None and size_mb > preset.max_file_mb:
        raise _unmet(
            preset,
            f"the file has {size_mb:.2f} MB on {pages} pages, and {preset.max_file_mb:g} MB are "
            "taken",
            "leave out the picture under the map (--underlay none), or thin contours that were "
            "made from a fine grid",
        )


def unmet_wishes(preset: Preset, sheets: Sequence[SheetMarks]) -> tuple[str, ...]:
    """What the preset asks for and a sheet lacks, in words, where a person can still help it."""
    if preset.stamp_in is None:
        return ()
    wide, high = preset.stamp_in
    found = []
    for sheet in sheets:
        side, x, y = largest_free_square(sheet)
        if side < max(wide, high):
            found.append(
                f"{preset.name} asks for {wide:g} x {high:g} in clear for its stamp; sheet "
                f"{sheet.number} has {side:.1f} x {side:.1f} in clear, {x:.1f} in from the left "
                f"and {y:.1f} in from the bottom: take a larger --sheet, or ask where it may stand"
            )
    return tuple(found)


def _unmet(preset: Preset, what: str, remedy: str) -> PlateError:
    whose = f" ({preset.source})" if preset.source else ""
    return PlateError(f"the preset {preset.name} cannot be met: {what}{whose}; {remedy}")
