"""What is said of the chance of winning against what happened, in each phase of many games.

    python benchmarks/chances.py --games 2000 --out chances.jsonl --picture docs/img/chances.svg

A bot plays against itself. In each phase of a game one beginning of a turn is picked by lot, and three say what its
chance is, each with a fixed amount of work, so that a busy machine changes nothing: the learned search as hints do (a
tree of so many walks), the network at first sight, and the classic search by its imagined games. In the finishing
touches a hint's chance is held against the exact result, with and without what the seat saw of the others' piles. The
file keeps one line for each game: what is there is not played again.
"""

import argparse
import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean, stdev
from typing import Final, NamedTuple

import projectl.svg as svg
from projectl import Rules, State, legal, new_game, play, to_act
from projectl.arena import Share
from projectl.bots import Look, look_at, make
from projectl.bots.advice import hint
from projectl.bots.classic import ClassicSearch
from projectl.bots.neural import NetworkJudge, learned
from projectl.bots.search import told
from projectl.bots.touches import finished
from projectl.core.dice import Dice
from projectl.core.knowledge import known
from projectl.core.state import OVER, TOUCHES

PHASES: Final = {"opening": "rounds 1 to 3", "middle": "until the end is triggered", "last rounds": "from then on"}
SAYS: Final = {"search": "#2f5f8f", "network": "#2b8a57", "classic": "#c4570c"}
BINS: Final = 10
_DEALS: Final = 16  # of the hidden piles


class Opinion(NamedTuple):
    """A position, what was said of the seat that was to act, and what came of it."""

    phase: str
    won: float  # the share of the win
    said: dict[str, float]


class Touches(NamedTuple):
    """The beginning of the finishing touches, for a seat: with what it saw, and without."""

    result: float
    said: list[float]
    off: list[float]  # points that the piles of the others are off, on average over imagined games


def phase_of(s: State) -> str:
    """Where in its game a position stands."""
    if s.phase >= TOUCHES:
        return "touches"
    return "last rounds" if s.end_triggered else "opening" if s.round <= 3 else "middle"


def picked(rules: Rules, bot: str, number: int) -> tuple[dict[str, tuple[State, int]], State]:
    """A game: in each phase one beginning of a turn, and the end."""
    bots = [make(bot, number * 8 + seat) for seat in range(int(rules.players))]
    state, lot = new_game(rules, f"chances {number}"), random.Random(number)
    found: dict[str, tuple[State, int]] = {}
    count: dict[str, int] = {}
    before = (-1, -1)
    while state.phase != OVER:
        seat = to_act(state)[0]
        phase, turn = phase_of(state), (int(state.round), seat)
        if (turn != before and state.phase != TOUCHES) or (phase == "touches" and phase not in found):
            count[phase] = count.get(phase, 0) + 1
            if lot.randrange(count[phase]) == 0:
                found[phase] = state.clone(), seat
        before = turn
        play(state, bots[seat].decide(look_at(state, seat, 10.0)), seat)
    return found, state


def said_of(state: State, seat: int, walks: int) -> dict[str, float]:
    """What each of them says of a seat's chance."""
    look = look_at(state, seat, 10.0)
    weights = learned()
    assert weights is not None
    from projectl.bots.tree import USUAL, Tree, worth  # NumPy is loaded by now, with one thread as the network wants it

    judge = NetworkJudge(weights, look.rules, USUAL.batch, watched=look.known.watched)
    tree = Tree(judge, look.rules, look.known, Dice(1))
    root = tree.root()
    tree.grow(root, 1e9, walks)
    return {
        "search": told(root.mean, int(look.rules.players)),
        "network": worth(judge, [look.imagine(Dice(1))], seat),
        "classic": ClassicSearch(None, 1).worth(look, [], 1),
    }


def in_touches(state: State, seat: int) -> Touches:
    """A hint's chance beside the result, and how far off the piles are."""
    end = finished(state.clone())
    said, off = list[float](), list[float]()
    for watched in (True, False):
        what = known(state, seat, watched=watched)
        look = Look(state.rules, what, legal(state, seat), 1.0)
        said.append(hint(look, 1.0).value)
        dealt = [look.imagine(Dice(deal)) for deal in range(_DEALS)]
        others = [other for other in range(len(state.players)) if other != seat]
        off.append(fmean(abs(int(s.players[n].points) - int(state.players[n].points)) for s in dealt for n in others))
    return Touches(1 / len(end.winners) if seat in end.winners else 0.0, said, off)


