"""Bots and advice, in processes of their own: they are handed what a seat knows, never the game."""

import os
from collections.abc import Callable
from typing import Final, NamedTuple, TypeVar

from projectl.bots import make
from projectl.bots.action import bot_action
from projectl.bots.protocol import Look
from projectl.bots.registry import built_in, names, seconds_of
from projectl.core.dice import Dice
from projectl.core.errors import ProjectLError
from projectl.core.knowledge import Known, imagine, known
from projectl.core.rules import Rules
from projectl.core.state import State
from projectl.facts import Facts
from projectl.public import legal
from projectl.server import traces
from projectl.server.errors import Refusal
from projectl.server.games.preview import facts_ahead
from projectl.server.workers import Asker, Pool

T = TypeVar("T")
MOST_SECONDS: Final = 10.0
ADVICE_SECONDS: Final = 1.0
QUICK_SECONDS: Final = 0.2  # for a decision; a bot that takes longer thinks deeply
BOT_LIMIT: Final = 60.0  # seconds from the start of the work: a bot that has not answered by then never will
ADVICE_LIMIT: Final = 20.0
RECORD_LIMIT: Final = 60.0


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


def thinks_deeply(spec: str) -> bool:
    """Whether a bot takes so long for a decision that quick ones should not have to wait for it."""
    name, colon, rest = spec.partition(":")
    return seconds_of(rest) > QUICK_SECONDS if colon else name.startswith("search") or not built_in(name)


def _act(spec: str, rules: Rules, what: Known, seed: int) -> str:
    return bot_action(make(spec, seed), imagine(rules, what, Dice(seed)), what.seat, MOST_SECONDS)


class Suggestion(NamedTuple):
    """The best rest of a turn."""

    actions: list[str]
    facts: list[Facts]
    chance: float
    why: str


def _advise(rules: Rules, what: Known, decisions: list[int], seed: int) -> Suggestion:
    from projectl.bots.advice import hint  # only the workers need it

    found = hint(Look(rules, what, decisions, ADVICE_SECONDS), ADVICE_SECONDS, seed)
    # A turn may begin with a card from a deck: what follows it is good advice only for the imagined game.
    facts = facts_ahead(imagine(rules, what, Dice(seed)), what.seat, found.lines)
    return Suggestion(found.lines, facts, round(found.value, 3), found.why)


class Thinkers:
    """Who thinks about what. No kind of work waits for another: a bot's turn not for hints, hints not for records."""

    def __init__(self, workers: int | None = None) -> None:
        cores = workers or max(1, (os.cpu_count() or 2) - 1)
        few = max(1, cores // 2)
        self.quick = Pool(cores, waiting=256, each=32, limit=BOT_LIMIT)
        self.deep = Pool(cores, waiting=64, each=4, limit=BOT_LIMIT, nice=5)
        self.advice = Pool(few, waiting=16, each=1, limit=ADVICE_LIMIT, nice=5)
        self.records = Pool(few, waiting=16, each=2, limit=RECORD_LIMIT, nice=10)  # a look back, and a record to open

    @property
    def pools(self) -> dict[str, Pool]:
        """All of them, by name."""
        return {"quick": self.quick, "deep": self.deep, "advice": self.advice, "records": self.records}

    async def act(self, spec: str, state: State, seat: int, seed: int, asker: Asker) -> str:
        """The whole action that a bot plays for a seat (from 0) at somebody's table."""
        pool = self.deep if thinks_deeply(spec) else self.quick
        return await self._run(pool, asker, _act, spec, state.rules, known(state, seat), seed)

    async def advise(self, state: State, seat: int, seed: int, asker: Asker) -> Suggestion:
        """The best rest of the turn for a seat (from 0), and why."""
        of_seat = (state.rules, known(state, seat), legal(state, seat))
        return await self._run(self.advice, asker, _advise, *of_seat, seed)

    async def read(self, asker: Asker, work: Callable[..., T], *arguments: object) -> T:
        """Work on a record, which may be long."""
        return await self._run(self.records, asker, work, *arguments)

    async def _run(self, pool: Pool, asker: Asker, work: Callable[..., T], *arguments: object) -> T:
        name = next(name for name, one in self.pools.items() if one is pool)
        with traces.span("think", pool=name):
            return await pool.run(asker, work, *arguments)

    def close(self) -> None:
        """End the workers; what they think about is not waited for."""
        for pool in self.pools.values():
            pool.close()
