"""The first page's example in Python."""

import re
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]


def test_first_page(monkeypatch, capsys):
    """The example of the first page runs as it stands, and prints what the page says, but for a few of 1000 letters."""
    page = (REPOSITORY / "README.md").read_text()
    code, rest = page.split("```python\n")[1].split("```", 1)
    said = [float(number) for number in re.search(r"prints (0\.\d+) and (0\.\d+)", rest).groups()]
    monkeypatch.chdir(REPOSITORY)
    exec(compile(code, "README.md", "exec"), {})
    printed = [float(line) for line in capsys.readouterr().out.split()]
    assert printed == pytest.approx(said, abs=0.005)
