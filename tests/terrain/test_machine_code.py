"""Compiled kernels are made once, and then taken from disk without the compiler."""

from __future__ import annotations

import ctypes
import subprocess
import sys
import tomllib
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import numpy as np
import pytest

from sitemap.terrain import machine_code

pytest.importorskip("numba", reason="the extra `fast` is not installed")

SUMS = "flood_kernel", "added_up", "idhN"


def test_what_lies_on_disk_is_taken_without_numba() -> None:
    """Three cells in a row give on what they have: 1, 2, 3."""
    machine_code.native(*SUMS)
    assert machine_code.is_made(*SUMS)
    code = (
        "import sys\nimport numpy as np\nfrom sitemap.terrain.compiled_flood import added_up\n"
        "total = np.ones(3)\nadded_up(np.array([1, 2, 3], np.int32), total)\n"
        "print(total.tolist(), 'numba' in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[1.0, 2.0, 3.0] False"


def test_a_change_of_the_kernel_or_of_what_it_is_given_makes_other_code() -> None:
    names = {
        machine_code._places(*of)[0].name
        for of in (SUMS, ("flood_kernel", "added_up", "iNhN"), ("flood_kernel", "flood", "idhN"))
    }
    assert len(names) == 3


def test_a_change_of_what_a_kernel_calls_makes_other_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its module may call others whose names begin with its own; the code of all is in one file."""
    monkeypatch.setattr(machine_code, "HERE", tmp_path)
    found = []
    for part, text in (("kernel", ""), ("kernel_part", ""), ("kernel_part", "more"), ("other", "")):
        (tmp_path / f"{part}.py").write_text(text)
        machine_code._fingerprint.cache_clear()
        found.append(machine_code._fingerprint("kernel", "name", "d"))
    machine_code._fingerprint.cache_clear()
    assert len(set(found[:3])) == 3
    assert found[3] == found[2]


def test_code_is_put_where_it_can_be_and_replaces_what_is_stale(tmp_path: Path) -> None:
    """Its first place is below a file, so that no folder can be made there."""
    (tmp_path / "file").write_text("")
    own = tmp_path / "cache" / "kernel.name.d-new.o"
    own.parent.mkdir()
    stale, other = own.with_name("kernel.name.d-old.o"), own.with_name("kernel.name.f-old.o")
    for path in (stale, other):
        path.write_bytes(b"")
    machine_code._kept([tmp_path / "file" / "below" / own.name, own], b"code")
    assert sorted(path.name for path in own.parent.iterdir()) == [own.name, other.name]
    assert machine_code._on_disk([tmp_path / "nowhere.o", own]) == b"code"


def test_without_the_extra_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(name: str) -> str:
        raise PackageNotFoundError(name)

    machine_code._fingerprint.cache_clear()
    monkeypatch.setattr(machine_code, "version", nothing)
    with pytest.raises(ImportError, match="fast"):
        machine_code.native("flood_kernel", "added_up", "idhNN")
    machine_code._fingerprint.cache_clear()


def test_sums_are_those_of_numpy() -> None:
    """A comb: every cell gives to the one on its left, the first of a row leaves."""
    receiver = np.arange(-1, 19, dtype=np.int32)
    receiver[[0, 5, 10, 15]] = 20
    total = np.ones(20)
    machine_code.native(*SUMS)(receiver, total, np.zeros(20, np.uint16), 20)
    assert total.tolist() == [5.0, 4.0, 3.0, 2.0, 1.0] * 4


def test_damaged_code_is_not_run(tmp_path: Path) -> None:
    place = tmp_path / "kernel.name.d-new.o"
    machine_code._kept([place], b"code")
    assert machine_code._on_disk([place]) == b"code"
    kept = place.read_bytes()
    place.write_bytes(kept[:-1] + bytes([kept[-1] ^ 1]))
    assert machine_code._on_disk([place]) is None
    place.write_bytes(kept[:20])
    assert machine_code._on_disk([place]) is None


@pytest.mark.parametrize(
    "total", [np.ones(3, np.float32), np.ones(6)[::2]], ids=["another kind", "not in one piece"]
)
def test_an_array_of_another_kind_is_refused(total: np.ndarray) -> None:
    receiver, waits = np.array([1, 2, 3], np.int32), np.zeros(3, np.uint16)
    with pytest.raises(TypeError, match="float64 in one piece"):
        machine_code.native(*SUMS)(receiver, total, waits, 3)


def test_only_the_numba_whose_insides_are_known_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of another one the plain ways are taken, which give the same results."""
    wanted = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())
    assert wanted["project"]["optional-dependencies"]["fast"] == ["numba>=0.68,<0.69"]
    assert machine_code.can_compile()
    for found in ("0.67.0", "0.69.0"):
        machine_code.can_compile.cache_clear()
        monkeypatch.setattr(machine_code, "version", lambda name, found=found: found)
        assert not machine_code.can_compile()
    machine_code.can_compile.cache_clear()


def test_a_kernel_keeps_the_memory_into_which_it_tells_how_it_ended() -> None:
    """What it is given by number alone is free for others, and would be written over."""
    add = machine_code.native(*SUMS)
    held = [cell.cell_contents for cell in add.__closure__ or ()]
    assert any(isinstance(one, ctypes.Array) and ctypes.sizeof(one) >= 64 for one in held)


def test_an_array_may_be_given_by_its_address() -> None:
    receiver, waits, total = np.array([1, 2, 3], np.int32), np.zeros(3, np.uint16), np.ones(3)
    places = machine_code.address_of(receiver, "i"), machine_code.address_of(total, "d")
    machine_code.native(*SUMS)(*places, waits, 3)
    assert total.tolist() == [1.0, 2.0, 3.0]
