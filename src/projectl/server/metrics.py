"""What the server counts, for whoever runs it."""

from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

_BUCKETS: Final = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)


class Metrics:
    """Counters of one process, in Prometheus' text form."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._actions = Histogram(
            "projectl_change_seconds", "From a message to its durable event", buckets=_BUCKETS, registry=self.registry
        )
        self.sockets = Gauge("projectl_sockets", "Open sockets", registry=self.registry)
        self.streams = Gauge("projectl_streams", "Open line streams", registry=self.registry)
        self.games = Gauge("projectl_games_in_memory", "Games in memory", registry=self.registry)
        self.refused = Counter("projectl_refused", "Messages refused", ["code"], registry=self.registry)
        self.closed = Counter("projectl_closed", "Sockets closed by the server", ["code"], registry=self.registry)
        self.commits = Gauge("projectl_commits", "Transactions of the store", registry=self.registry)
        self.written = Gauge("projectl_written", "Writes that shared those transactions", registry=self.registry)

    def action(self, seconds: float) -> None:
        """A change was made and stored."""
        self._actions.observe(seconds)

    def text(self) -> bytes:
        """All of it."""
        return generate_latest(self.registry)
