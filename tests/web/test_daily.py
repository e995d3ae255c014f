"""The daily puzzle as people play it: two days with the clock moved, results that are kept, clocks years off."""

from __future__ import annotations

import json
import math
import re
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

from openskill.models import PlackettLuce
from playwright.sync_api import Page, expect

from projectl.bots.levels import LEVELS
from projectl.daily.grade import grade
from projectl.daily.puzzle import of_day
from tests.web.conftest import Visits
from tests.web.people import Mouse
from tests.web.words import said

KEY = "projectl.results"


def noon(day: date) -> datetime:
    """The middle of a day, in UTC."""
    return datetime(day.year, day.month, day.day, 12, tzinfo=UTC)


def today() -> date:
    """The date of this machine."""
    return datetime.now(UTC).date()


def kept(page: Page) -> dict[str, Any]:
    """The results in the browser."""
    text = page.evaluate("key => localStorage.getItem(key)", KEY)
    found: dict[str, Any] = json.loads(text or "{}")
    return found


def position(page: Page, day: date, actions: list[str]) -> dict[str, Any]:
    """What the server says of a turn."""
    found: dict[str, Any] = page.request.post(f"/api/daily/{day}", data={"actions": actions}).json()
    return found


def play(person: Mouse, day: date, turn: list[str]) -> None:
    """Carry a turn out by mouse."""
    for number, action in enumerate(turn):
        before = position(person.page, day, turn[:number])
        verb, *rest = action.split()
        state = {"legal": {str(before["seat"]): before["legal"]}, "seats": [before["seat"]], "view": before["view"]}
        getattr(person, f"do_{verb}")(state, before["seat"], rest)
        expect(person.page.get_by_role("button", name="Undo")).not_to_have_attribute("aria-disabled", "true")
        person.page.wait_for_function("() => !document.querySelector('.prompt.busy')")
    person.page.get_by_role("button", name=said("daily_compare"), exact=True).click()


def test_two_days_in_a_row(visits: Visits) -> None:
    page = visits().page
    second = today()
    first = second - timedelta(days=1)
    page.clock.set_fixed_time(noon(first))
    person = Mouse(page)
    page.goto("/")
    page.get_by_role("link", name=said("daily_title")).click()
    person.arrive()
    play(person, first, of_day(first).best)
    expect(page.get_by_text(said("daily_grade_3"))).to_be_visible()
    expect(page.get_by_text(said("daily_streak", n=1))).to_be_visible()
    page.clock.set_fixed_time(noon(second))
    page.goto("/")
    expect(page.get_by_text(said("daily_streak", n=1))).to_be_visible()
    page.goto("/daily")
    person.arrive()
    play(person, second, of_day(second).best)
    expect(page.get_by_text(said("daily_streak", n=2))).to_be_visible()
    assert [(one["day"], one["stars"], one["onDay"]) for one in kept(page)["dailies"]] == [
        (second.isoformat(), 3, True),
        (first.isoformat(), 3, True),
    ]


def test_the_first_answer_counts_and_the_best_turn_is_shown(page: Page) -> None:
    person = Mouse(page)
    gains = ["gain O1"] * 3
    past = [today() - timedelta(days=n) for n in range(1, 15)]
    day = next(day for day in past if position(page, day, gains).get("done") and grade(of_day(day), gains).stars < 3)
    page.goto(f"/daily/{day}")
    person.arrive()
    for _ in range(3):
        person.do_gain({"legal": {"1": []}}, 1, ["O1"])
        page.wait_for_function("() => !document.querySelector('.prompt.busy')")
    expect(page.get_by_role("heading", name=said("b_turn_whole"))).to_be_visible()  # and not "Now playing: Player 2"
    # Taken back and played again: nothing has been compared yet.
    page.get_by_role("button", name=said("daily_compare"), exact=True).click()
    expect(page.locator("footer .verdict")).to_be_visible(timeout=60_000)  # plain Python thinks for a while
    stars = kept(page)["dailies"][0]["stars"]
    assert stars < 3
    assert not kept(page)["dailies"][0]["onDay"]
    page.get_by_role("button", name=said("daily_best")).click()
    expect(page.locator("footer ol li")).to_have_count(len(of_day(day).best))
    page.get_by_role("button", name=said("daily_retry")).click()
    expect(page.get_by_text(said("daily_again"))).to_be_visible()
    play(person, day, of_day(day).best)
    expect(page.get_by_text(said("daily_counted", n=stars))).to_be_visible()
    assert kept(page)["dailies"][0]["stars"] == stars


def test_a_clock_years_off_is_said_and_nothing_is_lost(page: Page) -> None:
    for year in (2031, 2019):
        page.clock.set_fixed_time(datetime(year, 5, 4, 12, tzinfo=UTC))
        page.goto("/daily")
        expect(page.locator(".board")).to_be_visible()
        expect(page.locator("section .notice")).to_contain_text(f"4, {year}")
        expect(page.get_by_role("heading", name=re.compile(f"{today().year}"))).to_be_visible()


