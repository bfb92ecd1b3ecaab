"""The tables of our TOML and JSON files: strict, and their errors in the words of an editor.

A fault names the key, what was found and what is allowed.
"""

from __future__ import annotations

import difflib
import typing
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError


class StrictTable(BaseModel):
    """A frozen table in which an unknown key is an error.

    The validator of a table is made when it is first filled, so that tables that stand only inside
    others have none of their own: making them took a tenth of a second in every run.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


def schema_fault(error: ValidationError, model: type[BaseModel]) -> tuple[str, str]:
    """The key of the first fault, dotted, and a sentence; further faults are counted."""
    # an unknown key first: it is most often the misspelling of one that is missing
    faults = sorted(
        error.errors(include_url=False), key=lambda fault: fault["type"] != "extra_forbidden"
    )
    first = faults[0]
    place = first["loc"]
    key = ".".join(str(part) for part in place)
    words = _words(first["type"], first, place, model)
    if len(faults) > 1:
        others = ", ".join(".".join(map(str, fault["loc"])) for fault in faults[1:6])
        words += f" (and {len(faults) - 1} more: {others})"
    return key, words


def _words(kind: str, fault: Any, place: tuple[int | str, ...], model: type[BaseModel]) -> str:
    found = fault["input"]
    if kind == "missing":
        return "this key is missing and must be given"
    if kind == "extra_forbidden":
        allowed = sorted(_keys_beside(place, model))
        near = difflib.get_close_matches(str(place[-1]), allowed, n=1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        return f"unknown key{hint or ';'} allowed here: {', '.join(allowed)}"
    if kind == "literal_error":
        return f"found {found!r}; allowed: {fault['ctx']['expected']}"
    expected = {
        "string_type": "text in quotes",
        "tuple_type": "a list in square brackets",
        "dict_type": "a table",
        "model_type": "a table",
        "int_type": "a whole number",
        "int_parsing": "a whole number",
        "float_type": "a number",
        "float_parsing": "a number",
        "bool_type": "true or false",
        "bool_parsing": "true or false",
    }.get(kind)
    return f"found {found!r}; must be {expected or fault['msg'][0].lower() + fault['msg'][1:]}"


def _keys_beside(place: tuple[int | str, ...], model: type[BaseModel]) -> list[str]:
    """The keys of the table that holds the last part of `place`."""
    here: type[BaseModel] | None = model
    for part in place[:-1]:
        if here is not None and part in here.model_fields:
            annotation = here.model_fields[str(part)].annotation
            here = _model_in(annotation) or here
    return list(here.model_fields) if here is not None else []


def _model_in(annotation: Any) -> type[BaseModel] | None:
    """The table type inside dict[str, X], tuple[X, ...] or X | None."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    for inner in typing.get_args(annotation):
        found = _model_in(inner)
        if found is not None:
            return found
    return None
