"""The position of a game: flat numbers, cheap to copy.

Seats, places and market slots are numbered from 0 here; texts and JSON number them from 1.
How several of them are packed into one number is written here and nowhere else.
"""

from typing import Final

from projectl.core.cards import CardTable
from projectl.core.mix import HALF, Mixer, scattered
from projectl.core.native import append, i16, i32, i64, mypyc_attr, vec
from projectl.core.pieces import PLACEMENTS
from projectl.core.rules import Rules

PLACES: Final = 4
ACTIONS: Final = 3
NOBODY: Final = -1
EMPTY: Final = -1  # a place or slot without a card

# What kind of decision is open.
PLAY: Final = 0
ORDER: Final = 1  # in which order a recycled row goes under its deck
PLACING: Final = 2  # inside a Master, Ambassador or Ghost action
REWARD: Final = 3
LEVEL_UP: Final = 4
TOUCHES: Final = 5
OVER: Final = 6
PHASES: Final[tuple[str, ...]] = ("play", "play", "play", "reward", "reward", "touches", "over")

_CARDS: Final = 65536  # more than a game has


def spot(seat: i64, place: i64) -> i64:
    """Where a seat's place stands in `board` and `filled`; a seat's four follow each other."""
    return seat * PLACES + place


def spot_seat(at: i64) -> i64:
    """The seat that a spot belongs to."""
    return at // PLACES


def spot_place(at: i64) -> i64:
    """The place of its seat that a spot is."""
    return at % PLACES


def laid_entry(at: i64, placement: i64) -> i16:
    """A piece that lies on a spot, as an entry of `laid`."""
    return i16(at * PLACEMENTS + placement)


def laid_spot(entry: i64) -> i64:
    """The spot that an entry of `laid` lies on."""
    return entry // PLACEMENTS


def laid_seat(entry: i64) -> i64:
    """The seat on whose board an entry of `laid` lies."""
    return entry // (PLACES * PLACEMENTS)


def laid_placement(entry: i64) -> i64:
    """Which of the 595 placements an entry of `laid` is."""
    return entry % PLACEMENTS


def pile_entry(seat: i64, card: i64) -> i32:
    """A card on a seat's pile, as an entry of `finished`; the mastermind's seat comes after the last."""
    return i32(seat * _CARDS + card)


def pile_seat(entry: i64) -> i64:
    """The seat on whose pile an entry of `finished` lies."""
    return entry // _CARDS


def pile_card(entry: i64) -> i64:
    """The card of an entry of `finished`."""
    return entry % _CARDS


def reward_entry(place: i64, card: i64) -> i32:
    """A completed card whose reward is to be settled, as an entry of `queue`."""
    return i32(place * _CARDS + card)


def reward_place(entry: i64) -> i64:
    """The place that the card of an entry of `queue` was completed on."""
    return entry // _CARDS


def reward_card(entry: i64) -> i64:
    """The card of an entry of `queue`."""
    return entry % _CARDS


@mypyc_attr(acyclic=True, free_list_len=1)  # nothing in it leads back to it: no garbage collector needed
class Player:
    """What belongs to one seat, and how far its turn has come."""

    __slots__ = (
        "actions",
        "active",
        "ambassadors",
        "black",
        "done",
        "inactive",
        "master",
        "new_ambassadors",
        "pile",
        "points",
        "quiet",
        "supply",
        "touches",
    )

    def __init__(self) -> None:
        self.supply: i64 = 0  # a multiset of pieces
        self.points: i32 = 0  # of the pile
        self.pile: i16 = 0  # completed puzzles, those noted by Endless White included
        self.touches: i16 = 0  # those that cost a point
        self.active: i16 = 0  # credits
        self.inactive: i16 = 0
        self.ambassadors: i16 = 0  # unused and usable now
        self.new_ambassadors: i16 = 0  # usable from the next turn on (R14)
        self.actions: i16 = 0  # left in this turn
        self.black: i16 = 0  # black cards taken in this turn since the end was triggered
        self.master: bool = False  # used in this turn
        self.quiet: bool = True  # nothing but Recycle and pass in this turn (R18)
        self.done: bool = False  # the turn is over, or the touches are

    def clone(self) -> "Player":
        other = Player()
        other.supply = self.supply
        other.points = self.points
        other.pile = self.pile
        other.touches = self.touches
        other.active = self.active
        other.inactive = self.inactive
        other.ambassadors = self.ambassadors
        other.new_ambassadors = self.new_ambassadors
        other.actions = self.actions
        other.black = self.black
        other.master = self.master
        other.quiet = self.quiet
        other.done = self.done
        return other


