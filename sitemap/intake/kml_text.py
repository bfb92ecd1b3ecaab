"""The texts of a KML or KMZ: which of an archive are read, and small faults of them mended.

A KMZ shows its doc.kml and what that links to within the archive (07-147r2, annex C). Without a
doc.kml it is an archive of several files, and each is read. Nothing outside it is ever opened.
"""

from __future__ import annotations

import codecs
import posixpath
import re
import zipfile
from collections import Counter
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote
from xml.parsers import expat

from sitemap.errors import DatasetError
from sitemap.intake.archives import zip_entries
from sitemap.intake.discover import Found
from sitemap.intake.files import Entry, Workspace, ZippedFile, stem_of, suffix_of
from sitemap.intake.kml_stream import Container, NotKmlError, Stream
from sitemap.intake.oddities import count_of, odd
from sitemap.layer import Oddity, Unreadable

LARGEST = 512 * 1024 * 1024  # bytes of text in all; ten million vertices and more
FREE_OF_RATIO, MOST_SWOLLEN = 64 * 1024 * 1024, 100  # KML packs to a fifth or a twentieth
LARGEST_MENDED = 256 * 1024 * 1024  # bytes; a larger text is read up to its fault
_SHOWN = 4
_FAULTS = (expat.ExpatError, ValueError, LookupError)  # and encodings that nobody knows
_DECLARATION = re.compile(r"<\?xml[^>]*\?>")
_NO_XML = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_CDATA_OR_AND = re.compile(
    r"<!\[CDATA\[.*?(?:\]\]>|\Z)|&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[0-9a-fA-F]+);)", re.DOTALL
)


@dataclass(eq=False)
class Texts:
    """All texts of a file that were read, as one stream, and what was noticed on the way."""

    stream: Stream = field(default_factory=Stream)
    notes: list[Oddity] = field(default_factory=list)

    def take(self, text: Stream) -> None:
        """Add what another text holds."""
        mine = self.stream
        mine.placemarks += text.placemarks
        mine.types.update(text.types)
        mine.unread += text.unread
        mine.bare += text.bare
        mine.broken += text.broken
        mine.encoding = mine.encoding or text.encoding
        mine.cut = mine.cut or text.cut


def texts_of(found: Found, work: Workspace) -> Texts:
    """What a KML or KMZ holds; DatasetError or NotKmlError where its main text is none."""
    texts = Texts()
    with closing(found.main.open()) as head:
        packed = head.read(2) == b"PK"
    if not packed:
        _refuse_large([found.main], found.name)
        main = parsed(found.main, (), texts.notes)
        texts.take(main)
        _say_links(texts, [href for href, _ in main.links])
        return texts
    members = _members(found, work, texts.notes)
    named = {one.name.lower(): one for one in members}
    first = named.get("doc.kml")
    roots = members if first is None else [first]
    several = len(roots) > 1
    queue = [(one, _folder(stem_of(one.name)) if several else ()) for one in roots]
    seen, outside = {one.name for one in roots}, []
    for entry, folders in queue:  # grows while it is walked
        try:
            text = parsed(entry, folders, texts.notes)
        except (DatasetError, NotKmlError) as error:
            if len(queue) == 1:
                raise
            why = error.reason if isinstance(error, DatasetError) else error
            texts.notes.append(odd("kml_unread", f"{entry.name} in the archive: {why}"))
            continue
        texts.take(text)
        for href, above in text.links:
            linked = named.get(_within(entry.name, href))
            if linked is None:
                outside.append(href)
            elif linked.name not in seen:
                seen.add(linked.name)
                own = above if above and above[-1].name else (*above, *_folder(stem_of(href)))
                queue.append((linked, own))
    _say_links(texts, outside)
    apart = [one.name for one in members if one.name not in seen]
    if apart:
        words = f"not read, since doc.kml does not link to it: {_shown(apart)}"
        texts.notes.append(odd("kml_unread", f"{words}. Send as a KML what belongs on the map"))
    return texts


def _members(found: Found, work: Workspace, notes: list[Oddity]) -> list[Entry]:
    """The .kml in an archive, those that may be opened; a word on the others."""
    packed = work.new_folder() / "packed.kmz"
    found.main.stage(packed)
    listed = zip_entries(_archive(packed, work, found.name), found.name)
    texts = [one for one in listed if not isinstance(one, Unreadable)]
    texts = [one for one in texts if suffix_of(one.name) == ".kml"]
    refused = [one for one in listed if isinstance(one, Unreadable)]
    for one in refused:
        notes.append(odd("kml_unread", f"{one.file} in the archive: {one.reason}"))
    if not texts:
        said = "".join(f"; {one.file}: {one.reason}" for one in refused[:_SHOWN])
        raise DatasetError(found.name, "archive_without_data", f"the KMZ holds no .kml{said}")
    _refuse_large(texts, found.name)
    return texts


