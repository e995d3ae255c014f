"""Whose time runs, and how much of it is left."""

from projectl.server.http.messages import Clock


class Clocks:
    """The clocks of one game, moved on by its events: times are those of events, or handed in."""

    def __init__(self, clock: Clock, seats: int) -> None:
        self.clock = clock
        self.used = [0.0] * (seats + 1)  # by seat, from 1
        self.began: dict[int, tuple[int, float]] = {}  # seat: (round, when its turn began)
        self.unlimited: set[int] = set()
        self._last: float | None = None

    @property
    def runs(self) -> bool:
        """Whether this table keeps time at all."""
        return self.clock.move is not None or self.clock.game is not None

    def start(self) -> None:
        """The last seat was taken: what was before counts for nobody."""
        self.used = [0.0] * len(self.used)
        self.began = {}

    def advance(self, acting: list[int], now: float) -> None:
        """Time passed while these seats were to act."""
        if self._last is not None:
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

    def left(self, seat: int, now: float) -> float | None:
        """Seconds that a seat has left; None where no clock runs for it."""
        if seat in self.unlimited:
            return None
        limits: list[float] = []
        running = seat in self.began
        if self.clock.game is not None:
            since = now - self._last if running and self._last is not None else 0.0
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
