"""Games in other processes and on a Ray cluster: the same results, and no bot takes the match down."""

import sys
from pathlib import Path

import pytest

from projectl import Rules, replay
from projectl.arena import Folder, GameResult, Match, Where, arena_match, run, tournament_match
from projectl.bots import BotError

RULES = Rules(2, max_rounds=6)

BOTS = '''
import os, signal, time
from projectl.bots.simple import RandomBot


class Tame(RandomBot):
    """Plays at random five times; then it does something else."""

    left = 5

    def decide(self, look):
        self.left -= 1
        return super().decide(look) if self.left >= 0 else self.deed()


class Crasher(Tame):
    def deed(self):
        return 1 // 0


class Killer(Tame):
    def deed(self):
        os._exit(3)


class Hanging(Tame):
    """As a bot in compiled code: no alarm reaches it."""

    def deed(self):
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
        time.sleep(600)


def crasher(seconds, seed):
    return Crasher(seed)


def killer(seconds, seed):
    return Killer(seed)


def hanging(seconds, seed):
    return Hanging(seed)
'''


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package with bots, as pip would install it, here and in every process that is started."""
    package = tmp_path / "packages"
    info = package / "tame_bots-1.dist-info"
    info.mkdir(parents=True)
    (package / "tame_bots.py").write_text(BOTS)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: tame-bots\nVersion: 1\n")
    names = "".join(f"{name} = tame_bots:{name}\n" for name in ("crasher", "killer", "hanging"))
    (info / "entry_points.txt").write_text(f"[projectl.bots]\n{names}")
    monkeypatch.syspath_prepend(package)
    monkeypatch.setenv("PYTHONPATH", ":".join(str(Path(entry).resolve()) for entry in sys.path if entry))


def games_of(match: Match, path: Path, where: Where) -> list[tuple[tuple[int, ...], GameResult, str]]:
    """Everything that came out, but for the times."""
    folder = Folder(path)
    folder.start(match)
    assert run(match, folder, where, lambda game: None)
    assert [game.number for game in folder.results()] == [pairing.number for pairing in match.pairings()]
    return [
        (game.seats, game.result._replace(times=()), folder.record(game.number).read_text())
        for game in folder.results()
    ]


def forfeits(games: list[tuple[tuple[int, ...], GameResult, str]]) -> list[tuple[int, str] | None]:
    """Which bot forfeited each game, and the code."""
    return [result.forfeit and (seats[result.forfeit.seat], result.forfeit.code) for seats, result, _ in games]


def test_results_do_not_depend_on_the_number_of_processes(tmp_path: Path, installed: None) -> None:
    match = tournament_match(RULES, ["random", "random:1s", "crasher"], 4, "s")
    here = games_of(match, tmp_path / "1", Where(jobs=1))
    assert games_of(match, tmp_path / "3", Where(jobs=3)) == here
    assert {found for found in forfeits(here) if found} == {(2, "crashed")}
    assert None in forfeits(here)


def test_a_bot_that_takes_its_process_down_forfeits_and_the_match_goes_on(tmp_path: Path, installed: None) -> None:
    games = games_of(arena_match(RULES, ["random", "killer"], 4, "s"), tmp_path / "m", Where(jobs=2))
    assert forfeits(games) == [(1, "crashed")] * 4
    for seats, result, record in games:
        assert result.forfeit is not None
        assert result.forfeit.sentence == "it took its process down, with exit status 3"
        assert [seats[seat] for seat in result.winners] == [0]
        game = replay(record)
        assert game.header.names == tuple(("random", "killer")[bot] for bot in seats)
        killer = [move for move in game.moves if move.seat == result.forfeit.seat]
        assert 3 <= len(killer) <= 5  # five decisions; a recycling is two


def test_a_bot_that_no_alarm_reaches_is_ended_with_its_process(tmp_path: Path, installed: None) -> None:
    match = arena_match(RULES, ["random", "hanging"], 2, "s", 0.05)
    games = games_of(match, tmp_path / "m", Where(jobs=2))
    assert forfeits(games) == [(1, "overdue")] * 2
    assert all(replay(record).moves for _, _, record in games)


def test_a_mistake_of_the_caller_ends_the_match(tmp_path: Path) -> None:
    match = arena_match(RULES, ["random", "nobody"], 2, "s")
    with pytest.raises(BotError, match="there is no bot 'nobody'"):
        games_of(match, tmp_path / "m", Where(jobs=2))


def test_a_ray_cluster_gives_the_same_games(tmp_path: Path, installed: None) -> None:
    pytest.importorskip("ray")
    match = tournament_match(RULES, ["random", "random:1s", "killer"], 2, "s")
    there = games_of(match, tmp_path / "ray", Where(jobs=2, ray="local"))
    assert there == games_of(match, tmp_path / "here", Where(jobs=2))
    assert forfeits(there) == [None, None, *[(2, "crashed")] * 4]


def test_without_ray_there_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(BotError, match=r"Ray is not installed; `pip install 'projectl\[ray\]'` brings it"):
        games_of(arena_match(RULES, ["random"], 1, "s"), tmp_path / "m", Where(ray="local"))


@pytest.mark.parametrize("address", ["127.0.0.1:1", "nowhere"])
def test_a_cluster_that_is_not_there_is_a_sentence(tmp_path: Path, address: str) -> None:
    pytest.importorskip("ray")
    with pytest.raises(BotError, match=f"the Ray cluster at {address} cannot be reached: "):
        games_of(arena_match(RULES, ["random"], 1, "s"), tmp_path / "m", Where(ray=address))
