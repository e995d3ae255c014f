"""What one seat knows of a game, as data, and games imagined from it.

`known` is the state with everything left out that the seat may not know. `imagine` deals the
unknown cards at random: a game that the seat cannot tell from the real one. Bots think with
imagined games; they never hold the real one.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple

from projectl.core.dice import Dice
from projectl.core.finesse import FACE_DOWN
from projectl.core.rules import SOLO, Rules
from projectl.core.setup import cards_in_play, solo_cards, tiles_in_play
from projectl.core.state import (
    OVER,
    State,
    dump,
    load,
    pile_card,
    pile_seat,
    player_index,
    scalar_index,
    vector_index,
)
from projectl.core.view import pile_open, tiles_gone

UNKNOWN: Final = -1

Parts = dict[str, list[list[int]]]


class Known(NamedTuple):
    """All that a seat knows, in numbers that JSON can carry."""

    seat: int  # the one who knows; -1 is a spectator
    parts: Parts  # as `dump` writes it, decks empty, hidden cards of piles and hidden tiles missing
    white_left: int
    black_left: int
    hidden: list[int]  # by seat: how many cards of a pile are hidden from this seat


def known(s: State, seat: int) -> Known:
    """What a seat (from 0; -1 is a spectator) knows of a state."""
    parts = dump(s)
    vectors = parts["vectors"]
    vectors[vector_index("white")] = []
    vectors[vector_index("black")] = []
    parts["scalars"][0][scalar_index("white_top")] = 0
    parts["scalars"][0][scalar_index("black_top")] = 0
    finished = vectors[vector_index("finished")]
    hidden = [0] * len(s.players)
    face_up = set(vectors[vector_index("ambassador_cards")])  # R45
    shown: list[int] = []
    closed = [other for other in range(len(s.players)) if not pile_open(s, other, seat)]
    for other in closed:
        parts["players"][other][player_index("points")] = 0
    for entry in finished:
        owner, card = int(pile_seat(entry)), int(pile_card(entry))
        if owner in closed and entry not in face_up:
            hidden[owner] += 1
            continue
        shown.append(entry)
        if owner in closed:
            parts["players"][owner][player_index("points")] += s.cards.cards[card].points
    vectors[vector_index("finished")] = shown
    gone = len(s.tiles) if s.phase == OVER else tiles_gone(s)
    tiles = vectors[vector_index("tiles")]
    vectors[vector_index("tiles")] = [tile if n >= FACE_DOWN or n < gone else UNKNOWN for n, tile in enumerate(tiles)]
    return Known(seat, parts, s.white_left(), s.black_left(), hidden)


def imagine(rules: Rules, what: Known, dice: Dice) -> State:
    """A state that the seat could be in, for all it knows; the unknown dealt at random."""
    s = load(rules, "", what.parts)
    white, black = _unseen(s, True), _unseen(s, False)
    dice.shuffle(white)
    dice.shuffle(black)
    if rules.kind == SOLO:
        whites, _ = solo_cards(rules)
        seen = len(cards_in_play(rules, True)) - len(white)
        top = max(0, min(whites - seen - sum(what.hidden), what.white_left))
        below = what.white_left - top
        _set_decks(s, white[:top] + black[:below], [])
        _deal_piles(s, what.hidden, white[top:], black[below:])
    else:
        _set_decks(s, white[: what.white_left], black[: what.black_left])
        _deal_piles(s, what.hidden, white[what.white_left :], black[what.black_left :])
    _fill_tiles(s, dice)
    return s


def _unseen(s: State, white: bool) -> list[int]:
    """The cards of a colour that lie nowhere in sight."""
    seen = {int(card) for card in s.row} | {int(card) for card in s.board}
    seen |= {int(pile_card(int(entry))) for entry in s.finished}
    return [card for card in cards_in_play(s.rules, white) if card not in seen]


def _set_decks(s: State, white: Iterable[int], black: Iterable[int]) -> None:
    s.set_decks(list(white), list(black))


def _deal_piles(s: State, hidden: list[int], white: list[int], black: list[int]) -> None:
    """Every white card that is in no deck lies on a hidden pile; black ones make up the number."""
    cards = (white + black)[: sum(hidden)]
    for seat, count in enumerate(hidden):
        for _ in range(count):
            s.put_on_pile(seat, cards.pop())


def _fill_tiles(s: State, dice: Dice) -> None:
    """Face-down tiles never count, so any that are left will do."""
    row = [int(tile) for tile in s.tiles]
    rest = [tile for tile_set in "ABC" for tile in tiles_in_play(s.rules, tile_set) if tile not in row]
    s.set_tiles([rest[dice.below(len(rest))] if tile == UNKNOWN else tile for tile in row])
