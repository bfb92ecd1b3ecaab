"""A wheel built from the tree installs into an empty environment and draws the sample's plate."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow


def _run(arguments: list[str | Path], cwd: Path) -> str:
    """Run without the checkout on the path; fail with what the command printed."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "VIRTUAL_ENV"))}
    done = subprocess.run(
        [str(a) for a in arguments], cwd=cwd, env=clean, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{arguments}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def test_wheel_draws_the_sample_s_plate(root: Path, tmp_path: Path) -> None:
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", tmp_path, root]
    _run(build, tmp_path)
    (wheel,) = tmp_path.glob("sitemap-*.whl")
    home = tmp_path / "empty"
    venv.create(home, with_pip=True)
    bin_folder = home / ("Scripts" if os.name == "nt" else "bin")
    pip = [bin_folder / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    _run([*pip, "-c", root / "constraints.txt", wheel], tmp_path)
    (sample,) = (p.parent for p in (root / "sample_sites").glob("*/site.toml"))
    out = tmp_path / "plate.pdf"
    said = _run([bin_folder / "sitemap", "plate", sample / "site.toml", "-o", out], tmp_path)
    assert "1 in = " in said
    assert out.stat().st_size > 100_000
    measured = _run([bin_folder / "sitemap", "measure", out], tmp_path)
    assert "36.000 x 24.000 in (ARCH D)" in measured
