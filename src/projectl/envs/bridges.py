"""From one world into the other: what learned in an environment plays as a bot, and a bot plays in an environment.

A policy is a function of an observation (3,456 numbers) and a mask (2,826) that answers with one allowed action.
"""

import operator
import sys
from collections.abc import Callable, Mapping
from typing import TextIO, TypeAlias

import msgspec
import numpy as np
from msgspec import Struct

from projectl.bots.program import PROTOCOL, ProgramHello, Request, look_from
from projectl.bots.protocol import Bot, BotError, Look, look_at
from projectl.bots.registry import Factory
from projectl.bots.registry import make as make_bot
from projectl.core.dice import Dice
from projectl.core.state import State
from projectl.envs.spaces import Bytes, Mask, mask_of, seen_by

Policy: TypeAlias = Callable[[Bytes, Mask], int]
SECONDS = 1.0  # for a bot's decision, unless its name brings a time of its own


class PolicyBot:
    """A bot that decides as a policy does, by what its seat sees."""

    def __init__(self, policy: Policy, seed: int = 0) -> None:
        self.policy = policy
        self.dice = Dice(seed)

    def decide(self, look: Look) -> int:
        """What the policy chooses; one legal decision needs no choice."""
        if len(look.legal) == 1:
            return look.legal[0]
        state = look.imagine(self.dice)  # looks the same from this seat, so it is observed the same
        seen = seen_by(state, look.seat, "flat")
        assert isinstance(seen, np.ndarray)
        return _number(self.policy(seen, mask_of(state, look.seat)), look)


def _number(action: object, look: Look) -> int:
    """The policy's answer as one of the legal decisions."""
    try:
        decision = operator.index(action)  # type: ignore[arg-type]
    except TypeError:
        shape = getattr(action, "shape", "")
        found = f"an array of shape {shape}" if shape != "" else repr(action)[:40]
        raise BotError("policy-answer", f"a policy answers with one whole number, found {found}") from None
    if decision not in look.legal:
        options = ", ".join(str(option) for option in look.legal)
        raise BotError("policy-illegal", f"the policy chose {decision}, which its mask did not allow; legal: {options}")
    return decision


def bot_of(policy: Policy) -> Factory:
    """What `register_bot` takes: `register_bot("mine", bot_of(policy))`."""
    return lambda seconds, seed: PolicyBot(policy, seed)


def serve_policy(policy: Policy, name: str, source: TextIO | None = None, sink: TextIO | None = None) -> None:
    """Speak the protocol of programs until goodbye: `program:python my_policy.py` is a bot everywhere then."""
    incoming, outgoing = source or sys.stdin, sink or sys.stdout
    hello = msgspec.json.decode(incoming.readline(), type=ProgramHello)
    _say({"type": "hello", "protocol": PROTOCOL, "name": name}, outgoing)
    bot = PolicyBot(policy, hello["seat"])
    for line in incoming:
        if msgspec.json.decode(line, type=_Message).type == "goodbye":
            break
        request = msgspec.json.decode(line, type=Request)
        _say({"id": request["id"], "decision": bot.decide(look_from(hello, request))}, outgoing)


class _Message(Struct):
    """Any message: of which kind it is."""

    type: str


def _say(message: Mapping[str, str | int], outgoing: TextIO) -> None:
    print(msgspec.json.encode(message).decode(), file=outgoing, flush=True)


class Opponent:
    """A bot of the registry as a player of any environment that has a `game`: `env.step(opponent(env.game))`."""

    def __init__(self, spec: str, seed: int = 0, seconds: float = SECONDS) -> None:
        self.bot: Bot = make_bot(spec, seed)
        self.seconds = seconds

    def __call__(self, game: State, seat: int | None = None) -> int:
        """The bot's decision for a seat, by default for the one that acts next. It sees what that seat sees."""
        return self.bot.decide(look_at(game, int(game.seat) if seat is None else seat, self.seconds))
