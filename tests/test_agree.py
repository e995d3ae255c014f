"""The compiled engine plays exactly as the interpreted one. `make agree` does 10,000 games."""

import shutil
import sysconfig
from pathlib import Path

import pytest

import projectl
from tests.agree import disagreements

COMPILER = shutil.which((sysconfig.get_config_var("CC") or "cc").split()[0])
HEADERS = Path(sysconfig.get_path("include"), "Python.h").exists()
INSTALLED = "site-packages" in projectl.__file__


@pytest.mark.skipif(not (COMPILER and HEADERS and INSTALLED), reason="nothing was to be compiled")
def test_what_is_installed_is_compiled() -> None:
    assert projectl.compiled()


@pytest.mark.skipif(not projectl.compiled(), reason="the engine was installed without a C compiler")
def test_a_few_hundred_games() -> None:
    compiled, wrong = disagreements(300)
    assert wrong == []
    assert compiled
