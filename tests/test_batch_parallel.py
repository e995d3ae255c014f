"""A batch spread over processes shows the same as one batch does."""

import os
import signal
from array import array

import pytest

from projectl import Illegal, Rules
from projectl.core.batch import Batch
from projectl.core.dice import Dice
from projectl.parallel import ParallelBatch
from tests.test_batch import arrays

RULES = Rules(2, modules=("ghost",), max_rounds=2)


def shown(batch: ParallelBatch) -> list[bytes]:
    found = (batch.observations, batch.masks, batch.to_act, batch.dones, batch.scores, batch.rewards)
    return [bytes(memoryview(numbers)) for numbers in found]


def test_processes_play_the_same_games() -> None:
    one, dice = Batch(RULES, 5, "p"), Dice(3)
    ended = 0
    with ParallelBatch(RULES, 5, "p", processes=2) as many:
        for _ in range(150):
            decisions = array("q", one.random_decisions(dice))
            one.step(decisions)
            many.step(decisions)
            assert shown(many) == arrays(one)
            ended += sum(one.dones)
        one.reset([0, 4])
        many.reset([0, 4])
        assert shown(many) == arrays(one)
        assert (many.observations.shape, many.rewards.shape) == (one.observations.shape, one.rewards.shape)
        before = shown(many)
        right = list(one.random_decisions(dice))
        options = ", ".join(str(option) for option in one.legal(4))
        with pytest.raises(Illegal, match=f"game 4: 2825 .* legal are {options}$"):
            many.step([*right[:4], 2825])
        assert shown(many) == before
        with pytest.raises(ValueError, match="there are 5 games, found 4 decisions"):
            many.step(right[:4])
        with pytest.raises(ValueError, match="games are numbers from 0 to 4, found 5"):
            many.reset([5])
        one.step(right)
        many.step(right)
        assert shown(many) == arrays(one)
    assert ended > 0
    with pytest.raises(ValueError, match="this batch is closed"):
        many.step(right)


def test_a_process_that_ends_is_told() -> None:
    many = ParallelBatch(RULES, 2, processes=2, observations=False, masks=False)
    assert (len(many.observations), len(many.masks)) == (0, 0)
    victim = many._processes[1].process.pid
    assert victim is not None
    os.kill(victim, signal.SIGKILL)
    many._processes[1].process.join()
    with pytest.raises(RuntimeError, match="a process of this batch has ended"):
        many.reset()


def test_as_many_processes_as_games_at_most() -> None:
    with pytest.raises(ValueError, match="processes are 1 to 2, as many as there are games, found 3"):
        ParallelBatch(RULES, 2, processes=3)
    with pytest.raises(ValueError, match="autoreset is"):
        ParallelBatch(RULES, 2, processes=1, autoreset="never")
