"""What a match says about its bots."""

import math
from xml.etree import ElementTree

import pytest
from rich.console import Console

from projectl import Rules
from projectl.arena import Forfeit, GameResult, Match, PlayedGame, Rating, Share, Times, cross_table, standings
from projectl.arena.picture import picture
from projectl.arena.report import duration, report
from projectl.arena.standings import places, rate

DUEL = Match(Rules(2), ("ana", "bo"), ((0, 1),), 4, "s")
TRIO = Match(Rules(3), ("ana", "bo", "cy"), ((0, 1, 2),), 3, "s")


def game(
    number: int,
    seats: tuple[int, ...],
    scores: tuple[int, ...],
    winners: tuple[int, ...],
    forfeit: Forfeit | None = None,
    limit: bool = False,
    seconds: float = 0.01,
) -> PlayedGame:
    times = tuple(Times() for _ in seats)
    for seat, one in enumerate(times):
        one.add(seconds * (seat + 1))
    reason = "forfeit" if forfeit else "points" if len(winners) == 1 else "shared"
    return PlayedGame(number, 1, seats, GameResult("", scores, winners, reason, 10, limit, forfeit, times))


# Shares


@pytest.mark.parametrize(
    ("won", "games", "low", "high"),  # the values of R's prop.test(won, games, correct = FALSE)
    [(5, 10, 0.2366, 0.7634), (0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (380, 400, 0.9240, 0.9674)],
)
def test_the_interval_is_wilsons(won: float, games: int, low: float, high: float) -> None:
    assert Share(won, games).interval() == pytest.approx((low, high), abs=5e-5)


def test_no_games_say_nothing() -> None:
    assert (Share(0, 0).rate, Share(0, 0).interval()) == (0.0, (0.0, 1.0))


def test_a_shared_win_counts_in_equal_parts() -> None:
    lines = standings(TRIO, [game(1, (0, 1, 2), (9, 9, 5), (0, 1)), game(2, (1, 2, 0), (9, 9, 9), (0, 1, 2))])
    assert [line.wins.won for line in lines] == pytest.approx([1 / 2 + 1 / 3, 1 / 2 + 1 / 3, 1 / 3])
    assert sum(line.wins.won for line in lines) == pytest.approx(2)


# Standings


def test_scores_and_differences_belong_to_bots_not_to_seats() -> None:
    ana, bo = standings(DUEL, [game(1, (0, 1), (30, 20), (0,)), game(2, (1, 0), (25, 24), (0,))])
    assert (ana.wins, bo.wins) == (Share(1, 2), Share(1, 2))
    assert (ana.score, bo.score) == (27.0, 22.5)
    assert (ana.difference, bo.difference) == (4.5, -4.5)
    assert ana.par == bo.par == 0.5


def test_a_bot_with_several_seats_wins_with_any_of_them() -> None:
    ana, bo = standings(DUEL, [game(1, (0, 1, 0), (10, 20, 30), (2,)), game(2, (1, 0, 1), (5, 4, 3), (0,))])
    assert (ana.wins, bo.wins) == (Share(1, 2), Share(1, 2))
    assert ana.score == pytest.approx((10 + 30 + 4) / 3)
    assert ana.difference == pytest.approx(((20 - 20) + (4 - 4)) / 2)
    assert (ana.par, bo.par) == (0.5, 0.5)


def test_a_forfeited_game_counts_for_wins_but_not_for_scores() -> None:
    out = Forfeit(1, "crashed", "why not")
    ana, bo = standings(DUEL, [game(1, (0, 1), (2, 40), (0,), out), game(2, (1, 0), (20, 30), (1,))])
    assert (ana.wins, bo.wins) == (Share(2, 2), Share(0, 2))
    assert (ana.score, bo.score) == (30.0, 20.0)
    assert (ana.forfeits, bo.forfeits) == ((), ((1, out),))


def test_the_round_limit_is_counted() -> None:
    games = [game(n, (0, 1), (1, 0), (0,), limit=n == 3) for n in range(1, 5)]
    assert [line.limit.rate for line in standings(DUEL, games)] == [0.25, 0.25]


def test_solo_is_against_the_mastermind() -> None:
    match = Match(Rules(1), ("ana", "bo"), ((0, 1),), 4, "s")
    games = [game(1, (0,), (30, 20), (0,)), game(2, (1,), (10, 20), (1,)), game(3, (0,), (15, 17), (1,))]
    ana, bo = standings(match, games)
    assert (ana.wins, bo.wins) == (Share(1, 2), Share(0, 1))
    assert (ana.difference, bo.difference) == (4.0, -10.0)
    assert ana.par == 0.5
    assert ana.rating is not None
    assert bo.rating is not None
    assert ana.rating.mu > bo.rating.mu
    assert set(rate(match, games)) == {-1, 0, 1}


def test_a_bot_against_itself_has_a_score_and_no_rating() -> None:
    match = Match(Rules(2), ("ana",), ((0,),), 1, "s")
    (ana,) = standings(match, [game(1, (0, 0), (30, 20), (0,))])
    assert (ana.score, ana.difference, ana.rating) == (25.0, None, None)


# Places, ratings, the cross table


def test_places_go_by_win_then_score_and_a_forfeit_is_last() -> None:
    assert places(game(1, (0, 1, 2), (9, 20, 20), (2,))) == {2: 0, 1: 1, 0: 2}
    assert places(game(1, (0, 1, 2), (9, 9, 20), (2,))) == {2: 0, 0: 1, 1: 1}
    assert places(game(1, (0, 1, 2), (9, 2, 20), (0, 1), Forfeit(2, "overdue", ""))) == {0: 0, 1: 0, 2: 1}
    assert places(game(1, (0, 1, 0), (1, 2, 3), (2,))) == {0: 0, 1: 1}


def test_who_wins_is_rated_higher_and_more_games_make_it_surer() -> None:
    few = rate(DUEL, [game(1, (0, 1), (30, 20), (0,))])
    many = rate(DUEL, [game(n, (0, 1), (30, 20), (0,)) for n in range(1, 30)])
    assert few[0].mu > 25 > few[1].mu
    assert many[0].mu > few[0].mu
    assert many[0].sigma < few[0].sigma < 25 / 3


def test_equals_are_rated_alike() -> None:
    rated = rate(DUEL, [game(1, (0, 1), (20, 20), (0, 1))])
    assert rated[0].mu == pytest.approx(rated[1].mu)


def test_the_cross_table_says_who_came_in_before_whom() -> None:
    shares = cross_table(TRIO, [game(1, (0, 1, 2), (9, 8, 8), (0,)), game(2, (1, 2, 0), (9, 8, 7), (0,))])
    assert [[share.won for share in row] for row in shares] == [[0, 1, 1], [1, 0, 1.5], [1, 0.5, 0]]
    assert [[share.games for share in row] for row in shares] == [[0, 2, 2], [2, 0, 2], [2, 2, 0]]


# Times


def test_quantiles_are_right_within_two_percent_and_the_worst_is_exact() -> None:
    times = Times()
    for n in range(1, 1001):
        times.add(n / 1000)
    assert times.count == 1000
    assert 0.5 <= times.quantile(0.5) <= 0.5 * 1.02
    assert 0.99 <= times.quantile(0.99) <= 1.0
    assert (times.quantile(1.0), times.worst) == (1.0, 1.0)
    assert (Times().quantile(0.5), Times().count) == (0.0, 0)


def test_times_add_up_over_games() -> None:
    ana, bo = standings(DUEL, [game(1, (0, 1), (1, 0), (0,), seconds=0.1), game(2, (1, 0), (1, 0), (0,), seconds=0.5)])
    assert (ana.times.count, ana.times.worst) == (2, 1.0)
    assert (bo.times.count, bo.times.worst) == (2, 0.5)


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.0000304, "30 µs"), (0.0123, "12.3 ms"), (0.5, "500 ms"), (1.256, "1.26 s")]
)
def test_durations_read_well(seconds: float, text: str) -> None:
    assert duration(seconds) == text


