"""Stopping a bot that thinks too long."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

_AGAIN: Final = 1.0  # seconds: a bot that swallowed the first alarm meets another


class Overdue(BaseException):
    """The time is over. Not an Exception, so that a bot's `except Exception` does not swallow it."""


def _ring(number: int, frame: FrameType | None) -> None:
    raise Overdue


def can_ring() -> bool:
    """Whether an alarm works here: only in a main thread, and not on every system."""
    return hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()


@contextmanager
def alarm(seconds: float) -> Iterator[None]:
    """Raise `Overdue` inside the block when it takes longer; where alarms do not work it just goes on."""
    if not can_ring():
        yield
        return
    before = signal.signal(signal.SIGALRM, _ring)
    signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
