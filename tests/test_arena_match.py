"""Which games a match has, and how its folder keeps them."""

import json
from collections import Counter
from pathlib import Path

import msgspec
import pytest

from projectl import Rules, Unreadable, replay, result
from projectl.arena import Folder, GameResult, Match, PlayedGame, Where, arena_match, play_game, run, tournament_match
from projectl.arena.match import seating
from projectl.arena.result import from_line, to_line

RULES = Rules(2, max_rounds=4)


def match_of(games: int = 6, rules: Rules = RULES, seed: str = "s") -> Match:
    return arena_match(rules, ["random", "random:1s"], games, seed)


def play_all(match: Match, path: Path, resume: bool = False, stop_after: int = 10**9) -> Folder:
    """Run a match, or the beginning of one: Ctrl-C comes after some games."""
    folder = Folder(path)
    if resume:
        folder.resume(match)
    else:
        folder.start(match)
    played: list[PlayedGame] = []

    def ended(game: PlayedGame) -> None:
        played.append(game)
        if len(played) == stop_after:
            raise KeyboardInterrupt

    assert run(match, folder, Where(), ended) is (len(played) < stop_after)
    return folder


def outcomes(folder: Folder) -> list[tuple[int, int, tuple[int, ...], GameResult, str]]:
    """Everything but the times."""
    return [
        (game.number, game.deal, game.seats, game.result._replace(times=()), folder.record(game.number).read_text())
        for game in folder.results()
    ]


# Deals and seats


SEED = "a seed is one line without blanks at its ends and without ` #`, found"


@pytest.mark.parametrize(("bots", "players"), [(2, 2), (2, 3), (2, 4), (3, 3), (3, 4), (2, 6), (4, 6), (3, 1), (1, 4)])
def test_every_bot_sits_in_every_seat_of_a_deal_once(bots: int, players: int) -> None:
    seatings = [seating(tuple(range(bots)), players, rotation) for rotation in range(bots)]
    for seat in range(players):
        assert sorted(seats[seat] for seats in seatings) == list(range(bots))


def test_two_bots_at_a_table_for_four_alternate() -> None:
    match = arena_match(Rules(4), ["random", "greedy"], 4, "s")
    assert [(p.number, p.deal, p.seats) for p in match.pairings()] == [
        (1, 1, (0, 1, 0, 1)),
        (2, 1, (1, 0, 1, 0)),
        (3, 2, (0, 1, 0, 1)),
        (4, 2, (1, 0, 1, 0)),
    ]


def test_the_games_of_a_deal_have_the_same_decks_and_other_deals_have_not() -> None:
    match = match_of(4)
    headers = [replay(match.play(pairing).record).header for pairing in match.pairings()]
    assert [header.seed for header in headers] == ["s/1", "s/1", "s/2", "s/2"]
    assert [header.names for header in headers[:2]] == [("random", "random:1s"), ("random:1s", "random")]


def test_bots_have_other_chances_in_each_game_of_a_deal() -> None:
    match = match_of(2)  # both play at random: with the same chances both games would be the same
    first, second = (replay(match.play(pairing).record).moves for pairing in match.pairings())
    assert first != second


def test_in_solo_each_bot_plays_each_deal() -> None:
    match = match_of(4, Rules(1))
    assert [(p.deal, p.seats) for p in match.pairings()] == [(1, (0,)), (1, (1,)), (2, (0,)), (2, (1,))]


def test_a_tournament_has_every_group() -> None:
    match = tournament_match(RULES, ["a", "b", "c"], 4, "s")
    seats = Counter(pairing.seats for pairing in match.pairings())
    assert seats == dict.fromkeys([(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)], 2)
    assert {pairing.seats for pairing in match.pairings() if pairing.deal == 1} == set(seats)
    threes = tournament_match(Rules(3), ["a", "b", "c", "d"], 3, "s")
    assert threes.groups == ((0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3))
    assert len(threes.pairings()) == 12


@pytest.mark.parametrize(
    ("players", "bots", "games", "seed", "sentence"),
    [
        (2, ["a", "b"], 5, "s", "each deal is played in 2 seatings, so 5 games do not come out even: take 4 or 6"),
        (3, ["a", "b", "c"], 2, "s", "each deal is played in 3 seatings, so 2 games do not come out even: take 3"),
        (2, ["a", "b"], 0, "s", "games are a number from 1 to 1000000, found 0"),
        (2, ["a", "b"], -2, "s", "games are a number from 1 to 1000000, found -2"),
        (2, ["a", "a"], 2, "s", "a is named twice; named alone it plays against itself"),
        (2, ["a", "b", "c"], 3, "s", "3 bots do not fit at a table for 2; a tournament plays every group"),
        (2, [], 2, "s", "a match needs a bot"),
        (2, ["a"], 2, "s # t", f"{SEED} 's # t'"),
        (2, ["a"], 2, "s\nt", f"{SEED} 's\\nt'"),
    ],
)
def test_a_match_that_cannot_be_is_refused(players: int, bots: list[str], games: int, seed: str, sentence: str) -> None:
    with pytest.raises(Unreadable) as found:
        arena_match(Rules(players), bots, games, seed)
    assert found.value.sentence == sentence


def test_a_tournament_needs_a_table_and_enough_bots() -> None:
    with pytest.raises(Unreadable, match="a tournament at a table for 3 needs 3 bots or more"):
        tournament_match(Rules(3), ["a", "b"], 3, "s")
    with pytest.raises(Unreadable, match="a tournament is for two players or more"):
        tournament_match(Rules(1), ["a", "b"], 3, "s")


