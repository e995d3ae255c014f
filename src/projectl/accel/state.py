"""The position of a game: packed as it is kept, unpacked as the rules work on it.

The names are core's. A card is its number in core plus one, so that 0 is an empty place or slot; a puzzle on a place
is one word, its card above the 25 cells that are still empty.
"""

from typing import NamedTuple

from projectl.accel.pieces import Pieces
from projectl.accel.tables import OVER, RECESS, RECESS_BITS, Layout, Numbers
from projectl.accel.words import Fields, Flag, Word, nth, pack, seam, unpack, when, word

GAME: Fields = (
    ("phase", 3),
    ("seat", 2),
    ("quiet_round", 1),
    ("end_triggered", 1),
    ("inserting", 1),
    ("credit", 1),
    ("next_place", 3),
    ("placed", 3),
    ("arrows", 2),
    ("pending", 12),
    ("round", 16),
    ("last_round", 16),
    ("white_left", 6),
    ("black_left", 6),
    ("bank", 6),
)
PLAYER: Fields = (
    ("points", 10),
    ("pile", 7),
    ("touches", 7),
    ("actions", 2),
    ("black", 2),
    ("master", 1),
    ("quiet", 1),
    ("done", 1),
    ("can_place", 1),  # some piece of the supply fits on some puzzle: kept, because others' turns do not change it
)
CREDITS: Fields = (("active", 6), ("inactive", 6), ("ambassadors", 4), ("new_ambassadors", 4))
LOCKS: Fields = tuple((f"{level}{heap}", 5) for level in (1, 2) for heap in range(4))


class PlayerState(NamedTuple):
    """What belongs to one seat, packed."""

    supply: Pieces
    board: tuple[Word, ...]
    laid: tuple[Pieces, ...]
    joins: tuple[Word, ...]
    finished: tuple[Word, ...]
    numbers: tuple[Word, ...]
    credits: tuple[Word, ...]
    unused: tuple[Word, ...]


class State(NamedTuple):
    """One position, or a batch of them, as words."""

    game: tuple[Word, ...]
    reserve: Pieces
    row: tuple[Word, ...]
    white: tuple[Word, ...]
    black: tuple[Word, ...]
    players: tuple[PlayerState, ...]
    queue: Word
    hand: tuple[Word, ...]
    locks: tuple[Word, ...]
    taken: tuple[Word, ...]
    tiles: tuple[Word, ...]

    @property
    def current_player(self) -> Word:
        """The seat that acts."""
        return self.game[0] >> 3 & 3

    @property
    def terminated(self) -> Flag:
        """Whether the game is over."""
        return self.phase == OVER

    @property
    def phase(self) -> Word:
        """What kind of decision is open."""
        return self.game[0] & 7


class Player:
    """One seat's things while a decision is carried out."""

    supply: Pieces
    board: list[Word]
    laid: list[Pieces]  # the pieces on each puzzle
    joins: list[Word]  # by place the cells joined with the right neighbour, then by place with the lower one
    finished: list[Word]  # the pile, a set of cards
    points: Word
    pile: Word
    touches: Word
    actions: Word
    black: Word
    master: Flag
    quiet: Flag
    done: Flag
    can_place: Flag
    active: Word
    inactive: Word
    ambassadors: Word
    new_ambassadors: Word
    unused: list[Word]  # the cards that lie face up for their Ambassador action, oldest first, a byte each (R45)

    def has_room(self) -> Flag:
        """Whether a place is empty."""
        return (self.board[0] == 0) | (self.board[1] == 0) | (self.board[2] == 0) | (self.board[3] == 0)


