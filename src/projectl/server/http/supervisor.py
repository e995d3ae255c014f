"""Who looks after several server processes: starts them, and replaces one that has died or was stopped."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker
from typing import Any, Final

from uvicorn.supervisors import Multiprocess

STOPPED: Final = 10.0  # seconds without an answer, then a process that served is ended and replaced


@contextmanager
def _deaf() -> Iterator[None]:
    """Whoever is started meanwhile never hears Ctrl-C, which we hear afterwards: we end those that we started."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    resource_tracker.ensure_running()  # it would let signals through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class Supervisor(Multiprocess):
    """Uvicorn's, which waits for a process that serves as long as for one that starts on a busy machine, and whose
    processes Ctrl-C does not interrupt while they load."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._served: set[int | None] = set()  # numbers of processes

    def init_processes(self) -> None:
        """Start all of them."""
        with _deaf():
            super().init_processes()

    def keep_subprocess_alive(self) -> None:
        """Look after all of them, now and then."""
        for process in self.processes:
            if process.pid in self._served and not process.is_alive(STOPPED):
                process.process.kill()
                process.join()
        with _deaf():
            super().keep_subprocess_alive()
        self._served = {one.pid for one in self.processes if one.pid in self._served or one.is_ready(1)}

    def restart_all(self) -> None:
        """Replace one after the other."""
        with _deaf():
            super().restart_all()
