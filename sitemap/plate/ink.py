"""What all pages of a file draw with."""

from __future__ import annotations

from sitemap.plate import fonts
from sitemap.plate.glyphs import GlyphUse


class Ink:
    """What all pages of a file draw with: letters of the fonts, degrees of transparency."""

    def __init__(self) -> None:
        self.glyphs: dict[tuple[bool, bool], GlyphUse] = {}
        self.alphas: dict[float, str] = {1.0: "SmA100"}

    def font(self, bold: bool, italic: bool) -> GlyphUse:
        """The letters used so far of a style."""
        key = (bold, italic and not bold)  # no bold italic is shipped
        if key not in self.glyphs:
            self.glyphs[key] = GlyphUse(f"F{len(self.glyphs) + 1}", fonts.face(*key))
        return self.glyphs[key]

    def alpha(self, value: float) -> str:
        """The name of a degree of transparency."""
        return self.alphas.setdefault(value, f"SmA{round(value * 100)}x{len(self.alphas)}")