class Position:
    """A game while a decision is carried out; every function changes it only where its `now` holds."""

    rules: Numbers
    layout: Layout
    reserve: Pieces
    row: list[Word]
    white: list[Word]
    black: list[Word]
    players: list[Player]
    phase: Word
    seat: Word
    round: Word
    quiet_round: Flag
    end_triggered: Flag
    last_round: Word
    pending: Word
    inserting: Flag
    credit: Flag
    next_place: Word
    placed: Word
    hand: Pieces
    queue: Word
    arrows: Word
    white_left: Word
    black_left: Word
    bank: Word
    locks: list[Word]  # level 1 by heap, then level 2
    taken: list[Word]  # the mastermind's pile
    tiles: list[Word]
    due: Word  # credits that this decision has earned so far

    def mover(self, *names: str) -> Player:
        """A copy of the acting player, to be put back, or only of what is named."""
        found = Player()
        for name in names or Player.__annotations__:
            setattr(found, name, nth([getattr(player, name) for player in self.players], self.seat))
        return found

    def put_back(self, mover: Player, seat: Word) -> None:
        """The acting player as the decision left them."""
        for n, player in enumerate(self.players):
            for name in Player.__annotations__:
                setattr(player, name, when(seat == n, getattr(mover, name), getattr(player, name)))


_FIXED = ("rules", "layout", "players")


def seam_all(s: Position, me: Player | None = None) -> None:
    """A seam through all of a position, and through a mover who is not put back yet."""
    changing = {name: value for name, value in vars(s).items() if name not in _FIXED}
    parts = seam((changing, [vars(player) for player in s.players], vars(me) if me else {}))
    for owner, values in zip((s, *s.players, me), (parts[0], *parts[1], parts[2]), strict=True):
        if owner is not None:
            vars(owner).update(values)


def card_on(puzzle: Word) -> Word:
    """The card of a puzzle, 0 for an empty place."""
    return puzzle >> RECESS_BITS


def empty_cells(puzzle: Word) -> Word:
    """The cells that are still empty."""
    return puzzle & RECESS


def _player(packed: PlayerState) -> Player:
    player = Player()
    player.supply = packed.supply
    player.board = list(packed.board)
    player.laid = list(packed.laid)
    player.joins = list(packed.joins)
    player.finished = list(packed.finished)
    player.unused = list(packed.unused)
    numbers = unpack(PLAYER, packed.numbers)
    if packed.credits:
        numbers.update(unpack(CREDITS, packed.credits))
    else:
        numbers.update({name: word(0) for name, _ in CREDITS})
    for name, number in numbers.items():
        setattr(player, name, number)
    return player


def unpacked(layout: Layout, rules: Numbers, state: State) -> Position:
    """A position to work on."""
    s = Position()
    s.rules, s.layout = rules, layout
    s.reserve, s.queue = state.reserve, state.queue
    s.row, s.white, s.black = list(state.row), list(state.white), list(state.black)
    s.players = [_player(player) for player in state.players]
    for name, number in unpack(GAME, state.game).items():
        setattr(s, name, number)
    s.hand = Pieces(*state.hand) if state.hand else Pieces(word(0), word(0))
    s.locks = list(unpack(LOCKS, state.locks).values()) if state.locks else []
    s.taken, s.tiles = list(state.taken), list(state.tiles)
    s.due = word(0)
    return s


def has_credits(layout: Layout) -> bool:
    """Whether credits or Ambassador actions are counted."""
    return layout.finesse or layout.ambassador


def _packed_player(layout: Layout, player: Player) -> PlayerState:
    return PlayerState(
        player.supply,
        tuple(player.board),
        tuple(player.laid),
        tuple(player.joins),
        tuple(player.finished),
        pack(PLAYER, vars(player)),
        pack(CREDITS, vars(player)) if has_credits(layout) else (),
        tuple(player.unused),
    )


def packed(s: Position) -> State:
    """The position as it is kept."""
    return State(
        pack(GAME, vars(s)),
        s.reserve,
        tuple(s.row),
        tuple(s.white),
        tuple(s.black),
        tuple(_packed_player(s.layout, player) for player in s.players),
        s.queue,
        tuple(s.hand) if s.layout.ghost else (),
        pack(LOCKS, {name: s.locks[n] for n, (name, _) in enumerate(LOCKS)}) if s.layout.solo else (),
        tuple(s.taken),
        tuple(s.tiles),
    )
