"""One game between bots: who is asked, what is recorded, and who forfeits."""

import threading
import time
from collections.abc import Callable

import pytest

from projectl import Rules, Unreadable, replay, result
from projectl.arena import GameResult, play_game
from projectl.arena.bot_game import bot_seed, reached_limit, seat_name
from projectl.bots import BotError, Look, make, registry
from projectl.bots.simple import RandomBot
from projectl.core.actions import DONE
from projectl.core.dice import Dice
from projectl.core.playout import perft
from projectl.core.score import score
from tests.configurations import configurations

BASE = Rules(2, max_rounds=20)


class Tame:
    """Plays at random, and does something else once it has decided some times."""

    closed = 0

    def __init__(self, seed: int, deed: Callable[[Look], object], after: int = 7) -> None:
        self.inner = RandomBot(seed)
        self.deed = deed
        self.left = after

    def decide(self, look: Look) -> int:
        self.left -= 1
        return self.inner.decide(look) if self.left >= 0 else self.deed(look)  # type: ignore[return-value]

    def close(self) -> None:
        Tame.closed += 1


Add = Callable[[str, Callable[[Look], object]], None]


@pytest.fixture
def add(monkeypatch: pytest.MonkeyPatch) -> Add:
    """Adds a bot that misbehaves, for one test."""

    def _add(name: str, deed: Callable[[Look], object]) -> None:
        monkeypatch.setitem(registry._FACTORIES, name, lambda seconds, seed: Tame(seed, deed))

    return _add


def crash(look: Look) -> object:
    raise ZeroDivisionError("seven by\nnothing")


def loop(look: Look) -> object:
    while True:
        time.sleep(0.01)


def stubborn(look: Look) -> object:
    try:
        return loop(look)
    except BaseException as error:
        raise ValueError("an error of its own") from error


def doze(look: Look) -> object:
    time.sleep(0.7)
    return look.legal[0]


def cheat(look: Look) -> object:
    look.legal.append(DONE)
    return DONE


def without_times(game: GameResult) -> GameResult:
    return game._replace(times=())


def check_forfeit(game: GameResult, seat: int, code: str, winners: tuple[int, ...]) -> None:
    assert game.forfeit is not None
    assert (game.forfeit.seat, game.forfeit.code) == (seat, code)
    assert (game.winners, game.reason, game.limit) == (winners, "forfeit", False)
    state = replay(game.record).state
    assert result(state) is None
    assert game.rounds == state.round
    assert game.scores[: len(state.players)] == tuple(score(state, n) for n in range(len(state.players)))
    assert game.record.splitlines()[-1].startswith(f"# seat {seat + 1} forfeits, {code}: ")


# Games that end


@pytest.mark.parametrize("which", configurations()[::9], ids=str)
def test_a_game_is_recorded_and_replays_to_the_same_end(which: tuple[int, str, tuple[str, ...]]) -> None:
    players, edition, modules = which
    rules = Rules(players, edition, modules, max_rounds=12)
    game = play_game(rules, ["random"] * players, "monday")
    replayed = replay(game.record)
    end = result(replayed.state)
    assert end is not None
    assert (game.scores, game.winners, game.reason) == end
    assert replayed.text() == game.record
    assert replayed.header.rules == rules
    assert game.forfeit is None
    assert game.limit == reached_limit(replayed.state)
    assert sum(times.count for times in game.times) == sum(len(move.decisions) for move in replayed.moves)


def test_the_same_seed_is_the_same_game_and_another_salt_is_not() -> None:
    first = without_times(play_game(BASE, ["random", "random"], "monday"))
    assert without_times(play_game(BASE, ["random", "random"], "monday")) == first
    salted = play_game(BASE, ["random", "random"], "monday", salt="2")
    assert salted.record != first.record
    assert replay(salted.record).header == replay(first.record).header


def test_seats_and_games_have_different_chances() -> None:
    seeds = {bot_seed(seed, salt, seat) for seed in "ab" for salt in "12" for seat in range(6)}
    assert len(seeds) == 24
    assert all(0 <= seed < 2**31 for seed in seeds)


@pytest.mark.parametrize(
    ("rules", "limit"),
    [
        (Rules(2, max_rounds=2), True),
        (Rules(1, max_rounds=2), True),
        (Rules(5, "2023", ("line_clear",), max_rounds=2), True),
        (Rules(2, "2023", ("finesse",), max_rounds=60), False),
        (Rules(2, "2023", ("finesse",), max_rounds=10), False),
        (Rules(1, max_rounds=60), False),
    ],
    ids=repr,
)
def test_it_is_known_whether_the_limit_of_rounds_ended_the_game_r19(rules: Rules, limit: bool) -> None:
    assert play_game(rules, ["random"] * int(rules.players), "monday").limit is limit


