"""Verbs that print what the program knows: rule, layer, ordinance, doctor."""

from __future__ import annotations

from typing import Annotated

import typer


def rule(code: Annotated[str | None, typer.Argument(help="Such as CON001.")] = None) -> None:
    """Print a rule's page, or list all rules.

    Example: sitemap rule CON001
    """
    from sitemap.report.reference import rule_page

    print(rule_page(code), end="")


def layer(role: Annotated[str | None, typer.Argument(help="Such as wetlands.")] = None) -> None:
    """Print a layer role's fields, names and symbol, or list all roles.

    Example: sitemap layer wetlands
    """
    from sitemap.report.reference import layer_page

    print(layer_page(role), end="")


def ordinance(
    name: Annotated[str | None, typer.Argument(help="Pack name or TOML file.")] = None,
) -> None:
    """Print an ordinance pack clause by clause, or list the packs.

    Example: sitemap ordinance muskego
    """
    from sitemap.report.reference import ordinance_page

    print(ordinance_page(name), end="")


def doctor() -> None:
    """Versions, the three GDALs, PROJ grids present and missing, fonts.

    Example: sitemap doctor
    """
    from sitemap.doctor import diagnose

    rows: list[tuple[str, str, bool]] = diagnose()
    width = max(len(name) for name, _, _ in rows)
    for name, found, fine in rows:
        print(f"{'  ' if fine else '! '}{name:<{width}}  {found}")
    missing = sum(not fine for _, _, fine in rows)
    print(f"\n{missing} lines marked ! need a look" if missing else "\neverything is in place")
