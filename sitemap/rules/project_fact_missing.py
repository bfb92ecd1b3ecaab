"""DOC001: who, what, when and where to: the facts that the plan must state."""

from __future__ import annotations

from collections.abc import Iterator

from sitemap.finding import Quantity
from sitemap.project import Facts
from sitemap.rules.rule import Checked, Fault, Said, rule
from sitemap.site import Site

# fact of [project], clause, what it is in words, an example as site.toml takes it
FACTS: tuple[tuple[str, str, str, str], ...] = (
    ("owner", "3a", "name of the owner or developer", '"Hillside Land Company"'),
    ("owner_address", "3a", "address of the owner or developer", '"100 Main Street, Muskego"'),
    ("consultant", "3a", "name of the consulting firm", '"Kettle Moraine Engineering"'),
    ("consultant_address", "3a", "address of the consulting firm", '"200 Main Street, Muskego"'),
    ("contact", "3a", "name of the firm's contact", '"R. Engineer, 262-555-0100"'),
    ("start", "3a", "start date of construction", "2027-05-01"),
    ("end", "3a", "end date of construction", "2027-10-15"),
    ("description", "3b", "description of the site and of the work", '"Grading for four lots"'),
    ("site_acres", "3d", "total area of the site", "11.02"),
    ("disturbed_acres", "3d", "area expected to be disturbed", "2.75"),
    ("receiving_water", "3h", "name of the receiving water", '"Tess Corners Creek"'),
)


@rule("DOC001", clauses=("3a", "3b", "3d", "3h"))
def project_fact_missing(site: Site) -> Iterator[Said]:
    """The map has a fact of the project missing that the plan must state.

    Why
        The plan names who is responsible, what is built, how much ground is opened and which
        water receives the runoff; the title block and the area table print it.

    How it is measured
        The [project] table of site.toml: owner or developer and consulting firm with name and
        address, the firm's contact, start and end of construction, description, acres of the site
        and acres disturbed, receiving water. One finding per fact that is not there or blank, and
        one when the end is not after the start.

    When it does not apply
        Always applies. Whether stated acres agree with drawn ones is BND002 and DST002.

    How to fix
        Write the fact in site.toml under [project], as the finding shows.

    References
        § 162-11B(3)(a), (b), (d), (h).
    """
    facts = site.project.project
    missing = [entry for entry in FACTS if _blank(facts, entry[0])]
    for name, clause, words, example in missing:
        where = "site.toml" if site.project.path else "site.toml (there is none yet)"
        yield Fault(
            f"the {words} is not stated",
            f"write in {where}: [project] {name} = {example}",
            field_name=name,
            clauses=(clause,),
            distinct=name,
        )
    if facts.start is not None and facts.end is not None and facts.end <= facts.start:
        days = (facts.end - facts.start).days
        yield Fault(
            f"construction ends on {facts.end}, which is not after its start on {facts.start}",
            "correct [project] start and end in site.toml",
            measured=Quantity(days, "days"),
            field_name="end",
            clauses=("3a",),
            distinct="start after end",
        )
    stated = len(FACTS) - len(missing)
    yield Checked(f"{stated} of {len(FACTS)} facts are stated", len(FACTS))


def _blank(facts: Facts, name: str) -> bool:
    value = getattr(facts, name)
    return value is None or (isinstance(value, str) and not value.strip())
