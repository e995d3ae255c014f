"""One game between bots: asked in turn, timed, checked, recorded."""

import gc
import operator
import time
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from hashlib import sha256
from typing import Final, Protocol, TypeVar

from projectl.arena.alarm import Overdue, within
from projectl.arena.result import Forfeit, GameResult
from projectl.arena.times import Times
from projectl.bots import Bot, BotError, look_at, make
from projectl.core import actions
from projectl.core.errors import Unreadable
from projectl.core.legal import to_act
from projectl.core.reasons import why_not
from projectl.core.rules import FINESSE_ROUNDS, LINE_CLEAR, SOLO, Rules
from projectl.core.score import mastermind_points, result, score
from projectl.core.state import OVER, State
from projectl.game import Game
from projectl.header import Header, writable

SECONDS: Final = 10.0  # for a decision
_START: Final = 30.0  # for setting a bot up
_CLOSE: Final = 5.0
_MISTAKES: Final = ("bot-unknown", "bot-time")  # of whoever set the match up, not of the bot
_LONGEST: Final = 300

Answer = TypeVar("Answer")


def limit_of(seconds: float) -> float:
    """When a bot is overdue: its time, a tenth of it, and half a second for a busy machine."""
    return seconds * 1.1 + 0.5


def settle_memory() -> None:
    """Take what is loaded so far out of garbage collection, so that no bot's time is spent on it."""
    gc.collect()
    gc.freeze()


class Watcher(Protocol):
    """Somebody who follows a game from outside, to know whose fault it is when the process dies."""

    def thinking(self, seat: int, seconds: float) -> None:
        """A seat's bot is at work and has so many seconds; seat -1: no bot is."""
        ...

    def decided(self, seat: int, decision: int) -> None:
        """A legal decision was made."""
        ...


class Unwatched:
    """Nobody follows the game."""

    def thinking(self, seat: int, seconds: float) -> None:
        """Nothing."""

    def decided(self, seat: int, decision: int) -> None:
        """Nothing."""


