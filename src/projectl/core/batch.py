"""Many games at once, for programs that learn: one call plays a decision in each of them.

Observations, masks, rewards and the rest are arrays that the batch owns and fills in place. They are readable through
the buffer protocol (`numpy.asarray(batch.observations)` copies nothing) and change with the next step.
"""

import operator
from array import array
from typing import Final, cast

from projectl.core.actions import decision_text
from projectl.core.dice import Dice
from projectl.core.engine import apply
from projectl.core.errors import Illegal
from projectl.core.features import MASK_SIZE, SIZE, WORDS
from projectl.core.legal import legal
from projectl.core.native import Buffer, i64, u8, vec
from projectl.core.observe import Tables, fill, returns, tables_of, zero_bytes, zero_words
from projectl.core.rules import Rules
from projectl.core.setup import new_game
from projectl.core.state import EMPTY, OVER, PLACES, State, spot

# When a game that is over is followed by the next one: within the step that ended it, with the next step (whose
# decision for that game is not looked at), or when `reset` is told to.
AUTORESETS: Final[tuple[str, ...]] = ("same_step", "next_step", "off")
NOTHING: Final = -1  # in place of a decision where a game is over, or of the seat to act


class _Seated:
    """One game of a batch."""

    __slots__ = ("episode", "last", "options", "state")

    def __init__(self, state: State) -> None:
        self.state = state
        self.options: vec[i64] = legal(state)
        self.episode: i64 = 0
        self.last: State | None = None  # the game before, if it ended in the latest step


