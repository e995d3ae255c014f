"""The golden games replay byte for byte."""

import json

import pytest

from projectl import replay
from tests.golden import FOLDER, POSITIONS, golden_rules, position

EXPECTED: dict[str, dict[str, object]] = json.loads(POSITIONS.read_text(encoding="utf-8"))


def test_one_for_each_edition_module_and_player_count() -> None:
    names = {path.stem for path in FOLDER.glob("*.pln")}
    assert names == set(golden_rules()) == set(EXPECTED)
    assert len(names) == 68


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_replays_byte_for_byte(name: str) -> None:
    text = (FOLDER / f"{name}.pln").read_text(encoding="utf-8")
    game = replay(text)
    assert game.text() == text
    assert game.header.rules == golden_rules()[name]
    assert json.loads(json.dumps(position(game))) == EXPECTED[name]
    assert EXPECTED[name]["phase"] == "over"
