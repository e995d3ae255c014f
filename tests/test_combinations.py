"""Which editions, player counts and modules go together (docs/rules.md): all 3,072 of them, tried."""

from itertools import chain, combinations

import pytest

from projectl import Unreadable
from tests.table import part, seen, table, unreadable

MODULES = ("ghost", "ambassador", "phoenix", "finesse", "finesse_ambassador", "line_clear", "endless_white")
SUBSETS = list(chain.from_iterable(combinations(MODULES, n) for n in range(8)))
PRINTED: dict[str, set[str]] = {
    "2019": {"ghost", "ambassador", "line_clear"},
    "2020": set(),
    "2023": set(MODULES),
}
MOST_PLAYERS = {"2019": 6, "2020": 4, "2023": 6}
BLACK_CARDS = {2: 12, 3: 14, 4: 16, 5: 20, 6: 24}

# The header has `edition` in line 1, `players` in line 2, `modules` in line 3.
PLAYERS_LINE, MODULES_LINE = {2}, {3}
EITHER_LINE = {2, 3}  # a count that does not suit a module


def faults(edition: str, players: int, modules: tuple[str, ...]) -> dict[str, set[int]]:
    """What is wrong with a combination, by code, and the lines that may be blamed; empty where it is allowed."""
    found: dict[str, set[int]] = {}
    if not set(modules) <= PRINTED[edition]:
        found["module-edition"] = MODULES_LINE
    if not 1 <= players <= MOST_PLAYERS[edition]:
        found["players"] = PLAYERS_LINE
    boxes = {"2019": {"ghost"}, "2020": set(), "2023": {"ghost", "phoenix"}}[edition]
    if players == 6 and not boxes & set(modules):
        found["six-players"] = PLAYERS_LINE
    if "line_clear" in modules and players not in ({4, 5, 6} if edition == "2019" else {5, 6}):
        found["line-clear-players"] = EITHER_LINE
    if "endless_white" in modules and players == 1:
        found["endless-solo"] = EITHER_LINE
    if "finesse_ambassador" in modules and "finesse" not in modules:
        found["finesse-missing"] = MODULES_LINE
    return found


def header(edition: str, players: int, modules: tuple[str, ...]) -> str:
    return f"edition: {edition}\nplayers: {players}\nmodules: {' '.join(modules)}"


@pytest.mark.parametrize("edition", PRINTED)
@pytest.mark.parametrize("players", range(8))
def test_every_combination_is_accepted_or_refused_with_its_line_and_reason(edition: str, players: int) -> None:
    for modules in SUBSETS:
        text = header(edition, players, modules)
        wrong = faults(edition, players, modules)
        if not wrong:
            assert part_count(text) == players
            continue
        with pytest.raises(Unreadable) as caught:
            table(text)
        error = caught.value
        assert error.code in wrong, text
        assert error.line in wrong[error.code], text
        assert len(error.sentence.split()) > 4, text


def part_count(text: str) -> int:
    """The number of players that a header seats."""
    players = seen(table(text), "players")
    assert isinstance(players, list)
    return len(players)


def test_how_many_are_allowed() -> None:
    """By hand. 2019: 1 to 3 players without line_clear, 4 modules' subsets each, and so on."""
    allowed = {
        (edition, players): sum(not faults(edition, players, modules) for modules in SUBSETS)
        for edition in PRINTED
        for players in range(8)
    }
    assert [allowed["2019", n] for n in range(8)] == [0, 4, 4, 4, 8, 8, 4, 0]
    assert [allowed["2020", n] for n in range(8)] == [0, 1, 1, 1, 1, 0, 0, 0]
    # 2023: ghost, ambassador, phoenix (8 ways), Finesse with or without its pack (3), Endless White (2).
    assert [allowed["2023", n] for n in range(8)] == [0, 8 * 3, 8 * 3 * 2, 48, 48, 48 * 2, 6 * 3 * 2 * 2, 0]


@pytest.mark.parametrize("edition", PRINTED)
def test_an_allowed_combination_deals_the_black_cards_of_its_player_count(edition: str) -> None:
    for players, used in BLACK_CARDS.items():
        for modules in SUBSETS:
            if not faults(edition, players, modules):
                shown = 6 if "line_clear" in modules else 4
                assert part(table(header(edition, players, modules)), "decks")["B"] == used - shown


@pytest.mark.parametrize("module", MODULES)
def test_a_module_may_be_named_anywhere_and_once(module: str) -> None:
    needs = "finesse" if module == "finesse_ambassador" else ""
    assert part_count(f"players: 5\nmodules:   {module}   {needs}") == 5
    assert unreadable(f"players: 5\nmodules: {module} {needs} {module}") == ("module-twice", 2)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("edition: 2020\nplayers: 2\nmodules: ghost", "edition 2020 has no ghost"),
        ("edition: 2019\nplayers: 2\nmodules: phoenix", "edition 2019 has no phoenix"),
        ("edition: 2020\nplayers: 5", "1 to 4 players, found 5"),
        ("edition: 2019\nplayers: 7", "1 to 6 players, found 7"),
        ("edition: 2019\nplayers: 6", "six players in edition 2019 need the module ghost"),
        ("edition: 2023\nplayers: 6", "need the module ghost or phoenix"),
        ("edition: 2019\nplayers: 3\nmodules: line_clear", "4 to 6 players, found 3"),
        ("edition: 2023\nplayers: 4\nmodules: line_clear", "5 to 6 players, found 4"),
        ("players: 1\nmodules: endless_white", "not solo"),
        ("players: 2\nmodules: finesse_ambassador", "needs it"),
        ("players: 2\nmodules: chess", "unknown module 'chess'"),
        ("edition: 2021\nplayers: 2", "the editions are 2019, 2020, 2023"),
    ],
)
def test_the_refusal_says_why(text: str, reason: str) -> None:
    with pytest.raises(Unreadable, match=reason):
        table(text)