class Batch:
    """`games` games of the same rules.

    Game g is dealt from the seed `"{seed}/{g}/{n}"` for the nth time, n from 0: `new_game` with that seed gives the
    same game. A batch that is a part of a larger one counts its games from `first` there, and where it refuses one.
    """

    def __init__(
        self,
        rules: Rules,
        games: int,
        seed: str | int = 0,
        *,
        observations: bool = True,
        masks: bool = True,
        autoreset: str = "same_step",
        first: int = 0,
    ) -> None:
        _check_kind(games, autoreset)
        self.rules = rules
        self.games = games
        self.seed = str(seed)
        self.autoreset = autoreset
        self.first = first
        seats = int(rules.players)
        self._seats: i64 = seats
        self._tables: Tables = tables_of(rules)
        self._words: vec[i64] = zero_words(games * WORDS if observations else 0)
        self._marks: vec[u8] = zero_bytes(games * MASK_SIZE if masks else 0)
        self._to_act: vec[i64] = zero_words(games)
        self._dones: vec[u8] = zero_bytes(games)
        self._scores: vec[i64] = zero_words(games * seats)
        self._rewards: vec[float] = _zero_floats(games * seats)
        self._chosen: vec[i64] = zero_words(games)

        self.observations: memoryview = _rows(memoryview(self._words), SIZE)
        self.masks: memoryview = _rows(memoryview(self._marks), MASK_SIZE)
        self.to_act: memoryview = memoryview(self._to_act).toreadonly()
        self.dones: memoryview = memoryview(self._dones).toreadonly()
        by_seat = (games, seats)
        self.scores: memoryview = memoryview(self._scores).toreadonly().cast("B").cast("q", by_seat)
        self.rewards: memoryview[float] = memoryview(self._rewards).toreadonly().cast("B").cast("d", by_seat)

        self._at: list[_Seated] = [_Seated(self._deal(game, 0)) for game in range(games)]
        for game in range(i64(games)):
            self._show(game, self._at[game])
            self._count(game, self._at[game].state)

    # --- for the caller -----------------------------------------------------------------------

    def step(self, decisions: Buffer | list[int]) -> None:
        """Play one decision in each game, that of the seat in `to_act`; `Illegal` leaves all games as they were."""
        chosen = self._checked(decisions)
        for game in range(i64(self.games)):
            self._play(game, chosen[game])

    def check(self, decisions: Buffer | list[int]) -> None:
        """Raise what `step` would raise for these decisions; change nothing."""
        self._checked(decisions)

    def reset(self, games: list[int] | None = None) -> None:
        """Deal these games (by default all) anew, each with its next seed."""
        numbers = list(range(self.games)) if games is None else games
        chosen = [self._seated(number) for number in numbers]
        for number, seated in zip(numbers, chosen, strict=True):
            seated.last = None
            self._clear_rewards(number)
            self._renew(number, seated)

    def random_decisions(self, dice: Dice) -> memoryview:
        """A legal decision for each game, all equally likely; NOTHING where it is over."""
        chosen = self._chosen
        for game in range(i64(self.games)):
            options = self._at[game].options
            chosen[game] = options[dice.below(len(options))] if len(options) > 0 else NOTHING
        return memoryview(chosen).toreadonly()

    def legal(self, game: int) -> list[int]:
        """The legal decisions of a game."""
        return [int(decision) for decision in self._seated(game).options]

    def state(self, game: int) -> State:
        """A copy of the position of a game."""
        return self._seated(game).state.clone()

    def ended(self, game: int) -> State | None:
        """The final position of the game that the latest step ended and followed by the next, if it did."""
        last = self._seated(game).last
        return None if last is None else last.clone()

    def game_seed(self, game: int) -> str:
        """The seed from which `new_game` deals the game that is played now."""
        return self._seed(game, int(self._seated(game).episode))

    # --- inside -------------------------------------------------------------------------------

    def _seated(self, game: int) -> _Seated:
        if not 0 <= game < self.games:
            raise ValueError(f"games are numbers from 0 to {self.games - 1}, found {game}")
        return self._at[game]

    def _seed(self, game: int, episode: int) -> str:
        return f"{self.seed}/{self.first + game}/{episode}"

    def _deal(self, game: int, episode: int) -> State:
        return new_game(self.rules, self._seed(game, episode))

    def _checked(self, decisions: Buffer | list[int]) -> vec[i64]:
        chosen = whole_numbers(decisions, self.games)
        for game in range(i64(self.games)):
            self._check(game, chosen[game])
        return chosen

    def _check(self, game: i64, decision: i64) -> None:
        if self._to_act[game] == NOTHING:
            if self.autoreset == "off" and decision != NOTHING:
                number = self.first + int(game)
                raise Illegal("over", f"game {number} is over: its decision is {NOTHING} until it is reset")
            return
        if len(self._marks) > 0:
            if decision >= 0 and decision < MASK_SIZE and self._marks[game * MASK_SIZE + decision] != 0:
                return
        else:
            for option in self._at[game].options:
                if option == decision:
                    return
        raise self._refusal(int(game), int(decision))

    def _refusal(self, game: int, decision: int) -> Illegal:
        word = decision_text(decision) if 0 <= decision < MASK_SIZE else "no decision"
        seat = int(self._at[game].state.seat)
        sentence = f"game {self.first + game}: {decision} ({word}) is not legal for seat {seat} now"
        return Illegal("decision", f"{sentence}; legal are {', '.join(str(option) for option in self.legal(game))}")

    def _play(self, game: i64, decision: i64) -> None:
        seated = self._at[game]
        seated.last = None
        if self._dones[game] != 0:
            self._clear_rewards(game)
        if seated.state.phase == OVER:
            if self.autoreset == "next_step":
                self._renew(game, seated)
            return
        apply(seated.state, decision)
        if seated.state.phase == OVER:
            self._end(game, seated)
            return
        self._dones[game] = 0
        self._count(game, seated.state)
        self._show(game, seated)

    def _renew(self, game: i64, seated: _Seated) -> None:
        """The next game in this one's place."""
        seated.episode += 1
        seated.state = self._deal(int(game), int(seated.episode))
        self._dones[game] = 0
        self._count(game, seated.state)
        self._show(game, seated)

    def _end(self, game: i64, seated: _Seated) -> None:
        """The game is over: what it brought, and perhaps the next one."""
        last = seated.state
        if self.autoreset == "same_step":
            self._renew(game, seated)
            seated.last = last
        else:
            self._show(game, seated)
        self._dones[game] = 1
        self._count(game, last)
        won = returns(last)
        for i in range(self._seats):
            self._rewards[game * self._seats + i] = won[i]

    def _clear_rewards(self, game: i64) -> None:
        for i in range(self._seats):
            self._rewards[game * self._seats + i] = 0.0

    def _count(self, game: i64, s: State) -> None:
        for i in range(self._seats):
            self._scores[game * self._seats + i] = _score(s, i)

    def _show(self, game: i64, seated: _Seated) -> None:
        """What the seat that acts next knows and may decide."""
        marks = self._marks
        s = seated.state
        if len(marks) > 0:
            first = game * MASK_SIZE
            for decision in seated.options:
                marks[first + decision] = 0
            seated.options = legal(s)
            for decision in seated.options:
                marks[first + decision] = 1
        else:
            seated.options = legal(s)
        self._to_act[game] = s.seat if s.phase != OVER else NOTHING
        if len(self._words) > 0:
            fill(s, s.seat, self._tables, self._words, game * WORDS)