class _Out(Exception):
    """A seat forfeits."""

    def __init__(self, seat: int, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.forfeit = Forfeit(seat, code, one_line(sentence))


def one_line(words: str) -> str:
    """A text without line breaks and control characters, cut to a length that a table can bear."""
    plain = " ".join("".join(c if c.isprintable() else " " for c in words).split())
    return plain if len(plain) <= _LONGEST else plain[: _LONGEST - 1] + "…"


def seat_name(spec: str) -> str:
    """A bot's name as the `names:` line of a record can hold it."""
    return writable(one_line(spec))[:80].strip() or "bot"


def bot_seed(seed: str, salt: str, seat: int) -> int:
    """The number that a seat's bot gets for its own chance: the same for the same game of a match."""
    return int.from_bytes(sha256(f"projectl/bot/{seed}/{salt}/{seat}".encode()).digest()[:4]) >> 1


class _Player:
    """A seat's bot; whatever goes wrong in it is `_Out`."""

    def __init__(self, seat: int, spec: str, seed: int, watcher: Watcher) -> None:
        self.seat = seat
        self.times = Times()
        self._watcher = watcher
        # A program is greeted with its first question; it minds its own time from then on.
        self._extra = _START if spec.startswith("program:") else 0.0
        self._bot: Bot | None = self._call(_START, lambda: make(spec, seed))

    def ask(self, state: State, seconds: float) -> int:
        """The bot's decision, legal."""
        bot = self._bot
        assert bot is not None
        look = look_at(state, self.seat, seconds)
        options = frozenset(look.legal)
        started, worked = time.perf_counter(), time.thread_time()
        try:
            decision = self._call(limit_of(seconds) + self._extra, lambda: _number(bot.decide(look)))
        finally:
            self.times.add(time.perf_counter() - started, time.thread_time() - worked)
            self._extra = 0.0
        if decision not in options:
            raise _Out(self.seat, "illegal", _illegal(state, self.seat, decision))
        return decision

    def dismiss(self) -> None:
        """Let the bot clean up behind itself, if it wants to; the game is decided already."""
        close = getattr(self._bot, "close", None)
        if callable(close):
            with suppress(_Out):
                self._call(_CLOSE, close)
        self._bot = None

    def _call(self, limit: float, work: Callable[[], Answer]) -> Answer:
        """Let the bot work for so long at most."""
        fault: BaseException | None = None
        self._watcher.thinking(self.seat, limit)
        started = time.perf_counter()
        try:
            answer = within(limit, work)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            fault = error
        took = time.perf_counter() - started
        self._watcher.thinking(-1, 0.0)
        if isinstance(fault, Overdue) or took > limit:  # late without an Overdue: the alarm could not reach it
            raise _Out(self.seat, "overdue", f"it had not answered after {limit:.4g} s")
        if fault is None:
            return answer
        if isinstance(fault, BotError) and fault.code in _MISTAKES:
            raise fault
        raise _Out(self.seat, *_fault(fault))


def _number(answer: object) -> int:
    """A bot's answer, which may be of any kind; numbers of other libraries are numbers too."""
    try:
        return operator.index(answer)  # type: ignore[arg-type]
    except TypeError:
        raise BotError("illegal", f"it answered {repr(answer)[:40]}, which is no decision") from None


def _fault(error: BaseException) -> tuple[str, str]:
    if isinstance(error, BotError):
        return error.code, error.sentence
    frames = traceback.extract_tb(error.__traceback__)
    where = f" ({frames[-1].filename.rpartition('/')[2]}, line {frames[-1].lineno})" if frames else ""
    try:
        words = str(error)
    except Exception:  # even that can be broken
        words = "?"
    return "crashed", f"{type(error).__name__}: {words}{where}"


def _illegal(state: State, seat: int, decision: int) -> str:
    if not 0 <= decision < actions.COUNT:
        return f"it answered {decision}, decisions are numbers from 0 to {actions.COUNT - 1}"
    return f"it answered `{actions.decision_text(decision)}`: {why_not(state, seat, decision)[1]}"


def play_game(
    rules: Rules,
    specs: Sequence[str],
    seed: str | int,
    seconds: float = SECONDS,
    *,
    salt: str = "",
    names: Sequence[str] = (),
    watcher: Watcher | None = None,
) -> GameResult:
    """Play a game between bots, one for each seat, to its end or to the first forfeit.

    The seed deals the cards. With `salt` it also decides the seed of each seat's bot, so that the
    same deal can be played again with other chances. In Line Clear the white holder goes first
    (R16), in the touches the seats go in order. Give rules with `max_rounds`: bots can be aimless.
    """
    if len(specs) != rules.players:
        raise Unreadable("bots", f"{int(rules.players)} bots are expected, one for each seat, found {len(specs)}")
    watch = watcher or Unwatched()
    names = tuple(names) or tuple(seat_name(spec) for spec in specs)
    game = Game(Header(rules, str(seed), names).checked())
    players: list[_Player] = []
    try:
        for seat, spec in enumerate(specs):
            players.append(_Player(seat, spec, bot_seed(str(seed), salt, seat), watch))
        while game.state.phase != OVER:
            seat = to_act(game.state)[0]
            decision = players[seat].ask(game.state, seconds)
            game.decide(seat, decision)
            watch.decided(seat, decision)
    except _Out as out:
        return forfeited(game, specs, out.forfeit, [player.times for player in players])
    finally:
        for player in players:
            player.dismiss()
    return _finished(game, [player.times for player in players])


def _finished(game: Game, times: Sequence[Times]) -> GameResult:
    state = game.state
    end = result(state)
    assert end is not None
    return GameResult(
        record=game.text(),
        scores=end.scores,
        winners=end.winners,
        reason=end.reason,
        rounds=int(state.round),
        limit=reached_limit(state),
        forfeit=None,
        times=tuple(times),
    )


def forfeited(game: Game, specs: Sequence[str], forfeit: Forfeit, times: Sequence[Times]) -> GameResult:
    """The result where a seat forfeits: the other bots share the win; in solo the mastermind has won."""
    state = game.state
    scores = [score(state, seat) for seat in range(len(specs))]
    if state.rules.kind == SOLO:
        scores.append(mastermind_points(state))
    others = [seat for seat in range(len(scores)) if seat != forfeit.seat]
    other_bots = [seat for seat in others if seat >= len(specs) or specs[seat] != specs[forfeit.seat]]
    note = f"# seat {forfeit.seat + 1} forfeits, {forfeit.code}: {forfeit.sentence}\n"
    return GameResult(
        record=game.text() + note,
        scores=tuple(scores),
        winners=tuple(other_bots or others),
        reason="forfeit",
        rounds=int(state.round),
        limit=False,
        forfeit=forfeit,
        times=(*times, *(Times() for _ in range(len(specs) - len(times)))),
    )


def reached_limit(state: State) -> bool:
    """Whether a game that is over was ended by the limit of rounds (R19) and by nothing else."""
    rules = state.rules
    if rules.max_rounds == 0 or state.round < rules.max_rounds:
        return False
    if rules.finesse and state.round == FINESSE_ROUNDS:
        return False
    if rules.kind == LINE_CLEAR:
        return not (state.got_white and state.got_black)
    return not (state.end_triggered and state.round == state.last_round)
