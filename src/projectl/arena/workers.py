"""Games in processes of their own, several at a time.

A bot can take its whole process down, or hang in compiled code where no alarm reaches it. So each
worker notes on a slate in shared memory who is thinking, until when, and what was decided; when the
worker is gone, the one who was thinking forfeits, and the record is rebuilt from the slate.
"""

import multiprocessing
import signal
import time
import traceback
from collections import deque
from collections.abc import Generator, Iterator, MutableSequence, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from typing import Final, NamedTuple

from projectl.arena.bot_game import Watcher, forfeited, seat_name, settle_memory
from projectl.arena.match import Match, Pairing
from projectl.arena.result import Forfeit, GameResult
from projectl.bots import BotError, built_in
from projectl.core import actions
from projectl.core.errors import ProjectLError
from projectl.game import Game
from projectl.header import Header

_SLACK: Final = 3.0  # seconds that a worker has to notice by itself that a bot is overdue
_LOOK_ROUND: Final = 0.5
_GOODBYE: Final = 2.0  # seconds that a worker has to end its bots
_NOTES: Final = 65_536  # decisions; a longer game's record would break off here
_THINKER, _UNTIL, _COUNT, _FIRST = 0, 1, 2, 3
_SPAWN: Final = multiprocessing.get_context("spawn")

Games = Generator[tuple[Pairing, GameResult], None, None]


class Slate:
    """What a worker notes while it plays, for the one who watches it."""

    def __init__(self, cells: MutableSequence[int]) -> None:
        self._cells = cells

    def wipe(self) -> None:
        """A new game begins."""
        for cell in (_THINKER, _UNTIL, _COUNT):
            self._cells[cell] = 0

    def thinking(self, seat: int, seconds: float) -> None:
        """Note who is at work, and until when."""
        self._cells[_UNTIL] = int((time.monotonic() + seconds + _SLACK) * 1000)
        self._cells[_THINKER] = seat + 1

    def decided(self, seat: int, decision: int) -> None:
        """Note a decision."""
        count = self._cells[_COUNT]
        if count < _NOTES:
            self._cells[_FIRST + count] = seat * actions.COUNT + decision
            self._cells[_COUNT] = count + 1

    @property
    def thinker(self) -> int:
        """The seat whose bot is at work; -1: none is."""
        return self._cells[_THINKER] - 1

    def overdue(self) -> bool:
        """Whether the one at work should have been stopped long ago."""
        return self.thinker >= 0 and time.monotonic() * 1000 > self._cells[_UNTIL]

    def decisions(self) -> Iterator[tuple[int, int]]:
        """The seats and decisions of the game so far."""
        for cell in range(_FIRST, _FIRST + self._cells[_COUNT]):
            yield divmod(self._cells[cell], actions.COUNT)


class Broken(NamedTuple):
    """What went wrong in another process without any bot's fault, in a form that travels."""

    code: str  # empty: not an error that a caller can cause
    sentence: str

    def error(self) -> Exception:
        """To be raised where the match is run."""
        return BotError(self.code, self.sentence) if self.code else RuntimeError(self.sentence)


def play_apart(match: Match, pairing: Pairing, watcher: Watcher | None = None) -> GameResult | Broken:
    """Play a game in a process that nobody looks at."""
    try:
        return match.play(pairing, watcher)
    except ProjectLError as error:
        return Broken(error.code, error.sentence)
    except Exception:
        return Broken("", traceback.format_exc())


def _work(match: Match, pipe: Connection, cells: MutableSequence[int]) -> None:
    """A worker's life: games come in, results go out, until None comes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one who watches
    _hold_back(False)
    slate = Slate(cells)
    with suppress(KeyboardInterrupt):
        if not all(built_in(spec) for spec in match.bots):
            signal.signal(signal.SIGTERM, signal.default_int_handler)  # bots are dismissed, their programs ended
        settle_memory()
        while (pairing := _next(pipe)) is not None:
            pipe.send(play_apart(match, pairing, slate))


def _next(pipe: Connection) -> Pairing | None:
    try:
        found = pipe.recv()
    except EOFError:  # whoever ran the match is gone
        return None
    assert found is None or isinstance(found, Pairing)
    return found


def _hold_back(held: bool) -> None:
    """Keep Ctrl-C for later, in this thread and the processes it starts; or hear it, what was kept included."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_BLOCK if held else signal.SIG_UNBLOCK, {signal.SIGINT})


