"""The tables of our TOML and JSON files: strict."""

from __future__ import annotations

from typing import ClassVar

from pydantic import BaseModel, ConfigDict


class StrictTable(BaseModel):
    """A frozen table in which an unknown key and a number without end are errors.

    in_words is what may stand in its place, for the message about anything else.

    The validator of a table is made when it is first filled, so that tables that stand only inside
    others have none of their own: making them took a tenth of a second in every run.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True, allow_inf_nan=False)

    in_words: ClassVar[str] = "a table"
