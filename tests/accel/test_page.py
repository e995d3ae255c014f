"""The page about the array engine is true: its example runs."""

import doctest
from pathlib import Path

import pytest

pytest.importorskip("jax")

PAGE = Path(__file__).parents[2] / "docs" / "accel.md"


def test_the_example_runs() -> None:
    found = doctest.testfile(str(PAGE), module_relative=False)
    assert (found.attempted > 8, found.failed) == (True, 0)
