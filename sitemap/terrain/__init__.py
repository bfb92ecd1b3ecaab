"""The ground as a surface: heights and slopes at any place."""
