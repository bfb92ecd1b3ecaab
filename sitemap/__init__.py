"""Checks an erosion-control site map against a legal paragraph and draws the map that passes."""

__version__ = "0.1.0"
