"""What is wrong in a TOML or JSON file of ours, in the words of its model: key, found, accepted."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection
from pathlib import Path
from typing import Any, get_args

from pydantic import BaseModel, ValidationError

from sitemap.errors import ConfigurationError

_Steps = tuple[int | str, ...]

# What a value should have been, by the first word of pydantic's kind of fault.
_PLAIN = {
    "date": "a date such as 2026-05-01",
    "datetime": "a date and time such as 2026-05-01T12:00:00",
    "int": "a whole number",
    "float": "a number",
    "string": "text in quotes",
    "bool": "true or false",
    "dict": "a table",
    "tuple": "a list in square brackets",
    "list": "a list in square brackets",
}
# The name of a kind among several, as pydantic adds it to the place of a fault.
_KIND = re.compile(r"(float|str|constrained-\w+|literal\[.*|tuple\[.*)")
_LIMITS = {
    "greater_than": ("gt", "greater than"),
    "greater_than_equal": ("ge", "of at least"),
    "less_than": ("lt", "less than"),
    "less_than_equal": ("le", "of at most"),
}


def explained(
    error: ValidationError,
    path: Path | str,
    model: type[BaseModel],
    content: Any = None,
    hidden: Collection[str] = (),
    inside: str = "",
    hint: str = "",
) -> ConfigurationError:
    """The first fault of a validation, and how many more there are.

    path is the file's; model describes its whole content, of which the fields in hidden are no
    keys of the file. content, where given, names the entries of lists by their id. inside is the
    key that holds the content, where it is not the whole file; hint says what file was wanted.
    """
    # an unknown key first: it is most often the misspelling of one that is missing
    faults = sorted(
        error.errors(include_url=False), key=lambda fault: fault["type"] != "extra_forbidden"
    )
    steps = [_place(fault["loc"]) for fault in faults]
    tried = [fault for fault, place in zip(faults, steps, strict=True) if place == steps[0]]
    words = _words(tried, steps[0], model, hidden)
    others = list(dict.fromkeys(_key(place, content) for place in steps if place != steps[0]))
    if others:
        words += f". And {len(others)} more: {', '.join(others[:5])}"
    if hint:
        words += f"; {hint}"
    key = _key(steps[0], content)
    return ConfigurationError(path, f"{inside}.{key}".strip("."), words)


def _words(tried: list[Any], steps: _Steps, model: type[BaseModel], hidden: Collection[str]) -> str:
    """The faults of one value: several where it could have been one of several kinds."""
    fault, table = tried[0], _model_at(model, steps[:-1])
    if fault["type"] == "extra_forbidden":
        left_out = hidden if table is model else ()
        accepted = [shown for key, shown, _ in _keys(table) if key not in left_out]
        near = difflib.get_close_matches(str(steps[-1]), accepted, 1)
        hint = f" (did you mean {near[0]}?)" if near else ""
        return f"there is no such key{hint}; accepted here: {', '.join(accepted)}"
    if fault["type"] == "missing":
        needed = [shown for _, shown, is_required in _keys(table) if is_required]
        return f"is missing; this table must have {', '.join(needed) or 'more keys'}"
    if fault["type"] == "value_error":
        return str(fault["msg"]).removeprefix("Value error, ")
    value = fault.get("input")
    found = type(value).__name__ if isinstance(value, dict | list | tuple) else repr(value)
    wanted = dict.fromkeys(_wanted(one, _model_at(model, steps)) for one in tried)
    return f"found {found}; accepted: {' or '.join(wanted)}"


def _keys(table: type[BaseModel] | None) -> list[tuple[str, str, bool]]:
    """Fields of a table: name, key in the file, whether it must be there."""
    fields = table.model_fields if table is not None else {}
    return [(name, info.alias or name, info.is_required()) for name, info in fields.items()]


def _wanted(fault: Any, table: type[BaseModel] | None) -> str:
    """What a value should have been, in words; table is what stands there otherwise."""
    kind, message = str(fault["type"]), str(fault["msg"])
    if kind in _LIMITS:
        limit, words = _LIMITS[kind]
        return f"a number {words} {fault['ctx'][limit]:g}"
    if kind == "literal_error":
        return str(fault["ctx"]["expected"])
    if kind == "model_type":
        return getattr(table, "in_words", "a table")
    if kind == "finite_number":
        return "a finite number"
    return _PLAIN.get(kind.split("_", 1)[0]) or message[:1].lower() + message[1:]


def _place(steps: _Steps) -> _Steps:
    """The key of a fault, without the kinds that pydantic tried for one value."""
    kinds = (n for n, step in enumerate(steps) if n and _KIND.fullmatch(str(step)))
    return steps[: next(kinds, len(steps))]


def _key(steps: _Steps, content: Any = None) -> str:
    """'layers.roads.path'; an entry of several as 'layers.roads (entry 2).path' or by its id."""
    shown, here = "", content
    for step in steps:
        among, here = here, _within(here, step)
        if isinstance(step, str):
            shown += f".{step}" if shown else step
        elif isinstance(here, dict) and "id" in here:
            shown += f".{here['id']}"
        elif step or (isinstance(among, list) and len(among) > 1):
            shown += f" (entry {step + 1})"
    return shown


def _within(content: Any, step: int | str) -> Any:
    try:
        return content[step]
    except (KeyError, IndexError, TypeError):
        return None


def _model_at(model: type[BaseModel], steps: _Steps) -> type[BaseModel] | None:
    """The model of the table at a place of the file; None where no table stands there."""
    for step in steps:
        info = model.model_fields.get(str(step)) if isinstance(step, str) else None
        if info is None:
            continue  # the name of a role, or a place in a list
        inner = _inner_model(info.annotation)
        if inner is None:
            return None
        model = inner
    return model


def _inner_model(annotation: Any) -> type[BaseModel] | None:
    """The table type inside dict[str, X], tuple[X, ...] or X | None."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    for part in get_args(annotation):
        found = _inner_model(part)
        if found is not None:
            return found
    return None
