"""Finding puzzles: games are played with a short search, and where one turn stands out a longer one looks again."""

from typing import Final, NamedTuple

from projectl.bots.touches import best_touches
from projectl.core.notation import whole_actions
from projectl.core.rules import DEFAULT_EDITION, Rules, rules_with
from projectl.core.state import OVER, PLAY, TOUCHES, State
from projectl.daily.check import check
from projectl.daily.puzzle import GOOD, MARGIN, Puzzle
from projectl.daily.worth import FINDING, GRADING, Search, Weigher, Worth
from projectl.game import Game
from projectl.header import Header

# Five days of the week the plain game for two, then a Ghost Piece game, then three at the table.
KINDS: Final[tuple[tuple[int, tuple[str, ...]], ...]] = ((2, ()),) * 5 + ((2, ("ghost",)), (3, ()))
FROM_ONE_GAME: Final = 4
STANDS_OUT: Final = 0.05  # so far ahead a turn is in the short search before the longer one is asked
UNDECIDED: Final = (0.1, 0.94)  # chances between which a turn still matters
FEWEST: Final = 6  # turns to choose from
LONGEST: Final = 400  # moves of a game; no game between these bots has so many


def rules_of(number: int) -> Rules:
    """Which game the puzzles of a number are taken from."""
    players, modules = KINDS[number % len(KINDS)]
    return rules_with(players, DEFAULT_EDITION, modules, {})


class Found(NamedTuple):
    """A position in which a turn stood out, and the record so far."""

    record: str
    state: State
    seat: int


def play(number: int, search: Search = FINDING) -> list[Found]:
    """One game between bots; the positions worth a longer look."""
    rules = rules_of(number)
    game = Game(Header(rules, f"daily-{number}").checked())
    weigher = Weigher(rules.ghost)
    found: list[Found] = []
    while game.state.phase != OVER and len(game.moves) < LONGEST:
        seat = int(game.state.seat)
        if game.state.phase == TOUCHES:
            _play_all(game, seat, best_touches(game.state, seat))
            continue
        worths = weigher.weighed(game.state, seat, search)
        if stands_out(worths, STANDS_OUT) and game.state.round > 2:
            found.append(Found(game.text(), game.state.clone(), seat))
        _play_all(game, seat, worths[0].plan.decisions)
    return found


def _play_all(game: Game, seat: int, decisions: list[int]) -> None:
    for decision in decisions:
        game.decide(seat, decision)


def stands_out(worths: list[Worth], margin: float) -> bool:
    """Whether the first turn is clearly the best of several, in a game that is still open."""
    if len(worths) < FEWEST or not UNDECIDED[0] < worths[0].chance < UNDECIDED[1]:
        return False
    return worths[0].chance - worths[1].chance >= margin


def look_again(found: Found, number: int, search: Search = GRADING) -> Puzzle | None:
    """The same position by a longer search; a puzzle if one turn is still clearly best, and the only good one."""
    state, seat = found.state, found.seat
    if state.phase != PLAY:
        return None
    worths = Weigher(state.rules.ghost).weighed(state, seat, search)
    if not stands_out(worths, MARGIN):
        return None
    best, second = worths[0], worths[1]
    return Puzzle(
        record=found.record,
        seat=seat + 1,
        best=whole_actions(state, seat, best.plan.decisions),
        chance=round(best.chance, 3),
        second=round(second.chance, 3),
        tried=len(worths),
        good=sum(best.chance - worth.chance <= GOOD for worth in worths),
        game=number,
    )


def puzzles_of(number: int) -> list[Puzzle]:
    """The clearest puzzles of one game; each has been checked by a longer search than the one that made it."""
    puzzles = [puzzle for found in play(number) if (puzzle := look_again(found, number)) and check(puzzle).holds]
    puzzles.sort(key=lambda puzzle: puzzle.second - puzzle.chance)
    return puzzles[:FROM_ONE_GAME]
