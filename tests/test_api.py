"""What bot authors import: mistakes are refused with a sentence, states compare, deals differ."""

import pickle
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path

import pytest

import projectl
from projectl import ORDERED, ProjectLError, Rules, State, decision_text, known, legal, new_game, play, score, view
from projectl.arena import arena_match, play_game, tournament_match
from projectl.bots import BotError, BotWarning, make, names, register, registry
from projectl.bots.simple import RandomBot
from projectl.core.actions import COUNT
from projectl.core.state import _PLAYER_SCALARS, _SCALARS
from projectl.game import Game
from projectl.header import Header
from tests.commands import environment

BASE = Rules(2)


def factory(seconds: float | None, seed: int) -> RandomBot:
    return RandomBot(seed)


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test registers is forgotten after it."""
    monkeypatch.setattr(registry, "_FACTORIES", dict(registry._FACTORIES))


# Seeds


def test_without_a_seed_every_game_is_another() -> None:
    games = [new_game(BASE) for _ in range(8)]
    assert len({game.key() for game in games}) == 8
    assert new_game(BASE, games[0].seed) == games[0]


def test_the_ordered_deck_is_asked_for_by_name() -> None:
    ids = rows(new_game(BASE, ORDERED))["W"]
    assert ids == ["W01", "W02", "W03", "W04"]
    assert new_game(BASE, ORDERED).key() == new_game(BASE, ORDERED).key()


def rows(state: State) -> dict[str, list[str | None]]:
    return view(state)["rows"]


def test_a_record_without_a_seed_is_dealt_in_order() -> None:
    assert Game(Header(BASE)).state == new_game(BASE, ORDERED)
    assert projectl.replay("players: 2\n").state == new_game(BASE, ORDERED)


def test_numbers_are_seeds() -> None:
    assert new_game(BASE, 7) == new_game(BASE, "7")
    assert new_game(BASE, 7) != new_game(BASE, 8)
    one, other = (play_game(Rules(2, max_rounds=2), ["random"] * 2, seed) for seed in (7, "7"))
    assert one.record == other.record
    for match in (arena_match, tournament_match):
        assert match(BASE, ["random", "greedy"], 2, 7) == match(BASE, ["random", "greedy"], 2, "7")


def test_a_game_between_bots_is_not_played_where_its_record_would_be_another() -> None:
    with pytest.raises(ProjectLError, match="a seed is one line"):
        play_game(Rules(2, max_rounds=2), ["random"] * 2, "a #b")


# Seats and decisions


@pytest.mark.parametrize("seat", [-1, 2, 7])
def test_legal_refuses_a_seat_that_does_not_exist(seat: int) -> None:
    with pytest.raises(ProjectLError, match=f"the last seat is 1, counted from 0, found {seat}"):
        legal(new_game(BASE), seat)


@pytest.mark.parametrize("seat", [-3, 2, 7])
@pytest.mark.parametrize("ask", [view, known, score])
def test_whatever_is_asked_for_a_seat_refuses_one_that_does_not_exist(
    ask: Callable[[State, int], object], seat: int
) -> None:
    with pytest.raises(ProjectLError, match=f"the last seat is 1, counted from 0, found {seat}"):
        ask(new_game(BASE), seat)


def test_the_mastermind_has_no_seat() -> None:
    state = new_game(Rules(1))
    with pytest.raises(ProjectLError, match="the last seat is 0"):
        view(state, 1)
    with pytest.raises(ProjectLError, match="the last seat is 0"):
        legal(state, 1)
    with pytest.raises(ProjectLError, match="the last seat is 0"):
        known(state, 1)


@pytest.mark.parametrize("decision", [-1, COUNT, 10**6])
def test_decision_text_refuses_what_is_no_decision(decision: int) -> None:
    with pytest.raises(ProjectLError, match=f"decisions are numbers from 0 to 2825, found {decision}"):
        decision_text(decision)


def test_every_decision_has_a_text_of_its_own() -> None:
    assert len({decision_text(decision) for decision in range(COUNT)}) == COUNT


# States


def test_states_are_equal_when_everything_is() -> None:
    state = new_game(BASE, "monday")
    assert state == state.clone() == pickle.loads(pickle.dumps(state))
    assert state != new_game(BASE, "tuesday")
    assert state != new_game(Rules(2, "2020"), "monday")
    assert (state == 7) is False
    after = state.clone()
    play(after, legal(after)[0])
    assert after != state


@pytest.mark.parametrize("name", _SCALARS)
def test_every_number_of_a_state_counts(name: str) -> None:
    state, other = new_game(BASE, "monday"), new_game(BASE, "monday")
    before = getattr(other, name)
    setattr(other, name, not before if isinstance(before, bool) else before + 1)
    assert state != other


@pytest.mark.parametrize("name", _PLAYER_SCALARS)
def test_every_number_of_a_player_counts(name: str) -> None:
    state, other = new_game(BASE, "monday"), new_game(BASE, "monday")
    before = getattr(other.players[1], name)
    setattr(other.players[1], name, not before if isinstance(before, bool) else before + 1)
    assert state != other


def test_states_cannot_be_hashed() -> None:
    with pytest.raises(TypeError):
        hash(new_game(BASE))


def test_a_state_says_what_it_is() -> None:
    state = new_game(Rules(3, modules=("ghost",)), "monday")
    words = f"Rules(players=3, edition='2023', modules=('ghost',)): round 1, seat 0, play, key {state.key()}"
    assert repr(state) == f"<State of {words}>"


@pytest.mark.parametrize("name", ["white", "black", "queue", "tiles"])
def test_arrays_that_may_be_kept_never_change(name: str) -> None:
    """docs/api.md, States."""
    state = new_game(Rules(2, modules=("finesse", "endless_white"), max_rounds=40), "monday")
    kept: list[tuple[object, list[int]]] = []
    dice = projectl.Dice(3)
    while options := legal(state):
        array = getattr(state, name)
        kept.append((array, list(array)))
        play(state, options[dice.below(len(options))])
    assert len(kept) > 50
    assert all(list(array) == before for array, before in kept)  # type: ignore[call-overload]


# Bots


def test_all_that_a_bot_needs_comes_from_projectl() -> None:
    class Mine:
        def decide(self, look: projectl.Look) -> int:
            state = look.imagine(projectl.Dice(1))
            assert projectl.known(state, look.seat).seat == look.seat
            assert projectl.why_not(state, look.seat, projectl.actions.DONE)[0]
            assert projectl.pieces.names_in(state.players[look.seat].supply)
            assert projectl.load(look.rules, state.seed, projectl.dump(state)) == state
            return look.legal[0]

    projectl.register_bot("mine", lambda seconds, seed: Mine())
    assert "mine" in projectl.bot_names()
    bot: projectl.Bot = projectl.make_bot("mine")
    state = new_game(BASE)
    assert bot.decide(projectl.look_at(state, 0, 1.0)) == legal(state)[0]


def test_all_that_is_promised_is_there() -> None:
    assert [name for name in projectl.__all__ if not hasattr(projectl, name)] == []


def test_a_name_that_is_taken_is_refused() -> None:
    with pytest.raises(BotError, match="there is a bot greedy already"):
        register("greedy", factory)
    assert type(make("greedy")) is not RandomBot


def test_a_name_is_taken_over_where_that_is_wanted() -> None:
    register("greedy", factory, replace=True)
    assert type(make("greedy")) is RandomBot


@pytest.mark.parametrize("name", ["", "a bot", "bot:5s", "program", "me", "-x", "ü", "a\nb", "x" * 41, "a,b"])
def test_a_name_that_cannot_be_typed_is_refused(name: str) -> None:
    with pytest.raises(
        BotError,
        match="a bot's name is made of letters, digits, - and _, 40 at most, and is not `program` or `me`, found",
    ):
        register(name, factory)
    assert name not in names()


def install(monkeypatch: pytest.MonkeyPatch, *points: str) -> None:
    """As if packages had brought bots of these names."""
    found = EntryPoints(EntryPoint(name, f"{__name__}:factory", registry.GROUP) for name in points)
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: found)


def test_an_installed_bot_can_be_had(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, "guest")
    assert "guest" in names()
    assert type(make("guest")) is RandomBot


@pytest.mark.parametrize(
    ("points", "said"),
    [
        (["greedy"], "the bot 'greedy' is ignored: another bot has this name"),
        (["guest", "guest"], "the bot 'guest' is ignored: another bot has this name"),
        (
            ["a b"],
            "the bot 'a b' is ignored: a bot's name is made of letters, digits, - and _, 40 at most, "
            "and is not `program` or `me`",
        ),
    ],
)
def test_an_ignored_entry_point_is_reported(monkeypatch: pytest.MonkeyPatch, points: list[str], said: str) -> None:
    install(monkeypatch, *points)
    with pytest.warns(BotWarning) as warned:
        names()
    assert [str(warning.message) for warning in warned] == [said]


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package that brings a bot by a name that is taken."""
    info = tmp_path / "taken-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: taken\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[projectl.bots]\ngreedy = nowhere:make\n")
    monkeypatch.syspath_prepend(tmp_path)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({}, "the bot 'greedy' of taken is ignored: another bot has this name\n"),
        ({"_PROJECTL_COMPLETE": "complete_zsh", "_TYPER_COMPLETE_ARGS": "projectl arena "}, ""),
    ],
    ids=["a person", "a shell"],
)
def test_a_command_reports_it_once_and_in_words(
    installed: None, tmp_path: Path, asked: dict[str, str], said: str
) -> None:
    words = ["arena", "random", "greedy", "--games", "2", "--option", "max_rounds=1"]
    done = subprocess.run(
        [sys.executable, "-m", "projectl", *words],
        cwd=tmp_path,
        env=environment(**asked),
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.stderr == said
