"""Help for people: the best turn and why, and a look back at a whole game."""

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from projectl.bots.protocol import Adviser, Line, Look, look_at
from projectl.bots.search import search
from projectl.bots.touches import best_touches, finished
from projectl.core import actions
from projectl.core.cards import REWARDS, Card
from projectl.core.dice import Dice
from projectl.core.engine import apply
from projectl.core.legal import legal
from projectl.core.notation import whole_actions
from projectl.core.state import TOUCHES, State
from projectl.game import Game, Move

FEWEST_GAMES: Final = 20  # imagined games that a chance is told from; fewer say too little
_DEALS: Final = 64  # of the hidden piles, when only touches are left


class Hint(NamedTuple):
    """The best rest of a turn."""

    lines: list[str]  # whole actions, in order
    why: str
    value: float  # the chance to win that it leaves, by imagined games


def hint(look: Look, seconds: float, seed: int = 0) -> Hint:
    """The best way to go on for the seat that looks, with the reason in a sentence."""
    state = look.imagine(Dice(seed))
    if state.phase == TOUCHES:
        decisions = best_touches(state, look.seat)
        lines = whole_actions(state, look.seat, decisions)
        return Hint(lines, _why_touches(state, look.seat, decisions), _chance_at_the_end(look, seed))
    line = search(seconds, seed).line(look, seconds)
    decisions = legal_part(state, look.seat, line.decisions)
    return Hint(whole_actions(state, look.seat, decisions), _why(state, look.seat, line), line.chance)


def _chance_at_the_end(look: Look, seed: int) -> float:
    """By the results themselves, if everybody makes the best of their touches: only hidden piles leave a doubt."""
    dice = Dice(seed)
    found = [finished(look.imagine(dice)) for _ in range(_DEALS)]
    return sum(1 / len(end.winners) for end in found if look.seat in end.winners) / _DEALS


def legal_part(s: State, seat: int, decisions: list[int]) -> list[int]:
    """The decisions of a turn as far as they can be carried out in this deal."""
    after, found = s.clone(), list[int]()
    for decision in decisions:
        if decision not in legal(after, seat):  # a turn that somebody played may use a card that came up
            break
        apply(after, decision, seat)
        found.append(decision)
    return found


def _listed(words: list[str]) -> str:
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " and " + words[-1]


def _done(s: State, seat: int, decisions: list[int]) -> list[str]:
    """What a turn achieves, in words that name slots and places as a table shows them."""
    after = s.clone()
    completed: list[str] = []
    taken: list[str] = []
    for decision in legal_part(s, seat, decisions):
        had = dict(after.puzzles(seat))
        apply(after, decision, seat)
        has = dict(after.puzzles(seat))
        completed += [_completed(place, s.cards.cards[had[place]]) for place in had if place not in has]
        if actions.is_take(decision):
            taken.append(_slot(actions.TAKE_NAMES[decision - actions.TAKE]))
    return [*completed, *([f"takes {_listed(taken)}"] if taken else [])] or ["builds the supply and the puzzles up"]


def _slot(name: str) -> str:
    """A card by its slot, or by the deck it lies on top of."""
    return name if name[-1].isdigit() else f"the top card of deck {name}"


def _completed(place: int, card: Card) -> str:
    points = f"{card.points} point{'' if card.points == 1 else 's'}"
    return f"completes the puzzle on place {place + 1} ({points}, {REWARDS[card.reward]})"


def _why(s: State, seat: int, line: Line) -> str:
    sentence = f"It {_listed(_done(s, seat, line.decisions))}"
    if line.games < FEWEST_GAMES:
        return f"{sentence}."
    sentence += f"; in {line.games} imagined games it wins about {line.chance:.0%}"
    if line.second is not None:
        sentence += f", the next best turn {line.second:.0%}"
    return f"{sentence}."


def _why_touches(s: State, seat: int, decisions: list[int]) -> str:
    if len(decisions) == 1:
        return "No touch brings more points than it costs."
    done = _done(s, seat, decisions)
    return f"It {_listed(done)}, which is worth more than the touches cost."


class TurnReport(NamedTuple):
    """One turn of a game that was played, looked at again."""

    first: int  # number of its first action in the record, from 0
    seat: int
    round: int
    played: list[str]
    best: list[str]
    value_before: float  # the chance to win with the best turn found
    value_after: float  # with the turn that was played
    why: str

    @property
    def loss(self) -> float:
        """What the turn gave away."""
        return max(0.0, self.value_before - self.value_after)


def turns_of(game: Game) -> Iterator[tuple[int, State, list[Move]]]:
    """The turns of a record: number of the first action, the position before it, the actions."""
    again = Game(game.header)
    start, before, moves = 0, again.state.clone(), list[Move]()
    for number, move in enumerate(game.moves):
        if moves and (move.seat != moves[0].seat or again.state.round != before.round):
            yield start, before, moves
            start, before, moves = number, again.state.clone(), []
        moves.append(again.play(move))
    if moves:
        yield start, before, moves


def analyse(
    game: Game, seconds: float, tell: Callable[[int, int], None] = lambda done, total: None, seed: int = 0
) -> list[TurnReport]:
    """Every turn before the touches: what it was worth, what the best one was worth."""
    turns = [turn for turn in turns_of(game) if turn[1].phase < TOUCHES]
    reports: list[TurnReport] = []
    for done, (first, before, moves) in enumerate(turns):
        tell(done, len(turns))
        reports.append(report(first, before, moves, seconds, seed))
    tell(len(turns), len(turns))
    return reports


def report(first: int, before: State, moves: list[Move], seconds: float, seed: int) -> TurnReport:
    """One turn, looked at again: what it was worth, and the best one, both in the same imagined deals."""
    seat = moves[0].seat
    look = look_at(before, seat, seconds)
    state = look.imagine(Dice(seed))
    adviser: Adviser = search(seconds, seed)
    played = [decision for move in moves for decision in move.decisions]
    line = adviser.line(look, seconds)
    after, best = (adviser.worth(look, decisions, seed) for decisions in (played, line.decisions))
    better = best > after
    shown = line._replace(decisions=line.decisions if better else played, chance=max(best, after), second=None)
    texts = [move.text for move in moves]
    return TurnReport(
        first,
        seat,
        int(before.round),
        texts,
        whole_actions(state, seat, legal_part(state, seat, line.decisions)) if better else texts,
        shown.chance,
        after,
        _why(state, seat, shown),
    )
