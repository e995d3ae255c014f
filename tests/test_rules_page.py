"""docs/rules.md is true: its examples replay, its tables are those of the program, its rulings are kept."""

import re
from pathlib import Path

import pytest

from projectl import Game, Rules, Unreadable, lines, replay, view
from projectl.core import pieces
from projectl.core.cards import all_tiles
from projectl.core.legal import substitutes
from projectl.core.rules import DIFFICULTIES, EDITIONS, MODULES, Edition, option_named
from tests.examples import Block, check, code_words, examples, section, tables
from tests.table import listed
from tests.web.rule_pictures import FOLDER, file_name, illustrated

ROOT = Path(__file__).resolve().parent.parent
CORE = ROOT / "src" / "projectl" / "core"
PAGE = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
RULINGS = 45


@pytest.mark.parametrize("example", examples(PAGE), ids=repr)
def test_example(example: list[Block]) -> None:
    assert len(example) > 1, "nothing is said about this record"
    check(example)


def test_there_is_an_example_of_every_kind_of_game() -> None:
    rules = [replay("\n".join(example[0].rows)).header.rules for example in examples(PAGE)]
    assert {int(one.players) for one in rules} >= {1, 2, 3, 5}
    assert {module for one in rules for module in one.modules} >= {"ghost", "ambassador", "finesse", "line_clear"}


def test_every_example_has_its_picture() -> None:
    """As the page's board draws it now: `make screens`, where an example has changed."""
    assert illustrated(PAGE) == PAGE
    wanted = {file_name(example[0]) for example in examples(PAGE)}
    assert {path.name for path in FOLDER.iterdir()} == wanted


# --- tables -----------------------------------------------------------------------------------


