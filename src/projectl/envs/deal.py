"""A game whose cards are dealt only when they come to light, by whoever plays chance.

The engine draws from decks that lie in an order. Here that order is settled card by card: before a decision that draws
is carried out, chance names each card that it draws. What lies in a deck until then is some arrangement of the cards
that nobody has seen, and means nothing.
"""

from typing import NamedTuple

from projectl.core import actions
from projectl.core.engine import apply
from projectl.core.rules import SOLO, Rules
from projectl.core.setup import TILES_DRAWN, Named, cards_in_play, new_game, tiles_in_play
from projectl.core.state import State, pile_card

Outcomes = list[tuple[int, float]]  # what chance may do, each with its probability
FACE_DOWN = 2  # Finesse tiles that nobody sees and that never count


class Draws(NamedTuple):
    """So many cards of each deck; in solo there is only the white one."""

    white: int = 0
    black: int = 0


class ChanceDeal:
    """One game, dealt by chance. Outcomes are the numbers of cards; behind the last card's, those of Finesse tiles."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.state: State = new_game(rules, None)  # by id, until chance has dealt what lies face up
        self.events: list[str] = []  # what happened, hidden tiles included
        self._colours = [self._is_white(int(card)) for card in self.state.row]  # of the places of the market
        self._row: list[int] = []  # cards dealt to them
        self._tiles: list[int] = []
        self._tiles_wanted = sum(TILES_DRAWN.values()) if rules.finesse else 0
        self._pending = -1  # the decision that waits for its cards
        self._settled = Draws()  # those of its cards that chance has named
        self._unknown = Draws()  # cards at the top of each deck whose order is not settled

    def __deepcopy__(self, _: object) -> "ChanceDeal":
        other = ChanceDeal.__new__(ChanceDeal)
        other.__dict__.update(self.__dict__)
        other.state = self.state.clone()
        other.events, other._row, other._tiles = self.events[:], self._row[:], self._tiles[:]
        return other

    @property
    def first_tile(self) -> int:
        """The outcome that is the first tile."""
        return len(self.rules.cards.cards)

    def _is_white(self, card: int) -> bool:
        return bool(self.rules.cards.cards[card].white)

    # --- chance -------------------------------------------------------------------------------

    def _dealing(self) -> bool:
        """Whether the game has not begun yet."""
        return len(self._row) < len(self._colours) or len(self._tiles) < self._tiles_wanted

    def by_chance(self) -> bool:
        """Whether chance is to act."""
        return self._dealing() or self._pending >= 0

    def outcomes(self) -> Outcomes:
        """What chance may do next."""
        if len(self._row) < len(self._colours):
            colour = self._colours[len(self._row)]
            cards = [card for card in cards_in_play(self.rules, colour) if card not in self._row]
        elif self._dealing():
            return self._tile_outcomes()
        else:
            cards = self._drawable()
        return [(card, 1.0 / len(cards)) for card in sorted(cards)]

    def _tile_outcomes(self) -> Outcomes:
        """Two of A, two of B, six of C, shuffled: every row of every such ten is equally likely."""
        found: Outcomes = []
        left = self._tiles_wanted - len(self._tiles)
        for tile_set, drawn in TILES_DRAWN.items():
            pool = tiles_in_play(self.rules, tile_set)
            rest = [tile for tile in pool if tile not in self._tiles]
            wanted = drawn - (len(pool) - len(rest))
            found += [(self.first_tile + tile, wanted / left / len(rest)) for tile in rest if wanted > 0]
        return sorted(found)

    def choose(self, outcome: int) -> None:
        """Chance does one of `outcomes`."""
        self.events.append(self.outcome_text(outcome))
        if self._dealing():
            if len(self._row) < len(self._colours):
                self._row.append(outcome)
            else:
                self._tiles.append(outcome - self.first_tile)
            if not self._dealing():
                self._begin()
        else:
            self._settle(outcome)
            self._go_on(self._pending)

    def outcome_text(self, outcome: int) -> str:
        """A card's or a tile's id."""
        if outcome >= self.first_tile:
            return self.rules.tiles.tiles[outcome - self.first_tile].id
        return self.rules.cards.cards[outcome].id

    def _begin(self) -> None:
        """The first position, with what chance dealt face up."""
        names: dict[bool, list[str]] = {True: [], False: []}
        for card in self._row:
            names[self._is_white(card)].append(self.rules.cards.cards[card].id)
        tiles = [self.rules.tiles.tiles[tile].id for tile in self._tiles]
        if self.rules.kind == SOLO:
            named = Named(deck=names[True] + names[False], finesse=tiles)
        else:
            named = Named(white=names[True], black=names[False], finesse=tiles)
        self.state = new_game(self.rules, None, named)
        self._unknown = Draws(self.state.white_left(), self.state.black_left())

    # --- decisions ----------------------------------------------------------------------------

    def play(self, decision: int) -> None:
        """Carry a legal decision out, as soon as chance has named the cards that it draws."""
        self.events.append(actions.decision_text(decision))
        self._go_on(decision)

    def _go_on(self, decision: int) -> None:
        after = self.state.clone()
        apply(after, decision)
        drawn = self._unknown_drawn(after, decision)
        if drawn != self._settled:
            self._pending = decision
            return
        renewed = after.reshuffles != self.state.reshuffles  # Endless White: nothing is known of the new deck's order
        white = after.white_left() if renewed else self._unknown.white - drawn.white
        self._unknown = Draws(white, self._unknown.black - drawn.black)
        self.state, self._pending, self._settled = after, -1, Draws()

    def _unknown_drawn(self, after: State, decision: int) -> Draws:
        """How many cards whose order is not settled a decision takes from each deck."""
        before = self.state
        if actions.is_order(decision):
            size = len(actions.ORDERS[decision - actions.ORDER_OF_FOUR])
            white_row = (int(before.pending) - actions.RECYCLE) % 2 == 0
            drawn = Draws(size, 0) if white_row else Draws(0, size)
        else:
            white_left = 0 if after.reshuffles != before.reshuffles else after.white_left()
            drawn = Draws(before.white_left() - white_left, before.black_left() - after.black_left())
        return Draws(min(drawn.white, self._unknown.white), min(drawn.black, self._unknown.black))

    def _next_draw(self) -> tuple[bool, int]:
        """From which deck the pending decision draws next, and how deep that card lies."""
        after = self.state.clone()
        apply(after, self._pending)
        if self._unknown_drawn(after, self._pending).white > self._settled.white:
            return True, self._settled.white
        return False, self._settled.black

    def _decks(self) -> tuple[list[int], list[int]]:
        s = self.state
        return [int(card) for card in s.white][s.white_top :], [int(card) for card in s.black][s.black_top :]

    def _drawable(self) -> list[int]:
        """The cards that the next draw may bring: those of its colour that nobody has seen."""
        from_white, depth = self._next_draw()
        white, black = self._decks()
        deck, unknown = (white, self._unknown.white) if from_white else (black, self._unknown.black)
        colour = self._is_white(deck[depth])
        return [card for card in [*deck[depth:unknown], *self._in_the_box()] if self._is_white(card) == colour]

    def _in_the_box(self) -> list[int]:
        """Cards that the deal left out; nobody knows which they are."""
        s = self.state
        white, black = self._decks()
        elsewhere = {*white, *black, *map(int, s.row), *map(int, s.board)}
        elsewhere |= {int(pile_card(int(entry))) for entry in s.finished}
        every = [*cards_in_play(self.rules, True), *cards_in_play(self.rules, False)]
        return [card for card in every if card not in elsewhere]

    def _settle(self, card: int) -> None:
        """The next draw brings this card; what lay there takes its place, or goes into the box."""
        from_white, depth = self._next_draw()
        white, black = self._decks()
        deck = white if from_white else black
        if card in deck:
            deck[deck.index(card)] = deck[depth]
        deck[depth] = card
        self.state.set_decks(white, black, int(self.state.white_seen), int(self.state.black_seen))
        self._settled = Draws(self._settled.white + from_white, self._settled.black + (not from_white))

    # --- what is known ------------------------------------------------------------------------

    def known_events(self) -> list[str]:
        """What everybody knows of what happened: all but which tiles lie face down."""
        if not self._tiles_wanted:
            return self.events
        first = len(self._colours)
        hidden = min(len(self.events) - first, FACE_DOWN)
        return self.events[:first] + ["?"] * hidden + self.events[first + FACE_DOWN :]

    def other_hidden_tiles(self) -> list[tuple[int, int]]:
        """What may lie face down for all that is known, as outcomes; each pair is equally likely."""
        if len(self._tiles) < FACE_DOWN or self._dealing():
            return []
        seen = self._tiles[FACE_DOWN:]
        sets = {tile: name for name in TILES_DRAWN for tile in tiles_in_play(self.rules, name)}
        wanted = sorted(sets[tile] for tile in self._tiles[:FACE_DOWN])
        rest = [tile for tile in sets if tile not in seen]
        return [
            (self.first_tile + one, self.first_tile + other)
            for one in rest
            for other in rest
            if one != other and sorted((sets[one], sets[other])) == wanted
        ]
