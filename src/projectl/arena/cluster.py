"""Games on a Ray cluster."""

import logging
import os
import socket
from collections import deque
from collections.abc import Sequence
from typing import Final

from projectl.arena.match import Match, Pairing
from projectl.arena.result import GameResult
from projectl.arena.workers import Broken, Games, in_processes, play_apart
from projectl.bots import BotError

LOCAL: Final = "local"
_PATIENCE: Final = 5.0  # seconds until an address counts as dead
_AHEAD: Final = 3  # games handed out for each processor, so that none waits for this machine


def on_ray(match: Match, pairings: Sequence[Pairing], address: str, jobs: int) -> Games:
    """Play games on the cluster at an address; `local` starts one here with so many processors.

    A game that the cluster loses (its process died) is played here, where it can be said whose
    fault that is.
    """
    try:
        import ray
    except ImportError:
        sentence = "Ray is not installed; `pip install 'projectl[ray]'` brings it, and without --ray none is needed"
        raise BotError("ray-missing", sentence) from None
    own = not ray.is_initialized()
    if own:
        _connect(address, jobs)
    try:
        remote = ray.remote(num_cpus=1, max_retries=0)(play_apart)
        shared = ray.put(match)
        waiting = deque(pairings)
        running: dict[object, Pairing] = {}
        processors = ray.cluster_resources().get("CPU", 1)  # type: ignore[no-untyped-call]
        most = max(1, int(processors)) * _AHEAD
        while waiting or running:
            while waiting and len(running) < most:
                pairing = waiting.popleft()
                running[remote.remote(shared, pairing)] = pairing
            ready, _ = ray.wait(list(running), num_returns=1)
            pairing = running.pop(ready[0])
            try:
                result: GameResult | Broken = ray.get(ready[0])
            except ray.exceptions.RayError:
                yield from in_processes(match, [pairing], 1)
                continue
            if isinstance(result, Broken):
                raise result.error()
            yield pairing, result
    finally:
        if own:
            ray.shutdown()


def _connect(address: str, jobs: int) -> None:
    import ray

    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # a match of bots tells nobody anything
    try:
        if address == LOCAL:
            ray.init(num_cpus=jobs, include_dashboard=False, log_to_driver=False, logging_level=logging.ERROR)
        else:
            _knock(address)
            ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
    except (OSError, ValueError, RuntimeError) as error:
        first = str(error).strip().partition("\n")[0]
        raise BotError("ray", f"the Ray cluster at {address} cannot be reached: {first}") from None


def _knock(address: str) -> None:
    """See whether anybody is there; Ray itself would try for many minutes."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if colon and port.isdecimal():
        with socket.create_connection((host, int(port)), _PATIENCE):
            pass
