"""Which game is played: edition, players, modules and options, and what follows from them.

The differences between the editions stand in one table, EDITIONS, named by what they do. The
engine asks for these names and never for a year.
"""

from typing import Final, NamedTuple

from projectl.core.cards import LEVEL_UP_1, Card, Catalogue, Tile, TileTable, catalogue, tile_table
from projectl.core.errors import Unreadable
from projectl.core.ints import i64
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
    upgrade_skip: str
    exchange_down: str
    known_points: bool


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
        upgrade_skip="next",
        exchange_down="any",
        known_points=True,
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
        upgrade_skip="next",
        exchange_down="any",
        known_points=True,
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
        upgrade_skip="substitution",
        exchange_down="any",
        known_points=False,
    ),
}
DEFAULT_EDITION: Final = "2023"
MODULES: Final[tuple[str, ...]] = EDITIONS["2023"].modules
BLACK_CARDS: Final[dict[int, int]] = {2: 12, 3: 14, 4: 16, 5: 20, 6: 24}
GHOST_COPIES: Final = 10
CREDITS: Final = 35
DIFFICULTIES: Final[dict[str, int]] = {"normal": 6, "hard": 3, "unbeatable": 0}  # the mastermind's supply
UPGRADE_SKIPS: Final[tuple[str, ...]] = ("next", "two", "substitution")
EXCHANGES_DOWN: Final[tuple[str, ...]] = ("any", "one")
FINESSE_ROUNDS: Final = 10

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
        check_options(players, upgrade_skip, exchange_down, max_rounds, difficulty)
        check_own(modules, own)
        printed = EDITIONS[edition]
        self.edition = edition
        self.modules: tuple[str, ...] = tuple(m for m in MODULES if m in modules)
        self.players: i64 = players
        self.upgrade_skip = upgrade_skip or printed.upgrade_skip
        self.exchange_down = exchange_down or printed.exchange_down
        self.known_points: bool = printed.known_points if known_points is None else known_points
        self.max_rounds: i64 = max_rounds
        self.difficulty = difficulty or "normal"
        self.own = own
        self.replaced = replaced
        self.replaced_tiles = replaced_tiles
        self.cards: Catalogue = catalogue(own, replaced)
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
        arguments = (int(self.players), self.edition, self.modules, self.upgrade_skip, self.exchange_down)
        more = (self.known_points, int(self.max_rounds), self.difficulty, self.own, self.replaced, self.replaced_tiles)
        return _rebuild, (*arguments, *more)

    def options(self) -> dict[str, str]:
        """The options that differ from the edition's own, as a record writes them."""
        printed = EDITIONS[self.edition]
        found: dict[str, str] = {}
        if self.upgrade_skip != printed.upgrade_skip:
            found["upgrade_skip"] = self.upgrade_skip
        if self.exchange_down != printed.exchange_down:
            found["exchange_down"] = self.exchange_down
        if self.known_points != printed.known_points:
            found["known_points"] = "yes" if self.known_points else "no"
        if self.max_rounds:
            found["max_rounds"] = str(int(self.max_rounds))
        if self.difficulty != "normal":
            found["difficulty"] = self.difficulty
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


def _rebuild(
    players: int,
    edition: str,
    modules: tuple[str, ...],
    upgrade_skip: str,
    exchange_down: str,
    known_points: bool,
    max_rounds: int,
    difficulty: str,
    own: tuple[Card, ...],
    replaced: tuple[Card, ...],
    replaced_tiles: tuple[Tile, ...],
) -> Rules:
    return Rules(
        players,
        edition,
        modules,
        upgrade_skip=upgrade_skip,
        exchange_down=exchange_down,
        known_points=known_points,
        max_rounds=max_rounds,
        difficulty=difficulty if players == 1 else "",
        own=own,
        replaced=replaced,
        replaced_tiles=replaced_tiles,
    )


def _span(counts: tuple[int, ...]) -> str:
    return f"{counts[0]} to {counts[-1]}"