def game_line(rules: Rules, bot: str, number: int, walks: int) -> dict[str, object]:
    """One game as the file keeps it."""
    found, end = picked(rules, bot, number)
    over = finished(end)
    opinions = [
        Opinion(phase, 1 / len(over.winners) if seat in over.winners else 0.0, said_of(state, seat, walks))
        for phase, (state, seat) in found.items()
        if phase in PHASES
    ]
    touches = in_touches(*found["touches"]) if "touches" in found else None
    return {"game": number, "opinions": opinions, "touches": touches}


# --- figures ----------------------------------------------------------------------------------


def interval(values: Sequence[float]) -> tuple[float, float, float]:
    """A mean and its 95 % range."""
    mean = fmean(values)
    half = 1.96 * stdev(values) / len(values) ** 0.5 if len(values) > 1 else 0.0
    return mean, mean - half, mean + half


def brier(opinions: Sequence[Opinion], who: str) -> list[float]:
    """How wrong each opinion was: 0 certain and right, 1 certain and wrong."""
    return [(opinion.said[who] - opinion.won) ** 2 for opinion in opinions]


def figures(opinions: Sequence[Opinion], touches: Sequence[Touches], games: int) -> Iterator[str]:
    """Tables as the documentation has them."""
    yield f"{games} games\n"
    yield "| phase | positions | " + " | ".join(f"Brier, {who}" for who in SAYS) + " | search less than classic by |"
    yield "| --- " * (len(SAYS) + 3) + "|"
    for phase in PHASES:
        of_phase = [opinion for opinion in opinions if opinion.phase == phase]
        if of_phase:
            scores = {who: brier(of_phase, who) for who in SAYS}
            better, low, high = interval([b - a for a, b in zip(scores["search"], scores["classic"], strict=True)])
            whole = fmean(scores["classic"])
            cells = [f"{fmean(scores[who]):.4f}" for who in SAYS]
            share = f"{better / whole:.0%} ({low / whole:.0%} to {high / whole:.0%})"
            yield f"| {phase} | {len(of_phase)} | {' | '.join(cells)} | {share} |"
    yield "\n| the search said | positions | said on average | won |\n| --- | --- | --- | --- |"
    for n, inside in enumerate(binned(opinions, "search")):
        if inside:
            said, happened = fmean(opinion.said["search"] for opinion in inside), won(inside)
            bottom, top = happened.interval()
            where = f"{n * 10} to {n * 10 + 10} %"
            yield f"| {where} | {happened.games} | {said:.1%} | {happened.rate:.1%} ({bottom:.0%} to {top:.0%}) |"
    yield "\n| touches | a hint's chance is the result | off by on average | piles off by, points | at most |"
    yield "| --- | --- | --- | --- | --- |"
    for n, name in enumerate(("with what the seat saw", "without")):
        gaps = [abs(one.said[n] - one.result) for one in touches]
        off = [one.off[n] for one in touches]
        if gaps:
            exact = fmean(float(gap < 0.005) for gap in gaps)
            yield f"| {name} | {exact:.1%} | {fmean(gaps):.3f} | {fmean(off):.2f} | {max(off):.1f} |"


def binned(opinions: Sequence[Opinion], who: str) -> list[list[Opinion]]:
    """By what was said."""
    bins: list[list[Opinion]] = [[] for _ in range(BINS)]
    for opinion in opinions:
        bins[min(BINS - 1, int(opinion.said[who] * BINS))].append(opinion)
    return bins


def won(opinions: Sequence[Opinion]) -> Share:
    """How often they were won."""
    return Share(sum(opinion.won for opinion in opinions), len(opinions))


# --- picture ----------------------------------------------------------------------------------

_SIDE, _LEFT, _TOP, _GAP = 230.0, 52.0, 78.0, 48.0
_FEWEST: Final = 8  # positions of a point


