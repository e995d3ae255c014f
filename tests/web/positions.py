"""Positions in the middle of games, as records: what a person would meet after an evening is there at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random

from projectl.bots.action import bot_action
from projectl.bots.registry import make
from projectl.core.engine import apply
from projectl.core.notation import legal_decisions, lines
from projectl.core.state import OVER, State
from projectl.core.view import view
from projectl.record import replay
from tests.web.choosing import choose
from tests.web.pieces import Placement


def header(players: int, modules: str = "", seed: str = "1", options: str = "", edition: str = "2023") -> str:
    """The beginning of a record."""
    rows = [f"edition: {edition}", f"players: {players}", f"seed: {seed}"]
    rows += [f"modules: {modules}"] if modules else []
    rows += [f"options: {options}"] if options else []
    return "".join(f"{row}\n" for row in rows)


def legal(state: State) -> dict[str, list[str]]:
    """All whole actions by seat, as the server sends them."""
    found: dict[str, list[str]] = {}
    for seat, text, _ in lines(state):
        found.setdefault(str(seat + 1), []).append(text)
    return found


def until(
    start: str, ready: Callable[[dict[str, list[str]], State], bool], most: int = 400, eager: str = "levelup"
) -> str:
    """Play on in a lively way until a position has what is wanted; the record up to there. `eager` goes first."""
    state = replay(start).state
    dice = Random(start)
    done: Counter[str] = Counter()
    rows = [start]
    while state.phase != OVER and len(rows) < most:
        found = legal(state)
        if ready(found, state):
            return "\n".join(rows) + "\n"
        shown = view(state)
        seat = next(iter(found))
        wanted = [text for text in found[seat] if text.startswith(eager) and text[-1] in "15"]
        text = dice.choice(wanted) if wanted else choose({"view": shown, "legal": found}, int(seat), done)
        done[text.split()[0]] += 1
        for decision in legal_decisions(state, int(seat) - 1, text):
            apply(state, decision, int(seat) - 1)
        rows.append(f"{seat} {text}")
    raise LookupError("never")


def having(verb: str, start: Callable[[str], str], first: int = 0, eager: str = "levelup") -> str:
    """A record after which somebody may do this; seeds are tried one after another, so it is always the same."""
    for number in range(first, first + 100):
        try:
            return until(
                start(str(number)),
                lambda found, _: any(text.split()[0] == verb for texts in found.values() for text in texts),
                eager=eager,
            )
        except LookupError:
            continue
    raise LookupError(f"no game comes to {verb}")


def played(start: str, actions: int, bot: str = "greedy") -> str:
    """A record of so many actions between bots, then on to a moment with some choice: pieces in hand, Master open."""
    state = replay(start).state
    bots = [make(bot, seat) for seat in range(6)]
    rows = [start.rstrip("\n"), ""]
    for number in range(actions + 60):
        found = legal(state)
        seat = int(next(iter(found))) - 1
        texts = found[str(seat + 1)]
        verbs = {text.split()[0] for text in texts}
        shapes = {placement.piece for text in texts if text.startswith("master") for placement in _placements(text)}
        if number >= actions and {"take", "upgrade", "master"} <= verbs and len(shapes) > 2:
            return "\n".join(rows) + "\n"
        text = bot_action(bots[seat], state.clone(), seat)
        for decision in legal_decisions(state, seat, text):
            apply(state, decision, seat)
        rows.append(f"{seat + 1} {text}")
    raise LookupError("never")


def _placements(text: str) -> list[Placement]:
    return [Placement.read(word) for word in text.split() if ":" in word]
