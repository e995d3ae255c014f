"""What one seat knows of a game, as data, and games imagined from it.

`known` is the state with everything left out that the seat cannot know. Whoever watched knows more than a view shows:
every puzzle lay face up on its owner's board before it went to the pile, and recycled cards went under their deck one
by one. `imagine` deals the unknown cards at random: a game that the seat cannot tell from the real one. Bots think
with imagined games; they never hold the real one.
"""

from typing import Final, NamedTuple

from projectl.core.dice import Dice
from projectl.core.finesse import FACE_DOWN
from projectl.core.legal import check_seat
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
from projectl.core.view import SPECTATOR, pile_open, tiles_gone

UNKNOWN: Final = -1

Parts = dict[str, list[list[int]]]


class Known(NamedTuple):
    """All that a seat knows, in numbers that JSON can carry."""

    seat: int  # the one who knows; -1 is a spectator
    parts: Parts  # as `dump` writes it: of decks only the cards seen going under, hidden cards and tiles missing
    white_left: int
    black_left: int
    hidden: list[int]  # by seat: how many cards of a pile are hidden from this seat
    watched: bool = False  # the seat has watched from the first action on


def known(s: State, seat: int, *, watched: bool = True) -> Known:
    """What a seat (from 0; -1 is a spectator) knows of a state.

    Who has not `watched` the game comes to a table with piles face down, and has seen nothing go under a deck.
    """
    if seat != SPECTATOR:
        check_seat(s, seat)
    parts = dump(s)
    vectors, scalars = parts["vectors"], parts["scalars"][0]
    for deck, bottom in (("white", s.white_bottom()), ("black", s.black_bottom())):
        vectors[vector_index(deck)] = bottom if watched else []
        scalars[scalar_index(f"{deck}_seen")] = len(bottom) if watched else 0
        scalars[scalar_index(f"{deck}_top")] = 0
    hidden = [0] * len(s.players) if watched else _without_hidden_cards(s, seat, parts)
    gone = len(s.tiles) if s.phase == OVER else tiles_gone(s)
    tiles = vectors[vector_index("tiles")]
    vectors[vector_index("tiles")] = [tile if n >= FACE_DOWN or n < gone else UNKNOWN for n, tile in enumerate(tiles)]
    return Known(seat, parts, s.white_left(), s.black_left(), hidden, watched)


def _without_hidden_cards(s: State, seat: int, parts: Parts) -> list[int]:
    """Take the cards of face-down piles out of the parts; by seat, how many those are."""
    vectors = parts["vectors"]
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
    return hidden


def imagine(rules: Rules, what: Known, dice: Dice) -> State:
    """A state that the seat could be in, for all it knows; the unknown dealt at random."""
    s = load(rules, "", what.parts)
    under_white, under_black = s.white_bottom(), s.black_bottom()
    white, black = _unseen(s, True, under_white), _unseen(s, False, under_black)
    dice.shuffle(white)
    dice.shuffle(black)
    if rules.kind == SOLO:
        whites, _ = solo_cards(rules)
        seen = len(cards_in_play(rules, True)) - len(white)
        top = max(0, min(whites - seen - sum(what.hidden), what.white_left))
        below = what.white_left - top
        s.set_decks(white[:top] + black[:below], [])
        _deal_piles(s, what.hidden, white[top:], black[below:])
    else:
        top, below = what.white_left - len(under_white), what.black_left - len(under_black)
        decks = white[:top] + under_white, black[:below] + under_black
        s.set_decks(*decks, len(under_white), len(under_black))
        _deal_piles(s, what.hidden, white[top:], black[below:])
    _fill_tiles(s, dice)
    return s


def _unseen(s: State, white: bool, under: list[int]) -> list[int]:
    """The cards of a colour that lie nowhere in sight, nor under the deck where all saw them go."""
    seen = {int(card) for card in s.row} | {int(card) for card in s.board} | set(under)
    seen |= {int(pile_card(int(entry))) for entry in s.finished}
    return [card for card in cards_in_play(s.rules, white) if card not in seen]


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
