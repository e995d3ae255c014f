"""Which game is played: edition, players, modules and options, and what follows from them.

The differences between the editions stand in one table, EDITIONS, named by what they do. The
engine asks for these names and never for a year. What a table may settle otherwise than its edition
stands in another, OPTIONS: records, forms, commands and programs all read and write by it.
"""

import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from projectl.core.cards import LEVEL_UP_1, Card, CardTable, Tile, TileTable, catalogue, shipped_cards, tile_table
from projectl.core.errors import Unreadable
from projectl.core.native import i64
from projectl.core.pieces import BASE_SHAPES


class Edition(NamedTuple):
    """What one printed edition says."""

    copies: int  # pieces of each base shape
    modules: tuple[str, ...]
    players: tuple[int, ...]  # 1 is solo
    six_players_need: tuple[str, ...]  # any one of these modules
    line_clear_players: tuple[int, ...]
    must_use_all_actions: bool  # else a player may stop early (R1, R21)
    takes_from_deck: bool
    recycles: bool
    gain_substitutes: bool  # Gain without an O1 in the reserve takes a substitute
    black_limit: int  # black cards a turn once the end is triggered; 0: no limit
    unfinished_cost_points: bool
    ambassador_next_turn: bool  # else from the next action on (R14)
    level_up_is_upgrade: bool  # each arrow is one Upgrade; else exactly so many levels up (R27)
    real_locks: bool  # solo locks are pieces of the reserve; else tokens


EDITIONS: Final[dict[str, Edition]] = {
    "2019": Edition(
        copies=15,
        modules=("ghost", "ambassador", "line_clear"),
        players=(1, 2, 3, 4, 5, 6),
        six_players_need=("ghost",),
        line_clear_players=(4, 5, 6),
        must_use_all_actions=False,
        takes_from_deck=False,
        recycles=False,
        gain_substitutes=False,
        black_limit=0,
        unfinished_cost_points=False,
        ambassador_next_turn=False,
        level_up_is_upgrade=False,
        real_locks=True,
    ),
    "2020": Edition(
        copies=10,
        modules=(),
        players=(1, 2, 3, 4),
        six_players_need=(),
        line_clear_players=(),
        must_use_all_actions=False,
        takes_from_deck=False,
        recycles=False,
        gain_substitutes=False,
        black_limit=0,
        unfinished_cost_points=False,
        ambassador_next_turn=False,
        level_up_is_upgrade=False,
        real_locks=True,
    ),
    "2023": Edition(
        copies=15,
        modules=("ghost", "ambassador", "phoenix", "finesse", "finesse_ambassador", "line_clear", "endless_white"),
        players=(1, 2, 3, 4, 5, 6),
        six_players_need=("ghost", "phoenix"),
        line_clear_players=(5, 6),
        must_use_all_actions=True,
        takes_from_deck=True,
        recycles=True,
        gain_substitutes=True,
        black_limit=1,
        unfinished_cost_points=True,
        ambassador_next_turn=True,
        level_up_is_upgrade=True,
        real_locks=False,
    ),
}
RULES_VERSION: Final = 1  # raised when a correction changes what is legal: stored games name the one they began under
DEFAULT_EDITION: Final = "2023"
MODULES: Final[tuple[str, ...]] = EDITIONS["2023"].modules
BLACK_CARDS: Final[dict[int, int]] = {2: 12, 3: 14, 4: 16, 5: 20, 6: 24}
GHOST_COPIES: Final = 10
CREDITS: Final = 35
DIFFICULTIES: Final[dict[str, int]] = {"normal": 6, "hard": 3, "unbeatable": 0}  # the mastermind's supply
FINESSE_ROUNDS: Final = 10
_YES_NO: Final[tuple[str, ...]] = ("yes", "no")
_NUMBER: Final = re.compile(r"[1-9][0-9]{0,8}")