# Tables and the picture


def printed(match: Match, games: list[PlayedGame], crossed: bool = False) -> str:
    console = Console(width=80, force_terminal=False)
    with console.capture() as capture:
        console.print(report(standings(match, games), cross_table(match, games) if crossed else None))
    return capture.get()


def test_the_tables_fit_into_80_columns_and_name_everything() -> None:
    games = [
        game(1, (0, 1), (30, 20), (0,)),
        game(2, (1, 0), (25, 24), (1,), Forfeit(0, "crashed", "[red]KeyError[/red]: 7")),
    ]
    text = printed(DUEL._replace(bots=("search:1500ms", "bo")), games)
    assert max(len(line) for line in text.splitlines()) <= 80
    ana = next(line.split() for line in text.splitlines() if line.split()[:1] == ["search:1500ms"])
    assert ana == ["search:1500ms", "2", "100.0", "%", "34.2-100.0", "50", "%", "30.00", "+10.00", "29.7±15.3"]
    assert "game 2: seat 1, bo, forfeits (crashed): [red]KeyError[/red]: 7" in " ".join(text.split())


def test_many_forfeits_are_cut_short() -> None:
    out = Forfeit(1, "overdue", "slow")
    text = printed(DUEL, [game(n, (0, 1), (1, 0), (0,), out) for n in range(1, 31)])
    assert text.count("forfeits (overdue): slow") == 8
    assert "and 22 more" in text


def test_the_cross_table_is_printed_with_numbers_for_columns() -> None:
    rows = [line.split() for line in printed(DUEL, [game(1, (0, 1), (3, 2), (0,))], True).splitlines()]
    assert ["1", "ana", "-", "100.0", "%"] in rows
    assert ["2", "bo", "0.0", "%", "-"] in rows


def test_the_picture_is_xml_with_the_best_bot_first() -> None:
    match = TRIO._replace(bots=("ana", "<b> & o", "cy"))
    games = [game(1, (0, 1, 2), (5, 9, 7), (1,)), game(2, (1, 2, 0), (9, 6, 5), (0,))]
    root = ElementTree.fromstring(picture("Three & more", "solo", standings(match, games), cross_table(match, games)))
    words = [element.text or "" for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert words[:2] == ["Three & more", "solo"]
    assert [word for word in words if word[:2] in ("1 ", "2 ", "3 ")] == 2 * ["1  <b> & o", "2  cy", "3  ana"]
    assert words.count("100") == 3
    titles = [element.text for element in root.iter("{http://www.w3.org/2000/svg}title")]
    assert "<b> & o against ana: 100.0 % of 2 games" in titles


def test_a_ratings_interval_is_95_percent() -> None:
    low, high = Rating(25.0, 2.0).interval()
    assert math.isclose(high - low, 4 * 1.96, rel_tol=1e-4)
