"""The reader survives any bytes: out comes a game or a coded error with a line, nothing else."""

import random
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from projectl import Game, ProjectLError, replay
from projectl.core.cards import parse_pack
from projectl.record import MOST_BYTES, decode
from tests.golden import FOLDER

VOCABULARY = """
take recycle gain upgrade place master ambassador ghost insert reward levelup pass touch done none credit
W1 W5 WL1 G9 G W B WR O1 I2 L3 T4 U5 P5 X9 1:c3 1:c3c4 2:a1 9:z9 1:c3c3 1:a1e5 0 1 2 3 4 5 99999999999999999999
format: edition: players: modules: options: names: card: seed: white: black: deck: finesse: 2019 2020 2023 ghost
finesse line_clear endless_white max_rounds=3 known_points=maybe difficulty=hard W01 W01 B01 FA01 # | = : \x00 \u00e9
"""
WORDS = st.sampled_from([*VOCABULARY.split(), "\u2028", "\t", ""])
LINES = st.lists(WORDS, max_size=9).map(" ".join)
RECORDS = sorted(FOLDER.glob("*.pln"))


def read(data: bytes) -> Game | ProjectLError:
    """A game, or an error that says where and what."""
    try:
        return replay(decode(data))
    except ProjectLError as error:
        found = error
    assert found.code
    assert found.sentence
    assert 1 <= found.line <= data.count(b"\n") + 1
    assert "\n" not in str(found)
    return found


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=300))
@example(b"\xff\xfe\x00")
@example(b"\xef\xbb\xbfplayers: 2\n")
@example(b"")
def test_any_bytes(data: bytes) -> None:
    assert isinstance(read(data), Game | ProjectLError)


@settings(max_examples=500, deadline=None)
@given(st.lists(LINES, max_size=12))
def test_lines_of_known_words(rows: list[str]) -> None:
    text = "players: 2\n" + "\n".join(rows)
    assert isinstance(read(text.encode()), Game | ProjectLError)


@settings(max_examples=300, deadline=None)
@given(st.integers(0, len(RECORDS) - 1), st.integers(0, 2**32))
def test_damaged_records(which: int, number: int) -> None:
    dice = random.Random(number)
    data = bytearray(RECORDS[which].read_bytes())
    for _ in range(dice.randint(1, 4)):
        at = dice.randrange(len(data))
        data[at : at + dice.randint(0, 3)] = bytes(dice.randrange(256) for _ in range(dice.randint(0, 3)))
    assert isinstance(read(bytes(data)), Game | ProjectLError)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=200))
@example('cards = ["W01 W 1 O1"]')
@example("cards = 3")
@example('cards = ["Z W 1 O1 ..... ..... ..... ..... .....", "Z W 1 O1 ..... ..... ..... ..... ....."]')
def test_any_card_pack(text: str) -> None:
    found: ProjectLError | None = None
    try:
        parse_pack(text, "pack.toml")
    except ProjectLError as error:
        found = error
    assert found is None or (found.file == "pack.toml" and found.line >= 1)


def test_a_file_that_is_too_large() -> None:
    with pytest.raises(ProjectLError) as caught:
        decode(b"#" * (MOST_BYTES + 1))
    assert caught.value.code == "too-large"


def test_the_golden_folder_has_records() -> None:
    assert all(isinstance(read(Path(record).read_bytes()), Game) for record in RECORDS[:3])
