"""What the server tells about the game itself: editions, cards, tiles, pieces, bots."""

from collections.abc import Sequence
from functools import cache
from itertools import combinations

import projectl
from projectl.bots import names
from projectl.bots.levels import LEVELS
from projectl.core import rules
from projectl.core.cards import REWARDS, Card, Tile, all_tiles, shipped_cards
from projectl.core.errors import Unreadable
from projectl.core.pieces import BASE_SHAPES, LEVEL, NAMES, PICTURES
from projectl.core.rules import EDITIONS, OPTIONS, Rules
from projectl.server.http.messages import PROTOCOL, Setup
from projectl.server.http.replies import (
    About,
    Catalogue,
    CatalogueCard,
    CataloguePiece,
    CatalogueTile,
    EditionRow,
    LevelRow,
    Need,
    OptionRow,
)


def setup_of(rules: Rules) -> Setup:
    """Which game is played."""
    return Setup(
        rules.edition,
        int(rules.players),
        list(rules.modules),
        rules.options(),
        [card.text() for card in rules.own],
        _actions(rules),
    )


def _actions(rules: Rules) -> list[str]:
    """The kinds of action that a game has, whether they are possible now or not."""
    also = {
        "deck": rules.takes_from_deck,
        "recycle": rules.recycles,
        "ambassador": rules.ambassador,
        "ghost": rules.ghost,
        "insert": rules.finesse,
        "pass": not rules.must_use_all_actions,
    }
    return ["take", "gain", "upgrade", "place", "master", *[kind for kind, has in also.items() if has]]


def about(public_url: str = "", addresses: Sequence[str] = ()) -> About:
    """Versions, editions, bots, and where other machines reach this server."""
    return About(
        name="Project L",
        version=projectl.__version__,
        protocol=PROTOCOL,
        compiled=projectl.compiled(),
        public_url=public_url,
        addresses=list(addresses),
        bots=names(),
        levels=[LevelRow(*level) for level in LEVELS],
        options={option.name: list(option.values) for option in OPTIONS if option.values},
        option_table=option_rows(),
        editions={name: _edition(name, edition) for name, edition in EDITIONS.items()},
    )


def option_rows() -> list[OptionRow]:
    """What a table may settle, as forms show it."""
    return [
        OptionRow(option.name, list(option.values), option.defaults, option.words, option.solo) for option in OPTIONS
    ]


def _edition(name: str, edition: rules.Edition) -> EditionRow:
    return EditionRow(
        players=list(edition.players),
        modules=list(edition.modules),
        needs=_needs(name),
        defaults={option.name: option.defaults[name] for option in OPTIONS if option.values},
    )


@cache
def _needs(name: str) -> dict[str, Need]:
    """What goes with what, found by asking the rules about every game of an edition."""
    edition = EDITIONS[name]
    sets = [chosen for size in range(len(edition.modules) + 1) for chosen in combinations(edition.modules, size)]
    games = {(n, chosen) for n in edition.players for chosen in sets if _exists(n, name, chosen)}

    def need(count: int | None, *modules: str) -> Need:
        """For a number of players, or for a module whatever their number is."""
        fitting = {(n, chosen) for n, chosen in games if count in (None, n) and set(modules) <= set(chosen)}
        alone = any(chosen == modules for _, chosen in fitting)
        also = () if alone else edition.modules
        pairs = {frozenset(chosen) for _, chosen in fitting if len(chosen) == len(modules) + 1}
        needed = [module for module in also if frozenset((*modules, module)) in pairs]
        return Need(sorted({n for n, _ in fitting}), needed)

    return {str(n): need(n) for n in edition.players} | {module: need(None, module) for module in edition.modules}


def _exists(players: int, edition: str, modules: tuple[str, ...]) -> bool:
    try:
        rules.check(players, edition, modules)
    except Unreadable:
        return False
    return True


def _card(card: Card) -> CatalogueCard:
    return CatalogueCard(
        id=card.id,
        colour="W" if card.white else "B",
        points=card.points,
        reward=REWARDS[card.reward],
        rows=card.text().split()[4:],
        pack=card.source,
    )


def _tile(tile: Tile) -> CatalogueTile:
    return CatalogueTile(
        id=tile.id,
        set=tile.set,
        when=tile.when,
        what=tile.what,
        shapes=[NAMES[shape] for shape in tile.shapes],
        credits=tile.credits,
        pack=tile.source,
    )


@cache
def catalogue() -> Catalogue:
    """Every card and tile, and the twelve pieces."""
    return Catalogue(
        [_card(card) for card in shipped_cards()],
        [_tile(tile) for tile in all_tiles()],
        [
            CataloguePiece(name, int(LEVEL[shape]), shape >= BASE_SHAPES, _cells(PICTURES[name]))
            for shape, name in enumerate(NAMES)
        ],
    )


def _cells(picture: Sequence[str]) -> list[tuple[int, int]]:
    return [(column, row) for row, line in enumerate(picture) for column, sign in enumerate(line) if sign != "."]
