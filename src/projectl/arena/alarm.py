"""Stopping a bot that thinks too long."""

import signal
import threading
from collections.abc import Callable
from types import FrameType
from typing import Final, TypeVar

_AGAIN: Final = 1.0  # seconds: a bot that swallowed the first alarm meets another

Answer = TypeVar("Answer")


class Overdue(BaseException):
    """The time is over. Not an Exception, so that a bot's `except Exception` does not swallow it."""


class _Bell:
    """It is heard during the work alone: an alarm that comes just after it would hit whoever goes on."""

    heard = False


def _ring(number: int, frame: FrameType | None) -> None:
    if _Bell.heard:
        raise Overdue


def can_ring() -> bool:
    """Whether an alarm works here: only in a main thread, and not on every system."""
    return hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()


def within(seconds: float, work: Callable[[], Answer]) -> Answer:
    """What the work answers, or `Overdue` out of its middle; where alarms do not work it just goes on."""
    if not can_ring():
        return work()
    before = signal.signal(signal.SIGALRM, _ring)
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN)
        _Bell.heard = True
        return work()
    finally:
        _Bell.heard = False
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
