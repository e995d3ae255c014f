"""What the server tells about the game itself: editions, cards, tiles, pieces, bots."""

from functools import cache
from typing import Final

import projectl
from projectl.bots import names
from projectl.core.cards import REWARDS, all_tiles, shipped_cards
from projectl.core.pieces import BASE_SHAPES, LEVEL, NAMES, PICTURES
from projectl.core.rules import DIFFICULTIES, EDITIONS, EXCHANGES_DOWN, UPGRADE_SKIPS, Rules
from projectl.server.messages import PROTOCOL, Setup

OPTIONS: Final[dict[str, list[str]]] = {
    "upgrade_skip": list(UPGRADE_SKIPS),
    "exchange_down": list(EXCHANGES_DOWN),
    "known_points": ["yes", "no"],
    "difficulty": list(DIFFICULTIES),
}


def setup_of(rules: Rules) -> Setup:
    """Which game is played."""
    return Setup(
        rules.edition,
        int(rules.players),
        list(rules.modules),
        rules.options(),
        [card.text() for card in rules.own],
    )


def about() -> dict[str, object]:
    """Versions, editions, bots."""
    return {
        "name": "Project L",
        "version": projectl.__version__,
        "protocol": PROTOCOL,
        "compiled": projectl.compiled(),
        "bots": names(),
        "options": OPTIONS,
        "editions": {
            name: {
                "players": list(edition.players),
                "modules": list(edition.modules),
                "six_players_need": list(edition.six_players_need),
                "line_clear_players": list(edition.line_clear_players),
                "defaults": {
                    "upgrade_skip": edition.upgrade_skip,
                    "exchange_down": edition.exchange_down,
                    "known_points": "yes" if edition.known_points else "no",
                },
            }
            for name, edition in EDITIONS.items()
        },
    }


@cache
def catalogue() -> dict[str, object]:
    """Every card and tile, and the twelve pieces."""
    return {
        "cards": [
            {
                "id": card.id,
                "colour": "W" if card.white else "B",
                "points": card.points,
                "reward": REWARDS[card.reward],
                "rows": card.text().split()[4:],  # `.` is a hollow to fill, `#` is not
                "pack": card.source,
            }
            for card in shipped_cards()
        ],
        "tiles": [
            {
                "id": tile.id,
                "set": tile.set,
                "when": tile.when,
                "what": tile.what,
                "shapes": [NAMES[shape] for shape in tile.shapes],
                "credits": tile.credits,
                "pack": tile.source,
            }
            for tile in all_tiles()
        ],
        "pieces": [
            {
                "name": name,
                "level": int(LEVEL[shape]),
                "ghost": shape >= BASE_SHAPES,
                "cells": [
                    [column, row]
                    for row, line in enumerate(PICTURES[name])
                    for column, sign in enumerate(line)
                    if sign != "."
                ],
            }
            for shape, name in enumerate(NAMES)
        ],
    }