@mypyc_attr(acyclic=True, free_list_len=1)
class State:
    """One position. `clone()` before changing what somebody else may hold."""

    __slots__ = (
        "ambassador_cards",
        "arrows",
        "bank",
        "black",
        "black_holder",
        "black_seen",
        "black_top",
        "board",
        "cards",
        "credit",
        "end_triggered",
        "filled",
        "finished",
        "got_black",
        "got_white",
        "hand",
        "inserting",
        "laid",
        "last_round",
        "locks",
        "next_place",
        "pending",
        "phase",
        "placed",
        "players",
        "queue",
        "quiet_round",
        "reserve",
        "reshuffles",
        "round",
        "row",
        "rules",
        "seat",
        "seed",
        "tiles",
        "white",
        "white_holder",
        "white_seen",
        "white_top",
    )

    def __init__(
        self,
        rules: Rules,
        seed: str,
        players: list[Player],
        row: vec[i64],
        white: vec[i16],
        black: vec[i16],
        board: vec[i64],
        filled: vec[i64],
        laid: vec[i16],
        finished: vec[i32],
        queue: vec[i32],
        locks: vec[i16],
        tiles: vec[i16],
    ) -> None:
        self.rules = rules
        self.cards: CardTable = rules.cards
        self.seed = seed  # decides later reshuffles (Endless White); never shown
        self.players = players
        self.reserve: i64 = 0  # a multiset of pieces

        self.row = row  # the market: two rows, four rows, or the solo grid
        self.white = white  # the decks, never changed in place: clones share them
        self.white_top: i64 = 0
        self.black = black
        self.black_top: i64 = 0
        # How many cards at the bottom of each deck were recycled, in the sight of all; only those still there count.
        self.white_seen: i64 = 0
        self.black_seen: i64 = 0

        self.board = board  # the card on a `spot`
        self.filled = filled  # its covered cells
        self.laid = laid  # as `laid_entry` packs them, in the order placed
        self.finished = finished  # as `pile_entry` packs them, in the order completed

        self.phase: i64 = PLAY
        self.seat: i64 = 0  # who acts, or acts next where several may
        self.round: i64 = 1
        self.quiet_round: bool = True
        self.end_triggered: bool = False
        self.last_round: i64 = 0  # known once the end is triggered

        # An action that is under way.
        self.pending: i64 = 0  # the decision that began it
        self.inserting: bool = False
        self.credit: bool = False  # the touch under way is paid with a credit
        self.next_place: i64 = 0  # placements of one action go up from place to place
        self.placed: i64 = 0
        self.hand: i64 = 0  # the pieces a Ghost action took and may still place
        self.queue = queue  # rewards to settle, as `reward_entry` packs them; never changed in place
        self.arrows: i64 = 0  # Level Ups still open

        # Cards that lie face up while their Ambassador action is unused (R45), as `pile_entry` packs
        # them, oldest first; never changed in place.
        self.ambassador_cards: vec[i32] = vec[i32]([])

        self.white_holder: i64 = NOBODY  # Line Clear
        self.black_holder: i64 = NOBODY
        self.got_white: bool = False  # the first player was passed it since the end was triggered
        self.got_black: bool = False

        # Solo: level-1 locks of the three columns and of the mastermind, then level-2 ones.
        self.locks = locks
        self.tiles = tiles
        self.bank: i64 = 0
        self.reshuffles: i64 = 0

    def clone(self) -> "State":
        """An independent copy."""
        other = State(
            self.rules,
            self.seed,
            [player.clone() for player in self.players],
            self.row[:],
            self.white,
            self.black,
            self.board[:],
            self.filled[:],
            self.laid[:],
            self.finished[:],
            self.queue,
            self.locks[:],
            self.tiles,
        )
        other.ambassador_cards = self.ambassador_cards
        other.reserve = self.reserve
        other.white_top = self.white_top
        other.black_top = self.black_top
        other.white_seen = self.white_seen
        other.black_seen = self.black_seen
        other.phase = self.phase
        other.seat = self.seat
        other.round = self.round
        other.quiet_round = self.quiet_round
        other.end_triggered = self.end_triggered
        other.last_round = self.last_round
        other.pending = self.pending
        other.inserting = self.inserting
        other.credit = self.credit
        other.next_place = self.next_place
        other.placed = self.placed
        other.hand = self.hand
        other.arrows = self.arrows
        other.white_holder = self.white_holder
        other.black_holder = self.black_holder
        other.got_white = self.got_white
        other.got_black = self.got_black
        other.bank = self.bank
        other.reshuffles = self.reshuffles
        return other

    def key(self) -> int:
        """A 62-bit number, equal for positions that play alike and else almost surely not."""
        return _key(self)

    def action_open(self) -> bool:
        """Whether more decisions of the same whole action must follow."""
        if self.phase == REWARD or self.phase == LEVEL_UP:
            return False
        return self.phase == PLACING or self.phase == ORDER or self.credit or self.inserting

    def laid_on(self, at: int) -> list[int]:
        """The placements that lie on a spot, in the order placed."""
        return [int(laid_placement(i64(entry))) for entry in self.laid if laid_spot(i64(entry)) == at]

    def pile(self, seat: int) -> list[int]:
        """The cards of a pile, in the order completed; in solo the seat after the last is the mastermind's."""
        return [int(pile_card(i64(entry))) for entry in self.finished if pile_seat(i64(entry)) == seat]

    def unused_ambassadors(self, seat: int) -> list[int]:
        """The cards of a seat that lie face up for their Ambassador action, oldest first (R45)."""
        return [int(pile_card(i64(entry))) for entry in self.ambassador_cards if pile_seat(i64(entry)) == seat]

    def lay_ambassador(self, seat: i64, card: i64) -> None:
        """A card gave an Ambassador action and lies face up from now on."""
        self.ambassador_cards = append(self.ambassador_cards[:], pile_entry(seat, card))

    def turn_ambassador(self, seat: i64) -> None:
        """An Ambassador action turns the oldest of a seat's cards over."""
        kept = vec[i32](capacity=len(self.ambassador_cards))
        turned = False
        for entry in self.ambassador_cards:
            if turned or pile_seat(i64(entry)) != seat:
                kept = append(kept, entry)
            else:
                turned = True
        self.ambassador_cards = kept

    def puzzles(self, seat: int) -> list[tuple[int, int]]:
        """A seat's unfinished puzzles: place (from 0) and card."""
        first = int(spot(seat, 0))
        return [(n, int(self.board[first + n])) for n in range(PLACES) if self.board[first + n] != EMPTY]

    def white_left(self) -> int:
        """Cards in the white deck (in solo, in the only deck)."""
        return len(self.white) - int(self.white_top)

    def black_left(self) -> int:
        """Cards in the black deck."""
        return len(self.black) - int(self.black_top)

    def white_bottom(self) -> list[int]:
        """The recycled cards at the bottom of the white deck, top first: whoever watched knows them and their order."""
        return [int(card) for card in self.white[max(self.white_top, len(self.white) - self.white_seen) :]]

    def black_bottom(self) -> list[int]:
        """The same of the black deck."""
        return [int(card) for card in self.black[max(self.black_top, len(self.black) - self.black_seen) :]]

    def set_decks(self, white: list[int], black: list[int], white_seen: int = 0, black_seen: int = 0) -> None:
        """Put other cards into the decks, top first; so many at the bottom were seen going there."""
        self.white = vec[i16]([i16(card) for card in white])
        self.black = vec[i16]([i16(card) for card in black])
        self.white_top = 0
        self.black_top = 0
        self.white_seen = white_seen
        self.black_seen = black_seen

    def set_tiles(self, tiles: list[int]) -> None:
        """Lay other Finesse tiles out."""
        self.tiles = vec[i16]([i16(tile) for tile in tiles])

    def put_on_pile(self, seat: int, card: int) -> None:
        """Add a card to a pile, with its points, not as a newly completed one."""
        self.finished = append(self.finished, pile_entry(seat, card))
        self.players[seat].points += i32(self.cards.points[card])

    def __repr__(self) -> str:
        where = f"round {int(self.round)}, seat {int(self.seat)}, {PHASES[self.phase]}"
        return f"<State of {self.rules!r}: {where}, key {self.key()}>"

    def __eq__(self, other: object) -> bool:
        """Whether everything is the same, the order of the decks and of what was placed included; see `key`."""
        if not isinstance(other, State):
            return NotImplemented
        return self.rules == other.rules and self.seed == other.seed and dump(self) == dump(other)

    def __reduce__(self) -> tuple[object, ...]:
        return load, (self.rules, self.seed, dump(self))


