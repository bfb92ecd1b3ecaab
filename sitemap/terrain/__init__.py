"""Elevation -> the ground as a surface; contours, slopes, drainage and the way downstream."""
