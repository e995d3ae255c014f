"""Whose time runs, and how much of it is left."""

from collections.abc import Callable
from time import monotonic, time
from typing import NamedTuple

from projectl.server.http.messages import Clock


def steady() -> Callable[[], float]:
    """A clock that shows the time of day and runs evenly: nobody gains or loses by a computer's clock being set."""
    began = time() - monotonic()
    return lambda: began + monotonic()


class Mark(NamedTuple):
    """The clocks as they stood after an event."""

    version: int
    at: float
    used: list[float]
    began: dict[int, tuple[int, float]]


class Clocks:
    """The clocks of one game, moved on by its events: times are those of events, or handed in."""

    def __init__(self, clock: Clock, seats: int) -> None:
        self.clock = clock
        self.runs = clock.move is not None or clock.game is not None  # whether this table keeps time at all
        self.used = [0.0] * (seats + 1)  # by seat, from 1
        self.began: dict[int, tuple[int, float]] = {}  # seat: (round, when its turn began)
        self.unlimited: set[int] = set()
        self._last = 0.0
        self._marks: list[Mark] = []  # where an undo may lead back to
        self._marked = 0  # the seat that the last mark was made for

    def start(self, acting: list[int], round: int, now: float, version: int = 0) -> None:
        """Time runs from here: what was before counts for nobody."""
        self.used = [0.0] * len(self.used)
        self.began = {}
        self._last = now
        self.turn(acting, round, now)
        self.mark(version, 0, final=True)

    def advance(self, acting: list[int], now: float) -> None:
        """Time passed while these seats were to act."""
        for seat in acting:
            self.used[seat] += max(0.0, now - self._last)
        self._last = now

    def turn(self, acting: list[int], round: int, now: float) -> None:
        """After an event: whose turn runs now. A turn that goes on keeps its beginning, `round` being the same."""
        self.began = {
            seat: self.began[seat] if seat in self.began and self.began[seat][0] == round else (round, now)
            for seat in acting
        }
        self._last = now

    def mark(self, version: int, seat: int, *, final: bool) -> None:
        """Keep the clocks as they stand after an action of a seat; `final`: there is no way back behind it."""
        if not self.runs:
            return
        if seat != self._marked:  # nobody takes back what another did
            self._marks = self._marks[-1:]
        if final:
            self._marks.clear()
        self._marked = seat
        self._marks.append(Mark(version, self._last, list(self.used), dict(self.began)))

    def go_back(self, version: int, acting: list[int], round: int, now: float) -> None:
        """Actions were taken back, the time they took was not: it is that of whoever was to act before them."""
        if not self.runs:
            return
        while len(self._marks) > 1 and self._marks[-1].version > version:
            self._marks.pop()
        mark = self._marks[-1]
        self.used, self.began = list(mark.used), dict(mark.began)
        self.turn(acting, round, mark.at)
        self.advance(acting, now)

    def left(self, seat: int, now: float) -> float | None:
        """Seconds that a seat has left; None where no clock runs for it."""
        if seat in self.unlimited:
            return None
        limits: list[float] = []
        running = seat in self.began
        if self.clock.game is not None:
            since = now - self._last if running else 0.0
            limits.append(self.clock.game - self.used[seat] - since)
        if self.clock.move is not None:
            limits.append(self.clock.move - (now - self.began[seat][1] if running else 0.0))
        return min(limits) if limits else None

    def free(self, seat: int) -> None:
        """A bot plays the seat, and needs no clock."""
        self.unlimited.add(seat)

    def next_out(self, now: float) -> tuple[float, int] | None:
        """When the next seat runs out of time, and which."""
        found = [(now + left, seat) for seat in self.began if (left := self.left(seat, now)) is not None]
        return min(found) if found else None
