"""What was derived: layers named for the roles they serve, the account of how, and their files."""

from __future__ import annotations

import datetime as dt
import shutil
import tempfile
import warnings
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import geopandas
import pyogrio
import shapely

from sitemap.crs import for_files
from sitemap.errors import UsageError
from sitemap.outputs import dated_geopackage, refuse_inputs, write_text_file, written_in_place
from sitemap.site import Site
from sitemap.version import VERSION

GEOPACKAGE = "derived.gpkg"
ACCOUNT = "derived.txt"


@dataclass(frozen=True, eq=False)
class DerivedLayer:
    """One layer: its name is the role it serves, its columns that role's canonical fields."""

    name: str
    frame: geopandas.GeoDataFrame


@dataclass
class Derived:
    """The layers, and a paragraph on each: source, unit, operation, tolerance, voids."""

    site: Site
    layers: list[DerivedLayer] = field(default_factory=list)
    paragraphs: list[tuple[str, list[str]]] = field(default_factory=list)

    def add(self, name: str, columns: dict[str, Any], shapes: Any) -> None:
        """A layer; left out when it has no feature."""
        if len(shapes):
            frame = geopandas.GeoDataFrame(columns, geometry=list(shapes), crs=self.site.crs)
            self.layers.append(DerivedLayer(name, frame))

    def add_frame(self, name: str, frame: geopandas.GeoDataFrame) -> None:
        """A layer that is a frame already; left out when it has no feature."""
        if len(frame):
            self.layers.append(DerivedLayer(name, frame.reset_index(drop=True)))

    def say(self, title: str, *lines: str) -> None:
        """A paragraph of the account."""
        self.paragraphs.append((title, [line for line in lines if line]))

    def text(self, now: dt.date) -> str:
        """The account: derived.txt."""
        head = [
            f"Layers derived by sitemap {VERSION} on {now.isoformat()}",
            f"site: {self.site.name} ({self.site.submission})",
            f"map: {self.site.crs_name}; all lengths and heights in feet",
            "layers: " + (", ".join(f"{x.name} ({len(x.frame)})" for x in self.layers) or "none"),
        ]
        parts = ["\n".join(head)]
        parts += [
            "\n".join([title, *(f"  {one}" for one in said)]) for title, said in self.paragraphs
        ]
        return "\n\n".join(parts) + "\n"


def write_derived(derived: Derived, folder: Path, *, submission: Path, now: dt.date) -> Path:
    """Write derived.gpkg and derived.txt into a folder, made if absent; never over an input."""
    target, account = folder / GEOPACKAGE, folder / ACCOUNT
    for path in (target, account):
        refuse_inputs(path, [submission, *derived.site.input_files])
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder}: this is a file; give the name of a folder with -o")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{folder}: cannot be made ({error.strerror})") from None
    if derived.layers:
        with written_in_place(target) as temporary, tempfile.TemporaryDirectory() as aside:
            file = Path(aside) / GEOPACKAGE  # SQLite keeps its journal beside the file it writes
            with dated_geopackage(now), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                for layer in derived.layers:
                    _write(layer, file)
            shutil.copyfile(file, temporary)
    write_text_file(account, derived.text(now))
    return target if derived.layers else account


def _write(layer: DerivedLayer, file: Path) -> None:
    kinds = set(shapely.get_type_id(layer.frame.geometry.to_numpy()).tolist())
    pyogrio.write_dataframe(
        layer.frame.set_crs(for_files(layer.frame.crs), allow_override=True),
        file,
        layer=layer.name,
        driver="GPKG",
        promote_to_multi=len(kinds) > 1,
        append=file.exists(),
    )
