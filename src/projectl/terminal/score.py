"""The end of a game, explained line by line."""

from collections.abc import Sequence
from typing import Final

from projectl.core.pieces import total
from projectl.core.rules import SOLO
from projectl.core.score import Result, breakdown, mastermind_points, result
from projectl.core.state import State
from projectl.terminal.words import points_words, series

_MEASURES: Final[dict[str, str]] = {
    "credits": "credits left",
    "puzzles": "completed puzzles",
    "pieces": "pieces in the supply",
}


def explanation(s: State, names: Sequence[str]) -> list[str]:
    """Who has won and why, then every score as a sum. Empty while the game goes on."""
    found = result(s)
    if found is None:
        return []
    rows = [verdict(s, found, names), ""]
    for seat in sorted(range(len(s.players)), key=lambda seat: -found.scores[seat]):
        rows += [*_sum(s, seat, names[seat]), ""]
    if s.rules.kind == SOLO:
        points = mastermind_points(s)
        rows += [f"The mastermind: {points_words(points)}", f"  {points:>4}  pile: {_pile(s, len(s.players))}", ""]
    return rows[:-1]


def _pile(s: State, seat: int) -> str:
    cards = [s.cards.cards[card] for card in s.pile(seat)]
    return ", ".join(f"{card.id} {card.points}" for card in cards) or "no cards"


def _sum(s: State, seat: int, name: str) -> list[str]:
    """A player's score, one line for each thing that counts."""
    found = breakdown(s, seat)
    rows = [f"{name}: {points_words(found.total)}", f"  {found.pile:>4}  pile: {_pile(s, seat)}"]
    if found.noted:
        rows.append(f"  {found.noted:>4}  white cards that went back into the deck (Endless White)")
    if found.touches:
        count = -found.touches
        rows.append(f"  {-count:>4}  {count} finishing touch{'' if count == 1 else 'es'} paid with a point each")
    if s.rules.unfinished_cost_points:
        rows += [f"  {one.left:>4}  unfinished puzzle {s.cards.cards[one.card].id}" for one in found.unfinished]
    return rows


def outcome_words(s: State, names: Sequence[str]) -> str:
    """`Ana: 31, Bo: 12. Ana won with 31 points.`; empty while the game goes on."""
    found = result(s)
    if found is None:
        return ""
    people = [*names, "the mastermind"] if s.rules.kind == SOLO else names
    scores = sorted(zip(people, found.scores, strict=True), key=lambda pair: -pair[1])
    return f"{', '.join(f'{name}: {points}' for name, points in scores)}. {verdict(s, found, names)}"


def verdict(s: State, found: Result, names: Sequence[str]) -> str:
    """Who has won, and what decided it."""
    best = max(found.scores)
    if s.rules.kind == SOLO:
        mine, theirs = found.scores
        tie = ", and a tie is the mastermind's" if mine == theirs else ""
        winner = names[0] if found.winners == (0,) else "The mastermind"
        return f"{winner} won: {mine} against the mastermind's {theirs}{tie}."
    winners = series([names[seat] for seat in found.winners])
    if found.reason == "points":
        return f"{winners} won with {points_words(best)}."
    tied = series([names[seat] for seat, points in enumerate(found.scores) if points == best])
    if found.reason == "shared":
        return f"{tied} have {points_words(best)} each, and nothing tells them apart: the victory is shared."
    return f"{tied} have {points_words(best)} each. {winners} won by {_measure(s, found)}."


def _measure(s: State, found: Result) -> str:
    """`completed puzzles, 9 to 8`, among those whose points are the same."""
    values = {
        "credits": [int(player.active) for player in s.players],
        "puzzles": [int(player.pile) for player in s.players],
        "pieces": [int(total(player.supply)) for player in s.players],
    }[found.reason]
    best = max(found.scores)
    tied = sorted((values[seat] for seat, points in enumerate(found.scores) if points == best), reverse=True)
    return f"{_MEASURES[found.reason]}, {' to '.join(map(str, tied))}"