def _refuse_large(texts: list[Entry], name: str) -> None:
    """DatasetError for what would fill the memory: KML is read whole."""
    size = sum(one.size for one in texts)
    packed = sum(one.info.compress_size for one in texts if isinstance(one, ZippedFile))
    if size > LARGEST:
        words = f"{size / 1e6:,.0f} MB of KML; at most {LARGEST / 1e6:,.0f} are read"
        raise DatasetError(name, "archive_too_large", f"{words}. Send it as a GeoPackage")
    if packed and size > FREE_OF_RATIO and size > MOST_SWOLLEN * packed:
        words = f"would swell {size / packed:,.0f} times to {size / 1e6:,.0f} MB; at most"
        raise DatasetError(name, "archive_bomb", f"{words} {MOST_SWOLLEN} times are taken")


def _archive(packed: Path, work: Workspace, name: str) -> zipfile.ZipFile:
    try:
        return work.archive(packed)
    except DatasetError as error:
        raise DatasetError(name, error.kind, error.reason) from None


def _folder(name: str) -> tuple[Container, ...]:
    return (Container("Folder", name),) if name else ()


def _within(text: str, href: str) -> str:
    """The member that a link means, in lower case; one that leads out is no member's name."""
    path = unquote(href.split("#", 1)[0].strip()).replace("\\", "/")
    return posixpath.normpath(posixpath.join(posixpath.dirname(text), path)).lower()


def _say_links(texts: Texts, hrefs: list[str]) -> None:
    if hrefs:
        links = Counter({"link to another file or server": len(hrefs)})
        texts.stream.unread = links + texts.stream.unread
        texts.stream.outside += hrefs


def _shown(names: list[str]) -> str:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more


def parsed(entry: Entry, folders: tuple[Container, ...], notes: list[Oddity]) -> Stream:
    """One text as it was read, mended where its faults are small; cut says where it breaks off.

    NotKmlError where it is no KML or nothing of it can be read.
    """
    stream = Stream(folders)
    try:
        with closing(entry.open()) as text:
            stream.parser.ParseFile(text)
        return stream
    except _FAULTS as error:
        stream.cut = str(error)
    mended, how = _mended(entry)
    if how:
        second = Stream(folders)
        try:
            second.parser.Parse(mended, True)
        except _FAULTS as error:
            second.cut = str(error)
        if not second.cut or _drawn(second) > _drawn(stream):
            notes.append(odd("kml_mended", f"the XML is not well formed: {', '.join(how)}"))
            return second
    if not _drawn(stream):
        raise NotKmlError(f"the XML is not well formed ({stream.cut}); export it again")
    return stream


def _drawn(stream: Stream) -> int:
    return len(stream.placemarks)


def _mended(entry: Entry) -> tuple[bytes, list[str]]:
    """The text without faults that change nothing of what it says, and which those were."""
    if entry.size > LARGEST_MENDED:
        return b"", []
    with closing(entry.open()) as stream:
        raw = stream.read()
    text, how = _decoded(raw)
    start = text.find("<")
    if text[:start].strip("\ufeff"):
        how.append("something stands before it")
    text = text[max(start, 0) :]
    declared = _DECLARATION.match(text)
    text = text[declared.end() :] if declared else text
    text, controls = _NO_XML.subn("", text)
    if controls:
        how.append(f"{count_of(controls, 'control character')} left out")
    text, alone = _with_ands(text)
    if alone:
        how.append(f"{count_of(alone, '& that stands alone', '& that stand alone')}")
    return text.encode("utf-8", "replace"), how


def _with_ands(text: str) -> tuple[str, int]:
    """Each & that begins no entity written as one, outside of CDATA; and how many there were."""
    count = 0

    def written(hit: re.Match[str]) -> str:
        nonlocal count
        if hit[0] != "&":
            return hit[0]
        count += 1
        return "&amp;"

    return _CDATA_OR_AND.sub(written, text), count


def _decoded(raw: bytes) -> tuple[str, list[str]]:
    for mark, codec in ((codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16")):
        if raw.startswith(mark):
            return raw.decode(codec, "replace"), []
    try:
        return raw.decode("utf-8"), []
    except UnicodeDecodeError:
        how = ["bytes that are no UTF-8 are taken for Windows-1252"]
        return raw.decode("cp1252", "replace"), how
