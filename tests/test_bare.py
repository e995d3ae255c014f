"""The README on a bare machine, wherever one can be made."""

import subprocess
import sys

import pytest

from tests import bare


@pytest.mark.skipif(bool(bare.missing()), reason=f"no bare machine can be made here: {bare.missing()}")
def test_both_commands_work_on_a_bare_machine(capfd: pytest.CaptureFixture[str]) -> None:
    with capfd.disabled():  # the times it takes are for people to read
        done = subprocess.run([sys.executable, "-m", "tests.bare"], cwd=bare.CHECKOUT, check=False)
    assert done.returncode == 0
