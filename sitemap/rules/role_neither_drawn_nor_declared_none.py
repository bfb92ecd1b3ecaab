"""SUB001: a role that a clause asks for is not there, and nobody says that it does not exist."""

from __future__ import annotations

from collections.abc import Iterator

from sitemap.catalogue import LayerSpec
from sitemap.measures.records import all_data, dataset_words
from sitemap.rules.rule import Ask, Checked, Fault, Said, rule
from sitemap.site import Site

ITEMS = tuple("abcdefghi")


@rule("SUB001", clauses=ITEMS)
def role_neither_drawn_nor_declared_none(site: Site) -> Iterator[Said]:
    """The map has something that it must show neither drawn nor declared absent.

    Why
        Items (a) to (i) list what the map shows. A missing layer can mean that nobody looked, or
        that somebody looked and there is none; only the second fulfils the clause.

    How it is measured
        Each role of layers/ that serves an item (a) to (i): boundary, disturbance, existing
        contours and controls must be drawn; every other one that is not optional is drawn or
        stands in site.toml under [declared_none] with who looked, in which source, on which date.
        One finding per role and clause item.

    When it does not apply
        To roles that layers/ calls optional, and to the grid, which GRD001 judges. A dataset that
        is there but could not be brought on the map (no CRS) is not reported a second time; the
        clause then needs a person.

    How to fix
        Hand in the layer, or name its file in site.toml under [layers]; where there is none on
        the site, declare it none with who, source and date.

    References
        § 162-11B(4)(a) to (i); NR 152 App. A S.10*(2)(d)1 to 9; the reading
        "Roles" of the pack.
    """
    drawn = declared = 0
    for spec in site.catalogue.specs:
        items = tuple(item for item in spec.items if item in ITEMS)
        if spec.presence == "optional" or spec.role == "grid" or not items:
            continue
        if site.role(spec.role) is not None:
            drawn += 1
            if site.declared_none(spec.role) is not None:
                for item in items:
                    yield Ask(
                        f"{spec.title}: drawn, yet declared none in site.toml; which is right?",
                        item,
                    )
        elif _handed_in(site, spec.role):
            for item in items:
                yield Ask(
                    f"{spec.title}: {_handed_in(site, spec.role)} is there but could not be put on "
                    "the map; look at it by hand, or mend it and check again",
                    item,
                )
        elif spec.presence == "declarable" and site.declared_none(spec.role) is not None:
            declared += 1
        else:
            for item in items:
                yield _missing(site, spec, item)
    words = f"{drawn} roles of items (a) to (i) are drawn, {declared} declared none"
    yield Checked(words, drawn + declared)


def _handed_in(site: Site, role: str) -> str:
    """The datasets of a role that did not come onto the map."""
    return ", ".join(dataset_words(d.provenance) for d in all_data(site) if d.role == role)


def _missing(site: Site, spec: LayerSpec, item: str) -> Fault:
    """The finding, with what site.toml named for the role where that could not be read."""
    named = [entry.path for entry in site.project.layers.get(spec.role, ())]
    unreadable = [u.file for u in site.unreadable if any(u.file.endswith(n) for n in named)]
    why = f"; its file {', '.join(unreadable)} could not be read" if unreadable else ""
    if spec.presence == "required":
        refused = " (it cannot be declared none)" if site.declared_none(spec.role) else ""
        message = f"{spec.title}: not drawn{why}; item ({item}) requires it{refused}"
        fix = f"hand in the layer, or name its file in site.toml: [layers] {spec.role} = ..."
    else:
        message = f"{spec.title}: neither drawn nor declared none{why}; item ({item}) asks for it"
        fix = (
            f"hand in the layer, or, if there is none here, write in site.toml: "
            f"[declared_none.{spec.role}] by = ..., source = ..., date = ..."
        )
    return Fault(message, fix, role=spec.role, clauses=(item,), distinct=item)
