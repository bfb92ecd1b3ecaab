"""SUB006: a dataset that none of the roles takes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from sitemap.finding import Severity, Source
from sitemap.intake.formats import CAD
from sitemap.layer import Layer
from sitemap.measures.cures import in_site_toml
from sitemap.measures.records import all_data, dataset_source, dataset_words
from sitemap.rules.rule import Checked, Fault, NotApplicable, Said, rule
from sitemap.site import Site

MOST_NAMED = 12  # CAD layers in one finding


@rule("SUB006", clauses=("map",), severity=Severity.INFO)
def file_serves_no_role(site: Site) -> Iterator[Said]:
    """The map has a file handed in with it that serves no role.

    Why
        It is neither checked nor drawn. Perhaps it was never meant for this map; perhaps its name
        and its fields kept it from being recognised, and a clause misses it.

    How it is measured
        Every dataset that could be read is matched to a role by site.toml, else by name, fields
        and geometry; those that match none are listed with the reason, the layers of a drawing in
        one finding. Information only.

    When it does not apply
        To files without a layer in them.

    How to fix
        Name the file under its role in site.toml, or leave it out.

    References
        § 162-11B(4); `sitemap layer` lists the roles and the names by which they are recognised.
    """
    every = all_data(site)
    if not every:
        yield NotApplicable("no dataset could be read")
        return
    yield from _drawings(site)
    for data in every:
        if data.role is None and data.provenance.driver != CAD:
            reason = data.choice.reason.rstrip(".")
            yield Fault(
                f"{dataset_words(data.provenance)} serves no role"
                + (f": {reason}" if reason else ""),
                f"if it belongs on the map, name it {in_site_toml(site, data.provenance, None)}",
                source=dataset_source(data.provenance),
                distinct=dataset_words(data.provenance),
            )
    serving = sum(data.role is not None for data in every)
    yield Checked(f"{serving} of {len(every)} datasets serve a role", len(every))


def _drawings(site: Site) -> Iterator[Fault]:
    """One finding for each drawing that has layers without a role: it may have a hundred."""
    layers: dict[str, list[Layer]] = defaultdict(list)
    for one in site.datasets:
        if one.provenance.driver == CAD:
            layers[one.provenance.file].append(one)
    for file, every in sorted(layers.items()):
        idle = [one for one in every if one.role is None]
        if not idle:
            continue
        named = ", ".join(one.provenance.layer for one in idle[:MOST_NAMED])
        more = f" and {len(idle) - MOST_NAMED} more" if len(idle) > MOST_NAMED else ""
        yield Fault(
            f"{file}: {len(idle)} of its {len(every)} CAD layers serve no role: {named}{more}; "
            "sitemap inventory says why",
            "those that belong on the map, name " + in_site_toml(site, idle[0].provenance, None),
            source=Source(file),
            distinct=file,
        )