def picture(opinions: Sequence[Opinion], games: int) -> str:
    """Said against happened, a square for each phase: on the diagonal everything said is true."""
    parts: list[str] = [svg.text(_LEFT, 28, f"Said and happened: the chance of winning, {games} games", 17, svg.BOLD)]
    for n, (who, colour) in enumerate(SAYS.items()):
        parts.append(svg.circle(_LEFT + 6 + n * 110, 46, 5, f'fill="{colour}"'))
        parts.append(svg.text(_LEFT + 16 + n * 110, 51, who))
    for n, phase in enumerate(PHASES):
        parts += _square(_LEFT + n * (_SIDE + _GAP), phase, [one for one in opinions if one.phase == phase])
    width = _LEFT + len(PHASES) * (_SIDE + _GAP)
    return svg.picture(width, _TOP + _SIDE + 52, "Said and happened: the chance of winning", parts)


def _square(left: float, phase: str, opinions: Sequence[Opinion]) -> Iterator[str]:
    def x(share: float) -> float:
        return left + _SIDE * share

    def y(share: float) -> float:
        return _TOP + _SIDE * (1 - share)

    for tick in range(0, 101, 25):
        share = tick / 100
        yield svg.line(left, y(share), x(1), y(share), f'stroke="{svg.FAINT}"')
        yield svg.line(x(share), y(0), x(share), y(1), f'stroke="{svg.FAINT}"')
        yield svg.text(x(share), y(0) + 16, f"{tick} %", 11, svg.MIDDLE)
        if left == _LEFT:
            yield svg.text(left - 6, y(share) + 4, f"{tick} %", 11, svg.END)
    yield svg.line(x(0), y(0), x(1), y(1), f'stroke="{svg.INK}" stroke-dasharray="4 4"')
    yield svg.text(x(0.5), y(0) + 36, f"{phase}, {len(opinions)} positions", 12, svg.MIDDLE)
    for who, colour in SAYS.items():
        bins = [inside for inside in binned(opinions, who) if len(inside) >= _FEWEST]
        course = [(fmean(opinion.said[who] for opinion in inside), won(inside)) for inside in bins]
        points = [(x(said), y(happened.rate)) for said, happened in course]
        yield svg.path(points, f'fill="none" stroke="{colour}" stroke-width="1.5"')
        for said, happened in course:
            low, high = happened.interval()
            yield svg.titled(
                f"{who}: said {said:.0%}, won {happened.rate:.0%} ({low:.0%} to {high:.0%}) of {happened.games}",
                svg.line(x(said), y(low), x(said), y(high), f'stroke="{colour}" stroke-width="1" opacity="0.5"'),
                svg.circle(x(said), y(happened.rate), 3.5, f'fill="{colour}"'),
            )


# --- the command ------------------------------------------------------------------------------


def lines_in(path: Path) -> list[dict[str, object]]:
    """The games played so far."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []


def main() -> None:
    """Play the games that are missing; print the figures, draw the picture."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--bot", default="neural", help="who plays")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--edition", default="2023")
    parser.add_argument("--modules", nargs="*", default=[])
    parser.add_argument("--walks", type=int, default=200, help="of the learned search, for an opinion")
    parser.add_argument("--out", type=Path, default=Path("chances.jsonl"))
    parser.add_argument("--picture", type=Path)
    asked = parser.parse_args()
    rules = Rules(asked.players, asked.edition, tuple(asked.modules), max_rounds=60)
    games = lines_in(asked.out)[: asked.games]
    with asked.out.open("a", encoding="utf-8") as file:
        for number in range(len(games), asked.games):
            games.append(game_line(rules, asked.bot, number, asked.walks))
            print(json.dumps(games[-1]), file=file, flush=True)
    opinions = [Opinion(*opinion) for game in games for opinion in game["opinions"]]  # type: ignore[attr-defined]
    touches = [Touches(*game["touches"]) for game in games if game["touches"]]  # type: ignore[misc]
    print("\n".join(figures(opinions, touches, len(games))))
    if asked.picture:
        asked.picture.write_text(picture(opinions, len(games)), encoding="utf-8")


if __name__ == "__main__":
    main()