class Option(NamedTuple):
    """Something that a table may settle. Values are texts, as records and forms write them."""

    name: str
    values: tuple[str, ...]  # none: a number from 1
    defaults: dict[str, str]  # by edition; the empty text: none
    words: str
    solo: bool = False  # only there

    def expected(self) -> str:
        """What may stand behind it, in words."""
        return " or ".join(self.values) if self.values else "a number from 1"

    def typed(self, value: str) -> str | bool | int:
        """A value as the arguments of `Rules` have it."""
        if not self.values:
            return int(value or 0)
        return value == "yes" if self.values == _YES_NO else value

    def check(self, value: str, players: int) -> None:
        """Refuse a value that does not exist, or an option that is not for this game."""
        if not (value in self.values if self.values else _NUMBER.fullmatch(value)):
            sentence = f"{self.name} is {self.expected()}, found {value[:20]!r}"
            raise Unreadable("option-value", sentence, field="options", about=self.name)
        if self.solo and players != 1:
            sentence = f"{self.name} is for solo (players: 1) only"
            raise Unreadable("difficulty-solo", sentence, field="options")


def _everywhere(value: str) -> dict[str, str]:
    return dict.fromkeys(EDITIONS, value)


OPTIONS: Final[tuple[Option, ...]] = (
    Option(
        "upgrade_skip",
        ("next", "two", "substitution"),
        {"2019": "next", "2020": "next", "2023": "substitution"},
        "what an Upgrade reaches when the next level is gone from the reserve",
    ),
    Option("exchange_down", ("any", "one"), _everywhere("any"), "how many levels down an Upgrade may go"),
    Option(
        "known_points",
        _YES_NO,
        {"2019": "yes", "2020": "yes", "2023": "no"},
        "whether everybody sees the piles and their points",
    ),
    Option("max_rounds", (), _everywhere(""), "the game ends after so many rounds (R19)"),
    Option("difficulty", tuple(DIFFICULTIES), _everywhere("normal"), "the mastermind's strength", True),
)


def option_named(name: str) -> Option:
    """A row of the table."""
    for option in OPTIONS:
        if option.name == name:
            return option
    raise Unreadable(
        "option", f"an option is one of {_option_names()}, found {name[:40]!r}", field="options", about=name[:40]
    )


def _option_names() -> str:
    return ", ".join([option.name for option in OPTIONS])


def read_options(words: tuple[str, ...]) -> dict[str, str]:
    """`KEY=VALUE` words of a header or a command line; which values exist is checked by `Rules`."""
    given: dict[str, str] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or key not in {option.name for option in OPTIONS}:
            sentence = f"an option is one of {_option_names()} with =VALUE, found {word[:40]!r}"
            raise Unreadable("option", sentence, field="options", about=word[:40])
        if key in given:
            raise Unreadable("option-twice", f"option {key} stands twice", field="options", about=key)
        if not value:
            raise Unreadable("option-value", f"option {key} has no value", field="options", about=key)
        given[key] = value
    return given


# The three kinds of table.
STANDARD: Final = 0
LINE_CLEAR: Final = 1
SOLO: Final = 2


