"""A batch spread over processes: the same games, the same arrays, in memory that the processes share.

Compiled code holds the interpreter's lock, so threads gain nothing; each process gains about three quarters of what
one alone does, because the arrays are copied once more.
"""

from array import array
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from multiprocessing.sharedctypes import RawArray
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from projectl.core.batch import Batch, whole_numbers
from projectl.core.errors import ProjectLError
from projectl.core.features import MASK_SIZE, SIZE
from projectl.core.native import Buffer
from projectl.core.rules import Rules

_CHECK: Final = "check"
_PLAY: Final = "play"
_RESET: Final = "reset"
_NUMBER: Final = 8  # bytes of a number

if TYPE_CHECKING:
    Link: TypeAlias = Connection[ProjectLError | tuple[str, list[int]] | None, Any]
else:
    Link = Connection


class _Plan(NamedTuple):
    """What every process knows of the whole batch."""

    rules: Rules
    games: int
    seed: str
    observations: bool
    masks: bool
    autoreset: str

    def rows(self) -> dict[str, int]:
        """How many bytes of each array belong to a game; those with numbers come first, so that they are aligned."""
        seats = int(self.rules.players)
        return {
            "decisions": _NUMBER,
            "to_act": _NUMBER,
            "scores": seats * _NUMBER,
            "rewards": seats * _NUMBER,
            "observations": SIZE if self.observations else 0,
            "masks": MASK_SIZE if self.masks else 0,
            "dones": 1,
        }

    def part(self, memory: memoryview, name: str, first: int, count: int) -> memoryview:
        """The bytes of an array that belong to some of the games."""
        start = 0
        for other, size in self.rows().items():
            if other == name:
                return memory[start + first * size : start + (first + count) * size]
            start += self.games * size
        raise KeyError(name)


@dataclass
class _Process:
    process: BaseProcess
    link: Link
    first: int
    count: int


class ParallelBatch:
    """As `Batch`, its games divided among processes. `close` it, or use it in a `with` statement."""

    def __init__(
        self,
        rules: Rules,
        games: int,
        seed: str | int = 0,
        *,
        processes: int,
        observations: bool = True,
        masks: bool = True,
        autoreset: str = "same_step",
    ) -> None:
        if not 1 <= processes <= games:
            raise ValueError(f"processes are 1 to {games}, as many as there are games, found {processes}")
        Batch(rules, 1, autoreset=autoreset)  # refuses what no process could do
        self.rules, self.games = rules, games
        self._plan = _Plan(rules, games, str(seed), observations, masks, autoreset)
        self._memory = RawArray("B", games * sum(self._plan.rows().values()))
        self._open = True
        self._processes = [self._start(games * n // processes, games * (n + 1) // processes) for n in range(processes)]
        self._answers()
        seats = (games, int(rules.players))
        self._decisions = self._all("decisions").cast("q")
        self.to_act: memoryview = self._all("to_act").toreadonly().cast("q")
        self.scores: memoryview = self._all("scores").toreadonly().cast("q", seats)
        self.rewards: memoryview[float] = self._all("rewards").toreadonly().cast("d", seats)
        self.dones: memoryview = self._all("dones").toreadonly()
        plain = self._all("observations").toreadonly()
        self.observations: memoryview = plain.cast("B", (games, SIZE)) if observations else plain
        plain = self._all("masks").toreadonly()
        self.masks: memoryview = plain.cast("B", (games, MASK_SIZE)) if masks else plain

    def _all(self, name: str) -> memoryview:
        return self._plan.part(memoryview(self._memory).cast("B"), name, 0, self.games)

    def _start(self, first: int, end: int) -> _Process:
        context = get_context("spawn")
        here, there = context.Pipe()
        work = (there, self._memory, self._plan, first, end - first)
        process = context.Process(target=_serve, args=work, daemon=True)
        process.start()
        there.close()
        return _Process(process, here, first, end - first)

    def step(self, decisions: Buffer | list[int]) -> None:
        """Play one decision in each game; `Illegal` leaves all games as they were."""
        self._decisions[:] = memoryview(array("q", whole_numbers(decisions, self.games)))
        self._ask(_CHECK)
        self._ask(_PLAY)

    def reset(self, games: list[int] | None = None) -> None:
        """Deal these games (by default all) anew, each with its next seed."""
        chosen = list(range(self.games)) if games is None else games
        for game in chosen:
            if not 0 <= game < self.games:
                raise ValueError(f"games are numbers from 0 to {self.games - 1}, found {game}")
        self._ask(_RESET, chosen)

    def _ask(self, what: str, games: list[int] | None = None) -> None:
        if not self._open:
            raise ValueError("this batch is closed")
        try:
            for part in self._processes:
                mine = [game - part.first for game in games or () if part.first <= game < part.first + part.count]
                part.link.send((what, mine))
            self._answers()
        except (EOFError, OSError):
            self.close()
            raise RuntimeError("a process of this batch has ended, and its games with it") from None

    def _answers(self) -> None:
        """Wait for all; raise what the first of them refused."""
        answers = [part.link.recv() for part in self._processes]
        for answer in answers:
            if isinstance(answer, ProjectLError):
                raise answer

    def close(self) -> None:
        """End the processes. The arrays keep what they show."""
        self._open = False
        for part in self._processes:
            part.link.close()
        for part in self._processes:
            part.process.join()

    def __enter__(self) -> "ParallelBatch":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _serve(link: Link, shared: Buffer, plan: _Plan, first: int, count: int) -> None:
    """One process: its games, until the other end of the link is closed."""
    memory = memoryview(shared).cast("B")
    batch = Batch(
        plan.rules,
        count,
        plan.seed,
        observations=plan.observations,
        masks=plan.masks,
        autoreset=plan.autoreset,
        first=first,
    )
    _show(batch, plan, memory)
    link.send(None)
    try:
        while True:
            what, games = link.recv()
            link.send(_answer(batch, plan, memory, what, games))
    except EOFError:
        return


def _answer(batch: Batch, plan: _Plan, memory: memoryview, what: str, games: list[int]) -> ProjectLError | None:
    decisions = plan.part(memory, "decisions", batch.first, batch.games).cast("q")
    try:
        if what == _CHECK:
            batch.check(decisions)
            return None
        if what == _PLAY:
            batch.step(decisions)
        else:
            batch.reset(games)
    except ProjectLError as error:
        return error
    _show(batch, plan, memory)
    return None


def _show(batch: Batch, plan: _Plan, memory: memoryview) -> None:
    """Copy what the batch shows to where all can see it."""
    shown: dict[str, memoryview] = {
        "to_act": batch.to_act.cast("B"),
        "scores": batch.scores.cast("B"),
        "rewards": batch.rewards.cast("B"),
        "observations": batch.observations.cast("B"),
        "masks": batch.masks.cast("B"),
        "dones": batch.dones,
    }
    for name, numbers in shown.items():
        plan.part(memory, name, batch.first, batch.games)[:] = numbers
