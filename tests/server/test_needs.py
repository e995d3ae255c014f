"""What goes with what: the page learns it from the server, which asks the rules."""

from __future__ import annotations

from itertools import combinations

import pytest

from projectl.core.errors import Unreadable
from projectl.core.rules import EDITIONS, MODULES, Rules, check
from projectl.server.catalogue import about, setup_of
from projectl.server.http.replies import EditionRow


def exists(players: int, edition: str, modules: tuple[str, ...]) -> bool:
    """Whether the rules know such a game."""
    try:
        check(players, edition, modules)
    except Unreadable:
        return False
    return True


def by_needs(printed: EditionRow, players: int, modules: tuple[str, ...]) -> bool:
    """The same, as the page reckons it."""
    parts = [str(players), *modules]
    if any(part not in printed.needs for part in parts):
        return False
    needs = [printed.needs[part] for part in parts]
    return all(
        players in need.players and (not need.modules or bool(set(need.modules) & set(modules))) for need in needs
    )


@pytest.mark.parametrize("edition", EDITIONS)
def test_what_the_page_is_told_is_what_the_rules_say_of_every_game(edition: str) -> None:
    printed = about().editions[edition]
    games = [
        (players, modules)
        for players in range(1, 8)
        for size in range(len(MODULES) + 1)
        for modules in combinations(MODULES, size)
    ]
    told = {game for game in games if by_needs(printed, *game)}
    assert told == {(players, modules) for players, modules in games if exists(players, edition, modules)}
    assert (2, ()) in told
    assert len(told) < len(games)


@pytest.mark.parametrize(
    ("rules", "more"),
    [
        (Rules(2, "2019"), ["pass"]),
        (Rules(1, "2020"), ["pass"]),
        (Rules(2), ["deck", "recycle"]),
        (Rules(1), ["deck"]),
        (Rules(5, modules=("line_clear",)), ["deck", "recycle"]),
        (Rules(2, modules=("ghost", "ambassador", "finesse")), ["deck", "recycle", "ambassador", "ghost", "insert"]),
    ],
)
def test_which_actions_a_game_has_at_all(rules: Rules, more: list[str]) -> None:
    assert setup_of(rules).actions == ["take", "gain", "upgrade", "place", "master", *more]