class Rules:
    """One game's rules, checked. Two rules with the same `header()` are the same game."""

    def __init__(
        self,
        players: int,
        edition: str = DEFAULT_EDITION,
        modules: tuple[str, ...] = (),
        *,
        upgrade_skip: str = "",
        exchange_down: str = "",
        known_points: bool | None = None,
        max_rounds: int = 0,
        difficulty: str = "",
        own: tuple[Card, ...] = (),
        replaced: tuple[Card, ...] = (),
        replaced_tiles: tuple[Tile, ...] = (),
    ) -> None:
        check(players, edition, modules)
        given = {"upgrade_skip": upgrade_skip, "exchange_down": exchange_down, "difficulty": difficulty}
        if known_points is not None:
            given["known_points"] = "yes" if known_points else "no"
        if max_rounds != 0:
            given["max_rounds"] = str(max_rounds)
        self.settled: dict[str, str] = settle_options(players, edition, given)
        check_own(modules, own)
        printed = EDITIONS[edition]
        self.edition = edition
        self.modules: tuple[str, ...] = tuple(m for m in MODULES if m in modules)
        self.players: i64 = players
        self.upgrade_skip: str = self.settled["upgrade_skip"]
        self.exchange_down: str = self.settled["exchange_down"]
        self.known_points: bool = self.settled["known_points"] == "yes"
        self.max_rounds: i64 = max_rounds
        self.difficulty: str = self.settled["difficulty"]
        self.own: tuple[Card, ...] = tuple([card._replace(source="own") for card in own])
        self.replaced = replaced
        self.replaced_tiles = replaced_tiles
        self.cards: CardTable = catalogue(self.own, replaced)
        self.tiles: TileTable = tile_table(replaced_tiles)

        self.kind: i64 = SOLO if players == 1 else LINE_CLEAR if "line_clear" in modules else STANDARD
        self.ghost: bool = "ghost" in modules
        self.ambassador: bool = "ambassador" in modules
        self.phoenix: bool = "phoenix" in modules
        self.finesse: bool = "finesse" in modules
        self.finesse_ambassador: bool = "finesse_ambassador" in modules
        self.endless_white: bool = "endless_white" in modules

        self.copies: i64 = printed.copies
        self.must_use_all_actions: bool = printed.must_use_all_actions
        self.takes_from_deck: bool = printed.takes_from_deck
        self.recycles: bool = printed.recycles and players > 1
        self.gain_substitutes: bool = printed.gain_substitutes
        self.black_limit: i64 = printed.black_limit if players > 1 else 0
        self.unfinished_cost_points: bool = printed.unfinished_cost_points or players == 1
        self.ambassador_next_turn: bool = printed.ambassador_next_turn
        self.level_up_is_upgrade: bool = printed.level_up_is_upgrade
        self.real_locks: bool = printed.real_locks
        self.skips_two_only: bool = self.upgrade_skip == "two"
        self.one_level_down: bool = self.exchange_down == "one"

    def __reduce__(self) -> tuple[object, ...]:
        options = tuple(self.options().items())
        return _rebuild, (int(self.players), self.edition, self.modules, options, self.own, *self._replacing())

    def _replacing(self) -> tuple[tuple[Card, ...], tuple[Tile, ...]]:
        return self.replaced, self.replaced_tiles

    def options(self) -> dict[str, str]:
        """The options that differ from the edition's own, as a record writes them."""
        found: dict[str, str] = {}
        for option in OPTIONS:
            if self.settled[option.name] != option.defaults[self.edition]:
                found[option.name] = self.settled[option.name]
        return found

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rules) and self.__reduce__() == other.__reduce__()

    def __hash__(self) -> int:
        return hash(self.__reduce__()[1])

    def __repr__(self) -> str:
        words = [f"players={int(self.players)}", f"edition={self.edition!r}"]
        if self.modules:
            words.append(f"modules={self.modules!r}")
        words += [f"{key}={value}" for key, value in self.options().items()]
        return f"Rules({', '.join(words)})"


def rules_with(
    players: int,
    edition: str,
    modules: tuple[str, ...],
    options: Mapping[str, str],
    own: tuple[Card, ...] = (),
    replaced: tuple[Card, ...] = (),
    replaced_tiles: tuple[Tile, ...] = (),
) -> Rules:
    """Rules from options as texts, by name."""
    check(players, edition, modules)
    settle_options(players, edition, options)
    arguments: dict[str, Any] = {name: option_named(name).typed(value) for name, value in options.items() if value}
    return Rules(players, edition, modules, own=own, replaced=replaced, replaced_tiles=replaced_tiles, **arguments)


def settle_options(players: int, edition: str, given: Mapping[str, str]) -> dict[str, str]:
    """Every option's value: what was given, or the edition's own where nothing or the empty text was."""
    for name in given:
        option_named(name)
    found: dict[str, str] = {}
    for option in OPTIONS:
        value = given.get(option.name, "")
        if value:
            option.check(value, players)
        found[option.name] = value or option.defaults[edition]
    return found


