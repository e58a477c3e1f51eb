"""The gallery's scripts and its notebook run, and what they state holds."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import npt

pytest.importorskip("matplotlib")

PACKAGE = Path(__file__).parents[1]
GALLERY = PACKAGE / "gallery"
SCRIPTS = sorted(GALLERY.glob("*.py"))
NOTEBOOKS = sorted(GALLERY.glob("notebook/*.ipynb"))


def run(arguments, folder, text=None):
    """Runs Python in a folder of its own, without a screen; a failure has the last lines of what it wrote."""
    # The package that is tested here, wherever it is.
    paths = [str(Path(npt.__file__).parents[1]), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {**os.environ, "MPLBACKEND": "agg", "PYTHONPATH": os.pathsep.join(paths), "PYTHONWARNINGS": "ignore"}
    done = subprocess.run(
        [sys.executable, *arguments], input=text, cwd=folder, env=environment, capture_output=True, encoding="utf-8", timeout=300
    )
    assert done.returncode == 0, done.stderr[-2000:]


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_a_script(script, tmp_path):
    run([str(script)], tmp_path)


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook(notebook, tmp_path):
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    assert len(code) > 3
    run(["-"], tmp_path, "\n\n".join(code))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_a_script_is_a_page(script):
    """It has a title, cells with text, a picture, and a number that it states."""
    text = script.read_text(encoding="utf-8")
    title, line = text.split("\n")[1:3]
    assert set(line) == {"="} and len(line) == len(title)
    assert text.count("\n# %%\n") >= 3 and "plt.show()" in text
    assert "\nassert " in text[text.index("# The number") :]
    assert max(map(len, text.split("\n"))) <= 120


def test_there_are_pages():
    assert len(SCRIPTS) >= 12 and NOTEBOOKS


def test_all_public_names_are_on_the_page_of_classes():
    lines = (PACKAGE / "docs" / "api.rst").read_text(encoding="utf-8").split("\n")
    assert sorted(line.strip() for line in lines if line.strip() in npt.__all__) == sorted(npt.__all__)
