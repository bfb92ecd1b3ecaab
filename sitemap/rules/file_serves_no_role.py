"""SUB006: a dataset that none of the roles takes."""

from __future__ import annotations

from collections.abc import Iterator

from sitemap.finding import Severity
from sitemap.measures.cures import in_site_toml
from sitemap.measures.records import all_data, dataset_source, dataset_words
from sitemap.rules.rule import Checked, Fault, NotApplicable, Said, rule
from sitemap.site import Site


@rule("SUB006", clauses=("map",), severity=Severity.INFO)
def file_serves_no_role(site: Site) -> Iterator[Said]:
    """The map has a file handed in with it that serves no role.

    Why
        It is neither checked nor drawn. Perhaps it was never meant for this map; perhaps its name
        and its fields kept it from being recognised, and a clause misses it.

    How it is measured
        Every dataset that could be read is matched to a role by site.toml, else by name, fields
        and geometry; those that match none are listed with the reason. Information only.

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
    for data in every:
        if data.role is None:
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
