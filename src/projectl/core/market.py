"""Cards on the table: the rows or the grid, the decks, drawing, refilling, recycling."""

from projectl.core.native import append, i16, i64, vec
from projectl.core.rules import LINE_CLEAR
from projectl.core.shuffle import shuffled
from projectl.core.state import EMPTY, State, pile_card


def draw_white(s: State) -> i64:
    """The top of the white deck (in solo, of the only deck), EMPTY when there is none."""
    if s.white_top >= len(s.white):
        return EMPTY
    card = i64(s.white[s.white_top])
    s.white_top += 1
    return card


def draw_black(s: State) -> i64:
    """The top of the black deck, EMPTY when there is none."""
    if s.black_top >= len(s.black):
        return EMPTY
    card = i64(s.black[s.black_top])
    s.black_top += 1
    return card


def refill(s: State, slot: i64, white: bool) -> None:
    """Fill a gap at once, if the deck has a card."""
    s.row[slot] = draw_white(s) if white else draw_black(s)


def end_if_deck_empty(s: State, left: i64) -> None:
    """The deck that decides has run out: the end is triggered, for good."""
    if left == 0 and not s.end_triggered:
        s.end_triggered = True
        s.last_round = s.round + 1


def renew_white(s: State) -> None:
    """Endless White: an empty white deck is made anew of all finished white cards (R17)."""
    if not s.rules.endless_white or s.white_top < len(s.white):
        return
    back: list[int] = []
    kept: list[int] = []
    for entry in s.finished:
        card = int(pile_card(i64(entry)))
        if s.cards.white[card] != 0:
            back.append(card)
        else:
            kept.append(int(entry))
    if not back:
        return
    s.reshuffles += 1
    s.white = vec[i16]([i16(card) for card in shuffled(sorted(back), s.seed, f"endless-{int(s.reshuffles)}")])
    s.white_top = 0
    s.white_seen = 0
    s.finished = s.finished[:0]
    for entry in kept:
        s.finished = append(s.finished, entry)


def recycle(s: State, row: i64, order: tuple[int, ...]) -> None:
    """A row goes under its deck, the first of the order first, and is dealt anew from the top."""
    size: i64 = len(order)
    white = row % 2 == 0
    first: i64 = 0 if white else (6 if s.rules.kind == LINE_CLEAR else size)
    deck = s.white[s.white_top :] if white else s.black[s.black_top :]
    seen = min(s.white_seen if white else s.black_seen, i64(len(deck))) + size
    for slot in order:
        deck = append(deck, i16(s.row[first + slot]))
    for slot in range(size):
        s.row[first + slot] = i64(deck[slot])
    if white:
        s.white, s.white_top, s.white_seen = deck, size, seen
    else:
        s.black, s.black_top, s.black_seen = deck, size, seen
