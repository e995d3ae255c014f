"""Many games at once play as each of them does alone."""

import random
from array import array
from collections.abc import Callable
from typing import Any

import pytest

from projectl import Illegal, Rules, State, apply, legal, new_game, score
from projectl.core.batch import NOTHING, Batch
from projectl.core.dice import Dice
from projectl.core.features import MASK_SIZE, SIZE
from projectl.core.native import Buffer
from projectl.core.observe import mask, observe, returns
from projectl.core.state import OVER, dump
from tests.configurations import random_rules

BASE = Rules(2, max_rounds=2)


def arrays(batch: Batch) -> list[bytes]:
    """Everything that a batch shows."""
    shown = (batch.observations, batch.masks, batch.to_act, batch.dones, batch.scores, batch.rewards)
    return [bytes(memoryview(array)) for array in shown]


def dumps(batch: Batch) -> list[object]:
    return [dump(batch.state(game)) for game in range(batch.games)]


def check_row(batch: Batch, game: int, state: State) -> None:
    """The row of a game is what `observe` and `mask` say of its position."""
    observation, marks = bytearray(SIZE), bytearray(MASK_SIZE)
    seat = int(state.seat)
    observe(state, seat, observation)
    mask(state, seat, marks)
    assert bytes(batch.observations)[game * SIZE : (game + 1) * SIZE] == observation
    assert bytes(batch.masks)[game * MASK_SIZE : (game + 1) * MASK_SIZE] == marks
    assert batch.to_act[game] == (NOTHING if state.phase == OVER else seat)


class Alone:
    """The same games one by one, as documented."""

    def __init__(self, rules: Rules, games: int, seed: str) -> None:
        self.rules, self.seed = rules, seed
        self.episodes = [0] * games
        self.states = [self.deal(game) for game in range(games)]
        self.ended: list[State | None] = [None] * games

    def deal(self, game: int) -> State:
        return new_game(self.rules, f"{self.seed}/{game}/{self.episodes[game]}")

    def follow(self, game: int) -> None:
        self.episodes[game] += 1
        self.states[game] = self.deal(game)

    def step(self, decisions: list[int], autoreset: str) -> None:
        self.ended = [None] * len(self.states)
        for game, decision in enumerate(decisions):
            if self.states[game].phase == OVER:
                if autoreset == "next_step":
                    self.follow(game)
                continue
            apply(self.states[game], decision)
            if self.states[game].phase == OVER:
                self.ended[game] = self.states[game]
                if autoreset == "same_step":
                    self.follow(game)


def choices(batch: Batch, dice: random.Random) -> list[int]:
    found = [batch.legal(game) for game in range(batch.games)]
    return [dice.choice(options) if options else NOTHING for options in found]


@pytest.mark.parametrize("autoreset", ["same_step", "next_step", "off"])
@pytest.mark.parametrize("number", range(6))
def test_a_batch_plays_as_its_games_do_alone(number: int, autoreset: str) -> None:
    dice = random.Random(number)
    rules = random_rules(dice)
    games = 3
    batch, alone = Batch(rules, games, f"s{number}", autoreset=autoreset), Alone(rules, games, f"s{number}")
    finished = 0
    for step in range(3000):
        decisions = choices(batch, dice)
        batch.step(decisions)
        alone.step(decisions, autoreset)
        for game in range(games):
            state, ended = alone.states[game], alone.ended[game]
            last = batch.ended(game)
            if step % 10 == 0 or ended is not None:
                check_row(batch, game, state)
                assert batch.game_seed(game) == f"s{number}/{game}/{alone.episodes[game]}"
            over = ended is not None
            shown = ended if ended is not None else state
            seats = range(int(rules.players))
            assert batch.dones[game] == int(shown.phase == OVER)
            assert [batch.scores[game, seat] for seat in seats] == [score(shown, seat) for seat in seats]
            expected = returns(shown) if over else [0.0] * len(seats)
            assert [batch.rewards[game, seat] for seat in seats] == expected
            assert (last is not None) == (over and autoreset == "same_step")
            if last is not None and ended is not None:
                assert dump(last) == dump(ended)
            finished += over
        if finished >= 3:
            break
    assert finished > 0


def test_games_that_are_over_wait_for_a_reset() -> None:
    batch = Batch(BASE, 2, autoreset="off")
    dice = Dice(1)
    while not all(batch.dones):
        batch.step(batch.random_decisions(dice))
    assert list(batch.random_decisions(dice)) == [NOTHING, NOTHING]
    before = arrays(batch)
    with pytest.raises(Illegal, match="game 0 is over: its decision is -1 until it is reset"):
        batch.step([0, NOTHING])
    assert arrays(batch) == before
    batch.reset([1])
    assert list(batch.dones) == [1, 0]
    assert list(batch.to_act) == [NOTHING, 0]
    assert batch.game_seed(1) == "0/1/1"
    assert [batch.rewards[1, seat] for seat in (0, 1)] == [0, 0]
    batch.step([NOTHING, batch.legal(1)[0]])
    batch.reset()
    assert [batch.game_seed(game) for game in (0, 1)] == ["0/0/1", "0/1/2"]
    check_row(batch, 0, new_game(BASE, "0/0/1"))