def _score(s: State, seat: i64) -> i64:
    """As `score`, in machine numbers."""
    player = s.players[seat]
    points = i64(player.points) - i64(player.touches)
    if s.rules.unfinished_cost_points:
        for place in range(spot(seat, 0), spot(seat, PLACES)):
            if s.board[place] != EMPTY:
                points -= s.cards.points[s.board[place]]
    return points


def _check_kind(games: int, autoreset: str) -> None:
    if games < 1:
        raise ValueError(f"a batch has at least one game, found {games}")
    if autoreset not in AUTORESETS:
        raise ValueError(f"autoreset is {', '.join(AUTORESETS)}, found {autoreset!r}")


def _zero_floats(count: int) -> vec[float]:
    made = vec[float]([0.0] * count)
    boxed: object = made
    return cast("vec[float]", array("d", boxed)) if isinstance(boxed, list) else made


def _rows(numbers: memoryview, size: int) -> memoryview:
    """Bytes as rows of a size; an empty array where they are not kept."""
    plain = numbers.cast("B").toreadonly()
    return plain.cast("B", (len(plain) // size, size)) if len(plain) else plain


def whole_numbers(decisions: Buffer | list[int], count: int) -> vec[i64]:
    """A list or an array of whole numbers, as many as there are games."""
    if isinstance(decisions, list):
        found = _from_list(decisions, count)
    else:
        given = _array(decisions, count)
        found = vec[i64](given) if given.format in ("q", "l") else _from_list(given.tolist(), count)
    if len(found) != count:
        raise ValueError(f"there are {count} games, found {len(found)} decisions")
    return found


def _array(decisions: Buffer, count: int) -> memoryview:
    try:
        given = memoryview(decisions)
    except TypeError:
        kind = type(decisions).__name__
        raise TypeError(f"decisions are {count} whole numbers, a list or an array, found {kind}") from None
    if given.ndim != 1 or given.format not in ("b", "B", "h", "H", "i", "I", "l", "L", "q", "Q"):
        raise ValueError(f"decisions are {count} whole numbers, found {given.format!r} of shape {given.shape}")
    return given


def _from_list(decisions: list[int], count: int) -> vec[i64]:
    for game, decision in enumerate(cast("list[object]", decisions)):  # whatever the caller has put there
        if not _fits(decision):
            raise ValueError(f"decisions are {count} whole numbers, found {decision!r} for game {game}")
    return vec[i64](decisions)


def _fits(decision: object) -> bool:
    """Whether it is a whole number of 64 bits, of Python or of NumPy."""
    try:
        return -(2**63) <= operator.index(decision) < 2**63  # type: ignore[arg-type]
    except TypeError:
        return False