def test_a_day_that_has_not_come(page: Page) -> None:
    page.goto(f"/daily/{today() + timedelta(days=3)}")
    now = f"{today():%B} {today().day}, {today().year}"
    expect(page.get_by_role("alert")).to_have_text(said("refused_daily_later", about=now))
    page.get_by_role("link", name=said("daily_today")).click()
    expect(page.locator(".board")).to_be_visible()


GAME = {
    "game": "g1",
    "at": 1_700_000_000_000,
    "setup": {"edition": "2023", "players": 2, "modules": [], "options": {}},
    "seats": [{"name": "Ana", "bot": "", "score": 30}, {"name": "", "bot": "greedy", "score": 12}],
    "mine": [1],
    "winners": [1],
    "open": False,
}


def put(page: Page, results: object) -> None:
    """Results as they may lie in a browser."""
    page.goto("/settings")
    page.evaluate("([key, text]) => localStorage.setItem(key, text)", [KEY, json.dumps(results)])
    page.goto("/results")


def test_results_of_an_older_page_are_read_and_odd_ones_set_aside(page: Page) -> None:
    daily = {"day": "2026-11-05", "stars": 2, "chance": 0.5, "best": 0.6, "at": 1, "onDay": True}
    put(page, {"games": [GAME, {"game": 7}], "dailies": [daily, {**daily, "day": "2026-11-06", "stars": 9}]})
    expect(page.get_by_role("alert")).to_have_text(said("results_odd", n=2))
    expect(page.get_by_role("cell", name=said("results_won_of", won=1, n=1))).to_be_visible()
    aside = page.evaluate("() => localStorage.getItem('projectl.results.odd')")
    assert '"stars":9' in aside
    assert kept(page)["games"][0]["game"] == "g1"


def test_results_of_a_newer_page_are_left_alone(page: Page) -> None:
    put(page, {"form": 99, "games": [GAME], "dailies": [], "more": "unknown"})
    expect(page.get_by_role("alert")).to_have_text(said("results_newer"))
    assert kept(page)["more"] == "unknown"


def test_the_rating_is_that_of_openskill(page: Page) -> None:
    """Each game with me on the first seat: the bots, the scores, who won."""
    played: list[tuple[list[str], list[int], list[int]]] = [
        (["greedy"], [30, 12], [1]),
        (["planner", "greedy"], [20, 31, 8], [2]),
        (["greedy"], [15, 15], [1, 2]),
        (["random", "search:1s"], [9, 14, 30], [3]),
    ]
    model = PlackettLuce()
    point = math.log(10) * math.sqrt(2 * (model.beta**2 + 1)) / 400  # of the ladder
    rungs = {level.bot: 25 + (level.rating - 1000) * point for level in LEVELS}
    games: list[dict[str, Any]] = []
    mine = model.rating()
    for number, (bots, scores, winners) in enumerate(played):
        names = ["", *bots]
        seats = [{"name": "", "bot": bot, "score": score} for bot, score in zip(names, scores, strict=True)]
        games.append({**GAME, "game": f"g{number}", "at": 1000 + number, "seats": seats, "winners": winners})
        places = [
            0.0 if seat in winners else 1.0 + sorted(scores, reverse=True).index(score)
            for seat, score in enumerate(scores, 1)
        ]
        teams = [[mine], *[[model.rating(mu=rungs[bot], sigma=1.0)] for bot in bots]]
        mine = model.rate(teams, ranks=places)[0][0]
    put(page, {"form": 1, "games": games, "dailies": []})
    expect(page.get_by_text(f"{1000 + (mine.mu - 25) / point:.0f} ± {1.96 * mine.sigma / point:.0f}")).to_be_visible()


def test_results_are_taken_along(page: Page, visits: Visits, tmp_path: Path) -> None:
    put(page, {"form": 1, "games": [GAME], "dailies": []})
    expect(page.get_by_text(re.compile(r"± \d+"))).to_be_visible()
    with page.expect_download() as loading:
        page.get_by_role("button", name=said("results_export")).click()
    file = tmp_path / "results.json"
    loading.value.save_as(file)
    other = visits().page
    other.goto("/results")
    expect(other.get_by_text(said("results_none"))).to_be_visible()
    other.locator("input[type=file]").set_input_files(file)
    expect(other.get_by_text(said("results_taken", n=1))).to_be_visible()
    expect(other.get_by_role("cell", name=said("results_won_of", won=1, n=1))).to_be_visible()
    wrong = tmp_path / "wrong.json"
    wrong.write_text("[1, 2")
    other.locator("input[type=file]").set_input_files(wrong)
    expect(other.get_by_text(said("results_no_file"))).to_be_visible()
    assert len(kept(other)["games"]) == 1
