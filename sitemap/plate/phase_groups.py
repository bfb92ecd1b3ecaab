"""Phases of construction in the layer panel: a viewer shows all of them, or one at a time.

Marks that stand in some phases only lie in a membership of their phases besides their layer, so
both switches work. All phases are shown until someone chooses one: what is printed is complete.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pikepdf
from pikepdf import Array, Dictionary, Name, String

from sitemap.plate.marks import PhasedLayer, SheetMarks

PANEL_HEAD = "Phases of construction"
ALL_PHASES = "All phases"

PropertyNames = dict[str | tuple[str, ...], str]  # of a layer or of phases in the page's resources


def phased_layers(sheets: Iterable[SheetMarks]) -> list[PhasedLayer]:
    """A layer for every set of phases that marks are limited to, in order of drawing."""
    found: dict[tuple[str, ...], PhasedLayer] = {}
    for sheet in sheets:
        for mark in sheet.marks:
            if isinstance(mark.layer, PhasedLayer):
                found.setdefault(mark.layer.phases, mark.layer)
    return list(found.values())


def phase_groups(
    pdf: pikepdf.Pdf, layers: Sequence[PhasedLayer]
) -> dict[tuple[str, ...], Dictionary]:
    """A membership for the phases of each layer; in the panel the phases are radio buttons.

    The layers of the file must have their groups already. ISO 32000-1 section 8.11.2.2 (AnyOn)
    and 8.11.4.3 (RBGroups).
    """
    if not layers:
        return {}
    names = list(dict.fromkeys(name for layer in layers for name in layer.among))
    made = {name: _group(pdf, phase_title(name)) for name in names}
    everything = _group(pdf, ALL_PHASES)
    properties = pdf.Root.OCProperties
    buttons = [everything, *made.values()]
    properties.OCGs.extend(buttons)
    properties.D.ON.append(everything)
    properties.D.OFF.extend(made.values())
    # before the layers: what follows a layer is taken for its children by some readers
    properties.D.Order.insert(0, Array([String(PANEL_HEAD), *buttons]))
    properties.D.RBGroups = Array([Array(buttons)])
    return {
        layer.phases: pdf.make_indirect(
            Dictionary(
                Type=Name.OCMD,
                P=Name.AnyOn,
                OCGs=Array([everything, *(made[name] for name in layer.phases)]),
            )
        )
        for layer in layers
    }


def phase_title(name: str) -> str:
    """A phase as the panel and the sheets name it: "Initial phase", "Phase 2"."""
    said = name if name.startswith("phase ") else f"{name} phase"
    return said[0].upper() + said[1:]


def _group(pdf: pikepdf.Pdf, name: str) -> Dictionary:
    group: Dictionary = pdf.make_indirect(
        Dictionary(Type=Name.OCG, Name=String(name), Intent=Name.View)
    )
    return group
