"""The XMP packet of a plate: title, author, subject, program and dates, for archives and portals.

Written with the standard library: the one that pikepdf brings for it is as large as a megapixel.
Source: ISO 16684-1, sections 7.4 and 8.
"""

from __future__ import annotations

import datetime as dt
from xml.etree import ElementTree

_PACKET = '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>\n{}\n<?xpacket end="w"?>'
_SPACES = {
    "x": "adobe:ns:meta/",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "dc": "http://purl.org/dc/elements/1.1/",
    "xmp": "http://ns.adobe.com/xap/1.0/",
    "pdf": "http://ns.adobe.com/pdf/1.3/",
}
_LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"


def xmp_packet(title: str, author: str, subject: str, program: str, moment: dt.datetime) -> bytes:
    """The packet in UTF-8; the texts must hold no control characters."""
    for prefix, space in _SPACES.items():
        ElementTree.register_namespace(prefix, space)
    meta = ElementTree.Element(_named("x:xmpmeta"))
    rdf = ElementTree.SubElement(meta, _named("rdf:RDF"))
    about = ElementTree.SubElement(rdf, _named("rdf:Description"), {_named("rdf:about"): ""})
    _listed(about, "dc:title", "rdf:Alt", title)
    _listed(about, "dc:creator", "rdf:Seq", author)
    _listed(about, "dc:description", "rdf:Alt", subject)
    for name in ("xmp:CreatorTool", "pdf:Producer"):
        ElementTree.SubElement(about, _named(name)).text = program
    for name in ("xmp:CreateDate", "xmp:ModifyDate", "xmp:MetadataDate"):
        ElementTree.SubElement(about, _named(name)).text = moment.isoformat(timespec="seconds")
    return _PACKET.format(ElementTree.tostring(meta, encoding="unicode")).encode("utf-8")


def _listed(about: ElementTree.Element, name: str, kind: str, text: str) -> None:
    """One text in the list that XMP asks for: by language (Alt) or in order (Seq)."""
    listed = ElementTree.SubElement(ElementTree.SubElement(about, _named(name)), _named(kind))
    item = ElementTree.SubElement(listed, _named("rdf:li"))
    item.text = text
    if kind == "rdf:Alt":
        item.set(_LANGUAGE, "x-default")


def _named(name: str) -> str:
    prefix, local = name.split(":")
    return f"{{{_SPACES[prefix]}}}{local}"
