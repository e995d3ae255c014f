"""Who looks after several server processes: starts them, and replaces one that has died or was stopped."""

from typing import Any, Final

from uvicorn.supervisors import Multiprocess

STOPPED: Final = 10.0  # seconds without an answer, then a process that served is ended and replaced


class Supervisor(Multiprocess):
    """Uvicorn's, which waits for a process that serves as long as for one that starts on a busy machine."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._served: set[int | None] = set()  # numbers of processes

    def keep_subprocess_alive(self) -> None:
        """Look after all of them, now and then."""
        for process in self.processes:
            if process.pid in self._served and not process.is_alive(STOPPED):
                process.process.kill()
                process.join()
        super().keep_subprocess_alive()
        self._served = {one.pid for one in self.processes if one.pid in self._served or one.is_ready(1)}
