"""Bots and advice, in processes of their own: they are handed what a seat knows, never the game."""

import asyncio
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Final, NamedTuple, TypeVar

from projectl.bots import make
from projectl.bots.action import bot_action
from projectl.bots.protocol import Look
from projectl.bots.registry import names, seconds_of
from projectl.core.dice import Dice
from projectl.core.errors import ProjectLError
from projectl.core.knowledge import Known, imagine, known
from projectl.core.rules import Rules
from projectl.core.state import State
from projectl.public import legal
from projectl.server.errors import Refusal
from projectl.server.games.preview import facts_ahead
from projectl.server.http.messages import Facts, facts_message

T = TypeVar("T")
MOST_SECONDS: Final = 10.0
ADVICE_SECONDS: Final = 1.0


def check_bot(spec: str) -> None:
    """Refuse bots that a server does not run: unknown ones, slow ones, programs."""
    name, colon, rest = spec.partition(":")
    if name not in names():
        sentence = f"there is no bot {name[:40]!r}; there are {', '.join(names())}"
        raise Refusal("bot-unknown", sentence, 422, field="bot", about=name[:40])
    try:
        seconds = seconds_of(rest) if colon else 0.0
    except ProjectLError as error:
        raise Refusal("bot-time", error.sentence, 422, field="bot", about=rest[:20]) from None
    if seconds > MOST_SECONDS:
        most = f"{MOST_SECONDS:.0f}"
        raise Refusal("bot-slow", f"a bot here thinks at most {most} s for a decision", 422, field="bot", about=most)


def _begin_work() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends its workers itself
    threading.Thread(target=_end_with_server, daemon=True).start()


def _end_with_server() -> None:
    server = multiprocessing.parent_process()
    assert server is not None
    server.join()
    os._exit(1)  # it was killed, and could end nothing any more


def _act(spec: str, rules: Rules, what: Known, seed: int) -> str:
    return bot_action(make(spec, seed), imagine(rules, what, Dice(seed)), what.seat, MOST_SECONDS)


class Advice(NamedTuple):
    """The best rest of a turn."""

    actions: list[str]
    facts: list[Facts]
    chance: float
    why: str


def _advise(rules: Rules, what: Known, decisions: list[int], seed: int) -> Advice:
    from projectl.bots.advice import hint  # only the workers need it

    found = hint(Look(rules, what, decisions, ADVICE_SECONDS), ADVICE_SECONDS, seed)
    # A turn may begin with a card from a deck: what follows it is good advice only for the imagined game.
    facts = facts_ahead(imagine(rules, what, Dice(seed)), what.seat, found.lines)
    return Advice(found.lines, [facts_message(one) for one in facts], round(found.value, 3), found.why)


class Thinkers:
    """A pool of workers, started when somebody first needs to think."""

    def __init__(self, workers: int | None = None) -> None:
        self.workers = workers or max(1, (os.cpu_count() or 2) - 1)
        self._pool: ProcessPoolExecutor | None = None

    async def act(self, spec: str, state: State, seat: int, seed: int) -> str:
        """The whole action that a bot plays for a seat (from 0)."""
        return await self._run(_act, spec, state.rules, known(state, seat), seed)

    async def advise(self, state: State, seat: int, seed: int) -> Advice:
        """The best rest of the turn for a seat (from 0), and why."""
        return await self._run(_advise, state.rules, known(state, seat), legal(state, seat), seed)

    async def run(self, work: Callable[..., T], *arguments: object) -> T:
        """Any other work that takes long."""
        return await self._run(work, *arguments)

    async def _run(self, work: Callable[..., T], *arguments: object) -> T:
        for attempt in (1, 2):
            try:
                return await asyncio.wrap_future(self._started().submit(work, *arguments))
            except BrokenProcessPool:  # a worker was killed, for memory or by somebody: once more with new ones
                self.close()
                if attempt == 2:
                    raise
        raise AssertionError

    def _started(self) -> ProcessPoolExecutor:
        if self._pool is None:
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(self.workers, context, initializer=_begin_work)
        return self._pool

    def close(self) -> None:
        """End the workers; what they think about is not waited for."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None