def check(players: int, edition: str, modules: tuple[str, ...]) -> None:
    """Refuse what RULES.md section 10 does not allow, with the reason."""
    if edition not in EDITIONS:
        raise Unreadable("edition", f"the editions are {', '.join(EDITIONS)}, found {edition[:20]!r}", field="edition")
    printed = EDITIONS[edition]
    for module in modules:
        if module not in MODULES:
            known = ", ".join(MODULES)
            raise Unreadable("module", f"unknown module {module[:20]!r}, expected one of {known}", field="modules")
        if module not in printed.modules:
            has = ", ".join(printed.modules) or "no modules, only the base game and solo"
            raise Unreadable("module-edition", f"edition {edition} has no {module}; it has {has}", field="modules")
        if modules.count(module) > 1:
            raise Unreadable("module-twice", f"module {module} is named twice", field="modules")
    _check_count(players, edition, modules)
    if "endless_white" in modules and players == 1:
        raise Unreadable("endless-solo", "endless_white needs two players or more, not solo", field="modules")
    if "finesse_ambassador" in modules and "finesse" not in modules:
        raise Unreadable("finesse-missing", "finesse_ambassador adds tiles to finesse and needs it", field="modules")


def _check_count(players: int, edition: str, modules: tuple[str, ...]) -> None:
    printed = EDITIONS[edition]
    if players not in printed.players:
        sentence = f"edition {edition} is for {_span(printed.players)} players, found {players}"
        raise Unreadable("players", sentence, field="players")
    if players == 6 and not any(module in modules for module in printed.six_players_need):
        boxes = " or ".join(printed.six_players_need)
        sentence = f"six players in edition {edition} need the module {boxes}, which brings the cards for them"
        raise Unreadable("six-players", sentence, field="players")
    if "line_clear" in modules and players not in printed.line_clear_players:
        sentence = (
            f"line_clear in edition {edition} is for {_span(printed.line_clear_players)} players, found {players}"
        )
        raise Unreadable("line-clear-players", sentence, field="players")


def check_options(players: int, upgrade_skip: str, exchange_down: str, max_rounds: int, difficulty: str) -> None:
    """Refuse an option value that does not exist; the empty text is the edition's own."""
    if upgrade_skip and upgrade_skip not in UPGRADE_SKIPS:
        raise Unreadable("option-value", f"upgrade_skip is {' or '.join(UPGRADE_SKIPS)}", field="options")
    if exchange_down and exchange_down not in EXCHANGES_DOWN:
        raise Unreadable("option-value", f"exchange_down is {' or '.join(EXCHANGES_DOWN)}", field="options")
    if max_rounds < 0:
        raise Unreadable("option-value", "max_rounds is a number from 1", field="options")
    if difficulty and difficulty not in DIFFICULTIES:
        raise Unreadable("option-value", f"difficulty is {' or '.join(DIFFICULTIES)}", field="options")
    if difficulty and players != 1:
        raise Unreadable("difficulty-solo", "difficulty is for solo (players: 1) only", field="options")


def check_own(modules: tuple[str, ...], own: tuple[Card, ...]) -> None:
    """Own cards may only give what the modules in play have."""
    for card in own:
        if BASE_SHAPES <= card.reward < LEVEL_UP_1 or card.reward in (LEVEL_UP_1, LEVEL_UP_1 + 1):
            if "ghost" not in modules:
                raise Unreadable("card-ghost", f"card {card.id} gives what needs the module ghost", field=card.id)
        elif card.reward > LEVEL_UP_1 + 1 and "ambassador" not in modules:
            raise Unreadable("card-ambassador", f"card {card.id} gives M, which needs ambassador", field=card.id)


def card_sets(rules: Rules) -> tuple[str, ...]:
    """The shipped card sets that are in play."""
    return ("base", *(m for m in ("ghost", "ambassador", "phoenix") if m in rules.modules))