def as_written(value: object) -> str:
    """A value of the table of editions in the words of the page."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return " ".join(map(str, value)) or "none"
    return str(value)


def test_table_of_editions() -> None:
    head, *rows = tables(section(PAGE, "## Editions"))[0]
    assert head[1:-1] == list(EDITIONS)
    found = {code_words(row[-1])[0]: row[1:-1] for row in rows}
    assert list(found) == list(Edition._fields)
    for field, values in found.items():
        assert values == [as_written(getattr(printed, field)) for printed in EDITIONS.values()], field


def test_table_of_pieces() -> None:
    rows = tables(section(PAGE, "## Pieces"))[0][1:]
    assert [code_words(row[0])[0] for row in rows] == list(pieces.NAMES)
    for name, picture, level, ways in rows:
        piece = code_words(name)[0]
        drawn = tuple(code_words(picture)[0].split())
        cells = frozenset((r, c) for r, row in enumerate(drawn) for c, mark in enumerate(row) if mark == "#")
        assert cells in pieces.orientations(piece)
        assert int(level.split(",")[0]) == len(cells)
        shape = pieces.NAMES.index(piece)
        assert (int(ways), "ghost" in level) == (list(pieces.PLACEMENT_SHAPE).count(shape), shape >= pieces.BASE_SHAPES)


def test_table_of_ghosts() -> None:
    rows = tables(section(PAGE, "### The Ghost action"))[0][1:]
    assert [row[0] for row in rows] == list(pieces.NAMES[pieces.BASE_SHAPES :])
    for ghost, ways in rows:
        assert ways.split(", ") == [" ".join(pieces.names_in(way)) for way in pieces.decompositions(ghost)]


def test_black_cards_by_players() -> None:
    found = re.search(r"count off ([\d, or]+) of them for ([\d, or]+) players", PAGE.replace("\n", " "))
    assert found
    cards, players = (re.findall(r"\d+", group) for group in found.groups())
    for count, seats in zip(cards, players, strict=True):
        modules = "modules: ghost" if seats == "6" else ""
        decks = view(replay(f"players: {seats}\n{modules}\n").state)["decks"]
        assert isinstance(decks, dict)
        assert decks["B"] == int(count) - 4


def with_reserve(header: str, supply: list[str], reserve: list[str]) -> Game:
    """A game in which seat 1 has a supply and the reserve one piece of each shape named."""
    game = replay(header)
    game.state.players[0].supply = pieces.multiset(supply)
    game.state.reserve = pieces.multiset(reserve)
    return game


@pytest.mark.parametrize("row", tables(section(PAGE, "### Upgrade"))[0][1:], ids=" ".join)
def test_table_of_upgrades(row: list[str]) -> None:
    returned, gone, skipping, two_only = row
    gone_levels = re.findall(r"\d", gone)
    reserve = [name for name in pieces.NAMES[: pieces.BASE_SHAPES] if name[1] not in gone_levels]
    for skip, expected in (("next", skipping), ("substitution", skipping), ("two", two_only)):
        game = with_reserve(f"players: 2\noptions: upgrade_skip={skip}\n", [returned], reserve)
        taken = [line.split()[-1] for line in listed(game) if line.startswith("1 upgrade")]
        assert returned not in taken
        assert sorted({name[1] for name in taken}) == re.findall(r"\d", expected), skip
        game = with_reserve(f"players: 2\noptions: upgrade_skip={skip} exchange_down=one\n", [returned], reserve)
        levels = {int(line[-1]) for line in listed(game) if line.startswith("1 upgrade")}
        lowest = int(returned[1]) - 1
        assert levels == {int(level) for level in re.findall(r"\d", expected) if int(level) >= lowest}


@pytest.mark.parametrize("row", tables(section(PAGE, "## When pieces run out"))[0][1:], ids=" ".join)
def test_table_of_substitutes(row: list[str]) -> None:
    due, there, expected = row
    game = with_reserve("players: 2\nmodules: ghost\n", [], there.split())
    names = [pieces.NAMES[shape] for shape in substitutes(game.state, pieces.NAMES.index(due))]
    assert sorted(names) == sorted(word for word in expected.split() if word != "nothing")
    if due == "O1":
        gains = [text.split()[1] for _, text, _ in lines(game.state) if text.startswith("gain")]
        assert sorted(gains) == sorted(names)


def test_table_of_options() -> None:
    rows = {code_words(row[0])[0]: row[1:3] for row in tables(section(PAGE, "## Options"))[0][1:]}
    assert list(rows) == ["upgrade_skip", "exchange_down", "known_points", "max_rounds", "difficulty"]
    assert code_words(rows["upgrade_skip"][0]) == list(option_named("upgrade_skip").values)
    assert code_words(rows["exchange_down"][0]) == list(option_named("exchange_down").values)
    assert code_words(rows["difficulty"][0]) == list(DIFFICULTIES)
    for option in ("upgrade_skip", "exchange_down", "known_points"):
        for edition in EDITIONS:
            said = next(part for part in rows[option][1].split(";") if edition in part or ":" not in part)
            assert code_words(said) == [option_named(option).defaults[edition]], f"{option} in {edition}"


def test_table_of_combinations() -> None:
    """Every cell, with and without the modules that six players need."""
    for row in tables(section(PAGE, "## What combines with what"))[0][1:]:
        edition, *modules = row[0].split()
        for players, said in enumerate(row[1:], 1):
            boxes = [word for word in said.split() if word in MODULES]
            assert exists(players, edition, modules) == (said == "yes"), f"{row[0]}, {players}"
            for box in ("ghost", "phoenix"):
                if box in EDITIONS[edition].modules:
                    expected = said == "yes" or box in boxes
                    assert exists(players, edition, [*modules, box]) == expected, f"{row[0]}, {players} with {box}"


def exists(players: int, edition: str, modules: list[str]) -> bool:
    try:
        Rules(players, edition, tuple(modules))
    except Unreadable:
        return False
    return True


def test_tiles() -> None:
    """Every tile is explained, among those that pay at once or at the end, with its credits and pieces."""
    at_once, at_end = tables(section(PAGE, "## Finesse"))
    pack = tables(section(PAGE, "## Finesse Ambassador"))[0]
    said = {tile: ("now", "1 " + row[1]) for row in at_once[1:] for tile in tile_ids(row[0])}
    said |= {tile: ("end", "1 " + row[1]) for row in at_end[1:] for tile in tile_ids(row[0])}
    for row in pack[1:]:
        when = "end" if row[1].startswith("at the end of the turn") else "now"
        words = row[1].removeprefix("at the end of the turn ").removeprefix("at once ")
        said |= dict.fromkeys(tile_ids(row[0]), (when, words))
    assert sorted(said) == sorted(tile.id for tile in all_tiles())
    for tile in all_tiles():
        when, words = said[tile.id]
        assert (tile.id, when, words[:1]) == (tile.id, tile.when, str(tile.credits))
        if tile.shapes and tile.id[:2] not in ("FA", "FB") and "level-4" not in words:
            assert " ".join(pieces.NAMES[s] for s in tile.shapes) in re.sub(r", | or ", " ", words)


def tile_ids(text: str) -> list[str]:
    """`FA01-FA10` and `XA1, XA2`, as single ids."""
    if "-" not in text:
        return text.split(", ")
    first, last = text.split("-")
    return [f"{first[:2]}{n:02}" for n in range(int(first[2:]), int(last[2:]) + 1)]


def test_markers_of_the_line_clear_example() -> None:
    """Twelve black cards go in the first two steps, one in the third, the last one when seat 2 holds white again."""
    game = replay("edition: 2019\nplayers: 5\nmodules: line_clear\n")
    takes = {1: 3, 2: 3, 3: 1, 7: 1}
    for step in range(1, 8):
        play_step(game, takes.get(step, 0), both=step < 3)
    rows = tables(section(PAGE, "## Line Clear"))[0][1:]
    assert view(game.state)["end_triggered"]
    for passes, white, black, words in rows[1:]:
        phase = "touches" if "over" in words else "play"
        assert (view(game.state)["phase"], markers(game)) == (phase, (int(white), int(black))), passes
        play_step(game, 0, both=False)


def markers(game: Game) -> tuple[int, int]:
    found = view(game.state)["markers"]
    assert isinstance(found, dict)
    return found["white"], found["black"]


def play_step(game: Game, takes: int, *, both: bool) -> None:
    """Both holders' turns: the white holder, or both, take black cards, then they stop."""
    if view(game.state)["phase"] != "play":
        return
    for seat, row in zip(markers(game), ("BL", "BR"), strict=True):
        for n in range(takes if both or row == "BL" else 0):
            game.play_line(f"{seat} take {row}{n + 1}")
        if takes < 3 or not (both or row == "BL"):
            game.play_line(f"{seat} pass")