# Attributes that are plain numbers or truth values; with the vectors they are the whole state.
_PLAYER_SCALARS: Final[tuple[str, ...]] = (
    "supply",
    "points",
    "pile",
    "touches",
    "active",
    "inactive",
    "ambassadors",
    "new_ambassadors",
    "actions",
    "black",
    "master",
    "quiet",
    "done",
)
_SCALARS: Final[tuple[str, ...]] = (
    "reserve",
    "white_top",
    "black_top",
    "phase",
    "seat",
    "round",
    "quiet_round",
    "end_triggered",
    "last_round",
    "pending",
    "inserting",
    "credit",
    "next_place",
    "placed",
    "hand",
    "arrows",
    "white_holder",
    "black_holder",
    "got_white",
    "got_black",
    "bank",
    "reshuffles",
    "white_seen",
    "black_seen",
)
_VECTORS: Final[tuple[str, ...]] = (
    "row",
    "white",
    "black",
    "board",
    "filled",
    "laid",
    "finished",
    "queue",
    "locks",
    "tiles",
    "ambassador_cards",
)


def player_index(name: str) -> int:
    """Where `dump` writes a number of a player."""
    return _PLAYER_SCALARS.index(name)


def scalar_index(name: str) -> int:
    """Where `dump` writes a number of the state."""
    return _SCALARS.index(name)