def _rebuild(
    players: int,
    edition: str,
    modules: tuple[str, ...],
    options: tuple[tuple[str, str], ...],
    own: tuple[Card, ...],
    replaced: tuple[Card, ...],
    replaced_tiles: tuple[Tile, ...],
) -> Rules:
    return rules_with(players, edition, modules, dict(options), own, replaced, replaced_tiles)


def _span(counts: tuple[int, ...]) -> str:
    return f"{counts[0]} to {counts[-1]}"


def check(players: int, edition: str, modules: tuple[str, ...]) -> None:
    """Refuse what does not combine (docs/rules.md), with the reason."""
    if edition not in EDITIONS:
        sentence = f"the editions are {', '.join(EDITIONS)}, found {edition[:20]!r}"
        raise Unreadable("edition", sentence, field="edition", about=edition[:20])
    printed = EDITIONS[edition]
    for module in modules:
        if module not in MODULES:
            known = ", ".join(MODULES)
            sentence = f"unknown module {module[:20]!r}, expected one of {known}"
            raise Unreadable("module", sentence, field="modules", about=module[:20])
        if module not in printed.modules:
            has = ", ".join(printed.modules) or "no modules, only the base game and solo"
            sentence = f"edition {edition} has no {module}; it has {has}"
            raise Unreadable("module-edition", sentence, field="modules", about=module)
        if modules.count(module) > 1:
            raise Unreadable("module-twice", f"module {module} is named twice", field="modules", about=module)
    _check_count(players, edition, modules)
    if "endless_white" in modules and players == 1:
        raise Unreadable("endless-solo", "endless_white needs two players or more, not solo", field="modules")
    if "finesse_ambassador" in modules and "finesse" not in modules:
        raise Unreadable("finesse-missing", "finesse_ambassador adds tiles to finesse and needs it", field="modules")


def _check_count(players: int, edition: str, modules: tuple[str, ...]) -> None:
    printed = EDITIONS[edition]
    if players not in printed.players:
        sentence = f"edition {edition} is for {_span(printed.players)} players, found {players}"
        raise Unreadable("players", sentence, field="players", about=str(players))
    if players == 6 and not any(module in modules for module in printed.six_players_need):
        boxes = " or ".join(printed.six_players_need)
        sentence = f"six players in edition {edition} need the module {boxes}, which brings the cards for them"
        raise Unreadable("six-players", sentence, field="players", about=", ".join(printed.six_players_need))
    if "line_clear" in modules and players not in printed.line_clear_players:
        span = _span(printed.line_clear_players)
        sentence = f"line_clear in edition {edition} is for {span} players, found {players}"
        raise Unreadable("line-clear-players", sentence, field="players", about=span)


def check_own(modules: tuple[str, ...], own: tuple[Card, ...]) -> None:
    """Own cards have ids of their own, and may only give what the modules in play have."""
    taken = {card.id for card in shipped_cards()}
    for card in own:
        if card.id in taken:
            raise Unreadable("card-id-taken", f"the id {card.id} is taken", field=card.id, about=card.id)
        taken.add(card.id)
        if BASE_SHAPES <= card.reward < LEVEL_UP_1 or card.reward in (LEVEL_UP_1, LEVEL_UP_1 + 1):
            if "ghost" not in modules:
                raise Unreadable(
                    "card-ghost", f"card {card.id} gives what needs the module ghost", field=card.id, about=card.id
                )
        elif card.reward > LEVEL_UP_1 + 1 and "ambassador" not in modules:
            raise Unreadable(
                "card-ambassador", f"card {card.id} gives M, which needs ambassador", field=card.id, about=card.id
            )


def card_sets(rules: Rules) -> tuple[str, ...]:
    """The shipped card sets that are in play."""
    return ("base", *(m for m in ("ghost", "ambassador", "phoenix") if m in rules.modules))