def test_in_line_clear_the_white_holder_is_asked_first_and_touches_go_by_seat_r16(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[tuple[str, int, list[int]]] = []

    class Noted(RandomBot):
        def decide(self, look: Look) -> int:
            seen = look.view()
            holders = seen["to_act"]
            assert isinstance(holders, list)
            asked.append((str(seen["phase"]), look.seat + 1, holders))
            return super().decide(look)

    monkeypatch.setitem(registry._FACTORIES, "noted", lambda seconds, seed: Noted(seed))
    play_game(Rules(5, "2023", ("line_clear",), max_rounds=3), ["noted"] * 5, "monday")
    assert all(holders[0] == seat for _, seat, holders in asked)
    assert any(len(holders) == 2 for phase, _, holders in asked if phase == "play")
    touching = [seat for phase, seat, _ in asked if phase == "touches"]
    assert touching == sorted(touching)
    assert set(touching) == {1, 2, 3, 4, 5}


def test_names_fit_into_a_record() -> None:
    names = [seat_name(spec) for spec in ("program:a | b #c", " # ", "x" * 200)]
    assert names == ["program:a / b ♯c", "♯", "x" * 80]
    game = play_game(BASE, ["random", "random"], "s", names=("Ana", seat_name("program:sh -c 'a | b # c'")))
    assert replay(game.record).header.names == ("Ana", "program:sh -c 'a / b ♯ c'")


# Forfeits


def test_a_bot_that_crashes_forfeits_with_the_reason(add: Add) -> None:
    add("crasher", crash)
    game = play_game(BASE, ["random", "crasher"], "monday")
    check_forfeit(game, 1, "crashed", (0,))
    assert game.forfeit is not None
    assert game.forfeit.sentence.startswith("ZeroDivisionError: seven by nothing (test_arena_game.py, line ")
    made = [sum(len(move.decisions) for move in replay(game.record).moves if move.seat == seat) for seat in (0, 1)]
    assert [times.count for times in game.times] == [made[0], 8]


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (DONE, "it answered `done`: touch and done are for the finishing touches"),
        (9999, "it answered 9999, decisions are numbers from 0 to 2825"),
        ("gain O1", "it answered 'gain O1', which is no decision"),
        (None, "it answered None, which is no decision"),
    ],
)
def test_an_illegal_answer_forfeits(add: Add, answer: object, words: str) -> None:
    add("illegal", lambda look: answer)
    game = play_game(BASE, ["illegal", "random"], "monday")
    check_forfeit(game, 0, "illegal", (1,))
    assert game.forfeit is not None
    assert game.forfeit.sentence == words


def test_a_bot_cannot_make_a_decision_legal(add: Add) -> None:
    add("cheat", cheat)
    check_forfeit(play_game(BASE, ["cheat", "random"], "monday"), 0, "illegal", (1,))


def think_for_ever(look: Look) -> object:
    bot = make("search:1s")
    while True:
        bot.decide(look)


def count_for_ever(look: Look) -> object:
    return perft(look.imagine(Dice(0)), 9)


@pytest.mark.parametrize("deed", [loop, stubborn, think_for_ever, count_for_ever])
def test_a_bot_that_thinks_too_long_is_stopped(add: Add, deed: Callable[[Look], object]) -> None:
    add("slow", deed)
    game = play_game(BASE, ["slow", "random"], "monday", 0.05)
    check_forfeit(game, 0, "overdue", (1,))
    assert game.times[0].worst >= 0.05


def test_where_no_alarm_rings_lateness_is_seen_afterwards(add: Add) -> None:
    add("slow", doze)
    games: list[GameResult] = []
    thread = threading.Thread(target=lambda: games.append(play_game(BASE, ["slow", "random"], "monday", 0.05)))
    thread.start()
    thread.join()
    check_forfeit(games[0], 0, "overdue", (1,))


def test_a_bot_that_ends_the_program_only_forfeits(add: Add) -> None:
    add("quitter", lambda look: exit(7))
    check_forfeit(play_game(BASE, ["quitter", "random"], "monday"), 0, "crashed", (1,))


def test_ctrl_c_is_no_forfeit(add: Add) -> None:
    def press(look: Look) -> object:
        raise KeyboardInterrupt

    add("presser", press)
    with pytest.raises(KeyboardInterrupt):
        play_game(BASE, ["presser", "random"], "monday")


def test_the_other_bots_share_the_win(add: Add) -> None:
    add("crasher", crash)
    check_forfeit(play_game(Rules(3), ["random", "crasher", "random:1s"], "m"), 1, "crashed", (0, 2))
    check_forfeit(play_game(Rules(4), ["crasher", "random"] * 2, "m"), 0, "crashed", (1, 3))
    check_forfeit(play_game(Rules(2), ["crasher", "crasher"], "m"), 0, "crashed", (1,))


def test_in_solo_the_mastermind_wins_by_forfeit(add: Add) -> None:
    add("crasher", crash)
    game = play_game(Rules(1), ["crasher"], "monday")
    check_forfeit(game, 0, "crashed", (1,))
    assert len(game.scores) == 2


def test_a_bot_that_cannot_be_made_forfeits(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(seconds: float | None, seed: int) -> RandomBot:
        raise OSError("no such model")

    monkeypatch.setitem(registry._FACTORIES, "broken", refuse)
    game = play_game(BASE, ["random", "broken"], "monday")
    check_forfeit(game, 1, "crashed", (0,))
    assert replay(game.record).moves == []
    assert len(game.times) == 2


def test_bots_are_closed_whatever_happens(add: Add) -> None:
    add("crasher", crash)
    before = Tame.closed
    play_game(Rules(3), ["crasher", "random", "crasher"], "monday")
    assert Tame.closed == before + 2


# Mistakes of the caller


def test_an_unknown_bot_is_an_error_with_the_known_names() -> None:
    with pytest.raises(BotError, match=r"there is no bot 'nobody'; there are .*random"):
        play_game(BASE, ["random", "nobody"], "monday")


def test_there_is_a_bot_for_each_seat() -> None:
    with pytest.raises(Unreadable, match="2 bots are expected, one for each seat, found 1"):
        play_game(BASE, ["random"], "monday")
