"""Processes that work for the server. Each kind of work has a pool of its own, with a queue that ends somewhere."""

import asyncio
import contextlib
import multiprocessing
import os
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from typing import Any, Final, NamedTuple, TypeVar

from projectl.server import logs
from projectl.server.errors import Busy, Refusal

T = TypeVar("T")
ADDRESS_TIMES: Final = 4  # as many jobs as one key may have, for all keys of one address
_REMEMBERED: Final = 1000  # keys and addresses whose last turn is known
_START: Final = 60.0  # seconds that a process may take to begin
_SPAWN: Final = multiprocessing.get_context("spawn")


class Asker(NamedTuple):
    """For whom work is done: a key, or what stands for one; and the address it came from, where that counts."""

    name: str
    address: str = ""


class Died(Exception):
    """A worker ended before its work did."""


def _serve(pipe: Connection, nice: int) -> None:
    """What a worker does all its life."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends its workers itself
    threading.Thread(target=_end_with_server, daemon=True).start()
    if hasattr(os, "nice"):
        os.nice(nice)
    logs.begin("WARNING")  # what its bots warn of is a line of the server's log
    pipe.send(None)
    while True:
        try:
            work, arguments = pipe.recv()
        except (EOFError, OSError):
            return
        answer: tuple[bool, Any]
        try:
            answer = (True, work(*arguments))
        except Exception as error:
            answer = (False, error)
        try:
            pipe.send(answer)
        except Exception as error:  # it cannot be sent: that, at least, can
            pipe.send((False, RuntimeError(f"{type(error).__name__}: {error}")))


def _end_with_server() -> None:
    server = multiprocessing.parent_process()
    assert server is not None
    server.join()
    os._exit(1)  # it was killed, and could end nothing any more


class Late(Exception):
    """A worker took too long."""


class Worker:
    """One process, and the pipe to it."""

    def __init__(self, nice: int) -> None:
        self._pipe, there = _SPAWN.Pipe()
        self._process = _SPAWN.Process(target=_serve, args=(there, nice), daemon=True)
        self._process.start()
        self._ready = False
        there.close()

    def ready(self) -> None:
        """Wait until it has started: in a thread."""
        if self._ready:
            return
        try:
            self._ready = self._pipe.poll(_START)
            if self._ready:
                self._pipe.recv()
        except (EOFError, OSError):
            self._ready = False
        if not self._ready:
            raise Died

    @property
    def pid(self) -> int:
        """The number of its process."""
        assert self._process.pid is not None
        return self._process.pid

    def do(self, work: Callable[..., T], arguments: tuple[object, ...]) -> T:
        """Have something done, and wait for it: in a thread."""
        try:
            self._pipe.send((work, arguments))
            done, found = self._pipe.recv()
        except (EOFError, OSError):
            raise Died from None
        if not done:
            raise found
        answer: T = found
        return answer

    def kill(self) -> None:
        """End it, whatever it is doing, and also if it does nothing at all any more."""
        self._process.kill()

    def bury(self) -> None:
        """It is dead: let go of what is left."""
        self._process.join()
        self._pipe.close()


class _Job:
    def __init__(self, asker: Asker, work: Callable[..., Any], arguments: tuple[object, ...]) -> None:
        self.asker = asker
        self.work = work
        self.arguments = arguments
        self.answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()


class Pool:
    """A few workers for one kind of work, started when they are first needed.

    Whoever was served longest ago comes next: of the addresses, and there of the keys. `limit` counts from the start of
    the work, never the time in the queue; what takes longer is ended with its worker, and the next job gets a new one.
    """

    def __init__(self, workers: int, *, waiting: int, each: int, limit: float, nice: int = 0) -> None:
        self.workers = workers
        self.most_waiting = waiting
        self.each = each  # jobs that one key may have here, waiting or worked on
        self.limit = limit
        self.nice = nice
        self.running = 0
        self.replaced = 0  # workers that died, or took too long
        self.waiting: list[_Job] = []
        self._free: list[Worker] = []
        self._all: set[Worker] = set()
        self._names: Counter[str] = Counter()
        self._addresses: Counter[str] = Counter()
        self._served: dict[str, int] = {}  # by key and by address, the longest ago first
        self._turn = 0
        self._mean = 0.5  # seconds that work took lately
        self._threads: ThreadPoolExecutor | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False

    async def run(self, asker: Asker, work: Callable[..., T], *arguments: object) -> T:
        """Have something done; refused at once if too much waits already."""
        self._check_room(asker)
        job = _Job(asker, work, arguments)
        self._count(asker, 1)
        self.waiting.append(job)
        self._hand_out()
        try:
            answer: T = await job.answer
        except asyncio.CancelledError:
            if job in self.waiting:  # nobody wants it any more; what is begun, goes on to its end
                self.waiting.remove(job)
                self._count(asker, -1)
            raise
        return answer

    def pids(self) -> list[int]:
        """The processes that there are."""
        return [worker.pid for worker in self._all]

    def seconds_to_wait(self) -> int:
        """About when there is room again."""
        return max(1, round((len(self.waiting) + self.running) * self._mean / self.workers))

    def _check_room(self, asker: Asker) -> None:
        if self._closed:
            raise Refusal("stopping", "the server is about to stop", 503)
        seconds = self.seconds_to_wait()
        crowded = asker.address and self._addresses[asker.address] >= self.each * ADDRESS_TIMES
        if self._names[asker.name] >= self.each or crowded:
            sentence = f"you have asked for this already, and it is not done yet; try again in {seconds} s"
            raise Busy("busy-yours", sentence, 429, about=str(seconds))
        if len(self.waiting) >= self.most_waiting:
            sentence = f"too much is being thought about here just now; try again in {seconds} s"
            raise Busy("busy", sentence, 503, about=str(seconds))

    def _count(self, asker: Asker, by: int) -> None:
        for names, name in ((self._names, asker.name), (self._addresses, asker.address)):
            names[name] += by
            if not names[name]:
                del names[name]

    def _hand_out(self) -> None:
        while self.waiting and self.running < self.workers and not self._closed:
            job = min(self.waiting, key=lambda job: self._last_served(job.asker))
            self.waiting.remove(job)
            self._note_turn(job.asker)
            self.running += 1
            task = asyncio.create_task(self._do(job))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def _last_served(self, asker: Asker) -> tuple[int, int]:
        return self._served.get(asker.address or asker.name, 0), self._served.get(asker.name, 0)

    def _note_turn(self, asker: Asker) -> None:
        self._turn += 1
        for name in filter(None, asker):
            self._served.pop(name, None)
            self._served[name] = self._turn
        while len(self._served) > _REMEMBERED:
            del self._served[next(iter(self._served))]

    async def _do(self, job: _Job) -> None:
        begin = time.monotonic()
        answer = job.answer
        try:
            found = await self._on_a_worker(job)
            if not answer.done():
                answer.set_result(found)
        except Exception as error:
            if not answer.done():
                answer.set_exception(error)
        finally:
            answer.cancel()  # where there is none by now, the server stops
            self._mean += (time.monotonic() - begin - self._mean) / 8
            self.running -= 1
            self._count(job.asker, -1)
            self._hand_out()

    async def _on_a_worker(self, job: _Job) -> object:
        """Done by a worker; once more by a new one if the first is killed, for memory or by somebody."""
        loop = asyncio.get_running_loop()
        for _ in (1, 2):
            worker = self._free.pop() if self._free else self._start()
            try:
                await loop.run_in_executor(self._doing(), worker.ready)
                found = await self._in_time(worker, job)
            except Died:
                await loop.run_in_executor(self._doing(), self._bury, worker)
                continue
            except Late:
                await loop.run_in_executor(self._doing(), self._bury, worker)
                raise Refusal("too-long", f"that took longer than {self.limit:.0f} s", 503) from None
            except BaseException:
                self._free.append(worker)
                raise
            self._free.append(worker)
            return found
        raise Refusal("thinking-failed", "whoever thought about that was stopped; please try again", 503)

    async def _in_time(self, worker: Worker, job: _Job) -> object:
        """What a worker answers, if it does before the limit; else it is killed."""
        loop = asyncio.get_running_loop()
        working = loop.run_in_executor(self._doing(), worker.do, job.work, job.arguments)
        done, _ = await asyncio.wait([working], timeout=self.limit)
        if not done:
            worker.kill()
            with contextlib.suppress(Exception):
                await working
            raise Late
        found: object = working.result()
        return found

    def _doing(self) -> ThreadPoolExecutor:
        if self._closed:
            raise Refusal("stopping", "the server is about to stop", 503)
        if self._threads is None:
            self._threads = ThreadPoolExecutor(self.workers, thread_name_prefix="workers")
        return self._threads

    def _start(self) -> Worker:
        if self._closed:
            raise Refusal("stopping", "the server is about to stop", 503)
        worker = Worker(self.nice)
        self._all.add(worker)
        return worker

    def _bury(self, worker: Worker) -> None:
        worker.kill()
        worker.bury()
        self._all.discard(worker)
        self.replaced += 1

    def close(self) -> None:
        """End the workers; what they think about is not waited for."""
        self._closed = True
        for job in self.waiting:
            if not job.answer.done():
                job.answer.cancel()
        self.waiting.clear()
        for worker in list(self._all):
            with contextlib.suppress(ProcessLookupError):
                worker.kill()
        if self._threads is not None:
            self._threads.shutdown(wait=False, cancel_futures=True)
