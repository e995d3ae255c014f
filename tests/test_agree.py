"""The compiled engine plays exactly as the interpreted one. `make agree` does 10,000 games."""

import projectl
from tests.agree import disagreements


def test_a_few_hundred_games() -> None:
    compiled, wrong = disagreements(300)
    assert wrong == []
    assert compiled == projectl.compiled()
