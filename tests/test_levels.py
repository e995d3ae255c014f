"""The ladder of bots: one table, which the server tells, the page has words for and the measurements stand behind."""

import json
import re
from pathlib import Path

import pytest

from projectl.bots import built_in, make
from projectl.bots.levels import LEVELS
from projectl.server.catalogue import about
from tests.test_page_words import LANGUAGES

ROOT = Path(__file__).parents[1]
OFFERED = [level for level in LEVELS if level.offered]


def test_the_levels_go_from_gentle_to_merciless() -> None:
    ratings = [level.rating for level in OFFERED]
    assert ratings == sorted(ratings)
    assert len(set(ratings)) == len(ratings) >= 6
    assert all(built_in(level.bot) and make(level.bot) for level in LEVELS)
    assert next(level.rating for level in LEVELS if level.bot == "greedy") == 1000
    assert "random" not in [level.bot for level in OFFERED], "gentle is not aimless"


def test_the_server_tells_the_levels_as_they_are() -> None:
    told = [(level.bot, level.rating, level.margin, level.offered) for level in about().levels]
    assert told == [tuple(level) for level in LEVELS]


def test_what_was_measured_is_what_the_program_says() -> None:
    """Every rating stands in the table of docs/strength.md that `python -m benchmarks.levels` printed."""
    text = (ROOT / "docs" / "strength.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([\w:-]+)` \| (-?\d+) \| ± (\d+) \| \d+ \|$", text, re.MULTILINE)
    measured = {bot: (int(rating), int(margin)) for bot, rating, margin in rows}
    for level in LEVELS:
        alike = "search:1s" if level.bot in ("search", "search:4s") else level.bot  # not measured by themselves
        assert measured[alike] == (level.rating, level.margin)


@pytest.mark.skipif(not (ROOT / "web").is_dir(), reason="the page's sources are not here")
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_level_has_a_name_of_its_own_in_every_language(language: str) -> None:
    words = json.loads((ROOT / "web" / "messages" / f"shell.{language}.json").read_text(encoding="utf-8"))
    names = [words["bot_" + re.sub(r"\W", "_", level.bot)] for level in OFFERED]
    assert len(set(names)) == len(names)
    assert all("bot_" + re.sub(r"\W", "_", level.bot) in words for level in LEVELS)