# The folder


def test_every_game_is_saved_as_a_record_that_replays_and_as_a_line(tmp_path: Path) -> None:
    match = match_of()
    play_all(match, tmp_path)
    lines = [json.loads(line) for line in (tmp_path / "games.jsonl").read_text().splitlines()]
    assert [line["game"] for line in lines] == [1, 2, 3, 4, 5, 6]
    for line in lines:
        state = replay((tmp_path / f"{line['game']:04}.pln").read_text()).state
        end = result(state)
        assert end is not None
        assert line["scores"] == list(end.scores)
        assert line["winners"] == [seat + 1 for seat in end.winners]
        assert state.round == line["rounds"] == 4
    description = json.loads((tmp_path / "match.json").read_text())
    assert description == msgspec.to_builtins(match.description())
    assert description["options"] == {"max_rounds": "4"}


def test_a_line_of_json_holds_the_whole_game() -> None:
    rules = Rules(3, max_rounds=4)
    first = PlayedGame(7, 3, (2, 0, 1), play_game(rules, ["random"] * 3, "s")._replace(record=""))
    second = from_line(to_line(first))
    assert second._replace(result=second.result._replace(times=())) == first._replace(
        result=first.result._replace(times=())
    )
    for before, after in zip(first.result.times, second.result.times, strict=True):
        assert after.buckets == before.buckets
        assert (after.worst, after.work) == pytest.approx((before.worst, before.work), abs=1e-6)


@pytest.mark.parametrize("stop_after", [1, 3, 5])
def test_an_interrupted_match_that_goes_on_ends_like_one_that_was_not(tmp_path: Path, stop_after: int) -> None:
    match = match_of()
    cut = play_all(match, tmp_path / "cut", stop_after=stop_after)
    assert len(cut.results()) == len((tmp_path / "cut" / "games.jsonl").read_text().splitlines()) == stop_after
    resumed = play_all(match, tmp_path / "cut", resume=True)
    assert outcomes(resumed) == outcomes(play_all(match, tmp_path / "whole"))
    assert len((tmp_path / "cut" / "games.jsonl").read_text().splitlines()) == 6


def test_a_line_that_was_cut_off_is_played_again(tmp_path: Path) -> None:
    match = match_of()
    whole = outcomes(play_all(match, tmp_path))
    lines = (tmp_path / "games.jsonl").read_bytes()
    (tmp_path / "games.jsonl").write_bytes(lines[:-40])
    (tmp_path / "0006.pln").unlink()
    assert outcomes(play_all(match, tmp_path, resume=True)) == whole
    assert outcomes(play_all(match, tmp_path, resume=True)) == whole  # from what the first one wrote


@pytest.mark.parametrize(
    ("other", "sentence"),
    [
        (match_of(8), "holds a match with games 6, it cannot go on with 8"),
        (match_of(seed="t"), 'holds a match with seed "s", it cannot go on with "t"'),
        (match_of(rules=Rules(2, max_rounds=5)), 'holds a match with options {"max_rounds": "4"}, it cannot go on'),
        (
            arena_match(RULES, ["random", "greedy"], 6, "s"),
            'holds a match with bots ["random", "random:1s"], it cannot',
        ),
        (match_of()._replace(seconds=1.0), "holds a match with seconds 10.0, it cannot go on with 1.0"),
    ],
)
def test_another_match_does_not_go_on_in_a_folder(tmp_path: Path, other: Match, sentence: str) -> None:
    play_all(match_of(), tmp_path)
    with pytest.raises(Unreadable) as found:
        Folder(tmp_path).resume(other)
    assert sentence in found.value.sentence


def test_a_new_match_does_not_overwrite_one(tmp_path: Path) -> None:
    before = outcomes(play_all(match_of(), tmp_path))
    with pytest.raises(Unreadable, match="holds a match already; --resume goes on with it"):
        Folder(tmp_path).start(match_of())
    assert outcomes(play_all(match_of(), tmp_path, resume=True)) == before


def test_a_folder_without_a_match_cannot_be_resumed(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="holds no match to resume"):
        Folder(tmp_path).resume(match_of())


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("{", "games.jsonl, line 2: this is not JSON"),
        ("[]", "line 2: this is no game of a match: Expected `object`"),
        ('{"game": "x"}', "line 2: this is no game of a match: Expected `int`, got `str` - at `$.game`"),
    ],
)
def test_what_is_no_game_is_an_error_with_its_line(tmp_path: Path, line: str, sentence: str) -> None:
    play_all(match_of(), tmp_path, stop_after=1)
    with (tmp_path / "games.jsonl").open("a") as file:
        file.write(line + "\n")
    with pytest.raises(Unreadable) as found:
        Folder(tmp_path).resume(match_of())
    assert sentence in found.value.sentence


def test_a_game_of_another_match_is_an_error(tmp_path: Path) -> None:
    play_all(match_of(), tmp_path, stop_after=1)
    line = (tmp_path / "games.jsonl").read_text()
    (tmp_path / "games.jsonl").write_text(line.replace('"bots":[1,2]', '"bots":[2,1]'))
    with pytest.raises(Unreadable, match=r"games\.jsonl: game 1 is not one of this match"):
        Folder(tmp_path).resume(match_of())


def test_a_folder_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(Unreadable, match="cannot be used for a match"):
        Folder(tmp_path / "file" / "match").start(match_of())
