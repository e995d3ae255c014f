"""Write the golden games: one for each edition, module and player count.

    make golden

A golden game pins what the rules, the shuffle and the notation did when it was written. If one
changes, either a rule was mended, and the change log says so, or something broke.
"""

import json
import random
from pathlib import Path

from projectl import Named, Rules, Unreadable, view
from projectl.core.cards import SETS, shipped
from projectl.core.rules import EDITIONS, SOLO
from projectl.game import Game
from projectl.header import Header
from tests.players import play_out

FOLDER = Path(__file__).parent / "golden"
POSITIONS = FOLDER / "positions.json"


def _with_what_it_needs(module: str, edition: str, players: int) -> tuple[str, ...]:
    modules = [module] if module else []
    if module == "finesse_ambassador":
        modules.append("finesse")
    if players == 6 and not set(modules) & set(EDITIONS[edition].six_players_need):
        modules.append("ghost")
    return tuple(modules)


def golden_rules() -> dict[str, Rules]:
    """The games by name."""
    found: dict[str, Rules] = {}
    for edition, printed in EDITIONS.items():
        for module in ("", *printed.modules):
            for players in range(1, 7):
                try:
                    rules = Rules(players, edition, _with_what_it_needs(module, edition, players), max_rounds=25)
                except Unreadable:
                    continue
                found[f"{edition}-{module or 'base'}-{players}"] = rules
    return found


def golden_header(name: str, rules: Rules) -> Header:
    """A module's own cards lie on top, so that they come into play."""
    cards = [card for module in rules.modules if module in SETS for card in shipped(module).cards]
    white, black = [card.id for card in cards if card.white], [card.id for card in cards if not card.white]
    if rules.kind == SOLO:
        return Header(rules, f"golden {name}", named=Named(deck=white[:7] + black[:5]))
    return Header(rules, f"golden {name}", named=Named(white, black[:9]))


def position(game: Game) -> dict[str, object]:
    """What is kept of the end of a game: the contract's keys, not what can be worked out from them."""
    found = {key: part for key, part in view(game.state).items() if key not in ("can", "last_round")}
    players = [{key: part for key, part in player.items() if key != "score"} for player in view(game.state)["players"]]
    return {**found, "players": players}


def main() -> None:
    """Play every golden game anew."""
    FOLDER.mkdir(exist_ok=True)
    positions: dict[str, dict[str, object]] = {}
    for name, rules in golden_rules().items():
        game = play_out(golden_header(name, rules), random.Random(name))
        (FOLDER / f"{name}.pln").write_text(game.text(), encoding="utf-8")
        positions[name] = position(game)
    rows = ",\n".join(f"{json.dumps(name)}: {json.dumps(found)}" for name, found in positions.items())
    POSITIONS.write_text("{\n" + rows + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
