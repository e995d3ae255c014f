"""The compiled engine plays exactly as the interpreted one. `make agree` does 10,000 games."""

import pytest

import projectl
from tests.agree import disagreements


@pytest.mark.skipif(not projectl.compiled(), reason="the engine was installed without a C compiler")
def test_a_few_hundred_games() -> None:
    compiled, wrong = disagreements(300)
    assert wrong == []
    assert compiled
