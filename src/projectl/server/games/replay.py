"""A record step by step, for replays; and its analysis, turn by turn. Runs in worker processes."""

from projectl.core.state import TOUCHES
from projectl.core.view import EVERYTHING, view
from projectl.game import Game
from projectl.record import replay
from projectl.server.catalogue import setup_of
from projectl.server.games.preview import facts_ahead
from projectl.server.http.replies import AnalysedTurn, ReplayGame, ReplayStep


def steps(record: str, seat: int = EVERYTHING) -> ReplayGame:
    """Every position of a record as a seat (from 0) saw it; whoever has the record itself may see it all."""
    whole = replay(record)
    game = Game(whole.header)
    start = view(game.state, seat)
    found: list[ReplayStep] = []
    for move in whole.moves:
        game.play(move)
        found.append(ReplayStep(move.seat + 1, move.text, move.did, view(game.state, seat)))
    return ReplayGame(setup_of(whole.header.rules), list(whole.header.names), start, found)


def analyse_turn(record: str, number: int, seconds: float) -> AnalysedTurn | None:
    """One turn of a record, looked at again; None behind the last one."""
    from projectl.bots.advice import report, turns_of  # only the workers need it

    game = replay(record)
    turns = [turn for turn in turns_of(game) if turn[1].phase < TOUCHES]
    if number >= len(turns):
        return None
    first, before, moves = turns[number]
    found = report(first, before, moves, seconds, number)
    return AnalysedTurn(
        turn=number,
        turns=len(turns),
        first=found.first,
        seat=found.seat + 1,
        round=found.round,
        played=found.played,
        best=found.best,
        facts=facts_ahead(before, found.seat, found.best),
        before=round(found.value_before, 3),
        after=round(found.value_after, 3),
        loss=round(found.loss, 3),
        why=found.why,
    )
