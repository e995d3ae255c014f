"""A record step by step, for replays; and its analysis, turn by turn."""

from typing import Any

from projectl.core.state import TOUCHES
from projectl.core.view import view
from projectl.record import Game, replay
from projectl.server.catalogue import setup_of
from projectl.server.happened import facts_ahead, facts_of


def steps(record: str) -> dict[str, object]:
    """Every position of a record, the referee's view: whoever has the record may see it all."""
    whole = replay(record)
    game = Game(whole.header)
    start = view(game.state)
    found: list[dict[str, object]] = []
    for move in whole.moves:
        before = game.state.clone()
        game.play_action(move.seat, move.text)
        facts = facts_of(before, move, game.state)
        found.append({"seat": move.seat + 1, "text": move.text, "facts": facts, "view": view(game.state)})
    return {"setup": setup_of(whole.header.rules), "names": list(whole.header.names), "start": start, "steps": found}


def analyse_turn(record: str, number: int, seconds: float) -> dict[str, Any] | None:
    """One turn of a record, looked at again; None behind the last one. Runs in a worker process."""
    from projectl.bots.advice import report, turns_of

    game = replay(record)
    turns = [turn for turn in turns_of(game) if turn[1].phase < TOUCHES]
    if number >= len(turns):
        return None
    first, before, moves = turns[number]
    found = report(first, before, moves, seconds, number)
    return {
        "turn": number,
        "turns": len(turns),
        "first": found.first,
        "seat": found.seat + 1,
        "round": found.round,
        "played": found.played,
        "best": found.best,
        "facts": facts_ahead(before, found.seat, found.best),
        "before": round(found.value_before, 3),
        "after": round(found.value_after, 3),
        "loss": round(found.loss, 3),
        "why": found.why,
    }
