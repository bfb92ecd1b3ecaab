"""What is raised when the tool cannot go on. Faults of a map are findings, never errors.

Every message says what failed, what was found, what is accepted, what to do.
"""

from __future__ import annotations

from pathlib import Path


class SitemapError(Exception):
    """Base of all errors that a user can cause and mend; the CLI prints it and exits 2."""


class UsageError(SitemapError):
    """An argument or option that cannot be used."""


class SubmissionError(SitemapError):
    """The submission as a whole cannot be opened: missing, empty, not a known container."""


class DatasetError(SitemapError):
    """One dataset cannot be read; the run goes on and the file becomes a finding."""

    def __init__(self, path: Path | str, kind: str, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = str(path)
        self.kind = kind
        self.reason = reason


class CrsError(SitemapError):
    """A coordinate reference system that is missing, unknown or unfit for the purpose."""


class ConfigurationError(SitemapError):
    """A TOML file (site, layer, ordinance) that breaks its schema; names file and key."""

    def __init__(self, path: Path | str, key: str, message: str) -> None:
        where = f"{path}: {key}: " if key else f"{path}: "
        super().__init__(where + message)
        self.path = str(path)
        self.key = key


class SurfaceError(SitemapError):
    """Elevation that is missing, or that cannot be made into a surface."""


class PlateError(SitemapError):
    """A plate that cannot be drawn, or that failed its own measurement."""
