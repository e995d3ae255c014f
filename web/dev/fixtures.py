"""Positions for the board's fixture page, made with the engine: `python web/dev/fixtures.py` writes fixtures.json."""

import json
from collections.abc import Callable
from pathlib import Path

from msgspec import to_builtins

from projectl import SPECTATOR, Rules, apply, lines, new_game, result, to_act, view
from projectl.bots import look_at, make
from projectl.core import cards
from projectl.core.notation import whole_actions
from projectl.core.state import State
from projectl.server.catalogue import catalogue

NAMES = ("Ana", "Bo", "Chidi", "Dana", "Emil", "Fumiko")
COLOURS = ("teal", "coral", "violet", "gold", "rose", "sky")


def pile(s: State, seat: int) -> list[str]:
    """The cards of a player's pile."""
    return list(view(s)["players"][seat]["completed"])  # type: ignore[index]


def taken_card(s: State, text: str) -> str | None:
    """The card that a Take names, where it lies open."""
    words = text.removeprefix("insert ").split()
    if words[0] != "take" or not words[1][-1].isdigit():
        return None
    here = view(s)
    slot = int(words[1][-1]) - 1
    row = here["solo"]["grid"] if "solo" in here else here["rows"][words[1][:-1]]  # type: ignore[index]
    return str(row[slot])


def facts_of(before: State, after: State, seat: int, text: str) -> dict[str, object]:
    """What a log wants to know about an action."""
    found: dict[str, object] = {}
    card = taken_card(before, text)
    if card:
        found["card"] = card
    new = pile(after, seat)[len(pile(before, seat)) :]
    if new:
        known = {card.id: card for card in before.cards.cards}
        found["completed"] = [{"card": name, "place": 1, "points": known[name].points} for name in new]
        found["rewards"] = [cards.REWARDS[known[name].reward] for name in new if known[name].reward < cards.LEVEL_UP_1]
    if after.round != before.round:
        found["round"] = int(after.round)
    if after.end_triggered and not before.end_triggered:
        found["end_triggered"] = True
    return found


def play(rules: Rules, seed: str, enough: Callable[[State, int], bool], bot: str = "greedy") -> dict[str, object]:
    """Bots play until a position is one that we want to see, from the seat that acts there."""
    s = new_game(rules, seed)
    bots = [make(bot, seat) for seat in range(rules.players)]
    events: list[dict[str, object]] = []
    while not result(s) and not enough(s, to_act(s)[0]):
        seat = to_act(s)[0]
        before, decisions = s.clone(), []
        while True:
            decision = bots[seat].decide(look_at(s, seat, 0.02))
            decisions.append(decision)
            apply(s, decision, seat)
            try:
                texts = whole_actions(before, seat, decisions)
            except Exception:
                texts = []
            if texts:
                break
        event = {"type": "played", "seat": seat + 1, "action": texts[0]}
        facts = facts_of(before, s, seat, texts[0])
        events.append({"version": len(events) + 1, "at": 1.7e9 + len(events), "event": event, "facts": facts})
    return shown(s, events)


def shown(s: State, events: list[dict[str, object]]) -> dict[str, object]:
    """The position as the seat that acts sees it, as a `state` message with its table."""
    acting = to_act(s)
    seat = acting[0] if acting else 0
    legal: dict[str, list[str]] = {}
    for actor, text, _ in lines(s):
        if actor == seat:
            legal.setdefault(str(actor + 1), []).append(text)
    rules = s.rules
    seats = [
        {
            "seat": n + 1,
            "kind": "person" if n == seat else "bot",
            "name": NAMES[n],
            "colour": COLOURS[n],
            "online": True,
        }
        for n in range(rules.players)
    ]
    setup = {"edition": rules.edition, "players": int(rules.players), "modules": list(rules.modules)}
    table = {
        "game": "fixture",
        "setup": {**setup, "options": dict(rules.options()), "cards": []},
        "seats": seats,
        "status": "over" if result(s) else "playing",
        "created": 1.7e9,
        "undo": True,
    }
    return {
        "view": view(s, seat),
        "spectator": view(s, SPECTATOR),
        "table": table,
        "seat": seat + 1,
        "legal": legal,
        "events": events[-60:],
        "undo": {str(seat + 1): 1},
    }


