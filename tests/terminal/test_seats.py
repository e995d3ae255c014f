"""Who sits at a table, and where games are kept."""

from pathlib import Path

import pytest

from projectl.bots import BotError
from projectl.core.errors import Unreadable
from projectl.terminal import seats as table_seats
from projectl.terminal.saved import SavedGame, check_overwritten, saved_game_for, state_directory
from projectl.terminal.seats import Seat, read_seat, seats_for, seats_of, shown_names


def test_without_seats_you_play_against_the_strongest_instant_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_seats, "names", lambda: ["greedy", "planner", "random"])
    assert seats_for(3, []) == (
        Seat("You", "me", False),
        Seat("greedy", "greedy", True),
        Seat("greedy", "greedy", True),
    )
    monkeypatch.setattr(table_seats, "names", lambda: ["random"])
    assert [seat.spec for seat in seats_for(2, ["Ana"])] == ["Ana", "random"]


def test_a_bot_is_known_by_its_name_and_may_have_a_time() -> None:
    assert read_seat("random") == Seat("random", "random", True)
    assert read_seat("random:50ms") == Seat("random:50ms", "random:50ms", True)
    assert read_seat("program:python3 bot.py").is_bot


def test_everybody_else_is_a_person() -> None:
    assert read_seat("Ana Bo") == Seat("Ana Bo", "Ana Bo", False)
    assert read_seat("me:random") == Seat("random", "me:random", False)


@pytest.mark.parametrize("text", ["randm", "Rndom", "nobody:4s"])
def test_what_is_nearly_a_bot_is_refused_with_the_list_of_bots(text: str) -> None:
    with pytest.raises(BotError) as caught:
        read_seat(text)
    assert caught.value.code == "bot-unknown"
    assert "random" in caught.value.sentence


@pytest.mark.parametrize("text", ["", "  ", "a|b", "a #b", "a\nb", "x" * 201])
def test_names_that_a_record_cannot_hold_are_refused(text: str) -> None:
    with pytest.raises(Unreadable) as caught:
        read_seat(text)
    assert caught.value.code == "seat-name"


@pytest.mark.parametrize("text", ["me", "Ana", "me:random", "random", "random:2s"])
def test_the_names_line_remembers_every_kind_of_seat(text: str) -> None:
    seat = read_seat(text)
    assert seats_of(1, [seat.spec]) == (seat,)


def test_a_names_line_of_somebody_else_may_hold_anything() -> None:
    assert [seat.is_bot for seat in seats_of(3, ["Randi", "Team: A", "random"])] == [False, False, True]
    assert seats_of(2, [])[0].name == "You"


def test_too_many_seats_are_refused() -> None:
    with pytest.raises(Unreadable) as caught:
        seats_for(2, ["a", "b", "c"])
    assert caught.value.code == "seats"


def test_shown_names_tell_seats_apart_and_are_short() -> None:
    seats = [read_seat("random"), read_seat("random"), read_seat("program:python3 some/long/path.py")]
    assert shown_names(seats) == ("random (1)", "random (2)", "program:python..")


# --- where games are kept -----------------------------------------------------------------------


def test_games_are_kept_in_the_state_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    first, second = SavedGame(), SavedGame()
    first.keep("format: 1\n")
    second.keep("format: 1\nother\n")
    assert first.path is not None
    assert second.path is not None
    assert first.path != second.path
    assert first.path.parent == state_directory() == tmp_path / "state" / "projectl"
    assert first.path.read_text(encoding="utf-8") == "format: 1\n"
    assert sorted(path.suffix for path in first.path.parent.iterdir()) == [".pln", ".pln"]


def test_a_kept_game_goes_on_in_its_file_and_other_files_stay_untouched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    kept = tmp_path / "projectl" / "a.pln"
    assert saved_game_for(str(kept)).path == kept
    assert saved_game_for(str(tmp_path / "a.pln")).path is None
    assert saved_game_for("-").path is None
    assert saved_game_for(None).path is None


def test_a_game_that_cannot_be_kept_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    store = SavedGame()
    store.keep("format: 1\n")
    assert "no file can be made" in store.trouble


def test_only_games_are_written_over(tmp_path: Path) -> None:
    game, letter = tmp_path / "game.pln", tmp_path / "letter.txt"
    game.write_text("format: 1\n", encoding="utf-8")
    letter.write_text("Dear Ana", encoding="utf-8")
    check_overwritten(game)
    check_overwritten(tmp_path / "nothing")
    with pytest.raises(Unreadable) as caught:
        check_overwritten(letter)
    assert caught.value.code == "file-taken"
