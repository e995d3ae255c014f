"""The score and who has won."""

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from projectl.accel.pieces import total
from projectl.accel.state import Player, Position, card_on
from projectl.accel.tables import OVER
from projectl.accel.words import Flag, bit, look, only, word


class FinalScores(NamedTuple):
    """Scores and winners by seat; in solo the mastermind is seat 1. Winners are known when the game is over."""

    scores: jax.Array  # int32
    winners: Flag


def score(s: Position, player: Player) -> jax.Array:
    """The pile, less touches, less unfinished puzzles where they cost their points."""
    cost = word(0)
    for puzzle in player.board:
        cost = cost + look(s.layout.cards.points, card_on(puzzle))
    lost = player.touches + only(s.rules.unfinished_cost_points, cost)
    return player.points.astype(jnp.int32) - lost.astype(jnp.int32)


def mastermind_points(s: Position) -> jax.Array:
    """The points of the mastermind's pile."""
    found = word(0)
    for card in range(s.layout.last_card):
        there = (s.taken[card >> 5] & bit(word(card))) != 0
        found = found + only(there, s.layout.cards.points[card + 1])
    return found.astype(jnp.int32)


def result(s: Position) -> FinalScores:
    """The score as it stands, and who has won if the game is over."""
    over = s.phase == OVER
    scores = [score(s, player) for player in s.players]
    if s.layout.solo:
        scores.append(mastermind_points(s))
        won = scores[0] > scores[1]
        return FinalScores(jnp.stack(scores), jnp.stack([over & won, over & ~won]))
    plays = [word(n) < s.rules.players for n in range(len(s.players))]
    tied = [over & there for there in plays]
    for measure in _measures(s, scores):
        best = jnp.int32(np.iinfo(np.int32).min)
        for here, value in zip(tied, measure, strict=True):
            best = jnp.maximum(best, jnp.where(here, value, best))
        tied = [here & (value == best) for here, value in zip(tied, measure, strict=True)]
    return FinalScores(
        jnp.stack([jnp.where(there, n, 0) for there, n in zip(plays, scores, strict=True)]), jnp.stack(tied)
    )


def _measures(s: Position, scores: list[jax.Array]) -> list[list[jax.Array]]:
    """What is compared, in this order; with Finesse credits come second."""
    credits = [jnp.where(s.rules.finesse, player.active, 0).astype(jnp.int32) for player in s.players]
    piles = [player.pile.astype(jnp.int32) for player in s.players]
    pieces = [total(player.supply).astype(jnp.int32) for player in s.players]  # R9
    return [scores, credits, piles, pieces]


def rewards(s: Position) -> jax.Array:
    """0 until the game is over; then 1 for winning, shared by the winners, and what the others pay: sums to 0."""
    winners = result(s).winners
    n = jnp.asarray(winners.shape[-1] if s.layout.solo else s.rules.players, jnp.float32)
    share = winners / jnp.maximum(jnp.sum(winners), 1)
    plays = np.arange(winners.shape[-1]) < n
    return jnp.where((s.phase == OVER) & plays, (share * n - 1) / (n - 1), 0.0)
