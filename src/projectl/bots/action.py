"""A bot's next whole action: asked for decision by decision, answered as text."""

from typing import Final

from projectl.bots.protocol import Bot, BotError, Look, look_at
from projectl.core.engine import apply
from projectl.core.errors import ProjectLError
from projectl.core.notation import Decisions, text
from projectl.core.state import TOUCHES, State

THINKING: Final = 10.0  # seconds for one decision; bots with a level of their own use less


def bot_action(bot: Bot, state: State, seat: int, seconds: float = THINKING) -> str:
    """A bot's next whole action as text. The state is the caller's to lose.

    It may be an imagined one: inside one action nothing hidden comes to light.
    """
    touching = state.phase == TOUCHES
    chosen: Decisions = ()
    while not chosen or state.action_open():
        look = look_at(state, seat, seconds)
        decision = _ask(bot, look)
        if decision not in look.legal:
            raise BotError("bot-illegal", f"it answered {decision!r}, which is none of the legal decisions")
        apply(state, decision, seat)
        chosen = (*chosen, decision)
    return text(chosen, touching)


def _ask(bot: Bot, look: Look) -> int:
    try:
        return bot.decide(look)
    except ProjectLError:
        raise
    except Exception as error:  # a bot may be anybody's program
        raise BotError("bot-crash", f"it crashed: {type(error).__name__}: {error}") from None