@contextmanager
def unheard() -> Iterator[None]:
    """Start processes that never hear Ctrl-C, not even before they can ignore it themselves."""
    resource_tracker.ensure_running()  # where that starts a process it would hear Ctrl-C again
    _hold_back(True)
    try:
        yield
    finally:
        _hold_back(False)


class _Worker:
    """One process, and the game it has in hand."""

    def __init__(self, match: Match) -> None:
        cells: MutableSequence[int] = _SPAWN.RawArray("q", _FIRST + _NOTES)
        self._match = match
        self._slate = Slate(cells)
        self.pipe, theirs = _SPAWN.Pipe()
        self.process = _SPAWN.Process(target=_work, args=(match, theirs, cells), daemon=False)
        self.process.start()
        theirs.close()
        self.pairing: Pairing | None = None

    def give(self, pairing: Pairing) -> None:
        """A game to play."""
        self._slate.wipe()
        self.pairing = pairing
        self.pipe.send(pairing)

    def outcome(self) -> GameResult | None:
        """The result of the game in hand, if it is decided; the death of the process decides it too."""
        found: object = None
        try:
            if self.pipe.poll():
                found = self.pipe.recv()
        except (EOFError, ConnectionError):
            self.process.join()
            return self._lost("crashed", f"it took its process down, {_how(self.process.exitcode)}")
        if isinstance(found, Broken):
            raise found.error()
        if found is None and self._slate.overdue():
            return self._lost("overdue", "it did not answer and could not be interrupted")
        assert found is None or isinstance(found, GameResult)
        return found

    def _lost(self, code: str, sentence: str) -> GameResult:
        pairing, seat, decisions = self.pairing, self._slate.thinker, list(self._slate.decisions())
        self.end()
        assert pairing is not None
        if seat < 0:
            raise BotError("worker", f"the process of game {pairing.number} ended while no bot was at work")
        specs = [self._match.bots[bot] for bot in pairing.seats]
        names = tuple(seat_name(spec) for spec in specs)
        game = Game(Header(self._match.rules, self._match.deal_seed(pairing), names))
        for actor, decision in decisions:
            game.decide(actor, decision)
        return forfeited(game, specs, Forfeit(seat, code, sentence), [])

    def release(self) -> None:
        """Stop after the last game."""
        self.pipe.send(None)
        self._go()

    def end(self) -> None:
        """Stop in the middle of a game."""
        self.process.terminate()
        self._go()

    def _go(self) -> None:
        self.process.join(_GOODBYE)
        if self.process.is_alive():
            self.process.kill()
        self.process.join()
        self.pipe.close()


def _how(status: int | None) -> str:
    if status is not None and status < 0:
        return f"by {signal.Signals(-status).name}"
    return f"with exit status {status}"


def in_processes(match: Match, pairings: Sequence[Pairing], jobs: int) -> Games:
    """Play games in so many processes; results come as they are ready."""
    waiting = deque(pairings)
    crew: list[_Worker] = []
    try:
        while len(crew) < min(jobs, len(pairings)):
            with unheard():
                crew.append(_Worker(match))
            crew[-1].give(waiting.popleft())
        while crew:
            wait([worker.pipe for worker in crew], _LOOK_ROUND)
            for worker in list(crew):
                result = worker.outcome()
                if result is None:
                    continue
                assert worker.pairing is not None
                done = worker.pairing
                _go_on(match, crew, worker, waiting)
                yield done, result
    finally:
        for worker in crew:
            worker.process.terminate()
        for worker in crew:
            worker.end()


def _go_on(match: Match, crew: list[_Worker], worker: _Worker, waiting: deque[Pairing]) -> None:
    """Give the worker its next game, or another worker if this one is gone; or let it go."""
    gone = worker.pipe.closed
    if not waiting:
        crew.remove(worker)
        if not gone:
            worker.release()
        return
    if gone:
        with unheard():
            crew[crew.index(worker)] = worker = _Worker(match)
    worker.give(waiting.popleft())
