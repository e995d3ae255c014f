"""Help for people: the best turn and why, and a look back at a whole game."""

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from projectl.bots.beam import Plan
from projectl.bots.protocol import Look, look_at
from projectl.bots.rollout import turn_after
from projectl.bots.search import SearchBot, Trial
from projectl.core import actions
from projectl.core.cards import REWARDS, Card
from projectl.core.dice import Dice
from projectl.core.engine import apply
from projectl.core.legal import legal
from projectl.core.notation import whole_actions
from projectl.core.setup import new_game
from projectl.core.state import TOUCHES, State
from projectl.game import Game, Move

FEWEST_GAMES: Final = 20  # imagined games that a chance is told from; fewer say too little


class Hint(NamedTuple):
    """The best rest of a turn."""

    lines: list[str]  # whole actions, in order
    why: str
    value: float  # the chance to win that it leaves, by imagined games


def chance(outcome: float) -> float:
    """An outcome from -1 to 1 as a chance to win."""
    return (1.0 + outcome) / 2.0


def hint(look: Look, seconds: float, seed: int = 0) -> Hint:
    """The best way to go on for the seat that looks, with the reason in a sentence."""
    bot = SearchBot(seconds, seed)
    state = look.imagine(Dice(seed))
    if state.phase == TOUCHES:
        decisions = bot.plan(state, look.seat, seconds)
        lines = whole_actions(state, look.seat, decisions)
        return Hint(lines, _why_touches(state, look.seat, decisions), 0.5)
    trials = bot.trials(look, state, seconds)
    best = trials[0]
    lines = whole_actions(state, look.seat, best.plan.decisions)
    return Hint(lines, _why(state, look.seat, best, trials[1:]), chance(best.mean))


def _listed(words: list[str]) -> str:
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " and " + words[-1]


def _done(s: State, seat: int, decisions: list[int]) -> list[str]:
    """What a turn achieves, in words that name slots and places as a table shows them."""
    after = s.clone()
    completed: list[str] = []
    taken: list[str] = []
    for decision in decisions:
        if decision not in legal(after, seat):  # a turn that somebody played may use a card that came up
            break
        had = dict(after.puzzles(seat))
        apply(after, decision, seat)
        has = dict(after.puzzles(seat))
        completed += [_completed(place, s.cards.cards[had[place]]) for place in had if place not in has]
        if actions.is_take(decision):
            taken.append(actions.TAKE_NAMES[decision - actions.TAKE])
    return [*completed, *([f"takes {_listed(taken)}"] if taken else [])] or ["builds the supply and the puzzles up"]


def _completed(place: int, card: Card) -> str:
    points = f"{card.points} point{'' if card.points == 1 else 's'}"
    return f"completes the puzzle on place {place + 1} ({points}, {REWARDS[card.reward]})"


def _why(s: State, seat: int, best: Trial, others: list[Trial]) -> str:
    sentence = f"It {_listed(_done(s, seat, best.plan.decisions))}"
    tried = [trial for trial in others if trial.games == best.games]
    if best.games < FEWEST_GAMES:
        return f"{sentence}."
    sentence += f"; in {best.games} imagined games it wins about {chance(best.mean):.0%}"
    if tried:
        second = max(tried, key=lambda trial: trial.mean)
        sentence += f", the next best turn {chance(second.mean):.0%}"
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
    s = new_game(game.header.rules, game.header.seed, game.header.named)
    start, before, moves = 0, s.clone(), list[Move]()
    for number, move in enumerate(game.moves):
        if moves and (move.seat != moves[0].seat or s.round != before.round):
            yield start, before, moves
            start, before, moves = number, s.clone(), []
        moves.append(move)
        for decision in move.decisions:
            apply(s, decision, move.seat)
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
    """One turn, looked at again: what it was worth, and the best one."""
    seat = moves[0].seat
    bot = SearchBot(seconds, seed)
    look = look_at(before, seat, seconds)
    state = look.imagine(Dice(seed))
    played = Plan(state, [decision for move in moves for decision in move.decisions], 0.0)
    played.state = turn_after(played, state, seat)
    trials = bot.trials(look, state, seconds, played)
    mine = next(trial for trial in trials if trial.plan is played)
    best = max(trials, key=lambda trial: trial.mean)
    others = [trial for trial in trials if trial is not best]
    return TurnReport(
        first,
        seat,
        int(before.round),
        [move.text for move in moves],
        whole_actions(state, seat, best.plan.decisions) if best is not mine else [move.text for move in moves],
        chance(best.mean),
        chance(mine.mean),
        _why(state, seat, best, others),
    )
