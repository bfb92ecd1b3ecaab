"""What was freed goes back to the system; where the system cannot be asked, nothing happens."""

from __future__ import annotations

import subprocess
import sys

import pytest

from sitemap import freed_memory

HOLES = """
from sitemap.freed_memory import map_large_arrays, return_freed
def resident_mb():
    words = open("/proc/self/statm").read().split()
    return int(words[1]) * 4096 / 1e6
made = [bytes(1000) for _ in range(150_000)]
kept = made[::100]  # one in every hundred kilobytes stays
del made
before = resident_mb()
return_freed()  # nothing: no large layer has been met
held = before - resident_mb()
map_large_arrays()  # gives back what is free
print(before - resident_mb(), held, len(kept))
"""


@pytest.mark.skipif(
    freed_memory._library() is None, reason="the C library here cannot be asked for its memory"
)
def test_holes_between_what_is_kept_go_back() -> None:
    """150 MB of small things are freed but for one in a hundred: most of the pages hold nothing."""
    done = subprocess.run([sys.executable, "-c", HOLES], capture_output=True, text=True, check=True)
    back_mb, held_mb, kept = done.stdout.split()
    assert float(held_mb) < 1.0
    assert float(back_mb) > 100.0
    assert int(kept) == 1500


def test_another_system_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    freed_memory._library.cache_clear()
    try:
        assert freed_memory._library() is None
        freed_memory.map_large_arrays()
        freed_memory.return_freed()
    finally:
        freed_memory._library.cache_clear()
