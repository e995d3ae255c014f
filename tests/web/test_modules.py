"""Solo, every module at once, and Line Clear with two people acting at the same time."""

from __future__ import annotations

from functools import partial
from typing import Final

from playwright.sync_api import Page, expect

from tests.web.choosing import State, choose
from tests.web.conftest import Visits
from tests.web.people import Finger, Mouse, Person
from tests.web.tables import sit_down
from tests.web.test_games import score_screen
from tests.web.words import said

EVERY_MODULE: Final = ["ghost", "ambassador", "phoenix", "finesse", "finesse_ambassador", "endless_white"]


def has_a_puzzle(seat: int, now: State) -> bool:
    """Whether a seat has taken its first card."""
    return len(now["view"]["players"][seat - 1]["puzzles"]) == 1


def test_a_solo_game(page: Page) -> None:
    person = Mouse(page)
    page.goto("/new?mode=solo")
    page.get_by_text(said("setup_options")).click()
    page.get_by_label(said("option_max_rounds")).fill("4")
    page.get_by_role("button", name="Start the game").click()
    person.play()
    score_screen(person, 2)
    expect(person.in_dialog().get_by_text("Mastermind").first).to_be_visible()


def test_a_game_with_every_module(page: Page) -> None:
    """Chosen by hand on the set-up screen; long enough for credits, inserts, Level Ups and ghosts."""
    person = Mouse(page)
    page.goto("/new?mode=local")
    names = ["Ghost Piece", "Ambassador Pack", "Phoenix", "Finesse", "Finesse Ambassador", "Endless White"]
    for name in names:
        page.get_by_role("checkbox", name=name, exact=False).and_(page.get_by_label(name)).first.check()
    page.get_by_text(said("setup_options")).click()
    page.get_by_label(said("option_max_rounds")).fill("5")
    page.get_by_text("A deck of your own choice").click()
    page.get_by_label("Seed", exact=True).fill("all-58")
    page.get_by_role("button", name="Start the game").click()
    person.arrive()
    assert sorted(person.state()["table"]["setup"]["modules"]) == sorted(EVERY_MODULE)
    person.play()
    score_screen(person, 2)
    assert {"place", "master", "insert", "levelup"} <= set(person.done)


def test_line_clear_with_both_holders_acting_at_once(visits: Visits) -> None:
    ana, bo = Mouse(visits().page), Finger(visits(phone=True).page)
    seats = [
        {"kind": "me"},
        {"kind": "bot", "bot": "random"},
        {"kind": "open"},
        {"kind": "bot", "bot": "random"},
        {"kind": "bot", "bot": "random"},
    ]
    made = sit_down(ana, players=5, modules=["line_clear"], options={"max_rounds": "1"}, seats=seats, seed="both")
    bo.page.goto(f"/join/{made['game']}#{made['invites']['3']}")
    bo.press(bo.page.get_by_role("button", name="Sit down"))
    bo.arrive()
    ana.arrive()
    people: dict[int, Person] = {1: ana, 3: bo}
    state = ana.await_state(lambda now: bool(now["legal"]))
    assert state["view"]["to_act"] == [1, 3]
    # Both take cards up at the same moment, on the same table: neither is refused.
    ana.page.locator('[data-slot="WL1"]').click()
    bo.page.locator('[data-slot="WR1"]').tap()
    bo.page.locator('[data-slot="WR1"]').tap()
    ana.page.locator('[data-slot="WL1"]').click()
    for seat, person in people.items():
        person.await_state(partial(has_a_puzzle, seat))
        expect(person.page.get_by_role("alert")).to_have_count(0)
    turn = 0
    while (state := ana.state())["view"]["phase"] != "over":
        mine = [seat for seat in state["view"]["to_act"] if seat in people]
        if not mine:
            ana.sees(state["version"] + 1)
            continue
        turn += 1
        seat = mine[turn % len(mine)]
        person = people[seat]
        own = person.state()
        person.sees(own["version"])
        if seat in own["view"]["to_act"] and own["legal"].get(str(seat)):
            person.act(own, seat, choose(own, seat, person.done))
    for person in people.values():
        person.sees(state["version"])
        score_screen(person, 5)
