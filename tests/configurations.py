"""Every kind of game there is, for tests that go over all of them."""

import random
from collections.abc import Iterator
from itertools import combinations

from projectl import Rules, Unreadable
from projectl.core.cards import Card, parse_card
from projectl.core.rules import DIFFICULTIES, EDITIONS, option_named

# One- and two-cell puzzles: with them even aimless play completes, gets rewards and breaks ghosts up.
SMALL_CARDS: tuple[Card, ...] = tuple(
    parse_card(text)
    for text in (
        "Z01 W 0 U5 .#### ##### ##### ##### #####",
        "Z02 B 3 LEVELUP1 .#### ##### ##### ##### #####",
        "Z03 B 3 LEVELUP2 ..### ##### ##### ##### #####",
        "Z04 W 1 M .#### ##### ##### ##### #####",
        "Z05 W 1 T4 .#### ##### ##### ##### #####",
        "Z06 W 0 O1 ..### ##### ##### ##### #####",
        "Z07 B 2 L5 .#### .#### ##### ##### #####",
        "Z08 W 2 LEVELUP2 .#### ##### ##### ##### #####",
        "Z09 B 1 P5 ..### #.### ##### ##### #####",
    )
)


def own_cards(modules: tuple[str, ...]) -> tuple[Card, ...]:
    """Those of the small cards whose rewards the modules allow."""
    needs = {"Z04": "ambassador", "Z05": "", "Z06": ""}
    return tuple(card for card in SMALL_CARDS if needs.get(card.id, "ghost") in ("", *modules))


def subsets(modules: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Every choice of modules."""
    for size in range(len(modules) + 1):
        yield from combinations(modules, size)


def _allowed(players: int, edition: str, modules: tuple[str, ...]) -> bool:
    try:
        Rules(players, edition, modules)
    except Unreadable:
        return False
    return True


def configurations() -> list[tuple[int, str, tuple[str, ...]]]:
    """All (players, edition, modules) that the rules allow."""
    return [
        (players, edition, modules)
        for edition, printed in EDITIONS.items()
        for modules in subsets(printed.modules)
        for players in range(1, 7)
        if _allowed(players, edition, modules)
    ]


def random_rules(dice: random.Random) -> Rules:
    """Any allowed game with any options, often with small own cards."""
    players, edition, modules = dice.choice(configurations())
    known = dice.choice((None, True, False))
    own = tuple(card for card in own_cards(modules) if dice.random() < 0.6)
    return Rules(
        players,
        edition,
        modules,
        upgrade_skip=dice.choice(("", *option_named("upgrade_skip").values)),
        exchange_down=dice.choice(("", *option_named("exchange_down").values)),
        known_points=known,
        max_rounds=dice.choice((4, 12, 30)),
        difficulty=dice.choice(tuple(DIFFICULTIES)) if players == 1 else "",
        own=own,
    )