def in_round(number: int, actions: int = 3) -> Callable[[State, int], bool]:
    """The first turn of a seat in a round, with so many actions left."""
    return lambda s, seat: int(s.round) >= number and int(s.players[seat].actions) <= actions and phase(s) == "play"


def rich(number: int, actions: int) -> Callable[[State, int], bool]:
    """As `in_round`, where the seat has pieces and puzzles to show."""

    def enough(s: State, seat: int) -> bool:
        here = view(s)["players"][seat]  # type: ignore[index]
        shown_enough = sum(here["supply"].values()) >= 3 and len(here["puzzles"]) >= 2
        return in_round(number, actions)(s, seat) and shown_enough

    return enough


def phase(s: State) -> str:
    """The name of the phase."""
    return str(view(s)["phase"])


def has_ghost(s: State, seat: int) -> bool:
    """Whether a Ghost action is possible."""
    return any(text.startswith("ghost") for actor, text, _ in lines(s) if actor == seat)


def offers(word: str, least: int = 1) -> Callable[[State, int], bool]:
    """A position whose legal actions have so many that begin with a word."""
    return lambda s, seat: sum(text.startswith(word) for _, text, _ in lines(s)) >= least


def found(rules: Rules, enough: Callable[[State, int], bool], name: str) -> dict[str, object]:
    """The first game of a few dozen that comes to such a position."""
    for n in range(60):
        fixture = play(rules, f"{name}{n}", enough)
        if not fixture["view"]["result"]:  # type: ignore[index]
            return fixture
    raise SystemExit(f"no game comes to {name}")


def fixtures() -> dict[str, dict[str, object]]:
    """Every position of the fixture page."""
    ghost = ("ghost", "ambassador", "finesse")
    made = {
        "two-start": play(Rules(players=2), "tuesday", lambda s, seat: True),
        "two-middle": play(Rules(players=2), "wednesday", rich(7, 2), "planner:20ms"),
        "four": play(
            Rules(players=4),
            "thursday",
            lambda s, seat: rich(4, 3)(s, seat) and offers("master", 9)(s, seat),
            "planner:20ms",
        ),
        "line-clear": play(Rules(players=6, modules=("ghost", "line_clear")), "friday", rich(4, 2), "planner:20ms"),
        "solo-2019": play(Rules(players=1, edition="2019"), "saturday", rich(5, 3), "planner:20ms"),
        "solo-2023": play(Rules(players=1, difficulty="hard"), "sunday", rich(5, 2), "planner:20ms"),
        "modules": found(
            Rules(players=3, modules=ghost), lambda s, seat: int(s.round) >= 4 and has_ghost(s, seat), "monday"
        ),
        "reward": found(Rules(players=4, edition="2023"), offers("reward"), "reward"),
        "level-up": found(Rules(players=2, modules=("ghost",)), offers("levelup", 2), "levelup"),
        "touches": found(Rules(players=2, modules=("finesse",)), offers("touch", 3), "touch"),
        "last-round": found(Rules(players=3), lambda s, seat: bool(s.end_triggered) and phase(s) == "play", "last"),
        "over": play(Rules(players=3, known_points=True), "over", lambda s, seat: False),
    }
    hidden = play(Rules(players=4), "hidden", rich(7, 3), "planner:20ms")
    waiting = play(Rules(players=2), "waiting", lambda s, seat: int(s.round) >= 6 and seat == 1, "planner:20ms")
    made["hidden"] = {**hidden, "view": hidden["spectator"], "seat": 0, "legal": {}, "undo": {}}
    made["waiting"] = {**waiting, "seat": 1, "legal": {}, "undo": {}}
    return made


if __name__ == "__main__":
    here = Path(__file__).parent
    text = json.dumps({"catalogue": to_builtins(catalogue()), "fixtures": fixtures()}, separators=(",", ":"))
    (here / "fixtures.json").write_text(text + "\n", encoding="utf-8")