def test_the_same_seed_gives_the_same_games() -> None:
    def played(first: int, games: int) -> list[bytes]:
        batch, dice = Batch(BASE, games, 7, first=first), random.Random(1)
        for _ in range(300):
            batch.step([options[len(options) // 2] for options in map(batch.legal, range(games))])
        dice.random()
        return arrays(batch)

    assert played(0, 3) == played(0, 3)
    whole, part = played(0, 3), played(2, 1)
    assert whole[0][2 * SIZE :] == part[0]
    assert whole[1][2 * MASK_SIZE :] == part[1]


def test_without_observations_and_masks() -> None:
    full, lean = Batch(BASE, 4, 3), Batch(BASE, 4, 3, observations=False, masks=False)
    dice = Dice(5)
    for _ in range(200):
        decisions = list(full.random_decisions(dice))
        full.step(decisions)
        lean.step(decisions)
    assert dumps(full) == dumps(lean)
    assert (len(lean.observations), len(lean.masks)) == (0, 0)
    assert bytes(lean.to_act) == bytes(full.to_act)
    with pytest.raises(Illegal, match="game 3: 2825"):
        lean.step([*(lean.legal(game)[0] for game in range(3)), 2825])


@pytest.mark.parametrize("wrong", [2825, -1, 2826, 10**6])
def test_an_illegal_decision_changes_nothing(wrong: int) -> None:
    batch = Batch(BASE, 3, 1)
    batch.step([batch.legal(game)[0] for game in range(3)])
    before, positions = arrays(batch), dumps(batch)
    options = ", ".join(str(option) for option in batch.legal(1))
    with pytest.raises(Illegal, match=rf"game 1: {wrong} .*is not legal for seat 0 now; legal are {options}$"):
        batch.step([batch.legal(0)[0], wrong, wrong])
    assert (arrays(batch), dumps(batch)) == (before, positions)


@pytest.mark.parametrize(
    ("decisions", "sentence"),
    [
        ([0], "there are 2 games, found 1 decisions"),
        ([0, 0, 0], "there are 2 games, found 3 decisions"),
        (array("d", [0, 0]), r"decisions are 2 whole numbers, found 'd' of shape \(2,\)"),
        (memoryview(bytes(2)).cast("B", (2, 1)), r"decisions are 2 whole numbers, found 'B' of shape \(2, 1\)"),
        ([2380, 2380.0], "decisions are 2 whole numbers, found 2380.0 for game 1"),
        ([None, 2380], "decisions are 2 whole numbers, found None for game 0"),
        ([2380, 2**63], f"decisions are 2 whole numbers, found {2**63} for game 1"),
        (array("Q", [2380, 2**63]), f"decisions are 2 whole numbers, found {2**63} for game 1"),
        ((2380, 2380), "decisions are 2 whole numbers, a list or an array, found tuple"),
    ],
)
def test_decisions_of_the_wrong_kind(decisions: Any, sentence: str) -> None:
    batch = Batch(BASE, 2)
    before = arrays(batch)
    with pytest.raises((ValueError, TypeError), match=sentence):
        batch.step(decisions)
    assert arrays(batch) == before


@pytest.mark.parametrize("game", [-1, 2])
def test_a_game_that_is_not_there(game: int) -> None:
    batch = Batch(BASE, 2)
    for asked in (batch.legal, batch.state, batch.ended, batch.game_seed, lambda number: batch.reset([0, number])):
        with pytest.raises(ValueError, match=f"games are numbers from 0 to 1, found {game}"):
            asked(game)
    assert batch.game_seed(0) == "0/0/0"


@pytest.mark.parametrize("pack", [lambda numbers: array("q", numbers), lambda numbers: array("h", numbers), list])
def test_decisions_come_as_lists_or_arrays(pack: Callable[[list[int]], Buffer | list[int]]) -> None:
    batch, other = Batch(BASE, 2, 9), Batch(BASE, 2, 9)
    for _ in range(30):
        decisions = [batch.legal(game)[-1] for game in range(2)]
        batch.step(decisions)
        other.step(pack(decisions))
    assert arrays(batch) == arrays(other)


def test_arrays_stay_where_they_are_and_cannot_be_written() -> None:
    batch = Batch(BASE, 2)
    held, first = batch.observations, bytes(batch.observations)
    batch.step([batch.legal(game)[0] for game in range(2)])
    assert bytes(held) != first
    assert all(array.readonly for array in (batch.observations, batch.masks, batch.to_act, batch.dones, batch.scores))
    assert batch.rewards.readonly
    assert (batch.observations.shape, batch.masks.shape, batch.scores.shape) == ((2, SIZE), (2, MASK_SIZE), (2, 2))


def test_random_decisions_are_legal_and_all_come_up() -> None:
    batch, dice = Batch(BASE, 1, 4), Dice(2)
    options = legal(new_game(BASE, "4/0/0"))
    found = {batch.random_decisions(dice)[0] for _ in range(400)}
    assert found == set(options)


def test_batches_that_cannot_be() -> None:
    with pytest.raises(ValueError, match="at least one game, found 0"):
        Batch(BASE, 0)
    with pytest.raises(ValueError, match="autoreset is same_step, next_step, off, found 'never'"):
        Batch(BASE, 1, autoreset="never")
    with pytest.raises(ValueError, match="games are numbers from 0 to 1, found 2"):
        Batch(BASE, 2).reset([0, 2])