# --- rulings ----------------------------------------------------------------------------------

TABLE = tables(section(PAGE, "## Rulings"))[0][1:]
PROSE = PAGE[: PAGE.index("\n## Rulings\n")]


def test_every_ruling_is_in_the_table_once_and_in_order() -> None:
    assert [row[0] for row in TABLE] == [f"R{number}" for number in range(1, RULINGS + 1)]


@pytest.mark.parametrize("number", range(1, RULINGS + 1))
def test_ruling_stands_in_the_text_and_is_cited_by_tests(number: int) -> None:
    assert re.search(rf"\bR{number}\b", PROSE), f"R{number} is not in the text"
    others = [path for path in (ROOT / "tests").rglob("*.py") if path.name != Path(__file__).name]
    cited = "".join(path.read_text(encoding="utf-8") for path in others)
    assert re.search(rf"\b[Rr]{number}\b", cited), f"R{number} is cited by no test"


def test_no_other_ruling_is_cited() -> None:
    """In the program, the tests, the documents and the page."""
    paths = [path for folder in ("src", "tests", "docs", "web/src") for path in (ROOT / folder).rglob("*")]
    texts = [path.read_text(encoding="utf-8") for path in paths if path.suffix in (".py", ".md", ".ts", ".svelte")]
    numbers = {int(found) for text in texts for found in re.findall(r"\bR(\d{1,2})\b", text)}
    assert numbers
    assert [number for number in numbers if not 1 <= number <= RULINGS] == []


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row[0])
def test_place_of_a_ruling_in_the_code(row: list[str]) -> None:
    places = re.findall(r"`(\w+)\.py`: `(\w+)`", row[2])
    assert places
    for module, name in places:
        source = (CORE / f"{module}.py").read_text(encoding="utf-8")
        assert re.search(rf"^(?:def {name}\(|class {name}\b|{name}\b.* = )", source, re.MULTILINE), f"{module}: {name}"
