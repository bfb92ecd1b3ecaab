"""PLT003: what the sheet draws against what its legend explains."""

from __future__ import annotations

from collections.abc import Iterator

import shapely

from sitemap.finding import Severity
from sitemap.measured_plate import MeasuredPlate, PlatePage
from sitemap.measures.legend_words import LegendWords, SymbolKey, symbol_words, symbols_shown
from sitemap.rules.rule import Checked, Fault, NotApplicable, Said, rule
from sitemap.site import Site

EXPLAINS_ITSELF = frozenset(["grid"])  # its letters and numbers say what it is
OF_NO_SYMBOL = frozenset(["elevation"])


@rule("PLT003", clauses=("map",), severity=Severity.WARNING)
def drawn_but_not_in_legend(site: Site, plate: MeasuredPlate | None) -> Iterator[Said]:
    """The map has a symbol that its legend does not explain, or a legend entry without symbol.

    Why
        A reader who does not know the office's symbols has only the legend; an entry for nothing
        makes him look for what is not there.

    How it is measured
        The lines under the heading "Legend" of each page, one to five lines to an entry, against
        the words of the catalogue (layers/): the legend text and title of each role and the
        legend text and name of each type. Forward: each layer of the PDF that bears the title of
        a role needs an entry of the role; where the site has features of that role in the map
        frame, each of their types needs its own, and values outside the vocabulary that of the
        role. Reverse: an entry whose role has no marks on the page, or whose type no feature in
        the frame has. Capitals, blanks and punctuation do not count; contours are known by the
        first words of their entry. The grid needs no entry.

    When it does not apply
        Without a plate; and on a plate without layers, or whose layers bear other names, as most
        made by other programs do: what it draws cannot be told from its marks, nor to which marks
        the words of its legend belong. A person reads such a legend.

    How to fix
        Add the entry, or take away the one that nothing is drawn for.

    References
        § 162-11B(4): the site map shall include and show the items (a) to (j).
    """
    if plate is None:
        yield NotApplicable("no plate was handed in (--plate FILE.pdf)")
        return
    words = LegendWords(site.catalogue)
    pages = [(page, _roles_of(page, words)) for page in plate.pages]
    if not any(roles for _, roles in pages):
        named = f"its layers ({', '.join(plate.layers[:3])} ...)" if plate.layers else ""
        yield NotApplicable(
            f"{named} bear none of the catalogue's titles, so what is drawn cannot be told apart"
            if named
            else "the plate has no layers, so what is drawn cannot be told apart"
        )
        return
    explained = words.entries([line for page, _ in pages for line in page.legend or ()])
    legend = frozenset(symbol for _, symbols in explained for symbol in symbols)
    if all(page.legend is None for page, _ in pages):
        yield Fault(
            "the plate has no legend",
            'add a legend under the heading "Legend" that explains each symbol',
            distinct="none",
        )
        return
    drawn = _drawn(site, plate, pages)
    yield Checked(f"{len(explained)} entries of the legend, {len(drawn)} symbols drawn", len(drawn))
    held = set(site.layers) if any(f.ground_ft for _, f in plate.main_frames) else set()
    yield from _forward(site, drawn, legend, held)
    yield from _reverse(explained, drawn, {role for _, roles in pages for role in roles})


def _roles_of(page: PlatePage, words: LegendWords) -> list[str]:
    """The roles whose layers have marks on a page."""
    found = (words.role_of_layer(layer) for layer in page.drawn_layers)
    return [role for role in found if role is not None and role not in OF_NO_SYMBOL]


def _drawn(
    site: Site, plate: MeasuredPlate, pages: list[tuple[PlatePage, list[str]]]
) -> set[SymbolKey]:
    """The symbols on the plate: by the site's features where it has them, else the role's."""
    frames = [
        shapely.Polygon(frame.ground_ft)
        for _, frame in plate.main_frames
        if frame.ground_ft is not None
    ]
    found: set[SymbolKey] = set()
    for role in dict.fromkeys(role for _, roles in pages for role in roles):
        layer = site.role(role)
        if layer is not None and frames and not layer.usable.empty:
            found |= symbols_shown(site.catalogue[role], layer, frames)
        else:
            found.add(SymbolKey(role))
    return found


def _forward(
    site: Site, drawn: set[SymbolKey], legend: frozenset[SymbolKey], held: set[str]
) -> Iterator[Fault]:
    """What no legend explains; held are the roles whose features on the plate are known."""
    for symbol in sorted(drawn):
        if symbol.role in EXPLAINS_ITSELF or symbol in legend:
            continue
        spec = site.catalogue[symbol.role]
        types_unknown = not symbol.type and symbol.role not in held
        if types_unknown and any(known.role == symbol.role for known in legend):
            continue
        named = symbol_words(spec, symbol.type)
        yield Fault(
            f'"{named}" of the layer "{spec.title}" is drawn, and the legend does not explain it',
            f'add "{named}" to the legend',
            role=symbol.role,
            distinct=f"not explained {symbol.type}",
        )


def _reverse(
    explained: list[tuple[str, frozenset[SymbolKey]]], drawn: set[SymbolKey], roles: set[str]
) -> Iterator[Fault]:
    typed = {symbol.role for symbol in drawn if symbol.type}
    for text, symbols in explained:
        if symbols & drawn:
            continue
        # a layer without features of the site, or with types that the site does not name
        if any(s.role in roles and s.role not in typed for s in symbols):
            continue
        first = min(symbols)
        yield Fault(
            f'the legend explains "{text}", and nothing of it is drawn',
            "take the entry away, or draw what it stands for",
            role=first.role,
            distinct=f"not drawn {first.role} {first.type}",
        )
