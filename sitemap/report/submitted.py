"""Where a file of the submission lies as seen from where the program was started.

Text only: nothing is looked up on disk, so a report is the same wherever it is written.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePath, PurePosixPath

from sitemap.site import Site


@dataclass(frozen=True)
class SubmittedFile:
    """path as typed on the command line; `inside` is the member where path is an archive."""

    path: str
    inside: str | None = None


def submitted_file(site: Site, file: str) -> SubmittedFile:
    """The file behind a name inside the submission."""
    submission = PurePath(site.submission)
    if submission.suffix.lower() == ".toml":
        return SubmittedFile(_joined(submission.parent, file))
    if submission.name == file:
        return SubmittedFile(submission.as_posix())
    if submission.suffix.lower() in (".zip", ".shz") or _was_opened(site, submission):
        return SubmittedFile(submission.as_posix(), file)
    return SubmittedFile(_joined(submission, file))


def _was_opened(site: Site, path: PurePath) -> bool:
    """Whether the submission is a single file, which then holds the datasets."""
    parts = path.parts
    return any(opened.parts[-len(parts) :] == parts for opened in site.input_files)


def _joined(folder: PurePath, file: str) -> str:
    return str(PurePosixPath(folder.as_posix()) / PurePosixPath(file))