def vector_index(name: str) -> int:
    """Where `dump` writes a vector."""
    return _VECTORS.index(name)


def dump(s: State) -> dict[str, list[list[int]]]:
    """The whole state, hidden cards included, as lists of numbers that JSON can carry."""
    return {
        "players": [[int(getattr(player, name)) for name in _PLAYER_SCALARS] for player in s.players],
        "scalars": [[int(getattr(s, name)) for name in _SCALARS]],
        "vectors": [[int(item) for item in getattr(s, name)] for name in _VECTORS],
    }


_TRUTHS: Final[frozenset[str]] = frozenset(
    {"master", "quiet", "done", "quiet_round", "end_triggered", "inserting", "credit", "got_white", "got_black"}
)


def _set(owner: Player | State, name: str, number: int) -> None:
    if name in _TRUTHS:
        setattr(owner, name, bool(number))
    else:
        setattr(owner, name, number)


def load(rules: Rules, seed: str, parts: dict[str, list[list[int]]]) -> State:
    """The state that `dump` wrote."""
    players: list[Player] = []
    for numbers in parts["players"]:
        player = Player()
        for name, number in zip(_PLAYER_SCALARS, numbers, strict=True):
            _set(player, name, number)
        players.append(player)
    row, white, black, board, filled, laid, finished, queue, locks, tiles, ambassador_cards = parts["vectors"]
    s = State(
        rules,
        seed,
        players,
        vec[i64](row),
        vec[i16](white),
        vec[i16](black),
        vec[i64](board),
        vec[i64](filled),
        vec[i16](laid),
        vec[i32](finished),
        vec[i32](queue),
        vec[i16](locks),
        vec[i16](tiles),
    )
    s.ambassador_cards = vec[i32](ambassador_cards)
    for name, number in zip(_SCALARS, parts["scalars"][0], strict=True):
        _set(s, name, number)
    return s


def _key(s: State) -> int:
    mixer = Mixer()
    for player in s.players:
        mixer.add(player.supply)
        mixer.add(i64(player.points) + HALF // 2)
        mixer.add(
            ((i64(player.pile) * 256 + i64(player.touches)) * 64 + i64(player.active)) * 64 + i64(player.inactive)
        )
        mixer.add(i64(player.ambassadors) * 4096 + i64(player.new_ambassadors) * 64 + i64(player.actions))
        flags: i64 = i64(player.black) * 8
        flags += (4 if player.master else 0) + (2 if player.quiet else 0) + (1 if player.done else 0)
        mixer.add(flags)
    mixer.add(s.reserve)
    for card in s.row:
        mixer.add(card + 1)
    i = s.white_top
    while i < len(s.white):
        mixer.add(i64(s.white[i]))
        i += 1
    mixer.add(HALF - 1)
    i = s.black_top
    while i < len(s.black):
        mixer.add(i64(s.black[i]))
        i += 1
    mixer.add(HALF - 1)
    i = 0
    while i < len(s.board):
        mixer.add((s.board[i] + 1) * 33554432 + s.filled[i])
        i += 1
    _mix_heaps(s, mixer)
    _mix_turn(s, mixer)
    return mixer.key()


def _mix_heaps(s: State, mixer: Mixer) -> None:
    """What lies on puzzles and piles, whatever order it came there."""
    heap: i64 = 0
    for entry in s.laid:
        heap += scattered(i64(entry))
    mixer.add(heap)
    heap = 0
    for finished in s.finished:
        heap += scattered(i64(finished))
    mixer.add(heap)
    for item in s.queue:
        mixer.add(i64(item))
    for lock in s.locks:
        mixer.add(i64(lock))
    for tile in s.tiles:
        mixer.add(i64(tile))


def _mix_turn(s: State, mixer: Mixer) -> None:
    mixer.add((s.phase * 8 + s.seat) * 65536 + s.round)
    mixer.add(s.last_round * 4096 + s.pending)
    mixer.add(s.hand)
    mixer.add((s.next_place * 64 + s.placed) * 64 + s.arrows)
    mixer.add(((s.white_holder + 1) * 8 + s.black_holder + 1) * 64 + s.bank)
    flags: i64 = (1 if s.quiet_round else 0) + (2 if s.end_triggered else 0) + (4 if s.inserting else 0)
    flags += (8 if s.credit else 0) + (16 if s.got_white else 0) + (32 if s.got_black else 0)
    mixer.add(flags + s.reshuffles * 64)
